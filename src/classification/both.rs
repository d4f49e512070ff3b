//! Reasons of operations seen from both sides, single pairs and groups.

use std::collections::BTreeSet;

use rayon::iter::{Either, IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};

use crate::classification::{
    Terms,
    amounts::{self, Amounts},
    differs::{differences, key_difference},
    finding::Finding,
    repeats,
};
use crate::config::Rule;
use crate::domain::{entry::Entry, money::Sum, reason::Reason};
use crate::matching::{
    explain::{Explained, Paired, Sides},
    weigh::in_window,
};

/// Findings of all pairs that have something to report, and the others, which agree. Pairs that
/// [begin](is_begun) after the as-of day are neither.
pub(super) fn pairs(
    sides: &Sides,
    explained: &Explained,
    terms: &Terms<'_>,
) -> (Vec<Finding>, Vec<Paired>) {
    let repeated = repeats::executed_twice(sides, explained, terms.rules);
    let pairs = explained.paired.par_iter().enumerate();
    let pairs = pairs.filter(|(_, paired)| is_begun(sides, paired, terms));
    pairs.partition_map(|(at, paired)| {
        let cause = repeated.get(&at).copied();
        match decide(sides, paired, cause.is_some(), terms) {
            Some(finding) => Either::Left(Finding { cause, ..finding }),
            None => Either::Right(paired.clone()),
        }
    })
}

/// Whether an entry of a pair is booked by the as-of day.
pub(super) fn is_begun(sides: &Sides, paired: &Paired, terms: &Terms<'_>) -> bool {
    let ours = paired.ours.iter().map(|at| &sides.ours[*at]);
    let theirs = paired.theirs.iter().map(|at| &sides.theirs[*at]);
    ours.chain(theirs).any(|it| it.booking_date <= terms.as_of)
}

/// Ties, each as one finding over all its entries.
pub(super) fn ambiguous(sides: &Sides, explained: &Explained, terms: &Terms<'_>) -> Vec<Finding> {
    let clusters = explained.ambiguous.iter();
    let found = clusters.filter_map(|cluster| {
        let (ours, theirs) = (cluster.ours.clone(), cluster.theirs.clone());
        let mut finding = Finding::new(Reason::Ambiguous, ours, theirs)?;
        finding.rule = Some(cluster.rule);
        let block = Block::of(sides, &cluster.ours, &cluster.theirs, &terms.rules[cluster.rule]);
        finding.differs = block.differences();
        Some(finding)
    });
    found.collect()
}

struct Block<'a> {
    ours: Vec<&'a Entry<'static>>,
    theirs: Vec<&'a Entry<'static>>,
    outside_window: bool,
}

impl<'a> Block<'a> {
    fn of(sides: &'a Sides, ours: &[usize], theirs: &[usize], rule: &Rule) -> Self {
        let ours: Vec<_> = ours.iter().map(|at| &sides.ours[*at]).collect();
        let theirs: Vec<_> = theirs.iter().map(|at| &sides.theirs[*at]).collect();
        let outside_window = !in_window(&ours, &theirs, i64::from(rule.date_window_days));
        Self { ours, theirs, outside_window }
    }

    fn sums(&self) -> (Sum, Sum) {
        (sum(&self.ours), sum(&self.theirs))
    }

    fn differences(&self) -> Vec<crate::domain::discrepancy::Difference> {
        let (ours, theirs) = self.sums();
        let amounts = (ours.to_string(), theirs.to_string());
        differences(&self.ours, &self.theirs, amounts, self.outside_window)
    }

    fn is_single(&self) -> bool {
        self.ours.len() == 1 && self.theirs.len() == 1
    }
}

