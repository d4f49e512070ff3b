//! Reasons of operations seen from one side only.

use std::collections::BTreeMap;

use chrono::NaiveDate;

use crate::classification::{
    Evidence, Terms,
    evidence::Answers,
    finding::{Finding, nearest},
    repeats::{Bookings, Naming, cause_of_same_name, twin},
};
use crate::domain::{
    discrepancy::{Difference, Pairing},
    entry::{Entry, Kind, Status},
    reason::{Cause, Reason},
    repair::fold_party,
    side::Side,
};
use crate::matching::{
    explain::{Explained, Sides},
    rule_key::has_usable_key,
};

/// What the reasons of entries without a counterpart rest on.
pub(super) struct Known<'a> {
    pub(super) sides: &'a Sides,
    pub(super) evidence: &'a Evidence,
    pub(super) explained: &'a Explained,
    pub(super) answers: &'a Answers,
    pub(super) agreed_twins: &'a [Entry<'static>],
}

/// What became of the entries of one side that found no counterpart.
#[derive(Default)]
pub(super) struct OneSided {
    /// Those of days up to the one spoken about.
    pub(super) findings: Vec<Finding>,
    /// The positions of those after it.
    pub(super) out_of_scope: Vec<usize>,
}

impl Known<'_> {
    /// They have it, we don't.
    pub(super) fn theirs(&self, terms: &Terms<'_>) -> OneSided {
        let bookings = Bookings::of(&self.sides.theirs, terms.rules, Naming::Keyed);
        let mut told = OneSided::default();
        for at in &self.explained.left_theirs {
            let entry = &self.sides.theirs[*at];
            if entry.booking_date > terms.as_of {
                told.out_of_scope.push(*at);
                continue;
            }
            let ours = self.answers.ours_of_theirs.get(at).copied();
            let original = bookings.original(*at, &self.explained.left_theirs);
            let answer = ours.map(|it| &self.evidence.ours[it]);
            let collides = self.explained.collisions.contains(&(Side::Theirs, *at));
            let reason = reason_of_theirs(entry, answer, original.is_some(), collides, terms);
            let Some(mut finding) = Finding::new(reason, Vec::new(), vec![*at]) else { continue };
            finding.evidence_ours = ours.into_iter().collect();
            finding.nearest = nearest(self.explained, Side::Theirs, *at, terms);
            if reason == Reason::RepeatedTheirs {
                finding.cause = Some(Cause::Undetermined);
            }
            if reason == Reason::LateOurs {
                let due = terms.calendar.after(entry.booking_date, terms.ours_inflow_days);
                finding.due_on = Some(due);
            }
            if let (Reason::StateDiffers, Some(answer)) = (reason, answer) {
                finding.pairing = Pairing::Both;
                finding.differs = vec![state_difference(answer.status, entry.status)];
            }
            told.findings.push(finding);
        }
        told
    }

    /// We have it, they don't.
    pub(super) fn ours(&self, terms: &Terms<'_>) -> OneSided {
        let entries = &self.sides.ours;
        let (once, keyed) = rayon::join(
            || Bookings::of(entries, terms.rules, Naming::Once),
            || Bookings::of(entries, terms.rules, Naming::Keyed),
        );
        let twins = Twins::of(self);
        let left = &self.explained.left_ours;
        let mut told = OneSided::default();
        for at in left {
            let entry = &entries[*at];
            if entry.booking_date > terms.as_of {
                told.out_of_scope.push(*at);
                continue;
            }
            let theirs = self.answers.theirs_of_ours.get(at).copied();
            let due = Due::of(entry, terms);
            let repeat = Repeat {
                once: once.original(*at, left),
                keyed: keyed.original(*at, left),
                twin: twins.of_entry(entry, terms),
            };
            let collides = self.explained.collisions.contains(&(Side::Ours, *at));
            let answer = theirs.map(|it| self.evidence.theirs[it].status);
            let reason = reason_of_ours(answer, &repeat, due, collides);
            let Some(mut finding) = Finding::new(reason, vec![*at], Vec::new()) else { continue };
            finding.evidence_theirs = theirs.into_iter().collect();
            finding.nearest = nearest(self.explained, Side::Ours, *at, terms);
            finding.due_on = Some(due.on);
            if reason == Reason::RepeatedOurs {
                finding.cause = Some(repeat.cause(entry, entries));
            }
            told.findings.push(finding);
        }
        told
    }

    /// Our evidence of an unknown outcome that met no booked entry: no money is in it.
    pub(super) fn unanswered(&self, terms: &Terms<'_>) -> Vec<Finding> {
        let mut findings = Vec::new();
        for (at, theirs) in &self.answers.unanswered {
            let entry = &self.evidence.ours[*at];
            if entry.status != Status::Unknown || entry.booking_date > terms.as_of {
                continue;
            }
            let due = Due::of(entry, terms);
            let answer = theirs.map(|it| self.evidence.theirs[it].status);
            let reason = match (answer, due.passed, due.covered) {
                (Some(Status::Refused), _, _) => Reason::RefusedTheirs,
                (Some(Status::Pending), false, _) => Reason::PendingTheirs,
                (_, false, _) => Reason::InTransit,
                (_, true, false) => Reason::Uncovered,
                (_, true, true) => Reason::NotExecuted,
            };
            let mut finding = Finding::of_evidence(reason, *at);
            finding.evidence_theirs = theirs.iter().copied().collect();
            finding.due_on = Some(due.on);
            findings.push(finding);
        }
        findings
    }
}

