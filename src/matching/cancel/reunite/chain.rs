//! Follows long chains of names through an index of the removed rows, each name once.

use crate::domain::repair::CUTS;
use crate::frames::{Cut, SideFrame, Token, index, row_number};
use crate::matching::cancel::{names::Names, pairs::Pairs};

/// Removed rows of one link by hash, sorted; theirs are counted on from ours.
#[derive(Default)]
struct Index {
    folds: Vec<(u64, u32)>,
    longer: [Vec<(u64, u32)>; CUTS.len()],
}

/// Brings back everything that is linked to `back`, rows that were just brought back.
pub(super) fn follow(sides: [&SideFrame; 2], pairs: &mut Pairs, mut back: Vec<(usize, usize)>) {
    let indexes = indexes(sides, pairs);
    let mut seen: Vec<Names> = indexes.iter().map(|_| Names::default()).collect();
    while let Some((side, row)) = back.pop() {
        let tokens = &sides[side].rows().tokens;
        for (at, (index, seen)) in indexes.iter().zip(&mut seen).enumerate() {
            let Some(token) = tokens[at].get(row) else { continue };
            for (side, row) in index.meeting(token, seen, sides, at) {
                if let Some(partner) = pairs.part(side, row) {
                    back.extend([(side, row), (1 - side, partner)]);
                }
            }
        }
    }
}

fn indexes(sides: [&SideFrame; 2], pairs: &Pairs) -> Vec<Index> {
    let links = 0..sides[0].layout().links.len();
    links
        .map(|at| {
            let mut index = Index::default();
            let mut before = 0;
            for (side, frame) in sides.into_iter().enumerate() {
                let tokens = &frame.rows().tokens[at];
                for row in (0..frame.len()).filter(|row| pairs.is_paired(side, *row)) {
                    if let Some(token) = tokens.get(row) {
                        index.add(token, row_number(before + row));
                    }
                }
                before += frame.len();
            }
            index.folds.sort_unstable();
            for column in &mut index.longer {
                column.sort_unstable();
            }
            index
        })
        .collect()
}

impl Index {
    fn add(&mut self, token: Token, row: u32) {
        self.folds.push((token.fold, row));
        for (column, cut) in self.longer.iter_mut().zip(token.cuts) {
            if let Cut::Longer(hash) = cut {
                column.push((hash, row));
            }
        }
    }

    /// The rows whose key of this link meets a token, for names not `seen` before.
    fn meeting(
        &self,
        token: Token,
        seen: &mut Names,
        sides: [&SideFrame; 2],
        link: usize,
    ) -> Vec<(usize, usize)> {
        let before = sides[0].len();
        let of_side = |row: u32| {
            let row = index(row);
            if row < before { (0, row) } else { (1, row - before) }
        };
        let mut rows = Vec::new();
        if seen.folds.insert(token.fold) {
            rows.extend(equal(&self.folds, token.fold).map(of_side));
        }
        for (at, cut) in token.cuts.into_iter().enumerate() {
            match cut {
                Cut::None => {}
                Cut::Exact => {
                    if seen.exact[at].insert(token.fold) {
                        rows.extend(equal(&self.longer[at], token.fold).map(of_side));
                    }
                }
                Cut::Longer(hash) => {
                    let is_exact = |(side, row): &(usize, usize)| {
                        let token = sides[*side].rows().tokens[link].get(*row);
                        token.is_some_and(|it| it.cuts[at] == Cut::Exact)
                    };
                    if seen.longer[at].insert(hash) {
                        rows.extend(equal(&self.folds, hash).map(of_side).filter(is_exact));
                    }
                }
            }
        }
        rows
    }
}

/// The rows under a hash.
fn equal(sorted: &[(u64, u32)], hash: u64) -> impl Iterator<Item = u32> {
    let from = sorted.partition_point(|it| it.0 < hash);
    sorted[from..].iter().take_while(move |it| it.0 == hash).map(|it| it.1)
}
