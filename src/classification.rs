//! Classification: every discrepancy gets exactly one reason, and the proof that nothing else is open.

mod amounts;
mod both;
mod claim;
mod coverage;
mod differs;
mod evidence;
mod finding;
mod identity;
mod one_sided;
pub mod proof;
mod repeats;
pub mod suspected;
#[cfg(test)]
mod tests;

use chrono::NaiveDate;
use rayon::{
    iter::{IntoParallelIterator, ParallelIterator},
    slice::ParallelSliceMut,
};

use crate::config::{Reconciliation, Rule, Tolerance};
use crate::domain::{calendar::Calendar, discrepancy::Discrepancy, entry::Entry, proof::Coverage};
use crate::matching::explain::{Explained, Paired, Sides};

pub use claim::claim;
pub use coverage::Covered;

/// What classification decides by, besides the entries.
#[derive(Debug, Clone)]
pub struct Terms<'a> {
    /// Whose books; scopes ids.
    pub tenant: &'a str,
    /// The reconciliation; scopes ids.
    pub reconciliation: &'a str,
    /// The pair of sides, as shown.
    pub leg: String,
    /// The rules that paired, in order.
    pub rules: &'a [Rule],
    /// Tolerances.
    pub tolerance: &'a Tolerance,
    /// Business days.
    pub calendar: &'a Calendar,
    /// Business days from booking until the other side must have it.
    pub due_days: u32,
    /// Business days that an inflow may be missing in our books.
    pub ours_inflow_days: u32,
    /// Seconds within which a repeat under a new key is one by cause; `None`: undeclared.
    pub repeat_seconds: Option<i64>,
    /// The day the run speaks about.
    pub as_of: NaiveDate,
    /// For which days complete evidence of either side is held.
    pub covered: Covered,
}

impl<'a> Terms<'a> {
    /// The terms of a reconciliation on a day.
    pub fn of(
        tenant: &'a str,
        reconciliation: &'a Reconciliation,
        calendar: &'a Calendar,
        as_of: NaiveDate,
        coverage: &[Coverage],
    ) -> Self {
        Self {
            tenant,
            reconciliation: &reconciliation.name,
            leg: format!("{}:{}", reconciliation.ours, reconciliation.theirs),
            rules: &reconciliation.rules,
            tolerance: &reconciliation.tolerance,
            calendar,
            due_days: reconciliation.due_days,
            ours_inflow_days: reconciliation.ours_inflow_days,
            repeat_seconds: reconciliation.repeat_window.map(|it| it.seconds),
            as_of,
            covered: Covered::new(coverage),
        }
    }
}

/// Entries that carry no booked money, by side, each in canonical order.
#[derive(Debug, Default)]
pub struct Evidence {
    /// Ours.
    pub ours: Vec<Entry<'static>>,
    /// Theirs.
    pub theirs: Vec<Entry<'static>>,
}

/// What became of the entries that the cancel step left.
#[derive(Debug, Default)]
pub struct Classified {
    /// Discrepancies, waiting and tolerated items; in the order of the report.
    pub discrepancies: Vec<Discrepancy>,
    /// Pairings with nothing to report.
    pub agreed: Vec<Paired>,
    /// Positions of our entries that corrections took back, each group with its correction.
    pub self_reversed: Vec<Vec<usize>>,
    /// Positions of entries after the as-of day that found no counterpart, or one that differs or
    /// was left by the cancel step for another reason.
    pub out_of_scope: (Vec<usize>, Vec<usize>),
}

/// Gives every pairing its reason. `agreed_twins` are our entries that the cancel step removed and
/// that share account, party and amount with others: they tell a retry under a new key.
pub fn classify(
    sides: &Sides,
    evidence: &Evidence,
    agreed_twins: &[Entry<'static>],
    explained: &Explained,
    terms: &Terms<'_>,
) -> Classified {
    let known = one_sided::Known {
        sides,
        evidence,
        explained,
        answers: &evidence::Answers::find(sides, evidence, explained, terms.rules),
        agreed_twins,
    };
    let (identities, ((mut findings, agreed), (theirs, ours))) = rayon::join(
        || identity::Identities::of(sides, evidence, terms),
        || {
            rayon::join(
                || both::pairs(sides, explained, terms),
                || rayon::join(|| known.theirs(terms), || known.ours(terms)),
            )
        },
    );
    let mut out_of_scope = (ours.out_of_scope, theirs.out_of_scope);
    for paired in explained.paired.iter().filter(|it| !both::is_begun(sides, it, terms)) {
        out_of_scope.0.extend(&paired.ours);
        out_of_scope.1.extend(&paired.theirs);
    }
    findings.extend(both::ambiguous(sides, explained, terms));
    findings.extend(theirs.findings);
    findings.extend(ours.findings);
    findings.extend(known.unanswered(terms));
    let findings = findings.into_par_iter();
    let mut discrepancies: Vec<_> =
        findings.map(|it| it.identified(sides, evidence, &identities, terms)).collect();
    discrepancies.par_sort_by(report_order);
    let self_reversed = explained.self_reversed.clone();
    Classified { discrepancies, agreed, self_reversed, out_of_scope }
}

/// The order of the report: by danger, then by reason, then the oldest and largest first.
fn report_order(one: &Discrepancy, other: &Discrepancy) -> std::cmp::Ordering {
    let rank = |it: &Discrepancy| (it.is_waiting(), it.reason.danger(), it.reason);
    let size = |it: &Discrepancy| std::cmp::Reverse(it.difference().minor().abs());
    rank(one)
        .cmp(&rank(other))
        .then_with(|| first_day(one).cmp(&first_day(other)))
        .then_with(|| size(one).cmp(&size(other)))
        .then_with(|| one.id.cmp(&other.id))
}

fn first_day(discrepancy: &Discrepancy) -> Option<NaiveDate> {
    let entries = discrepancy.ours.iter().chain(&discrepancy.theirs);
    entries.map(|it| it.booking_date).min()
}
