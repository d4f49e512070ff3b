//! Which columns the rows of one reconciliation have; both sides share it.

use crate::config::{Accept, Rule, RuleField};
use crate::domain::key::KeyScheme;
use crate::frames::hashing::{HashKey, NamedHasher};

/// A rule by whose exact key equal entries cancel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyedRule {
    /// Its name.
    pub name: String,
    /// What its key is made of.
    pub on: Vec<RuleField>,
    /// Calendar days by which booking dates of one pair may differ.
    pub window_days: u32,
    /// Whether many entries normally share its key.
    pub group: bool,
}

/// A name by which rows are found again: two rows that share one belong together.
#[derive(Debug, Clone)]
pub(crate) struct Link {
    /// The intent, or a key's scheme.
    pub(crate) field: RuleField,
    /// Whether a rule joins by it; only then may a key be written twice by being cut.
    pub(crate) joins: bool,
    /// Its hasher.
    pub(crate) hasher: NamedHasher,
}

/// The columns of a reconciliation: its confirmed keyed rules in order, the names by which rows
/// are found again, and the secret under which both are hashed.
#[derive(Debug, Clone)]
pub struct Layout {
    pub(crate) key: HashKey,
    pub(crate) rules: Vec<KeyedRule>,
    pub(crate) links: Vec<Link>,
    pub(crate) party: NamedHasher,
    pub(crate) fee: NamedHasher,
    pub(crate) period: NamedHasher,
}

impl Layout {
    /// The layout for these rules. `also` names further schemes by which an entry may be said to
    /// be taken back: the target of a correction is found by the schemes of the rules and these.
    pub fn new(rules: &[Rule], also: &[KeyScheme], key: HashKey) -> Self {
        let cancels = |it: &&Rule| it.is_keyed() && it.accept == Accept::Confirmed;
        let used: Vec<_> = rules.iter().flat_map(|it| &it.on).copied().collect();
        let schemes = KeyScheme::ALL.into_iter().map(RuleField::Key);
        let links = [RuleField::Intent].into_iter().chain(schemes).filter(|it| match it {
            RuleField::Key(scheme) => used.contains(it) || also.contains(scheme),
            RuleField::Intent => true,
            RuleField::Amount | RuleField::Currency | RuleField::Account | RuleField::Party => {
                false
            }
        });
        Self {
            key,
            rules: rules.iter().filter(cancels).map(KeyedRule::of).collect(),
            links: links
                .map(|field| Link {
                    field,
                    joins: used.contains(&field),
                    hasher: key.named(field.name()),
                })
                .collect(),
            party: key.named("party"),
            fee: key.named("fee"),
            period: key.named("period"),
        }
    }

    /// Whether rows of the other layout can be compared with rows of this one.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let fields = |it: &Self| it.links.iter().map(|it| (it.field, it.joins)).collect::<Vec<_>>();
        self.key == other.key && self.rules == other.rules && fields(self) == fields(other)
    }
}

impl KeyedRule {
    fn of(rule: &Rule) -> Self {
        Self {
            name: rule.name.clone(),
            on: rule.on.clone(),
            window_days: rule.date_window_days,
            group: rule.group,
        }
    }
}
