//! Runs to be kept, made by hand.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, Utc};
use sverka::domain::{
    correction::{Class, Correction, Draft, Form, Leg, State},
    discrepancy::{Difference, Discrepancy, Nearest, Pairing},
    entry::{Entry, Kind, Place, Reject, RejectReason, Status},
    id::{DiscrepancyId, Hash, Parts, RunId},
    key::{IntentKey, KeyScheme, NaturalKey},
    money::{Currency, Money, Sum},
    page::Page,
    reason::{Cause, Reason},
    run::{FileResult, Independence, RunFacts, RunResult, SelfTest, SideCounts, Verdict},
    side::Side,
    statement::{FileVerdict, Stated, Statement},
};
use sverka::inbox::{Arrival, Decision};
use sverka::journal::{Journal, JournalError, Recording};

pub(crate) const TENANT: &str = "acme";
pub(crate) const RECONCILIATION: &str = "acquirer";

/// A run with what is kept beside its result.
#[derive(Debug, Clone)]
pub(crate) struct Day {
    pub(crate) result: RunResult,
    pub(crate) arrivals: Vec<Arrival>,
    pub(crate) closed: Vec<DiscrepancyId>,
}

impl Day {
    /// Keeps it in a journal, with [`stored`] as its stored result.
    pub(crate) async fn record_in(&self, journal: &Journal) -> Result<Hash, JournalError> {
        let Self { result, arrivals, closed } = self;
        let recording = Recording { result, arrivals, closed };
        journal.record(&recording, async { Ok(stored()) }).await
    }
}

/// The hash of a result that no store has.
pub(crate) fn stored() -> Hash {
    Hash::of(b"the result as JSON")
}

pub(crate) fn eur(minor: i64) -> Money {
    Money::new(minor, Currency::iso("EUR").unwrap())
}