fn reason_of_theirs(
    entry: &Entry<'_>,
    answer: Option<&Entry<'_>>,
    repeated: bool,
    collides: bool,
    terms: &Terms<'_>,
) -> Reason {
    if collides {
        return Reason::KeyCollision;
    }
    if entry.is_residue {
        return Reason::Residual;
    }
    // Our books do hold the operation, as announced and not yet booked.
    if answer.is_some_and(|it| it.status == Status::Pending) {
        return Reason::StateDiffers;
    }
    if !terms.covered.holds(Side::Ours, &entry.account, entry.booking_date) {
        return Reason::UncoveredOurs;
    }
    if let Some(answer) = answer {
        match answer.status {
            Status::Refused => return Reason::DoneDespiteRefusal,
            Status::Unknown => return Reason::OutcomeUnknown,
            Status::Pending | Status::Booked => {}
        }
    }
    if repeated {
        return Reason::RepeatedTheirs;
    }
    let waits = || {
        let due = terms.calendar.after(entry.booking_date, terms.ours_inflow_days);
        !entry.amount.is_outflow() && terms.ours_inflow_days > 0 && due > terms.as_of
    };
    let by_kind = of_kind(entry.compared_kind());
    by_kind.unwrap_or_else(|| match (waits(), has_usable_key(entry, terms.rules)) {
        (true, _) => Reason::LateOurs,
        (false, false) => Reason::Unattributed,
        (false, true) => Reason::MissingOurs,
    })
}

/// The `_unbooked` family, by kind.
fn of_kind(kind: Kind) -> Option<Reason> {
    match kind {
        Kind::Return => Some(Reason::ReturnUnbooked),
        Kind::Chargeback => Some(Reason::ChargebackUnbooked),
        Kind::ChargebackReversal => Some(Reason::ChargebackReversalUnbooked),
        Kind::Refund => Some(Reason::RefundUnbooked),
        Kind::Reversal => Some(Reason::ReversalUnbooked),
        Kind::Fee => Some(Reason::FeeUnbooked),
        Kind::Adjustment => Some(Reason::AdjustmentUnbooked),
        Kind::Payout => Some(Reason::PayoutUnbooked),
        Kind::Payment
        | Kind::Interest
        | Kind::Fx
        | Kind::Transfer
        | Kind::Correction
        | Kind::Other => None,
    }
}

/// When their side must have an entry of ours, and whether it would be seen by then.
#[derive(Debug, Clone, Copy)]
struct Due {
    on: NaiveDate,
    passed: bool,
    covered: bool,
}

impl Due {
    fn of(entry: &Entry<'_>, terms: &Terms<'_>) -> Self {
        let on = terms.calendar.after(entry.booking_date, terms.due_days);
        let days = (entry.booking_date, on);
        let covered = terms.covered.holds_all(Side::Theirs, &entry.account, days, terms.calendar);
        Self { on, passed: on <= terms.as_of, covered }
    }
}

/// What an entry of ours may repeat.
struct Repeat<'a> {
    once: Option<usize>,
    keyed: Option<usize>,
    twin: Option<&'a Entry<'static>>,
}

impl Repeat<'_> {
    fn cause(&self, entry: &Entry<'_>, ours: &[Entry<'static>]) -> Cause {
        match (self.once.or(self.keyed), self.twin) {
            (Some(original), _) => cause_of_same_name(&ours[original], entry),
            (None, Some(_)) => Cause::RetryNewKey,
            (None, None) => Cause::Undetermined,
        }
    }
}

fn reason_of_ours(answer: Option<Status>, repeat: &Repeat<'_>, due: Due, collides: bool) -> Reason {
    if collides {
        return Reason::KeyCollision;
    }
    if answer == Some(Status::Refused) {
        return Reason::RefusedTheirs;
    }
    if answer == Some(Status::Pending) && !due.passed {
        return Reason::PendingTheirs;
    }
    let settled = due.passed && due.covered;
    if repeat.once.is_some() || settled && (repeat.keyed.is_some() || repeat.twin.is_some()) {
        return Reason::RepeatedOurs;
    }
    match (due.passed, due.covered) {
        (false, _) => Reason::InTransit,
        (true, false) => Reason::Uncovered,
        (true, true) => Reason::MissingTheirs,
    }
}

/// Our entries that found their place, by account, party and amount.
struct Twins<'a>(BTreeMap<(String, i64), Vec<&'a Entry<'static>>>);

impl<'a> Twins<'a> {
    fn of(known: &Known<'a>) -> Self {
        let paired = known.explained.paired.iter().flat_map(|it| &it.ours);
        let settled = paired.map(|at| &known.sides.ours[*at]).chain(known.agreed_twins);
        let mut twins: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for entry in settled.filter(|it| it.event_at.is_some()) {
            let slot = (fold_party(&entry.party), entry.amount.minor());
            twins.entry(slot).or_default().push(entry);
        }
        Self(twins)
    }

    fn of_entry(&self, entry: &Entry<'_>, terms: &Terms<'_>) -> Option<&'a Entry<'static>> {
        let near = self.0.get(&(fold_party(&entry.party), entry.amount.minor()))?;
        twin(entry, near.iter().copied(), terms)
    }
}

fn state_difference(ours: Status, theirs: Status) -> Difference {
    let text = |it: Status| Some(it.name().to_owned());
    Difference { field: "status", ours: text(ours), theirs: text(theirs) }
}
