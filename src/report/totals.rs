//! Sums by currency: net and gross side by side, for +100 and −100 is not nothing.

use std::collections::BTreeMap;

use crate::report::ReportError;
use crate::report::amount::Amount;
use crate::report::speech::Speech;
use crate::report::view::DiscrepancyView;

/// Net, gross and count of one currency.
#[derive(Debug, Clone, Copy)]
pub(super) struct Total {
    /// Σ amount.
    pub(super) net: Amount,
    /// Σ |amount|.
    pub(super) gross: Amount,
    /// How many.
    pub(super) count: u64,
}

/// Totals by currency.
#[derive(Debug, Clone, Default)]
pub(super) struct Totals(BTreeMap<String, Total>);

impl Totals {
    /// Adds an amount of a currency.
    pub(super) fn add(&mut self, currency: &str, amount: Amount) -> Result<(), ReportError> {
        self.add_share(currency, amount, amount.magnitude(), 1)
    }

    /// Adds what is already a sum.
    pub(super) fn add_share(
        &mut self,
        currency: &str,
        net: Amount,
        gross: Amount,
        count: u64,
    ) -> Result<(), ReportError> {
        let none = Total { net: Amount::ZERO, gross: Amount::ZERO, count: 0 };
        let total = self.0.entry(currency.to_owned()).or_insert(none);
        let beyond = || ReportError::Beyond { currency: currency.to_owned() };
        total.net = total.net.checked_add(net).ok_or_else(beyond)?;
        total.gross = total.gross.checked_add(gross).ok_or_else(beyond)?;
        total.count += count;
        Ok(())
    }

    /// The totals of some listed items.
    pub(super) fn of<'a>(
        items: impl IntoIterator<Item = &'a DiscrepancyView>,
    ) -> Result<Self, ReportError> {
        let mut totals = Self::default();
        for item in items {
            for (currency, amount) in shares(item) {
                totals.add(currency, amount)?;
            }
        }
        Ok(totals)
    }

    /// By currency, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &Total)> {
        self.0.iter().map(|(currency, total)| (currency.as_str(), total))
    }

    /// The total of a currency, if anything was added in it.
    pub(super) fn get(&self, currency: &str) -> Option<&Total> {
        self.0.get(currency)
    }

    /// Net sums, one for each currency.
    pub(super) fn nets(&self, speech: Speech) -> Vec<String> {
        self.iter().map(|(currency, it)| speech.money(it.net, currency)).collect()
    }

    /// Gross sums, one for each currency.
    pub(super) fn grosses(&self, speech: Speech) -> Vec<String> {
        self.iter().map(|(currency, it)| speech.money(it.gross, currency)).collect()
    }

    /// Gross sums in one line; the word for nothing where there are none.
    pub(super) fn gross_line(&self, speech: Speech) -> String {
        let sums = self.grosses(speech);
        if sums.is_empty() { speech.words.nothing.to_owned() } else { sums.join(" · ") }
    }
}

/// What an item adds to the difference of the sides: where the currencies differ it stands in
/// both (DESIGN §7).
pub(super) fn shares(item: &DiscrepancyView) -> impl Iterator<Item = (&str, Amount)> {
    let theirs = item.currency_theirs.as_deref().zip(item.amount_theirs);
    let other = theirs.filter(|(currency, _)| *currency != item.currency);
    let other = other.map(|(currency, amount)| (currency, amount.negated()));
    std::iter::once((item.currency.as_str(), item.difference)).chain(other)
}
