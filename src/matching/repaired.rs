//! Pairing after a named repair of the key, only when unique (DESIGN §6).

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

use rayon::{
    iter::{IntoParallelRefIterator, ParallelIterator},
    slice::ParallelSliceMut,
};

use crate::config::Rule;
use crate::domain::{
    repair::{self, CUTS, Repair, fold, fold_cut, may_be_cut},
    side::Side,
};
use crate::matching::{
    explain::{Explained, Paired, Sides},
    rule_key::{RuleKey, rule_key},
};

/// An entry of a side.
type Named = (Side, usize);

/// Pairs entries left over whose keys are equal only after named repairs, where each is the other's
/// only candidate. An entry whose repaired key meets an exact pair is a key collision.
pub(super) fn pair(sides: &Sides, at: usize, rule: &Rule, explained: &mut Explained) {
    let keys = keys_of(sides, rule);
    let near = neighbours(&keys);
    let left: Vec<Named> = [Side::Ours, Side::Theirs]
        .into_iter()
        .flat_map(|side| explained.left(side).iter().map(move |it| (side, *it)).collect::<Vec<_>>())
        .collect();
    let pairs = exact_pairs(explained);
    for named in &left {
        let others = near.get(named).into_iter().flatten();
        let collides =
            others.clone().any(|it| pairs.contains(it) && !shares_exactly(&keys, named, it));
        if collides {
            explained.collisions.insert(*named);
        }
    }
    for named in left.iter().filter(|(side, _)| *side == Side::Ours) {
        let candidates = |of: &Named| -> Vec<Named> {
            let all = near.get(of).into_iter().flatten().copied();
            all.filter(|(side, it)| *side != of.0 && explained.left(*side).contains(it)).collect()
        };
        if explained.collisions.contains(named) || !explained.left_ours.contains(&named.1) {
            continue;
        }
        let [theirs] = candidates(named)[..] else { continue };
        if explained.collisions.contains(&theirs) || candidates(&theirs)[..] != [*named] {
            continue;
        }
        let (ours, theirs) = (named.1, theirs.1);
        let repairs = between(&keys[named], &keys[&(Side::Theirs, theirs)]);
        explained.take(&[ours], &[theirs]);
        explained.paired.push(Paired { rule: at, ours: vec![ours], theirs: vec![theirs], repairs });
    }
}

fn keys_of<'e>(sides: &'e Sides, rule: &Rule) -> BTreeMap<Named, RuleKey<'e>> {
    let mut keys = BTreeMap::new();
    for side in Side::ALL {
        for (at, entry) in sides.of(side).iter().enumerate() {
            if let Some(key) = rule_key(entry, rule) {
                keys.insert((side, at), key);
            }
        }
    }
    keys
}

/// Entries that were paired, to tell who collides with a pair.
fn exact_pairs(explained: &Explained) -> BTreeSet<Named> {
    let exact = explained.paired.iter().filter(|it| it.repairs.is_empty());
    exact
        .flat_map(|it| {
            let ours = it.ours.iter().map(|at| (Side::Ours, *at));
            ours.chain(it.theirs.iter().map(|at| (Side::Theirs, *at)))
        })
        .collect()
}

fn shares_exactly(keys: &BTreeMap<Named, RuleKey<'_>>, one: &Named, other: &Named) -> bool {
    keys.get(one) == keys.get(other)
}

/// For each entry, all others whose key is equal to its own only after a repair.
fn neighbours(keys: &BTreeMap<Named, RuleKey<'_>>) -> BTreeMap<Named, BTreeSet<Named>> {
    let mut bearers: BTreeMap<&[Cow<'_, str>], Vec<Named>> = BTreeMap::new();
    for (named, key) in keys {
        bearers.entry(key).or_default().push(*named);
    }
    let spelled = bearers.par_iter().map(|(key, _)| *key);
    let named = |key| buckets_of(key).into_iter().map(move |bucket| (bucket, key));
    let mut buckets: Vec<_> = spelled.flat_map_iter(named).collect();
    buckets.par_sort_unstable();
    let mut near: BTreeMap<Named, BTreeSet<Named>> = BTreeMap::new();
    for spellings in buckets.chunk_by(|one, other| one.0 == other.0) {
        for (_, one) in spellings {
            for (_, other) in spellings.iter().filter(|(_, other)| other != one) {
                if between(one, other).is_empty() {
                    continue;
                }
                for named in &bearers[*one] {
                    near.entry(*named).or_default().extend(&bearers[*other]);
                }
            }
        }
    }
    near
}

/// The names of what a key may be after a repair: keys that share one may be equal.
fn buckets_of(key: &[Cow<'_, str>]) -> BTreeSet<Vec<String>> {
    let mut buckets = BTreeSet::from([key.iter().map(|it| fold(it)).collect::<Vec<_>>()]);
    for (length, _) in CUTS {
        let cut = |it: &Cow<'_, str>| fold_cut(it, length).unwrap_or_else(|| fold(it));
        if key.iter().any(|it| it.chars().count() > length || may_be_cut(it, length)) {
            buckets.insert(key.iter().map(cut).collect());
        }
    }
    buckets
}

/// The repairs between two composite keys; empty where they are equal or beyond repair.
fn between(one: &[Cow<'_, str>], other: &[Cow<'_, str>]) -> Vec<Repair> {
    let mut repairs = BTreeSet::new();
    for (one, other) in one.iter().zip(other).filter(|(one, other)| one != other) {
        let Some(found) = repair::between(one, other) else { return Vec::new() };
        repairs.extend(found);
    }
    repairs.into_iter().collect()
}
