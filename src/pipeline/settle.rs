//! Settles a run: counts, proof, verdict and proposals from what was cancelled and classified.

use std::collections::BTreeMap;

use chrono::NaiveDate;

use crate::classification::{
    Classified, Terms,
    proof::{Account, AgreedAmount, Balances, Line, Movements},
};
use crate::corrections::{self, Stated, Trust};
use crate::domain::{
    correction::{Draft, Withheld},
    discrepancy::Discrepancy,
    entry::{Reject, Status},
    money::{Currency, Money, Sum},
    proof::{Coverage, ProofLine},
    run::{FileResult, RunFacts, RunResult, SideCounts, SuspectedRepeat},
    side::Side,
};
use crate::frames::SideFrame;
use crate::inbox::Known;
use crate::matching::{cancel::Cancelled, explain::Sides};
use crate::pipeline::{
    Request, roll_forward,
    self_test::{self, Planted},
    verdict::Grounds,
};

/// Everything that the last stage of a run looks back on.
pub(super) struct Settlement<'a> {
    /// What was asked for.
    pub(super) request: &'a Request<'a>,
    /// What was known before.
    pub(super) known: &'a Known,
    /// What classification decided by.
    pub(super) terms: &'a Terms<'a>,
    /// Both sides as read.
    pub(super) frames: [&'a SideFrame; 2],
    /// What the cancel step removed.
    pub(super) cancelled: &'a Cancelled,
    /// What it left.
    pub(super) sides: &'a Sides,
    /// The self-test.
    pub(super) planted: &'a Planted,
}

/// A result with the proposals that its discrepancies make, not yet numbered.
pub(super) type Settled = (RunResult, Vec<Draft>);

