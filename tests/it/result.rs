//! A result made by hand: one of everything that a report must be able to show, with texts that
//! try to break out of it.

use std::{borrow::Cow, collections::BTreeMap};

use chrono::{NaiveDate, TimeZone, Utc};
use sverka::domain::{
    correction::{Claim, Class, Correction, Form, Leg, State},
    discrepancy::{Difference, Discrepancy, Nearest, Pairing},
    entry::{Entry, Kind, Place, Reject, RejectReason, Status},
    id::{DiscrepancyId, Hash, Parts, RunId},
    key::{IntentKey, KeyScheme, NaturalKey},
    money::{Currency, Money, Sum},
    proof::{Basis, Coverage, ProofLine, Share},
    reason::{Cause, Reason, ReasonClass},
    run::{
        Doubt, FileResult, Independence, RunFacts, RunResult, SelfTest, SideCounts,
        SuspectedRepeat, Verdict,
    },
    side::Side,
    statement::{FileVerdict, Stated, Statement},
};

/// What tries to break out: markup, a turned direction, a control character, a right-to-left name.
pub(crate) const HOSTILE: &str = "<script>alert('x')</script>\"&'\u{202e}gpj.exe\u{1b}[31m שלום 🙂";

pub(crate) fn day(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

fn currency(code: &str) -> Currency {
    Currency::iso(code).unwrap()
}

fn sum(text: &str, code: &str) -> Sum {
    Money::from_decimal(text.parse().unwrap(), currency(code)).unwrap().into()
}

fn money(text: &str, code: &str) -> Money {
    Money::from_decimal(text.parse().unwrap(), currency(code)).unwrap()
}

fn entry(side: Side, record: u32, amount: Money, party: &str, text: &str) -> Entry<'static> {
    let file = match side {
        Side::Ours => 0,
        Side::Theirs => 1,
    };
    let place = Place { file, record, ..Place::default() };
    Entry {
        party: Cow::Owned(party.to_owned()),
        text: Cow::Owned(text.to_owned()),
        ..Entry::new(place, amount, day("2026-11-27"))
    }
}

/// A discrepancy of a reason, on the sides that its class speaks of.
pub(crate) fn discrepancy(
    reason: Reason,
    n: u32,
    ours: &str,
    theirs: &str,
    code: &str,
) -> Discrepancy {
    let (ours_too, theirs_too, pairing) = match reason.class() {
        ReasonClass::Books | ReasonClass::Groups | ReasonClass::Both => (true, true, Pairing::Both),
        ReasonClass::TheirsOnly => (false, true, Pairing::TheirsOnly),
        ReasonClass::OursOnly => (true, false, Pairing::OursOnly),
    };
    let parts = Parts::new().with(reason.code()).with(&n.to_string());
    let side = |has: bool, side: Side, amount: &str| {
        let names = ["Müller & Söhne GmbH", "ООО «Ромашка»", "Acme Ltd", "Dupont SARL"];
        let name = names[usize::try_from(n).unwrap() % names.len()];
        let text = format!("Invoice 2026-{:04}", 400 + n);
        has.then(|| entry(side, 10 + n, money(amount, code), name, &text)).into_iter().collect()
    };
    Discrepancy {
        id: DiscrepancyId::over(&parts),
        pairing,
        reason,
        account: "DE02120300000000202051".to_owned(),
        leg: "ledger-bank".to_owned(),
        natural_key: NaturalKey::given(
            KeyScheme::EndToEndId,
            format!("E2E-2026-{:06}", 48_000 + n),
        ),
        intent: IntentKey::stated(&format!("pay-{:05}", 7_000 + n)).unwrap(),
        currency: currency(code),
        amount_ours: ours_too.then(|| sum(ours, code)),
        amount_theirs: theirs_too.then(|| sum(theirs, code)),
        differs: Vec::new(),
        cause: None,
        rule: (pairing == Pairing::Both).then(|| "end-to-end".to_owned()),
        nearest: None,
        ours: side(ours_too, Side::Ours, ours),
        theirs: side(theirs_too, Side::Theirs, theirs),
        due_on: (pairing == Pairing::OursOnly).then(|| day("2026-11-30")),
        first_seen: day("2026-11-30"),
        age_days: n % 8,
        corrections: Vec::new(),
        claim: None,
    }
}

