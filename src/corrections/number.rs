//! Numbers of corrections: bound to (discrepancy, evidence), never used again (DESIGN §8).

use std::collections::BTreeMap;

use crate::domain::{
    correction::{Class, Correction, Draft, Form, State},
    key::IntentKey,
};

/// Gives every draft its number: that of the same evidence on record, else the next of its intent
/// and form. A discrepancy with another live correction gets none. Drafts come in the order of the
/// report, and the same drafts with the same record give the same numbers.
pub fn number(drafts: &[Draft], known: &[Correction]) -> Vec<Correction> {
    let mut next: BTreeMap<(IntentKey, Form), u32> = BTreeMap::new();
    for it in known {
        let highest = next.entry((it.draft.intent.clone(), it.draft.form)).or_insert(0);
        *highest = (*highest).max(it.number);
    }
    let mut corrections = Vec::new();
    for draft in drafts {
        let of_same = || known.iter().filter(|it| it.draft.discrepancy == draft.discrepancy);
        let same_evidence =
            of_same().find(|it| it.draft.evidence == draft.evidence && it.draft.form == draft.form);
        let (number, state) = match same_evidence {
            Some(known) => (known.number, known.state),
            None if of_same().any(|it| it.state.is_live()) => continue,
            None => {
                let highest = next.entry((draft.intent.clone(), draft.form)).or_insert(0);
                *highest += 1;
                (*highest, State::Proposed)
            }
        };
        let key = draft.form.key(&draft.intent, number);
        let class = Class::TechnicalCorrection;
        corrections.push(Correction { key, number, class, state, draft: draft.clone() });
    }
    corrections
}
