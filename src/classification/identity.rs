//! The identity of a discrepancy: the same tomorrow, whatever file it comes in (DESIGN §8).

use std::collections::BTreeMap;

use rayon::iter::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};

use crate::classification::{Evidence, Terms};
use crate::config::{Rule, RuleField};
use crate::domain::{
    entry::Entry,
    id::{DiscrepancyId, Hash, Parts},
    key::{IntentKey, KeyScheme, NaturalKey},
    side::Side,
};
use crate::matching::{
    explain::Sides,
    rule_key::{RuleKey, rule_key},
};

/// Where an entry stands: booked or evidence of a side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Standing {
    /// Booked money, at a position of [`Sides`].
    Booked(Side, usize),
    /// Evidence, at a position of [`Evidence`].
    Evidence(Side, usize),
}

/// The identity of every entry, with the occurrence that tells equal ones apart.
pub(super) struct Identities(BTreeMap<Standing, (Parts, u32)>);

impl Identities {
    /// Counts every entry of an identity, reversed ones included, in canonical order.
    pub(super) fn of(sides: &Sides, evidence: &Evidence, terms: &Terms<'_>) -> Self {
        let mut identities = BTreeMap::new();
        for side in Side::ALL {
            let (booked, other) = match side {
                Side::Ours => (&sides.ours, &evidence.ours),
                Side::Theirs => (&sides.theirs, &evidence.theirs),
            };
            let booked = booked.par_iter().enumerate();
            let booked = booked.map(|(at, it)| (Standing::Booked(side, at), it));
            let other = other.par_iter().enumerate();
            let other = other.map(|(at, it)| (Standing::Evidence(side, at), it));
            let named = booked.chain(other).map(|(standing, entry)| {
                let parts = anchor_parts(entry, side, terms);
                let kept = matches!(standing, Standing::Booked(..));
                let hash = parts.clone().with(if kept { "booked" } else { "evidence" }).sha256();
                (standing, parts, hash)
            });
            let mut seen: BTreeMap<Hash, u32> = BTreeMap::new();
            for (standing, parts, hash) in named.collect::<Vec<_>>() {
                let occurrence = seen.entry(hash).or_insert(0);
                *occurrence += 1;
                identities.insert(standing, (parts, *occurrence));
            }
        }
        Self(identities)
    }

    /// The id of the discrepancy that an entry anchors.
    pub(super) fn id(&self, anchor: Standing) -> DiscrepancyId {
        let (parts, occurrence) = &self.0[&anchor];
        DiscrepancyId::over(&parts.clone().with(&occurrence.to_string()))
    }

    /// The intent where our ledger states none: derived from the identity without occurrence.
    pub(super) fn derived_intent(&self, anchor: Standing) -> IntentKey {
        IntentKey::derived(&self.0[&anchor].0)
    }
}

/// (tenant, reconciliation, leg, account, side, key or content, kind, direction).
fn anchor_parts(entry: &Entry<'_>, side: Side, terms: &Terms<'_>) -> Parts {
    let direction = if entry.amount.is_outflow() { "out" } else { "in" };
    let parts = Parts::new()
        .with(terms.tenant)
        .with(terms.reconciliation)
        .with(&terms.leg)
        .with(entry.account.trim())
        .with(side.name());
    let named = match named_key(entry, terms.rules) {
        Some((rule, key)) if side == Side::Ours || is_issued_by_us(entry, rule) => {
            let names: Vec<_> = rule.on.iter().map(|it| it.name()).collect();
            key.iter().fold(parts.with("key").with(&names.join("+")), |parts, it| parts.with(it))
        }
        Some(_) | None => content(parts.with("content"), entry),
    };
    named.with(entry.compared_kind().name()).with(direction)
}

/// The first rule that pairs by keys and whose key the entry has.
fn named_key<'r, 'e>(entry: &'e Entry<'_>, rules: &'r [Rule]) -> Option<(&'r Rule, RuleKey<'e>)> {
    let mut keyed = rules.iter().filter(|it| it.is_keyed());
    keyed.find_map(|rule| Some((rule, rule_key(entry, rule)?)))
}

/// Whether we gave the key that names their entry: the payer gives it, and we pay when money goes
/// out. A stranger's key may repeat freely and names nothing of ours.
fn is_issued_by_us(entry: &Entry<'_>, rule: &Rule) -> bool {
    let ours = |field: &RuleField| match field {
        RuleField::Key(scheme) => is_given_by_payer(*scheme),
        RuleField::Intent
        | RuleField::Amount
        | RuleField::Currency
        | RuleField::Account
        | RuleField::Party => true,
    };
    entry.amount.is_outflow() && rule.on.iter().all(ours)
}

fn is_given_by_payer(scheme: KeyScheme) -> bool {
    match scheme {
        KeyScheme::EndToEndId
        | KeyScheme::Uetr
        | KeyScheme::InstructionId
        | KeyScheme::PaymentInformationId
        | KeyScheme::PaymentOrder
        | KeyScheme::MerchantReference => true,
        KeyScheme::TransactionId
        | KeyScheme::AccountServicerReference
        | KeyScheme::EntryReference
        | KeyScheme::MandateId
        | KeyScheme::ProviderReference
        | KeyScheme::BatchId
        | KeyScheme::AcquirerReference
        | KeyScheme::FileRecord => false,
    }
}

/// The record identity of DESIGN §5: content with booking date, never file or record number.
fn content(parts: Parts, entry: &Entry<'_>) -> Parts {
    let mut parts = parts
        .with(&entry.booking_date.to_string())
        .with(&entry.amount.to_string())
        .with(entry.amount.currency().code())
        .with(&entry.party)
        .with(&entry.text);
    parts.push(entry.value_date.map(|it| it.to_string()).as_deref());
    for key in &entry.keys {
        parts = parts.with(key.scheme.name()).with(&key.text);
    }
    parts
}

/// The key an entry is shown under: of the first rule that has one, else its first key.
pub(super) fn shown_key(entry: &Entry<'static>, rules: &[Rule]) -> Option<NaturalKey<'static>> {
    let fields = rules.iter().filter(|it| it.is_keyed()).flat_map(|it| &it.on);
    let schemes = fields.filter_map(|field| match field {
        RuleField::Key(scheme) => Some(*scheme),
        RuleField::Intent
        | RuleField::Amount
        | RuleField::Currency
        | RuleField::Account
        | RuleField::Party => None,
    });
    let mut found = schemes.filter_map(|it| entry.keys.iter().find(|key| key.scheme == it));
    found.next().or(entry.keys.first()).cloned()
}
