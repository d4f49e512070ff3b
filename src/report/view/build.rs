//! From the result of a run to its view: every code, sum and date as it will be printed.

use crate::domain::{
    correction::{Correction, Form, Withheld},
    discrepancy::Discrepancy,
    entry::{Entry, Place, Reject},
    proof::{ProofLine, Share},
    reason::Reason,
    run::{FileResult, RunFacts, RunResult, SelfTest, SideCounts, SuspectedRepeat, Verdict},
    side::Side,
    statement::Statement,
};
use crate::report::{
    amount::Amount,
    code::Code,
    view::{
        ClaimView, CorrectionView, CountsView, CoverageView, DiffersView, DiscrepancyView,
        DoubtView, EntryView, FileView, KeyView, LegView, NearestView, ProofView, RejectView,
        ResultView, RunView, SelfTestView, ShareView, SharesView, SideCountsView, StatementView,
        SuspectView, VerdictView, WithheldView,
    },
};

impl From<&RunResult> for ResultView {
    fn from(result: &RunResult) -> Self {
        let files = &result.files;
        let entries = |it: &[Entry<'_>]| it.iter().map(|it| entry(it, files)).collect();
        let suspects = result.suspected_repeats.iter();
        Self {
            run: run(&result.run, &result.verdict),
            verdict: verdict(&result.verdict),
            counts: CountsView {
                ours: side_counts(&result.counts_ours),
                theirs: side_counts(&result.counts_theirs),
            },
            proof: result.proof.iter().map(proof).collect(),
            coverage: (result.coverage.iter())
                .map(|it| CoverageView {
                    side: Code(it.side),
                    account: it.account.clone(),
                    from: it.from,
                    to: it.to,
                    inferred: it.inferred,
                })
                .collect(),
            files: files.iter().map(file).collect(),
            rejects: result.rejects.iter().map(|it| reject(it, files)).collect(),
            agreed: result.agreed.clone(),
            suspected_repeats: suspects.map(|it| suspect(it, entries(&it.entries))).collect(),
            withheld: result.withheld.iter().map(withheld).collect(),
            self_test: self_test(&result.self_test),
            discrepancies: result.discrepancies.iter().map(|it| discrepancy(it, files)).collect(),
        }
    }
}

fn run(facts: &RunFacts, verdict: &Verdict) -> RunView {
    RunView {
        id: facts.id.to_string(),
        tenant: facts.tenant.clone(),
        reconciliation: facts.reconciliation.clone(),
        as_of: facts.as_of,
        attempt: facts.attempt,
        started_at: facts.started_at,
        status: verdict.status(),
        program: facts.program.clone(),
        rules_version: facts.rules_version.to_string(),
        chain_head: facts.chain_head.map(|it| it.to_string()),
    }
}

fn verdict(verdict: &Verdict) -> VerdictView {
    let doubts = verdict.doubts.iter();
    VerdictView {
        complete: verdict.complete,
        agrees: verdict.agrees,
        independent: Code(verdict.independent),
        reasons: doubts.clone().map(|(doubt, _)| Code(*doubt)).collect(),
        doubts: doubts
            .map(|(doubt, text)| DoubtView { code: Code(*doubt), text: text.clone() })
            .collect(),
    }
}

fn side_counts(counts: &SideCounts) -> SideCountsView {
    SideCountsView {
        records: counts.records,
        entries: counts.entries,
        evidence: counts.evidence,
        rejects: counts.rejects,
        agreed: counts.agreed,
        self_reversed: counts.self_reversed,
        waiting: counts.waiting,
        tolerated: counts.tolerated,
        discrepancies: counts.discrepancies,
        out_of_scope: counts.out_of_scope,
        told_before: counts.told_before,
        not_in_force: counts.not_in_force,
    }
}

fn withheld(withheld: &Withheld) -> WithheldView {
    WithheldView {
        currency: withheld.amount.currency().to_string(),
        amount: withheld.amount.into(),
        ceiling: withheld.ceiling.into(),
        count: withheld.count,
    }
}

fn share(share: &Share) -> ShareView {
    ShareView { amount: share.net.into(), gross: share.gross.into(), count: share.count }
}

fn proof(line: &ProofLine) -> ProofView {
    ProofView {
        account: line.account.clone(),
        currency: line.currency.to_string(),
        as_of: line.as_of,
        basis: Code(line.basis),
        ours: line.ours.into(),
        theirs: line.theirs.into(),
        difference: line.difference.into(),
        opening_difference: line.opening_difference.into(),
        opening_accepted_by: line.opening_accepted_by.clone(),
        by_reason: line.by_reason.iter().map(|(reason, it)| (Code(*reason), share(it))).collect(),
        timing: line.timing.net.into(),
        tolerated: line.tolerated.net.into(),
        undelivered: line.undelivered.into(),
        rejected: line.rejected.net.into(),
        unexplained: line.unexplained.into(),
        shares: SharesView {
            timing: share(&line.timing),
            tolerated: share(&line.tolerated),
            rejected: share(&line.rejected),
        },
    }
}

fn file(file: &FileResult) -> FileView {
    let statements: Vec<_> = file.stated.statements.iter().map(statement).collect();
    let only = if let [only] = statements.as_slice() { Some(only) } else { None };
    FileView {
        side: Code(file.side),
        name: file.name.clone(),
        sha256: file.sha256.to_string(),
        format: file.stated.format.clone(),
        verdict: Code(file.verdict),
        explanation: file.explanation.clone(),
        records: file.stated.records,
        entries: file.entries,
        taken: file.taken(),
        told_before: file.told_before,
        rejects: file.rejects,
        opening: only.and_then(|it| it.opening),
        closing: only.and_then(|it| it.closing),
        difference: only.and_then(|it| it.difference),
        statement: only.and_then(|it| it.identity.clone()),
        seen_before: file.seen_before,
        remarks: file.stated.remarks.clone(),
        statements,
    }
}

fn statement(it: &Statement) -> StatementView {
    let stated = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    StatementView {
        identity: stated(&it.identity),
        account: stated(&it.account),
        currency: it.currency.map(|it| it.to_string()),
        from: it.from,
        to: it.to,
        opening: it.opening.map(Amount::from),
        closing: it.closing.map(Amount::from),
        difference: it.imbalance().map(Amount::from),
        count: it.count,
        counted: it.counted,
        total: it.total.map(Amount::from),
        totalled: it.totalled.map(Amount::from),
    }
}

/// The file of a place; every place of a result points into the result's own list.
fn file_at(place: Place, files: &[FileResult]) -> Option<&FileResult> {
    files.get(usize::from(place.file))
}

fn name_at(place: Place, files: &[FileResult]) -> String {
    file_at(place, files).map_or_else(|| format!("#{}", place.file), |it| it.name.clone())
}

fn reject(it: &Reject, files: &[FileResult]) -> RejectView {
    RejectView {
        side: Code(file_at(it.place, files).map_or(Side::Theirs, |file| file.side)),
        file: name_at(it.place, files),
        record: it.place.record,
        reason: Code(it.reason),
        field: it.field.clone(),
        text: it.text.clone(),
        expected: it.expected.clone(),
        currency: it.amount.map(|it| it.currency().to_string()),
        amount: it.amount.map(Amount::from),
    }
}

fn entry(it: &Entry<'_>, files: &[FileResult]) -> EntryView {
    EntryView {
        file: name_at(it.place, files),
        record: it.place.record,
        currency: it.amount.currency().to_string(),
        amount: it.amount.into(),
        booking_date: it.booking_date,
        kind: Code(it.kind),
        status: Code(it.status),
        party: it.party.to_string(),
        text: it.text.to_string(),
    }
}

fn suspect(it: &SuspectedRepeat, entries: Vec<EntryView>) -> SuspectView {
    SuspectView {
        account: it.account.clone(),
        party: it.party.clone(),
        currency: it.amount.currency().to_string(),
        amount: it.amount.into(),
        entries,
    }
}

fn self_test(it: &SelfTest) -> SelfTestView {
    let count = |list: &[Reason]| u64::try_from(list.len()).unwrap_or(u64::MAX);
    let codes = |list: &[Reason]| list.iter().copied().map(Code).collect();
    SelfTestView {
        planted: count(&it.planted),
        found: count(&it.planted).saturating_sub(count(&it.missed)),
        missed: codes(&it.missed),
        undecidable: codes(&it.undecidable),
    }
}

fn discrepancy(it: &Discrepancy, files: &[FileResult]) -> DiscrepancyView {
    let entries = |list: &[Entry<'_>]| list.iter().map(|it| entry(it, files)).collect();
    DiscrepancyView {
        id: it.id.to_string(),
        pairing: Code(it.pairing),
        reason: Code(it.reason),
        waiting: it.is_waiting(),
        account: it.account.clone(),
        natural_key: (it.natural_key.as_ref())
            .map(|key| KeyView { scheme: Code(key.scheme), text: key.text.to_string() }),
        intent_key: it.intent.to_string(),
        leg: it.leg.clone(),
        currency: it.currency.to_string(),
        amount_ours: it.amount_ours.map(Amount::from),
        currency_theirs: it.amount_theirs.map(|it| it.currency().to_string()),
        amount_theirs: it.amount_theirs.map(Amount::from),
        difference: it.difference().into(),
        differs: (it.differs.iter())
            .map(|it| DiffersView {
                field: it.field.to_owned(),
                ours: it.ours.clone(),
                theirs: it.theirs.clone(),
            })
            .collect(),
        cause: it.cause.map(Code),
        rule: it.rule.clone(),
        nearest: (it.nearest.as_ref())
            .map(|it| NearestView { rule: it.rule.clone(), failed: it.failed.clone() }),
        first_seen: it.first_seen,
        due_on: it.due_on,
        age_days: it.age_days,
        ours: entries(&it.ours),
        theirs: entries(&it.theirs),
        corrections: it.corrections.iter().map(|fix| correction(fix, it.reason)).collect(),
        claim: it.claim.as_ref().map(|it| ClaimView {
            currency: it.amount.currency().to_string(),
            amount: it.amount.into(),
            text: it.text.clone(),
        }),
    }
}

fn correction(it: &Correction, reason: Reason) -> CorrectionView {
    let draft = &it.draft;
    CorrectionView {
        key: it.key.to_string(),
        class: Code(it.class),
        underlying_kind: Code(draft.underlying_kind),
        currency: draft.amount.currency().to_string(),
        amount: draft.amount.into(),
        state: Code(it.state),
        evidence: draft.evidence.to_string(),
        narrative: draft.narrative.clone(),
        legs: (draft.legs.iter())
            .map(|it| LegView { account: it.account.clone(), amount: it.amount.into() })
            .collect(),
        // What nobody can name yet is booked against suspense, and nothing else is (DESIGN §8).
        suspense: draft.form == Form::Book
            && matches!(reason, Reason::MissingOurs | Reason::Unattributed),
    }
}
