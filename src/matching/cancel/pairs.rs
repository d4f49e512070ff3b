//! Which row of ours is removed with which row of theirs.

use std::collections::BTreeMap;

use crate::frames::{SideFrame, index, row_number};

/// Stands for no partner; no row bears the number.
const ALONE: u32 = u32::MAX;

/// The pairs removed so far; sides are 0 for ours and 1 for theirs.
#[derive(Debug)]
pub(super) struct Pairs {
    partner: [Vec<u32>; 2],
    /// By row of ours, the rule that paired it.
    rule: Vec<u16>,
}

impl Pairs {
    pub(super) fn none(ours: usize, theirs: usize) -> Self {
        Self { partner: [vec![ALONE; ours], vec![ALONE; theirs]], rule: vec![0; ours] }
    }

    pub(super) fn is_paired(&self, side: usize, row: usize) -> bool {
        self.partner[side][row] != ALONE
    }

    /// The row of the other side that a row is removed with.
    pub(super) fn partner(&self, side: usize, row: usize) -> Option<usize> {
        let partner = self.partner[side][row];
        (partner != ALONE).then(|| index(partner))
    }

    /// The row of theirs that a row of ours is removed with by a rule.
    pub(super) fn partner_by(&self, rule: usize, ours: usize) -> Option<usize> {
        self.partner(0, ours).filter(|_| usize::from(self.rule[ours]) == rule)
    }

    /// Removes two rows by a rule; a side's number where its row is removed already.
    pub(super) fn join(&mut self, ours: usize, theirs: usize, rule: usize) -> Result<(), usize> {
        for (side, row) in [ours, theirs].into_iter().enumerate() {
            if self.is_paired(side, row) {
                return Err(side);
            }
        }
        self.partner[0][ours] = row_number(theirs);
        self.partner[1][theirs] = row_number(ours);
        self.rule[ours] = u16::try_from(rule).unwrap_or(u16::MAX);
        Ok(())
    }

    /// Brings a row back with its partner, whose row it returns.
    pub(super) fn part(&mut self, side: usize, row: usize) -> Option<usize> {
        let partner = self.partner(side, row)?;
        self.partner[side][row] = ALONE;
        self.partner[1 - side][partner] = ALONE;
        Some(partner)
    }

    /// How many pairs each rule removed, planted ones left out.
    pub(super) fn by_rule(&self, ours: &SideFrame) -> BTreeMap<String, u64> {
        let rules = &ours.layout().rules;
        let mut counts = vec![0_u64; rules.len()];
        for (row, partner) in self.partner[0].iter().enumerate() {
            if *partner != ALONE && !ours.is_planted(row) {
                counts[usize::from(self.rule[row])] += 1;
            }
        }
        let named = rules.iter().map(|it| it.name.clone()).zip(counts);
        named.filter(|(_, count)| *count > 0).collect()
    }
}
