//! The key of an entry under a rule.

use std::borrow::Cow;

use crate::config::{Rule, RuleField};
use crate::domain::entry::Entry;

/// What an entry is called under a rule: one text per field, in the rule's order.
pub type RuleKey<'e> = Vec<Cow<'e, str>>;

/// The key of an entry under a rule; `None` where any field is blank, for blank never equals blank.
pub fn rule_key<'e>(entry: &'e Entry<'_>, rule: &Rule) -> Option<RuleKey<'e>> {
    rule.on.iter().map(|field| field_text(entry, *field)).collect()
}

/// The text of one field, `None` where the entry does not state it.
pub fn field_text<'e>(entry: &'e Entry<'_>, field: RuleField) -> Option<Cow<'e, str>> {
    fn stated<'t>(text: impl Into<Cow<'t, str>>) -> Option<Cow<'t, str>> {
        Some(text.into()).filter(|it| !it.trim().is_empty())
    }
    match field {
        RuleField::Key(scheme) => entry.key(scheme).map(Cow::Borrowed),
        RuleField::Intent => entry.intent.as_deref().and_then(stated),
        RuleField::Amount => Some(entry.amount.minor().to_string().into()),
        RuleField::Currency => Some(entry.amount.currency().code().to_owned().into()),
        RuleField::Account => stated(&*entry.account),
        RuleField::Party => stated(crate::domain::repair::fold_party(&entry.party)),
    }
}

/// Whether an entry has a usable key under any rule that pairs by keys.
pub fn has_usable_key(entry: &Entry<'_>, rules: &[Rule]) -> bool {
    rules.iter().filter(|rule| rule.is_keyed()).any(|rule| rule_key(entry, rule).is_some())
}
