//! The key of an entry under a rule.

use crate::config::{Rule, RuleField};
use crate::domain::entry::Entry;

/// What an entry is called under a rule: one text per field, in the rule's order. `None` where any
/// field is blank, for blank never equals blank.
pub fn rule_key(entry: &Entry<'_>, rule: &Rule) -> Option<Vec<String>> {
    rule.on.iter().map(|field| field_text(entry, *field)).collect()
}

/// The text of one field, `None` where the entry does not state it.
pub fn field_text(entry: &Entry<'_>, field: RuleField) -> Option<String> {
    let stated = |text: &str| (!text.trim().is_empty()).then(|| text.to_owned());
    match field {
        RuleField::Key(scheme) => entry.key(scheme).map(str::to_owned),
        RuleField::Intent => entry.intent.as_deref().and_then(stated),
        RuleField::Amount => Some(entry.amount.minor().to_string()),
        RuleField::Currency => Some(entry.amount.currency().code().to_owned()),
        RuleField::Account => stated(&entry.account),
        RuleField::Party => stated(&crate::domain::repair::fold_party(&entry.party)),
    }
}

/// Whether an entry has a usable key under any rule that pairs by keys.
pub fn has_usable_key(entry: &Entry<'_>, rules: &[Rule]) -> bool {
    rules.iter().filter(|rule| rule.is_keyed()).any(|rule| rule_key(entry, rule).is_some())
}