fn sum(of: &[&Entry<'static>]) -> Sum {
    let currency = of[0].amount.currency();
    of.iter().fold(Sum::zero(currency), |sum, it| sum.plus(it.amount.minor().into()))
}

fn decide(sides: &Sides, paired: &Paired, repeated: bool, terms: &Terms<'_>) -> Option<Finding> {
    let rule = &terms.rules[paired.rule];
    let block = Block::of(sides, &paired.ours, &paired.theirs, rule);
    let mut differs = block.differences();
    if !paired.repairs.is_empty() {
        differs.extend(key_difference(block.ours[0], block.theirs[0]));
    }
    let reason = reason(&block, paired, repeated, terms)?;
    let mut finding = Finding::new(reason, paired.ours.clone(), paired.theirs.clone())?;
    finding.rule = Some(paired.rule);
    finding.differs = differs;
    Some(finding)
}

/// The first reason that holds, in the order of DESIGN §7.
fn reason(block: &Block<'_>, paired: &Paired, repeated: bool, terms: &Terms<'_>) -> Option<Reason> {
    let (ours, theirs) = block.sums();
    let amounts = Amounts {
        ours: ours.minor(),
        currency_ours: ours.currency(),
        theirs: theirs.minor(),
        currency_theirs: theirs.currency(),
    };
    let by_amount = amounts::reason(&block.ours, &block.theirs, amounts, terms.tolerance);
    if !block.is_single() {
        return by_amount.map(|it| of_group(block, it, &terms.rules[paired.rule]));
    }
    let (one, other) = (block.ours[0], block.theirs[0]);
    let opposite = one.amount.is_outflow() != other.amount.is_outflow();
    if repeated {
        return Some(Reason::RepeatedBoth);
    }
    if opposite && one.compared_kind() == other.compared_kind() {
        return Some(Reason::DirectionDiffers);
    }
    by_amount.or_else(|| by_field(block, paired))
}

/// The reason of a group whose sums differ; what explains the difference goes before.
fn of_group(block: &Block<'_>, by_amount: Reason, rule: &Rule) -> Reason {
    if matches!(
        by_amount,
        Reason::WithinTolerance
            | Reason::AmountByRate
            | Reason::AmountNetOfFee
            | Reason::AmountByRounding
    ) {
        return by_amount;
    }
    let incomplete = |side: &[&Entry<'_>]| {
        let stated = side.iter().filter_map(|it| it.group_size).max();
        stated.is_some_and(|stated| usize::try_from(stated).is_ok_and(|it| it > side.len()))
    };
    let counts = |one: &[&Entry<'_>], other: &[&Entry<'_>]| {
        let stated = one.iter().filter_map(|it| it.group_size).max();
        stated.is_some_and(|stated| usize::try_from(stated).is_ok_and(|it| it > other.len()))
    };
    let (ours, theirs) = (&block.ours[..], &block.theirs[..]);
    let short = if ours.len() > 1 && theirs.len() > 1 {
        incomplete(ours) || incomplete(theirs)
    } else {
        ours.len() == 1 && counts(ours, theirs) || theirs.len() == 1 && counts(theirs, ours)
    };
    match (short, rule.group) {
        (true, _) => Reason::GroupIncomplete,
        (false, true) => Reason::GroupSumDiffers,
        (false, false) => Reason::SplitDiffers,
    }
}

/// The reason of a pair whose amounts are equal.
fn by_field(block: &Block<'_>, paired: &Paired) -> Option<Reason> {
    let fields: BTreeSet<&str> = block.differences().iter().map(|it| it.field).collect();
    let reasons = [
        ("kind", Reason::KindDiffers),
        ("party", Reason::PartyDiffers),
        ("account", Reason::AccountDiffers),
        ("fee", Reason::FeeDiffers),
        ("period", Reason::PeriodDiffers),
        ("booking_date", Reason::DateDiffers),
    ];
    let by_field = reasons.into_iter().find(|(field, _)| fields.contains(field));
    let repaired = (!paired.repairs.is_empty()).then_some(Reason::KeyRepaired);
    by_field.map(|(_, reason)| reason).or(repaired)
}