fn correction(item: &Discrepancy, form: Form, kind: Kind, legs: [(&str, &str); 2]) -> Correction {
    let code = item.currency;
    let leg = |(account, amount): (&str, &str)| Leg {
        account: account.to_owned(),
        amount: money(amount, code.code()),
    };
    let amount = leg(legs[0]).amount;
    Correction {
        key: form.key(&item.intent, 1),
        number: 1,
        class: Class::TechnicalCorrection,
        state: State::Proposed,
        draft: sverka::domain::correction::Draft {
            discrepancy: item.id,
            intent: item.intent.clone(),
            form,
            underlying_kind: kind,
            amount,
            legs: legs.map(leg).into(),
            evidence: Hash::of(item.id.to_string().as_bytes()),
            repairs: None,
            narrative: "Correction of E2E-2026-048001".to_owned(),
        },
    }
}

fn differs(field: &'static str, ours: &str, theirs: &str) -> Difference {
    Difference { field, ours: Some(ours.to_owned()), theirs: Some(theirs.to_owned()) }
}

fn repeated() -> Discrepancy {
    let mut item = discrepancy(Reason::RepeatedOurs, 1, "-1250.00", "", "EUR");
    item.cause = Some(Cause::RetrySameIntent);
    item.rule = Some("end-to-end".to_owned());
    let legs = [("51-01", "1250.00"), ("76-05", "-1250.00")];
    item.corrections = vec![correction(&item, Form::Compensate, Kind::Payment, legs)];
    item
}

fn repeated_both() -> Discrepancy {
    let mut item = discrepancy(Reason::RepeatedBoth, 2, "-480.00", "-480.00", "EUR");
    item.cause = Some(Cause::RetryNewKey);
    item.claim = Some(Claim {
        amount: sum("480.00", "EUR"),
        text: "operation E2E-2026-048002 was executed twice".to_owned(),
    });
    item
}

fn missing_ours() -> Vec<Discrepancy> {
    let mut inflow = discrepancy(Reason::MissingOurs, 3, "", "12480.50", "EUR");
    let legs = [("51-01", "12480.50"), ("76-99", "-12480.50")];
    inflow.corrections = vec![correction(&inflow, Form::Book, Kind::Payment, legs)];
    inflow.nearest = Some(Nearest {
        rule: "amount-and-date".to_owned(),
        failed: "the booking dates are 4 days apart".to_owned(),
    });
    let mut outflow = discrepancy(Reason::MissingOurs, 4, "", "-99.90", "EUR");
    outflow.natural_key = None;
    outflow.theirs[0].text = Cow::Owned(HOSTILE.to_owned());
    outflow.theirs[0].party = Cow::Owned("x".repeat(2_000));
    vec![inflow, outflow]
}

fn refund() -> Discrepancy {
    let mut item = discrepancy(Reason::RefundUnbooked, 5, "", "-35.00", "EUR");
    item.theirs[0].kind = Kind::Refund;
    let legs = [("51-01", "-35.00"), ("76-07", "35.00")];
    item.corrections = vec![correction(&item, Form::Book, Kind::Refund, legs)];
    item
}

fn net_of_fee() -> Discrepancy {
    let mut item = discrepancy(Reason::AmountNetOfFee, 6, "100.00", "97.55", "EUR");
    item.differs = vec![
        differs("amount", "100.00 EUR", "97.55 EUR"),
        Difference { field: "fee", ours: None, theirs: Some("2.45 EUR".to_owned()) },
        differs("booking_date", "2026-11-27", "2026-11-30"),
        differs("kind", "payment", "payout"),
        differs("party", HOSTILE, "Acme Ltd"),
    ];
    let legs = [("51-01", "-2.45"), ("91-02", "2.45")];
    item.corrections = vec![correction(&item, Form::Adjust, Kind::Fee, legs)];
    item
}

fn two_currencies() -> Discrepancy {
    let mut item = discrepancy(Reason::AmountByRate, 7, "100.00", "100.00", "EUR");
    item.amount_theirs = Some(sum("110.00", "USD"));
    item.differs = vec![differs("currency", "EUR", "USD"), differs("rate", "1.10", "1.10")];
    item
}

