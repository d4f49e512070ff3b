//! The running balance: each states the one before and the amounts between, or the file is wrong.

use crate::domain::money::{Money, Sum};

/// Follows balances in both orders of time, for files are written oldest or newest first.
///
/// Oldest first, a balance less the amounts up to its row is the opening balance, in every row.
/// Newest first, a balance and the amounts above its row are the closing balance, in every row.
#[derive(Debug, Default)]
pub(super) struct Chain {
    oldest_first: Order,
    newest_first: Order,
    /// The amounts so far.
    moved: i128,
    /// A balance's currency.
    balance: Option<Money>,
}

/// The end of the chain that balances imply in one order of time.
#[derive(Debug, Default)]
struct Order {
    /// The first one implied, and the one implied since the last interruption.
    first: Option<i128>,
    implied: Option<i128>,
    held: u64,
    mismatch: Option<Mismatch>,
}

/// The first row whose balance does not follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mismatch {
    /// The record.
    pub record: u32,
    /// The balance that follows from the one before and the amounts.
    pub follows: Sum,
    /// The balance stated.
    pub stated: Money,
}

impl Chain {
    /// Takes a booked row.
    pub(super) fn take(&mut self, record: u32, amount: Money, balance: Option<Money>) {
        let above = self.moved;
        self.moved += i128::from(amount.minor());
        let Some(balance) = balance else { return };
        let minor = i128::from(balance.minor());
        self.balance = Some(balance);
        self.oldest_first.take(record, minor - self.moved, balance);
        self.newest_first.take(record, minor + above, balance);
    }

    /// Says that amounts are missing here, so that the next balance follows from none.
    pub(super) fn interrupt(&mut self) {
        self.oldest_first.implied = None;
        self.newest_first.implied = None;
    }

    /// The first row that does not follow, in the order of time in which most do.
    pub(super) fn mismatch(&self) -> Option<Mismatch> {
        let (oldest, newest) = (&self.oldest_first, &self.newest_first);
        if oldest.mismatch.is_none() || newest.mismatch.is_none() {
            return None;
        }
        if newest.held > oldest.held { newest.mismatch } else { oldest.mismatch }
    }

    /// Opening and closing balance of the whole file, where the balances prove each other.
    pub(super) fn ends(&self) -> Option<(Money, Money)> {
        let minor = |end: Option<i128>| Sum::new(end?, self.balance?.currency()).to_money();
        let Order { first, implied, .. } = self.oldest_first;
        if self.oldest_first.mismatch.is_none() {
            let last = implied.or(first);
            return minor(first).zip(minor(last.map(|it| it + self.moved)));
        }
        let Order { first, implied, .. } = self.newest_first;
        if self.newest_first.mismatch.is_none() {
            let last = implied.or(first);
            return minor(last.map(|it| it - self.moved)).zip(minor(first));
        }
        None
    }
}

impl Order {
    fn take(&mut self, record: u32, implied: i128, stated: Money) {
        if let Some(before) = self.implied {
            if implied == before {
                self.held += 1;
            } else {
                let follows = Sum::from(stated).plus(before - implied);
                self.mismatch.get_or_insert(Mismatch { record, follows, stated });
            }
        }
        self.implied = Some(implied);
        self.first.get_or_insert(implied);
    }
}

#[cfg(test)]
mod tests {
    use crate::domain::money::Currency;

    use super::*;

    /// Rows of (amount, balance); the ends as `opening closing`, or the row that does not follow.
    fn check(rows: &[(i64, Option<i64>)], expected: &str) {
        let euro = |minor| Money::new(minor, Currency::iso("EUR").unwrap());
        let mut chain = Chain::default();
        for (record, (amount, balance)) in (1..).zip(rows) {
            chain.take(record, euro(*amount), balance.map(euro));
        }
        let found = match (chain.mismatch(), chain.ends()) {
            (Some(it), _) => format!("row {}: {} {}", it.record, it.follows, it.stated),
            (None, Some((opening, closing))) => format!("{opening} {closing}"),
            (None, None) => "nothing".to_owned(),
        };
        assert_eq!(found, expected);
    }

    #[test]
    fn balances_prove_each_other_in_either_order() {
        check(&[(10, Some(110)), (-5, Some(105)), (7, Some(112))], "1.00 1.12");
        check(&[(7, Some(112)), (-5, Some(105)), (10, Some(110))], "1.00 1.12");
        check(&[(10, Some(110))], "1.00 1.10");
        check(&[(10, None), (-5, Some(105)), (7, None), (1, Some(113))], "1.00 1.13");
        check(&[], "nothing");
    }

    #[test]
    fn the_first_balance_that_does_not_follow_is_named() {
        let rows = [(10, Some(110)), (-5, Some(105)), (7, Some(113)), (2, Some(115))];
        check(&rows, "row 3: 1.12 1.13");
    }
}
