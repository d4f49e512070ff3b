//! A finding: what classification decided, before it becomes a discrepancy with its identity.

use chrono::NaiveDate;

use crate::classification::{
    Evidence, Terms, claim,
    identity::{Identities, Standing, shown_key},
};
use crate::domain::{
    discrepancy::{Difference, Discrepancy, Nearest, Pairing},
    entry::Entry,
    key::IntentKey,
    money::Sum,
    reason::{Cause, Reason},
    side::Side,
};
use crate::matching::explain::{Explained, Sides};

/// One reason for some entries.
#[derive(Debug, Clone)]
pub(super) struct Finding {
    /// The entry whose identity the discrepancy takes: ours where present.
    pub(super) anchor: Standing,
    pub(super) pairing: Pairing,
    pub(super) reason: Reason,
    /// Booked entries by position.
    pub(super) ours: Vec<usize>,
    pub(super) theirs: Vec<usize>,
    /// Evidence by position.
    pub(super) evidence_ours: Vec<usize>,
    pub(super) evidence_theirs: Vec<usize>,
    pub(super) differs: Vec<Difference>,
    pub(super) cause: Option<Cause>,
    pub(super) rule: Option<usize>,
    pub(super) nearest: Option<Nearest>,
    pub(super) due_on: Option<NaiveDate>,
}

impl Finding {
    /// A finding about entries of which at least one is booked; ours anchors where present.
    pub(super) fn new(reason: Reason, ours: Vec<usize>, theirs: Vec<usize>) -> Option<Self> {
        let pairing = match (ours.is_empty(), theirs.is_empty()) {
            (false, false) => Pairing::Both,
            (false, true) => Pairing::OursOnly,
            (true, _) => Pairing::TheirsOnly,
        };
        let first_ours = ours.first().map(|at| Standing::Booked(Side::Ours, *at));
        let anchor = first_ours.or(theirs.first().map(|at| Standing::Booked(Side::Theirs, *at)))?;
        Some(Self {
            anchor,
            pairing,
            reason,
            ours,
            theirs,
            evidence_ours: Vec::new(),
            evidence_theirs: Vec::new(),
            differs: Vec::new(),
            cause: None,
            rule: None,
            nearest: None,
            due_on: None,
        })
    }

    /// A finding about our evidence alone: no money was booked.
    pub(super) fn of_evidence(reason: Reason, at: usize) -> Self {
        Self {
            anchor: Standing::Evidence(Side::Ours, at),
            pairing: Pairing::OursOnly,
            reason,
            ours: Vec::new(),
            theirs: Vec::new(),
            evidence_ours: vec![at],
            evidence_theirs: Vec::new(),
            differs: Vec::new(),
            cause: None,
            rule: None,
            nearest: None,
            due_on: None,
        }
    }

    /// The discrepancy, first seen on the day of this run until history says otherwise.
    pub(super) fn identified(
        self,
        sides: &Sides,
        evidence: &Evidence,
        identities: &Identities,
        terms: &Terms<'_>,
    ) -> Discrepancy {
        let pick = |all: &[Entry<'static>], of: &[usize]| -> Vec<Entry<'static>> {
            of.iter().map(|at| all[*at].clone()).collect()
        };
        let (booked_ours, booked_theirs) = (self.ours.len(), self.theirs.len());
        let mut ours = pick(&sides.ours, &self.ours);
        ours.extend(pick(&evidence.ours, &self.evidence_ours));
        let mut theirs = pick(&sides.theirs, &self.theirs);
        theirs.extend(pick(&evidence.theirs, &self.evidence_theirs));
        let anchor = match self.anchor {
            Standing::Booked(side, at) => &sides.of(side)[at],
            Standing::Evidence(Side::Ours, at) => &evidence.ours[at],
            Standing::Evidence(Side::Theirs, at) => &evidence.theirs[at],
        };
        let stated = ours.iter().find_map(|it| IntentKey::stated(it.intent.as_deref()?));
        let derived = || identities.derived_intent(self.anchor);
        let currency = anchor.amount.currency();
        let shown = self.pairing;
        let amount_ours = total(&ours[..booked_ours], currency);
        let amount_theirs = total(
            &theirs[..booked_theirs],
            theirs.first().map_or(currency, |it| it.amount.currency()),
        );
        let mut discrepancy = Discrepancy {
            id: identities.id(self.anchor),
            pairing: shown,
            reason: self.reason,
            account: account(&ours, &theirs),
            leg: terms.leg.clone(),
            natural_key: shown_key(anchor, terms.rules),
            intent: stated.unwrap_or_else(derived),
            currency,
            amount_ours: (shown != Pairing::TheirsOnly).then_some(amount_ours),
            amount_theirs: (shown != Pairing::OursOnly).then_some(amount_theirs),
            differs: self.differs,
            cause: self.cause,
            rule: self.rule.map(|at| terms.rules[at].name.clone()),
            nearest: self.nearest,
            ours,
            theirs,
            due_on: self.due_on,
            first_seen: terms.as_of,
            age_days: 0,
            corrections: Vec::new(),
            claim: None,
        };
        discrepancy.claim = claim(&discrepancy);
        discrepancy
    }
}

/// The sum of the entries in a currency.
fn total(entries: &[Entry<'_>], currency: crate::domain::money::Currency) -> Sum {
    let same = entries.iter().filter(|it| it.amount.currency() == currency);
    same.fold(Sum::zero(currency), |sum, it| sum.plus(it.amount.minor().into()))
}

/// The account that the first entry naming one names.
fn account(ours: &[Entry<'_>], theirs: &[Entry<'_>]) -> String {
    let named = ours.iter().chain(theirs).map(|it| it.account.trim());
    named.filter(|it| !it.is_empty()).map(str::to_owned).next().unwrap_or_default()
}

/// The rule that almost paired an entry left over, as shown.
pub(super) fn nearest(
    explained: &Explained,
    side: Side,
    at: usize,
    terms: &Terms<'_>,
) -> Option<Nearest> {
    let suggestion = explained.suggestions.get(&(side, at))?;
    let rule = terms.rules[suggestion.rule].name.clone();
    Some(Nearest { rule, failed: suggestion.failed.clone() })
}