impl Settlement<'_> {
    /// The whole result, the self-test's plants taken out.
    pub(super) fn result(
        &self,
        run: RunFacts,
        files: Vec<FileResult>,
        coverage: Vec<Coverage>,
        mut classified: Classified,
        suspected_repeats: Vec<SuspectedRepeat>,
    ) -> Settled {
        let self_test = self.planted.harvest(&mut classified.discrepancies);
        let counts = Side::ALL.map(|side| self.counts(side, &files, &classified));
        let rejects = self.rejects();
        let proof = self.prove(&files, &classified, &rejects);
        let ours = self.request.config.sources.get(&self.request.reconciliation.ours);
        let theirs = self.request.config.sources.get(&self.request.reconciliation.theirs);
        let origin = |it: Option<&'_ crate::config::Source>| it.and_then(|it| it.origin.clone());
        let (origin_ours, origin_theirs) = (origin(ours), origin(theirs));
        let unrolled = self.frames.map(|it| roll_forward::unrolled(&files, it)).concat();
        let grounds = Grounds {
            files: &files,
            unrolled: &unrolled,
            absent: &self.request.absent,
            as_of: self.terms.as_of,
            first_booking: self.first_booking(),
            rejects: &rejects,
            discrepancies: &classified.discrepancies,
            proof: &proof,
            self_test: &self_test,
            counts_ours: counts[0],
            counts_theirs: counts[1],
            origins: (origin_ours.as_deref(), origin_theirs.as_deref()),
        };
        let verdict = grounds.verdict();
        let trust = if verdict.doubts.is_empty() { Trust::Full } else { Trust::None };
        if trust == Trust::None {
            classified.discrepancies.iter_mut().for_each(|it| it.claim = None);
        }
        let (drafts, withheld) = self.propose(&classified.discrepancies, trust);
        let agreed = self.agreed(&classified);
        let result = RunResult {
            run,
            verdict,
            counts_ours: counts[0],
            counts_theirs: counts[1],
            proof,
            coverage,
            files,
            rejects: rejects.into_iter().map(|(_, reject)| reject).collect(),
            agreed,
            suspected_repeats,
            withheld,
            self_test,
            discrepancies: classified.discrepancies,
        };
        (result, drafts)
    }

    fn first_booking(&self) -> Option<NaiveDate> {
        let totals = self.frames.iter().flat_map(|it| it.totals());
        totals.map(|it| it.day).min()
    }

    fn propose(&self, discrepancies: &[Discrepancy], trust: Trust) -> (Vec<Draft>, Vec<Withheld>) {
        let accounts = self.request.reconciliation.accounts.as_ref();
        let stated = |it: &Discrepancy| {
            let covered = it.theirs.iter().all(|entry| {
                self.terms.covered.states(Side::Ours, &entry.account, entry.booking_date)
            });
            if covered { Stated::Yes } else { Stated::No }
        };
        let drafts = discrepancies
            .iter()
            .flat_map(|it| corrections::propose(it, self.terms.rules, accounts, trust, stated(it)));
        corrections::under_ceiling(
            drafts.collect(),
            &self.request.reconciliation.adjustment_ceiling,
        )
    }

    /// Pairings with nothing to report, by rule.
    fn agreed(&self, classified: &Classified) -> BTreeMap<String, u64> {
        let mut agreed = self.cancelled.agreed.clone();
        for paired in &classified.agreed {
            let first = paired.ours.first().map(|at| &self.sides.ours[*at]);
            if first.is_some_and(|it| it.place.file != self_test::FILE) {
                let rule = self.terms.rules[paired.rule].name.clone();
                *agreed.entry(rule).or_insert(0) += 1;
            }
        }
        agreed
    }

    fn rejects(&self) -> Vec<(Side, Reject)> {
        let of = |frame: &SideFrame| -> Vec<_> {
            frame.rejects().iter().map(|it| (frame.side(), it.clone())).collect()
        };
        self.frames.into_iter().flat_map(of).collect()
    }

    fn counts(&self, side: Side, files: &[FileResult], classified: &Classified) -> SideCounts {
        let frame = match side {
            Side::Ours => self.frames[0],
            Side::Theirs => self.frames[1],
        };
        let of_side = || files.iter().filter(|it| it.side == side);
        let mut counts = SideCounts {
            records: of_side().map(|it| it.stated.records).sum(),
            entries: frame.totals().iter().map(|it| it.count).sum(),
            evidence: count(frame.evidence().iter().filter(|it| it.place.file != self_test::FILE)),
            rejects: count(frame.rejects().iter()),
            agreed: self.cancelled.agreed.values().sum(),
            told_before: of_side().map(|it| it.told_before).sum(),
            not_in_force: of_side().map(FileResult::not_in_force).sum(),
            ..SideCounts::default()
        };
        let all = self.sides.of(side);
        let real = |at: &&usize| all[**at].place.file != self_test::FILE;
        let paired = classified.agreed.iter().flat_map(|it| match side {
            Side::Ours => &it.ours,
            Side::Theirs => &it.theirs,
        });
        counts.agreed += count(paired.filter(real));
        counts.out_of_scope = match side {
            Side::Ours => count(classified.out_of_scope.0.iter().filter(real)),
            Side::Theirs => count(classified.out_of_scope.1.iter().filter(real)),
        };
        if side == Side::Ours {
            counts.self_reversed = count(classified.self_reversed.iter().flatten().filter(real));
        }
        for discrepancy in &classified.discrepancies {
            let entries = match side {
                Side::Ours => &discrepancy.ours,
                Side::Theirs => &discrepancy.theirs,
            };
            let booked = count(entries.iter().filter(|it| it.status == Status::Booked));
            if discrepancy.is_waiting() {
                counts.waiting += booked;
            } else if discrepancy.reason.is_tolerated() {
                counts.tolerated += booked;
            } else {
                counts.discrepancies += booked;
            }
        }
        counts
    }

    fn prove(
        &self,
        files: &[FileResult],
        classified: &Classified,
        rejects: &[(Side, Reject)],
    ) -> Vec<ProofLine> {
        let account = Account {
            movements_ours: movements(self.frames[0]),
            movements_theirs: movements(self.frames[1]),
            balances_ours: balances(files, Side::Ours),
            balances_theirs: balances(files, Side::Theirs),
            openings_accepted: self
                .known
                .openings
                .iter()
                .map(|it| (it.account.clone(), it.difference.into(), it.by.clone()))
                .collect(),
            discrepancies: &classified.discrepancies,
            straddling: self.straddling(classified),
            rejects: rejects.iter().map(|(side, reject)| (*side, reject)).collect(),
            undelivered: BTreeMap::new(),
        };
        account.prove(self.terms.as_of)
    }

    /// Agreed operations with an entry after the as-of day.
    fn straddling(&self, classified: &Classified) -> Vec<AgreedAmount> {
        let as_of = self.terms.as_of;
        let late = |day: NaiveDate| day > as_of;
        let mut straddling = Vec::new();
        for total in &self.cancelled.totals {
            if late(total.day_ours) == late(total.day_theirs) {
                continue;
            }
            let amount = Sum::new(total.minor, total.currency);
            let sides = [
                (Side::Ours, &total.account_ours, total.day_ours),
                (Side::Theirs, &total.account_theirs, total.day_theirs),
            ];
            straddling.extend(sides.map(|(side, account, booking_date)| AgreedAmount {
                side,
                account: account.clone(),
                amount,
                booking_date,
            }));
        }
        let agreed = classified.agreed.iter().map(|it| (&it.ours[..], &it.theirs[..]));
        let reversed = classified.self_reversed.iter().map(|it| (&it[..], &[][..]));
        for (ours, theirs) in agreed.chain(reversed) {
            let ours = ours.iter().map(|at| (Side::Ours, &self.sides.ours[*at]));
            let theirs = theirs.iter().map(|at| (Side::Theirs, &self.sides.theirs[*at]));
            let entries: Vec<_> = ours.chain(theirs).collect();
            let after = entries.iter().filter(|(_, it)| late(it.booking_date)).count();
            let planted = entries.iter().any(|(_, it)| it.place.file == self_test::FILE);
            if planted || after == 0 || after == entries.len() {
                continue;
            }
            straddling.extend(entries.into_iter().map(|(side, entry)| AgreedAmount {
                side,
                account: entry.account.clone().into_owned(),
                amount: entry.amount.into(),
                booking_date: entry.booking_date,
            }));
        }
        straddling
    }
}