fn discrepancies() -> Vec<Discrepancy> {
    let mut items = vec![repeated(), repeated_both()];
    items.extend(missing_ours());
    items.extend([refund(), net_of_fee(), two_currencies()]);
    items.push(discrepancy(Reason::OutcomeUnknown, 8, "", "-20.00", "EUR"));
    items.push(discrepancy(Reason::PartyDiffers, 9, "-75.00", "-75.00", "EUR"));
    items.push(discrepancy(Reason::AmountShifted, 10, "1000", "100000", "JPY"));
    items.push(discrepancy(Reason::MissingTheirs, 11, "-615.30", "", "EUR"));
    items.push(discrepancy(Reason::InTransit, 12, "-2300.00", "", "EUR"));
    items.push(discrepancy(Reason::PendingTheirs, 13, "-42.00", "", "EUR"));
    items.push(discrepancy(Reason::WithinTolerance, 14, "100.00", "100.01", "EUR"));
    items
}

fn proof_of(code: &str, items: &[Discrepancy]) -> ProofLine {
    let mut by_reason: BTreeMap<Reason, Share> = BTreeMap::new();
    let (mut tolerated, mut net) = (Share::none(currency(code)), 0);
    for item in items {
        let theirs = item.amount_theirs.filter(|it| it.currency() != item.currency);
        let shares =
            [Some(item.difference()), theirs.map(|it| Sum::new(-it.minor(), it.currency()))];
        for share in shares.into_iter().flatten().filter(|it| it.currency() == currency(code)) {
            net += share.minor();
            let none = Share::none(currency(code));
            if item.reason.is_tolerated() {
                tolerated.add(share.minor());
            } else {
                by_reason.entry(item.reason).or_insert(none).add(share.minor());
            }
        }
    }
    let opening = Sum::new(1_200, currency(code));
    let ours = Sum::new(9_007_199_254, currency(code));
    let difference = opening.plus(net);
    ProofLine {
        account: "DE02120300000000202051".to_owned(),
        currency: currency(code),
        as_of: day("2026-11-30"),
        basis: if code == "EUR" { Basis::Balances } else { Basis::Arithmetic },
        ours,
        theirs: ours.plus(-difference.minor()),
        difference,
        opening_difference: opening,
        opening_accepted_by: Some("Anna Petrova".to_owned()),
        by_reason,
        timing: Share::none(currency(code)),
        tolerated,
        undelivered: Sum::zero(currency(code)),
        rejected: Share::none(currency(code)),
        unexplained: Sum::zero(currency(code)),
    }
}

fn files() -> Vec<FileResult> {
    let file =
        |side, name: &str, format: &str, verdict, explanation: &str, statements| FileResult {
            side,
            name: name.to_owned(),
            sha256: Hash::of(name.as_bytes()),
            verdict,
            explanation: explanation.to_owned(),
            entries: 412,
            rejects: 1,
            told_before: if verdict == FileVerdict::Repeated { 412 } else { 0 },
            identities: None,
            seen_before: verdict == FileVerdict::Repeated,
            stated: Stated {
                format: format.to_owned(),
                records: 413,
                statements,
                faults: Vec::new(),
                remarks: Vec::new(),
            },
        };
    let ledger = Statement {
        account: "51-01".to_owned(),
        to: Some(day("2026-11-30")),
        count: Some(413),
        counted: 413,
        total: Some(sum("90071992.54", "EUR")),
        totalled: Some(sum("90071992.54", "EUR")),
        ..Statement::default()
    };
    let bank = Statement {
        identity: "STMT-2026-11-30/0231".to_owned(),
        account: "DE02120300000000202051".to_owned(),
        currency: Some(currency("EUR")),
        from: Some(day("2026-11-27")),
        to: Some(day("2026-11-30")),
        opening: Some(money("90000000.00", "EUR")),
        closing: Some(money("90061992.54", "EUR")),
        movement: Some(sum("61992.54", "EUR")),
        ..Statement::default()
    };
    let camt = "camt.053.001.08";
    let accepted = FileVerdict::Accepted;
    vec![
        file(Side::Ours, "ledger-2026-11-30.csv", "csv", accepted, "", vec![ledger]),
        file(Side::Theirs, "statement-0231.xml", camt, accepted, "", vec![bank.clone()]),
        file(
            Side::Theirs,
            "statement-0231 (copy).xml",
            camt,
            FileVerdict::Repeated,
            "",
            vec![bank],
        ),
    ]
}

