//! Numbers of corrections: bound to (discrepancy, evidence), never used again (DESIGN §8).

use std::collections::BTreeMap;

use crate::domain::{
    correction::{Class, Correction, Draft, Form, State},
    id::{DiscrepancyId, Hash},
    key::IntentKey,
};

/// A correction already on record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    /// What it repairs.
    pub discrepancy: DiscrepancyId,
    /// The evidence it was proposed on.
    pub evidence: Hash,
    /// The intent it is keyed by.
    pub intent: IntentKey,
    /// Its form.
    pub form: Form,
    /// Its number.
    pub number: u32,
    /// How far it has come.
    pub state: State,
}

/// Gives every draft its number: that of the same evidence on record, else the next of its intent
/// and form. A discrepancy with another live correction, or whose evidence was rejected or has
/// expired, gets none. Drafts come in the order of the report, and the same drafts with the same
/// record give the same numbers.
pub fn number(drafts: Vec<Draft>, known: &[Known]) -> Vec<Correction> {
    let mut next: BTreeMap<(IntentKey, Form), u32> = BTreeMap::new();
    for it in known {
        let highest = next.entry((it.intent.clone(), it.form)).or_insert(0);
        *highest = (*highest).max(it.number);
    }
    let mut corrections = Vec::new();
    for draft in drafts {
        let of_same = || known.iter().filter(|it| it.discrepancy == draft.discrepancy);
        let same_evidence =
            of_same().find(|it| it.evidence == draft.evidence && it.form == draft.form);
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
        corrections.push(Correction { key, number, class, state, draft });
    }
    corrections
}