/// A currency for the self-test's plants: the first that a statement names, else the euro.
pub(super) fn currency(files: &[FileResult]) -> Option<Currency> {
    let statements = files.iter().flat_map(|it| &it.stated.statements);
    let mut named = statements.filter_map(|it| {
        it.currency.or(it.movement.map(Sum::currency)).or(it.closing.map(Money::currency))
    });
    named.next().or_else(|| Currency::iso("EUR"))
}

fn movements(frame: &SideFrame) -> Movements {
    let totals = frame.totals().into_iter();
    totals.map(|it| ((it.account, it.currency, it.day), it.minor)).collect()
}

/// The balances that a side's paired files state: the first opening and the last closing of each
/// account and currency. A statement without both leaves its line without a basis.
fn balances(files: &[FileResult], side: Side) -> BTreeMap<Line, Balances> {
    let mut balances: BTreeMap<Line, Option<Balances>> = BTreeMap::new();
    for statement in roll_forward::in_order(files, side) {
        let named = statement.closing.or(statement.opening).map(Money::currency);
        let Some(currency) = named.or(statement.currency) else { continue };
        let line = (statement.account.trim().to_owned(), currency);
        let stated = statement.opening.zip(statement.closing);
        let next = stated.map(|(opening, closing)| Balances { opening, closing });
        let joined = match (balances.get(&line), next) {
            (None, next) => next,
            (Some(Some(first)), Some(next)) => {
                Some(Balances { opening: first.opening, closing: next.closing })
            }
            (Some(_), _) => None,
        };
        balances.insert(line, joined);
    }
    balances.into_iter().filter_map(|(line, it)| Some((line, it?))).collect()
}

fn count<T>(of: impl Iterator<Item = T>) -> u64 {
    u64::try_from(of.count()).unwrap_or(u64::MAX)
}