fn rejects() -> Vec<Reject> {
    let place = Place { file: 1, record: 17, ..Place::default() };
    let reject = |reason, field: &str, text: &str, expected: &str, amount| Reject {
        place,
        reason,
        field: field.to_owned(),
        text: text.to_owned(),
        expected: expected.to_owned(),
        amount,
        account: String::new(),
    };
    let mark = "a number with `,` as decimal mark";
    vec![
        reject(RejectReason::NumberAmbiguous, "Amt", "-1.000", mark, None),
        reject(RejectReason::FieldUnreadable, "Dt", HOSTILE, "a date", Some(money("17.00", "EUR"))),
    ]
}

/// The whole result: doubts, discrepancies, waiting, tolerated, several currencies.
pub(crate) fn rich() -> RunResult {
    let items = discrepancies();
    let twin = |n| entry(Side::Ours, n, money("-64.20", "EUR"), "Acme Ltd", "Order 5512");
    let counts = |records, agreed| SideCounts {
        records,
        entries: agreed + 17,
        evidence: 2,
        rejects: 1,
        agreed,
        self_reversed: 2,
        waiting: 2,
        tolerated: 1,
        discrepancies: 11,
        out_of_scope: 1,
        told_before: 6,
        not_in_force: 0,
    };
    RunResult {
        run: RunFacts {
            id: RunId::over(&Parts::new().with("acme").with("acquirer")),
            tenant: "acme".to_owned(),
            reconciliation: "acquirer".to_owned(),
            as_of: day("2026-11-30"),
            attempt: 2,
            started_at: Utc.with_ymd_and_hms(2026, 12, 1, 5, 0, 3).unwrap(),
            program: "sverka 0.1.0".to_owned(),
            rules_version: Hash::of(b"rules"),
            chain_head: Some(Hash::of(b"chain")),
        },
        verdict: Verdict {
            complete: false,
            agrees: false,
            independent: Independence::NotEstablished,
            doubts: vec![(
                Doubt::RejectedMoney,
                "record 17 of `statement-0231.xml` was rejected".to_owned(),
            )],
        },
        counts_ours: counts(413, 395),
        counts_theirs: counts(416, 395),
        proof: ["EUR", "JPY", "USD"].map(|code| proof_of(code, &items)).into(),
        coverage: Side::ALL
            .map(|side| Coverage {
                side,
                account: "DE02120300000000202051".to_owned(),
                from: day("2026-11-27"),
                to: day("2026-11-30"),
                inferred: side == Side::Theirs,
            })
            .into(),
        files: files(),
        rejects: rejects(),
        agreed: BTreeMap::from([("end-to-end".to_owned(), 388), ("payout".to_owned(), 7)]),
        suspected_repeats: vec![SuspectedRepeat {
            account: "DE02120300000000202051".to_owned(),
            party: "Acme Ltd".to_owned(),
            amount: money("-64.20", "EUR"),
            entries: vec![twin(88), twin(89)],
        }],
        withheld: Vec::new(),
        self_test: SelfTest {
            planted: Reason::ALL[..31].to_vec(),
            missed: Vec::new(),
            undecidable: vec![Reason::FeeDiffers, Reason::PeriodDiffers],
        },
        discrepancies: items,
    }
}

/// A day on which everything agrees: no doubt, nothing listed, every denominator at hand.
pub(crate) fn clear() -> RunResult {
    let rich = rich();
    let counts = |entries| SideCounts {
        records: entries,
        entries,
        agreed: entries,
        ..SideCounts::default()
    };
    let proof = [proof_of("EUR", &[])].into();
    RunResult {
        verdict: Verdict {
            complete: true,
            agrees: true,
            independent: Independence::Yes,
            doubts: Vec::new(),
        },
        counts_ours: counts(1_204),
        counts_theirs: counts(1_204),
        proof,
        rejects: Vec::new(),
        suspected_repeats: Vec::new(),
        discrepancies: Vec::new(),
        ..rich
    }
}

/// An unknown outcome of ours, attached as evidence to what they booked.
pub(crate) fn with_evidence(mut item: Discrepancy) -> Discrepancy {
    let mut unknown = entry(Side::Ours, 99, money("-20.00", "EUR"), "Acme Ltd", "");
    unknown.status = Status::Unknown;
    item.ours.push(unknown);
    item
}
