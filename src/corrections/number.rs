//! The numbers of corrections: allocated once, bound to a discrepancy and its evidence, never
//! reused (DESIGN §8).

use std::collections::BTreeMap;

use crate::domain::correction::{Class, Correction, Draft, State};

/// Gives each draft its number, in order.
///
/// `existing` are all corrections of these discrepancies and of these intents. The same evidence
/// reads its correction back, whatever a person decided of it: what was rejected is not proposed
/// again, and what other evidence has voided meanwhile is, under the next number. Nor
/// is anything added while a correction of the discrepancy is approved, posted or under way, or
/// while one repairs the same posting for another discrepancy: two reconciliations over one ledger
/// find the same repeat, and it is taken back once. A dry run and the transaction that stores a run call this alike, and get the same numbers.
pub fn number(drafts: &[Draft], existing: &[Correction]) -> Vec<Correction> {
    let mut taken: BTreeMap<_, u32> = BTreeMap::new();
    let mut of_discrepancy: BTreeMap<_, Vec<&Correction>> = BTreeMap::new();
    for correction in existing {
        let draft = &correction.draft;
        let highest = taken.entry((&draft.intent, draft.form)).or_default();
        *highest = correction.number.max(*highest);
        of_discrepancy.entry(draft.discrepancy).or_default().push(correction);
    }
    let mut numbered = Vec::with_capacity(drafts.len());
    for draft in drafts {
        let before = of_discrepancy.get(&draft.discrepancy).map_or(&[][..], Vec::as_slice);
        let elsewhere = || existing.iter().find(|it| repairs_the_same(draft, it));
        if let Some(stands) = standing(draft, before).or_else(elsewhere) {
            numbered.push(stands.clone());
            continue;
        }
        let number = taken.entry((&draft.intent, draft.form)).or_default();
        *number += 1;
        numbered.push(Correction {
            key: draft.form.key(&draft.intent, *number),
            number: *number,
            class: Class::TechnicalCorrection,
            state: State::Proposed,
            draft: draft.clone(),
        });
    }
    numbered
}

/// The correction that stands in place of a draft: the one of the same evidence that was not voided,
/// else one that a person has approved and that has not ended.
fn standing<'c>(draft: &Draft, before: &[&'c Correction]) -> Option<&'c Correction> {
    let same = |it: &&&Correction| {
        let one = (&it.draft.evidence, it.draft.form) == (&draft.evidence, draft.form);
        one && it.state != State::Void
    };
    let under_way = |it: &&&Correction| it.state.is_live() && it.state != State::Proposed;
    let newest = before.iter().filter(same).max_by_key(|it| it.number);
    newest.or_else(|| before.iter().find(under_way)).copied()
}

/// Whether a live correction of another discrepancy repairs the posting that a draft would.
fn repairs_the_same(draft: &Draft, correction: &Correction) -> bool {
    let (one, other) = (draft, &correction.draft);
    let same = (&one.intent, &one.repairs) == (&other.intent, &other.repairs);
    let another = one.discrepancy != other.discrepancy;
    correction.state.is_live() && another && one.repairs.is_some() && same
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::domain::{
        correction::Form,
        entry::Kind,
        id::{DiscrepancyId, Hash, Parts},
        key::IntentKey,
        money::{Currency, Money},
    };

    pub(in crate::corrections) fn draft(discrepancy: &str, evidence: &str) -> Draft {
        Draft {
            discrepancy: DiscrepancyId::over(&Parts::new().with(discrepancy)),
            intent: IntentKey::stated("p-1").unwrap(),
            form: Form::Compensate,
            underlying_kind: Kind::Payment,
            amount: Money::new(-5000, Currency::iso("EUR").unwrap()),
            legs: Vec::new(),
            evidence: Hash::of(evidence.as_bytes()),
            repairs: None,
            narrative: String::new(),
        }
    }

    fn stored(discrepancy: &str, evidence: &str, number: u32, state: State) -> Correction {
        let draft = draft(discrepancy, evidence);
        let key = draft.form.key(&draft.intent, number);
        Correction { key, number, class: Class::TechnicalCorrection, state, draft }
    }

    fn check(drafts: &[Draft], existing: &[Correction], expected: &[(&str, State)]) {
        let numbered = number(drafts, existing);
        let told: Vec<_> = numbered.iter().map(|it| (it.key.as_str(), it.state)).collect();
        assert_eq!(told, expected);
    }

    #[test]
    fn each_surplus_posting_gets_its_own_number() {
        check(
            &[draft("d2", "e"), draft("d3", "e")],
            &[],
            &[("p-1:compensate", State::Proposed), ("p-1:compensate:2", State::Proposed)],
        );
    }

    #[test]
    fn a_replay_reads_its_numbers_back() {
        let existing =
            [stored("d3", "e", 2, State::Proposed), stored("d2", "e", 1, State::Rejected)];
        check(
            &[draft("d2", "e"), draft("d3", "e")],
            &existing,
            &[("p-1:compensate", State::Rejected), ("p-1:compensate:2", State::Proposed)],
        );
    }

    #[test]
    fn a_number_is_never_reused() {
        for state in [State::Void, State::Rejected, State::Expired, State::Proposed] {
            let existing = [stored("d2", "e", 1, state)];
            check(&[draft("d2", "other")], &existing, &[("p-1:compensate:2", State::Proposed)]);
        }
    }

    #[test]
    fn evidence_that_comes_back_is_proposed_anew() {
        let existing = [stored("d2", "a", 1, State::Void), stored("d2", "b", 2, State::Proposed)];
        check(&[draft("d2", "a")], &existing, &[("p-1:compensate:3", State::Proposed)]);
    }

    #[test]
    fn one_posting_is_repaired_once_whoever_finds_it() {
        let repairs = |name: &str| Some(name.to_owned());
        let mut existing = stored("d2", "e", 1, State::Proposed);
        existing.draft.repairs = repairs("posting 1");
        let mut found = draft("d9", "other");
        found.repairs = repairs("posting 1");
        check(&[found.clone()], &[existing.clone()], &[("p-1:compensate", State::Proposed)]);
        existing.state = State::Rejected;
        check(&[found.clone()], &[existing.clone()], &[("p-1:compensate:2", State::Proposed)]);
        existing.state = State::Posted;
        found.repairs = repairs("posting 2");
        check(&[found], &[existing], &[("p-1:compensate:2", State::Proposed)]);
    }

    #[test]
    fn nothing_is_added_while_a_correction_is_under_way() {
        for state in [State::Approved, State::Posted, State::Delivered] {
            let existing = [stored("d2", "e", 1, state)];
            check(&[draft("d2", "other")], &existing, &[("p-1:compensate", state)]);
        }
    }
}
