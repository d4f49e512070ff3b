//! Which evidence answers for which entry: one for one (DESIGN §6).

use std::collections::{BTreeMap, BTreeSet};

use crate::classification::Evidence;
use crate::config::Rule;
use crate::domain::{entry::Entry, side::Side};
use crate::matching::{
    explain::{Explained, Sides},
    rule_key::{RuleKey, rule_key},
};

/// The answers found.
#[derive(Debug, Default)]
pub(super) struct Answers {
    /// For their entry left over, our evidence of the operation.
    pub(super) ours_of_theirs: BTreeMap<usize, usize>,
    /// For our entry left over, their evidence of the operation.
    pub(super) theirs_of_ours: BTreeMap<usize, usize>,
    /// For our evidence that met no booked entry, their evidence of the operation, if any.
    pub(super) unanswered: BTreeMap<usize, Option<usize>>,
}

/// What an entry is called: the position of the rule, and its key under it. Two entries share an
/// operation where they share a name.
type Name<'e> = (usize, RuleKey<'e>);

impl Answers {
    pub(super) fn find(
        sides: &Sides,
        evidence: &Evidence,
        explained: &Explained,
        rules: &[Rule],
    ) -> Self {
        let mut answers = Self::default();
        if evidence.ours.is_empty() && evidence.theirs.is_empty() {
            return answers;
        }
        let mut left_theirs = Pool::of(&sides.theirs, &explained.left_theirs, rules);
        let mut left_ours = Pool::of(&sides.ours, &explained.left_ours, rules);
        let mut known_ours = Pool::of(&sides.ours, &settled(explained, Side::Ours), rules);
        let mut known_theirs = Pool::of(&sides.theirs, &settled(explained, Side::Theirs), rules);
        let mut unanswered = Vec::new();
        for (at, entry) in evidence.ours.iter().enumerate() {
            let names = names(entry, rules);
            if let Some(theirs) = left_theirs.take(&names, entry, &sides.theirs) {
                answers.ours_of_theirs.insert(theirs, at);
            } else if known_ours.take(&names, entry, &sides.ours).is_none()
                && !left_ours.knows(&names)
            {
                unanswered.push((at, names));
            }
        }
        let mut theirs_free = BTreeMap::new();
        for (at, entry) in evidence.theirs.iter().enumerate() {
            let names = names(entry, rules);
            if let Some(ours) = left_ours.take(&names, entry, &sides.ours) {
                answers.theirs_of_ours.insert(ours, at);
            } else if known_theirs.take(&names, entry, &sides.theirs).is_none() {
                for name in names {
                    theirs_free.entry(name).or_insert(at);
                }
            }
        }
        for (at, names) in unanswered {
            let theirs = names.iter().find_map(|name| theirs_free.remove(name));
            answers.unanswered.insert(at, theirs);
        }
        answers
    }
}

/// Entries that found their place: paired, ambiguous or self-reversed.
fn settled(explained: &Explained, side: Side) -> BTreeSet<usize> {
    let of_blocks = explained.paired.iter().flat_map(|it| match side {
        Side::Ours => &it.ours,
        Side::Theirs => &it.theirs,
    });
    let of_clusters = explained.ambiguous.iter().flat_map(|it| match side {
        Side::Ours => &it.ours,
        Side::Theirs => &it.theirs,
    });
    of_blocks.chain(of_clusters).copied().collect()
}

fn names<'e>(entry: &'e Entry<'_>, rules: &[Rule]) -> Vec<Name<'e>> {
    let keyed = rules.iter().enumerate().filter(|(_, rule)| rule.is_keyed());
    keyed.filter_map(|(at, rule)| Some((at, rule_key(entry, rule)?))).collect()
}

/// Entries by name, each to be taken once.
struct Pool<'e> {
    named: BTreeMap<Name<'e>, Vec<usize>>,
    taken: BTreeSet<usize>,
}

impl<'e> Pool<'e> {
    fn of(entries: &'e [Entry<'_>], positions: &BTreeSet<usize>, rules: &[Rule]) -> Self {
        let mut named: BTreeMap<Name<'_>, Vec<usize>> = BTreeMap::new();
        for at in positions {
            for name in names(&entries[*at], rules) {
                named.entry(name).or_default().push(*at);
            }
        }
        Self { named, taken: BTreeSet::new() }
    }

    /// Takes the first free entry of one of the names; one of the same amount goes before others.
    fn take(
        &mut self,
        names: &[Name<'_>],
        evidence: &Entry<'_>,
        entries: &[Entry<'_>],
    ) -> Option<usize> {
        let candidates = names.iter().filter_map(|name| self.named.get(name)).flatten();
        let free = candidates.copied().filter(|at| !self.taken.contains(at));
        let best = free.min_by_key(|at| (entries[*at].amount != evidence.amount, *at))?;
        self.taken.insert(best);
        Some(best)
    }

    fn knows(&self, names: &[Name<'_>]) -> bool {
        names.iter().any(|name| self.named.contains_key(name))
    }
}
