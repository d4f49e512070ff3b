//! Accounts and currencies as numbers.

use std::collections::BTreeMap;

use crate::domain::money::Currency;
use crate::frames::{index, row_number};

/// The pairs of account and currency that occur on a side, numbered in order of appearance.
#[derive(Debug, Clone, Default)]
pub(crate) struct Books {
    list: Vec<(String, Currency)>,
    /// The number last asked for, for the next entry mostly is of the same book.
    last: u32,
    numbers: BTreeMap<String, Vec<(Currency, u32)>>,
}

impl Books {
    /// The number of an account and currency.
    pub(crate) fn number(&mut self, account: &str, currency: Currency) -> u32 {
        let is_same = |(name, of): &(String, Currency)| name == account && *of == currency;
        if self.list.get(index(self.last)).is_some_and(is_same) {
            return self.last;
        }
        let known = self
            .numbers
            .get(account)
            .and_then(|it| it.iter().find(|(of, _)| *of == currency).map(|(_, number)| *number));
        self.last = known.unwrap_or_else(|| {
            let number = row_number(self.list.len());
            self.list.push((account.to_owned(), currency));
            self.numbers.entry(account.to_owned()).or_default().push((currency, number));
            number
        });
        self.last
    }

    /// All, by number.
    pub(crate) fn list(&self) -> &[(String, Currency)] {
        &self.list
    }
}

/// The books of both sides, with accounts and currencies numbered alike.
#[derive(Debug, Clone)]
pub(crate) struct CommonBooks {
    /// By side and number: account (0 for a blank one) and currency.
    codes: [Vec<(u32, u32)>; 2],
}

impl CommonBooks {
    /// Numbers the accounts and currencies of both sides alike.
    pub(crate) fn of(sides: [&Books; 2]) -> Self {
        let all = || sides.into_iter().flat_map(|it| &it.list);
        let mut accounts: BTreeMap<&str, u32> = all().map(|(it, _)| (it.trim(), 0)).collect();
        let mut currencies: BTreeMap<Currency, u32> = all().map(|(_, it)| (*it, 0)).collect();
        let stated = accounts.iter_mut().filter(|(account, _)| !account.is_empty());
        (1..).zip(stated).for_each(|(number, (_, code))| *code = number);
        (0..).zip(currencies.values_mut()).for_each(|(number, code)| *code = number);
        let code = |(account, currency): &(String, Currency)| {
            let account = accounts.get(account.trim()).copied().unwrap_or(0);
            (account, currencies.get(currency).copied().unwrap_or(0))
        };
        Self { codes: sides.map(|it| it.list.iter().map(code).collect()) }
    }

    /// Account and currency of a book of one side (0 ours, 1 theirs).
    pub(crate) fn code(&self, side: usize, book: u32) -> (u32, u32) {
        self.codes[side][index(book)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_number_accounts_and_currencies_alike() {
        let currency = |code| Currency::iso(code).unwrap();
        let (mut ours, mut theirs) = (Books::default(), Books::default());
        for (account, code) in [("", "EUR"), ("A", "EUR"), ("A", "USD"), ("A", "EUR")] {
            ours.number(account, currency(code));
        }
        for (account, code) in [("B", "USD"), ("A", "USD")] {
            theirs.number(account, currency(code));
        }
        theirs.number("A", currency("USD").with_decimals(3));
        let common = CommonBooks::of([&ours, &theirs]);
        let codes =
            |side, count: u32| (0..count).map(|it| common.code(side, it)).collect::<Vec<_>>();
        assert_eq!(codes(0, 3), [(0, 0), (1, 0), (1, 1)]);
        assert_eq!(codes(1, 3), [(2, 1), (1, 1), (1, 2)]);
    }
}