pub(crate) fn date(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

pub(crate) fn moment() -> DateTime<Utc> {
    "2026-11-30T05:00:00Z".parse().unwrap()
}

pub(crate) fn discrepancy_id(name: &str) -> DiscrepancyId {
    DiscrepancyId::over(&Parts::new().with(name))
}

/// An attempt at 30 November, with a ledger, a statement, one reject and these discrepancies.
pub(crate) fn day(attempt: u32, discrepancies: Vec<Discrepancy>) -> Day {
    let files = vec![file(Side::Ours, "ledger.csv"), file(Side::Theirs, "statement.xml")];
    let arrivals = files.iter().map(arrival).collect();
    Day { result: result(attempt, files, discrepancies), arrivals, closed: Vec::new() }
}

fn result(attempt: u32, files: Vec<FileResult>, discrepancies: Vec<Discrepancy>) -> RunResult {
    let parts = Parts::new().with(TENANT).with(RECONCILIATION).with(&attempt.to_string());
    RunResult {
        run: RunFacts {
            id: RunId::over(&parts),
            tenant: TENANT.to_owned(),
            reconciliation: RECONCILIATION.to_owned(),
            as_of: date("2026-11-30"),
            attempt,
            started_at: moment(),
            program: "sverka 0.1.0".to_owned(),
            rules_version: Hash::of(b"rules"),
            chain_head: None,
        },
        verdict: Verdict {
            complete: true,
            agrees: discrepancies.is_empty(),
            independent: Independence::Yes,
            doubts: Vec::new(),
        },
        counts_ours: SideCounts::default(),
        counts_theirs: SideCounts::default(),
        proof: Vec::new(),
        coverage: Vec::new(),
        files,
        rejects: vec![reject()],
        agreed: BTreeMap::new(),
        suspected_repeats: Vec::new(),
        withheld: Vec::new(),
        self_test: SelfTest::default(),
        discrepancies,
    }
}

fn file(side: Side, name: &str) -> FileResult {
    let statement = Statement {
        identity: format!("S-{name}"),
        account: "DE02".to_owned(),
        currency: Currency::iso("EUR"),
        from: Some(date("2026-11-30")),
        to: Some(date("2026-11-30")),
        opening: Some(eur(10_000)),
        closing: Some(eur(-2_550)),
        sequence: Some(7),
        pages: vec![Page::new(1, true)],
        ..Statement::default()
    };
    FileResult {
        side,
        name: name.to_owned(),
        sha256: Hash::of(name.as_bytes()),
        verdict: FileVerdict::Accepted,
        explanation: String::new(),
        entries: 2,
        rejects: 1,
        told_before: 0,
        identities: None,
        seen_before: false,
        stated: Stated {
            format: "csv".to_owned(),
            records: 3,
            statements: vec![statement],
            ..Stated::default()
        },
    }
}

fn arrival(file: &FileResult) -> Arrival {
    let decision = Decision {
        verdict: file.verdict,
        explanation: String::new(),
        seen_before: false,
        arrival: file.verdict,
        taken: 2,
        left_out: 0,
        why: String::new(),
    };
    Arrival { side: file.side, name: file.name.clone(), sha256: file.sha256, decision }
}

fn reject() -> Reject {
    Reject {
        place: Place { file: 1, record: 9, ..Place::default() },
        reason: RejectReason::NumberAmbiguous,
        field: "amount".to_owned(),
        text: "1.000".to_owned(),
        expected: "a number with a declared decimal mark".to_owned(),
        amount: None,
        account: String::new(),
    }
}

/// A posting of ours that is in no statement, with a correction proposed and everything stated
/// that an entry can state.
pub(crate) fn repeated(name: &str) -> Discrepancy {
    let ours = entry(0, 4, eur(-5_000));
    Discrepancy {
        id: discrepancy_id(name),
        pairing: Pairing::OursOnly,
        reason: Reason::RepeatedOurs,
        account: "DE02".to_owned(),
        leg: "acquirer".to_owned(),
        natural_key: ours.keys.first().cloned(),
        intent: IntentKey::stated(name).unwrap(),
        currency: ours.amount.currency(),
        amount_ours: Some(Sum::from(ours.amount)),
        amount_theirs: None,
        differs: vec![Difference {
            field: "amount",
            ours: Some("-50.00".to_owned()),
            theirs: None,
        }],
        cause: Some(Cause::RetrySameIntent),
        rule: None,
        nearest: Some(Nearest {
            rule: "end-to-end".to_owned(),
            failed: "its key is taken".to_owned(),
        }),
        ours: vec![ours],
        theirs: vec![evidence()],
        due_on: Some(date("2026-12-01")),
        first_seen: date("2026-11-30"),
        age_days: 0,
        corrections: vec![correction(name, "first", 1)],
        claim: None,
    }
}

/// An entry of ours with everything stated.
pub(crate) fn entry(file: u16, record: u32, amount: Money) -> Entry<'static> {
    let dollar = Currency::iso("USD").unwrap().with_decimals(4);
    let key = |scheme, text| NaturalKey::given(scheme, text).unwrap();
    let place = Place { file, record, part: 1, start: 320, length: 80 };
    Entry {
        account: "DE02".into(),
        keys: vec![key(KeyScheme::EndToEndId, "E2E \"1\""), key(KeyScheme::BatchId, "лот-7")],
        intent: Some("p-1".into()),
        value_date: Some(date("2026-12-01")),
        kind: Kind::Correction,
        underlying_kind: Some(Kind::Payment),
        party: "Müller & Söhne".into(),
        text: "invoice 7".into(),
        fee: Some(eur(245)),
        rate: Some("1.1000".parse().unwrap()),
        original: Some(Money::new(-550_000, dollar)),
        rest: Some(eur(-1)),
        period: Some("2026-11".into()),
        reverses: Some("p-0".into()),
        group_size: Some(3),
        event_at: Some("2026-11-30T04:59:59.123Z".parse().unwrap()),
        channel: Some("api".into()),
        client_key: Some("c-1".into()),
        ..Entry::new(place, amount, date("2026-11-30"))
    }
}

fn evidence() -> Entry<'static> {
    let place = Place { file: 1, record: 2, ..Place::default() };
    Entry { status: Status::Pending, ..Entry::new(place, eur(-5_000), date("2026-11-30")) }
}

pub(crate) fn correction(name: &str, evidence: &str, number: u32) -> Correction {
    let intent = IntentKey::stated(name).unwrap();
    Correction {
        key: intent.compensate(number),
        number,
        class: Class::TechnicalCorrection,
        state: State::Proposed,
        draft: Draft {
            discrepancy: discrepancy_id(name),
            intent,
            form: Form::Compensate,
            underlying_kind: Kind::Payment,
            amount: eur(5_000),
            legs: vec![
                Leg { account: "51-01".to_owned(), amount: eur(5_000) },
                Leg { account: "76-99".to_owned(), amount: eur(-5_000) },
            ],
            evidence: Hash::of(evidence.as_bytes()),
            repairs: Some("posting 4".to_owned()),
            narrative: "repeated posting of p-1 taken back".to_owned(),
        },
    }
}
