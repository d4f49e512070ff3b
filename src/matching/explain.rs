//! Explain: plain Rust pairs what the cancel step left, by the rules in order (DESIGN §6).

use std::collections::{BTreeMap, BTreeSet};

use crate::config::{Accept, Rule};
use crate::domain::{entry::Entry, repair::Repair, side::Side};
use crate::matching::{
    repaired,
    rule_key::{RuleKey, rule_key},
    self_reversed::self_reversed,
    suggest,
    weigh::{Block, Choice, weigh},
};

pub use crate::matching::suggest::Suggestion;

/// Entries of both sides, each in canonical order. Positions in these lists name entries.
#[derive(Debug, Default)]
pub struct Sides {
    /// Ours.
    pub ours: Vec<Entry<'static>>,
    /// Theirs.
    pub theirs: Vec<Entry<'static>>,
}

impl Sides {
    /// The entries of one side.
    pub fn of(&self, side: Side) -> &[Entry<'static>] {
        match side {
            Side::Ours => &self.ours,
            Side::Theirs => &self.theirs,
        }
    }
}

/// Entries that are one operation seen from both sides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paired {
    /// The rule that paired them, by its position.
    pub rule: usize,
    /// Ours.
    pub ours: Vec<usize>,
    /// Theirs.
    pub theirs: Vec<usize>,
    /// The named repairs that made the keys equal; empty for an exact key.
    pub repairs: Vec<Repair>,
}

/// Entries that several pairings explain equally well: listed, none chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cluster {
    /// The rule whose key they share, by its position.
    pub rule: usize,
    /// Ours.
    pub ours: Vec<usize>,
    /// Theirs.
    pub theirs: Vec<usize>,
}

/// Everything explained: each entry is in exactly one of these lists, checked by [`Explained::counts`].
#[derive(Debug, Default)]
pub struct Explained {
    /// Our corrections with the entries they took back, summing to zero.
    pub self_reversed: Vec<Vec<usize>>,
    /// Operations seen from both sides.
    pub paired: Vec<Paired>,
    /// Ties.
    pub ambiguous: Vec<Cluster>,
    /// Ours that found no counterpart.
    pub left_ours: BTreeSet<usize>,
    /// Theirs that found no counterpart.
    pub left_theirs: BTreeSet<usize>,
    /// Entries left over because their key needs a repair and the exact pair exists too.
    pub collisions: BTreeSet<(Side, usize)>,
    /// For entries left over, the rule that almost paired them.
    pub suggestions: BTreeMap<(Side, usize), Suggestion>,
}

impl Explained {
    /// How many entries of each side are accounted for.
    pub fn counts(&self) -> (usize, usize) {
        let blocks = self.paired.iter().map(|it| (it.ours.len(), it.theirs.len()));
        let clusters = self.ambiguous.iter().map(|it| (it.ours.len(), it.theirs.len()));
        let reversed = self.self_reversed.iter().map(|it| (it.len(), 0));
        let left = (self.left_ours.len(), self.left_theirs.len());
        blocks.chain(clusters).chain(reversed).fold(left, |sum, it| (sum.0 + it.0, sum.1 + it.1))
    }

    /// The positions left over on a side.
    pub fn left(&self, side: Side) -> &BTreeSet<usize> {
        match side {
            Side::Ours => &self.left_ours,
            Side::Theirs => &self.left_theirs,
        }
    }

    pub(super) fn take(&mut self, ours: &[usize], theirs: &[usize]) {
        for at in ours {
            self.left_ours.remove(at);
        }
        for at in theirs {
            self.left_theirs.remove(at);
        }
    }
}

/// Pairs booked entries by the rules in order: self-reversed first, then exact keys, then keys
/// after a named repair, then amounts; what is only suggested pairs nothing.
pub fn explain(sides: &Sides, rules: &[Rule]) -> Explained {
    let mut explained = Explained {
        left_ours: (0..sides.ours.len()).collect(),
        left_theirs: (0..sides.theirs.len()).collect(),
        ..Explained::default()
    };
    for group in self_reversed(&sides.ours) {
        explained.take(&group, &[]);
        explained.self_reversed.push(group);
    }
    let keyed = || rules.iter().enumerate().filter(|(_, rule)| rule.is_keyed());
    for (at, rule) in keyed().filter(|(_, rule)| rule.accept == Accept::Confirmed) {
        exact(sides, at, rule, &mut explained);
    }
    for (at, rule) in keyed().filter(|(_, rule)| rule.accept == Accept::Confirmed) {
        repaired::pair(sides, at, rule, &mut explained);
    }
    suggest::pair_by_amount(sides, rules, &mut explained);
    suggest::suggest(sides, rules, &mut explained);
    explained
}

/// Pairs what shares exactly the key of a rule, group by group.
fn exact(sides: &Sides, at: usize, rule: &Rule, explained: &mut Explained) {
    let mut groups: BTreeMap<RuleKey<'_>, (Vec<usize>, Vec<usize>)> = BTreeMap::new();
    for ours in &explained.left_ours {
        if let Some(key) = rule_key(&sides.ours[*ours], rule) {
            groups.entry(key).or_default().0.push(*ours);
        }
    }
    for theirs in &explained.left_theirs {
        if let Some(key) = rule_key(&sides.theirs[*theirs], rule) {
            groups.entry(key).or_default().1.push(*theirs);
        }
    }
    for (ours, theirs) in groups.into_values() {
        if ours.is_empty() || theirs.is_empty() {
            continue;
        }
        choose(sides, (at, rule), &ours, &theirs, explained);
    }
}

fn choose(
    sides: &Sides,
    (at, rule): (usize, &Rule),
    ours: &[usize],
    theirs: &[usize],
    explained: &mut Explained,
) {
    let entries_ours: Vec<_> = ours.iter().map(|it| &sides.ours[*it]).collect();
    let entries_theirs: Vec<_> = theirs.iter().map(|it| &sides.theirs[*it]).collect();
    match weigh(&entries_ours, &entries_theirs, rule) {
        Choice::Blocks(blocks) => {
            for Block { ours: block_ours, theirs: block_theirs } in blocks {
                let block_ours: Vec<_> = block_ours.into_iter().map(|it| ours[it]).collect();
                let block_theirs: Vec<_> = block_theirs.into_iter().map(|it| theirs[it]).collect();
                explained.take(&block_ours, &block_theirs);
                explained.paired.push(Paired {
                    rule: at,
                    ours: block_ours,
                    theirs: block_theirs,
                    repairs: Vec::new(),
                });
            }
        }
        Choice::Ambiguous => {
            explained.take(ours, theirs);
            let (ours, theirs) = (ours.to_vec(), theirs.to_vec());
            explained.ambiguous.push(Cluster { rule: at, ours, theirs });
        }
    }
}
