//! Sums by a key, fast where equal keys follow each other, as days do in a file.

use std::collections::BTreeMap;

/// A sum in minor units, and how many amounts are in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Total {
    pub(crate) minor: i128,
    pub(crate) count: u64,
}

impl Total {
    pub(crate) fn add(&mut self, other: Self) {
        self.minor += other.minor;
        self.count += other.count;
    }
}

/// Totals by key. The key last seen is summed apart, so that nothing is looked up for it.
#[derive(Debug, Clone)]
pub(crate) struct Sums<K> {
    totals: BTreeMap<K, Total>,
    last: Option<(K, Total)>,
}

impl<K> Default for Sums<K> {
    fn default() -> Self {
        Self { totals: BTreeMap::new(), last: None }
    }
}

impl<K: Ord + Copy> Sums<K> {
    /// Adds one amount.
    pub(crate) fn add(&mut self, key: K, minor: i64) {
        let one = Total { minor: i128::from(minor), count: 1 };
        match &mut self.last {
            Some((last, total)) if *last == key => total.add(one),
            Some(_) | None => {
                self.close();
                self.last = Some((key, one));
            }
        }
    }

    /// Adds a total.
    pub(crate) fn add_total(&mut self, key: K, total: Total) {
        self.totals.entry(key).or_default().add(total);
    }

    /// These and other ones.
    pub(crate) fn and(mut self, other: Self) -> Self {
        other.finish().into_iter().for_each(|(key, total)| self.add_total(key, total));
        self
    }

    /// All totals, by key.
    pub(crate) fn finish(mut self) -> BTreeMap<K, Total> {
        self.close();
        self.totals
    }

    fn close(&mut self) {
        if let Some((key, total)) = self.last.take() {
            self.add_total(key, total);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_do_not_depend_on_order_and_hold_more_than_64_bits() {
        let mut sums = Sums::default();
        for (key, minor) in [(1, i64::MAX), (2, 5), (1, i64::MAX), (1, i64::MAX), (2, -7)] {
            sums.add(key, minor);
        }
        sums.add_total(2, Total { minor: 1, count: 1 });
        let found: Vec<_> = sums.finish().into_iter().collect();
        let total = |minor, count| Total { minor, count };
        assert_eq!(found, [(1, total(3 * i128::from(i64::MAX), 3)), (2, total(-1, 3))]);
    }
}
