//! Why two amounts differ, decided by what the entries themselves state.

use rust_decimal::{Decimal, RoundingStrategy};

use crate::config::Tolerance;
use crate::domain::{
    entry::Entry,
    money::{Currency, Money},
    reason::Reason,
};

/// The money of both sides of a block, each side in one currency.
#[derive(Debug, Clone, Copy)]
pub(super) struct Amounts {
    /// Ours, in minor units.
    pub(super) ours: i128,
    /// Our currency.
    pub(super) currency_ours: Currency,
    /// Theirs, in minor units.
    pub(super) theirs: i128,
    /// Their currency.
    pub(super) currency_theirs: Currency,
}

impl Amounts {
    fn difference(self) -> i128 {
        self.ours - self.theirs
    }
}

/// The first reason of the amounts that holds, in the order of DESIGN §7; `None` where the amounts
/// are equal. What is returned explains a group's sum as well as a single pair's amount.
pub(super) fn reason(
    ours: &[&Entry<'_>],
    theirs: &[&Entry<'_>],
    amounts: Amounts,
    tolerance: &Tolerance,
) -> Option<Reason> {
    let same_currency = amounts.currency_ours == amounts.currency_theirs;
    if same_currency && amounts.difference() == 0 {
        return None;
    }
    if is_by_rate(ours, theirs, amounts) {
        return Some(Reason::AmountByRate);
    }
    if !same_currency {
        return Some(Reason::CurrencyDiffers);
    }
    let difference = amounts.difference();
    if difference.abs() <= i128::from(tolerance.minor(amounts.currency_ours)) {
        return Some(Reason::WithinTolerance);
    }
    if is_shifted(amounts.ours, amounts.theirs) {
        return Some(Reason::AmountShifted);
    }
    if is_net_of_fee(ours, theirs, difference) {
        return Some(Reason::AmountNetOfFee);
    }
    if is_rounding(ours.len().max(theirs.len()), difference, amounts.currency_ours) {
        return Some(Reason::AmountByRounding);
    }
    if is_partial(ours, theirs, difference) {
        return Some(Reason::AmountPartial);
    }
    Some(if amounts.theirs.abs() > amounts.ours.abs() {
        Reason::AmountOver
    } else {
        Reason::AmountUnder
    })
}

/// Exactly the stated rate, across currencies too: one amount is the other at the rate, rounded to
/// its currency's decimals, and a stated original amount does not contradict it.
fn is_by_rate(ours: &[&Entry<'_>], theirs: &[&Entry<'_>], amounts: Amounts) -> bool {
    let stated = ours.iter().chain(theirs).filter_map(|it| it.rate);
    let one = decimal(amounts.ours, amounts.currency_ours);
    let other = decimal(amounts.theirs, amounts.currency_theirs);
    let (Some(one), Some(other)) = (one, other) else { return false };
    let mut rates = stated.filter(|rate| *rate > Decimal::ZERO).peekable();
    let original_holds = original_is_the_other(ours, other, amounts.currency_theirs)
        && original_is_the_other(theirs, one, amounts.currency_ours);
    rates.peek().is_some()
        && original_holds
        && rates.any(|rate| {
            at_rate(one, rate, amounts.currency_theirs) == Some(other)
                || at_rate(other, rate, amounts.currency_ours) == Some(one)
        })
}

fn decimal(minor: i128, currency: Currency) -> Option<Decimal> {
    Decimal::try_from_i128_with_scale(minor, u32::from(currency.decimals())).ok()
}

fn at_rate(amount: Decimal, rate: Decimal, currency: Currency) -> Option<Decimal> {
    let exact = amount.checked_mul(rate)?;
    let decimals = u32::from(currency.decimals());
    Some(exact.round_dp_with_strategy(decimals, RoundingStrategy::MidpointAwayFromZero))
}

/// Whether the originals that a side states, in the other's currency, are the other's amount.
fn original_is_the_other(entries: &[&Entry<'_>], other: Decimal, currency: Currency) -> bool {
    let originals: Vec<Money> = entries
        .iter()
        .filter_map(|it| it.original)
        .filter(|it| it.currency().code() == currency.code())
        .collect();
    originals.len() != entries.len()
        || originals.iter().map(|it| it.to_decimal().abs()).sum::<Decimal>() == other.abs()
}

/// Whether one amount is the other times a power of ten.
fn is_shifted(ours: i128, theirs: i128) -> bool {
    let (small, large) = if ours.abs() < theirs.abs() { (ours, theirs) } else { (theirs, ours) };
    let powers = std::iter::successors(Some(10_i128), |it| it.checked_mul(10));
    small != 0
        && powers
            .take(18)
            .filter_map(|it| small.checked_mul(it))
            .take_while(|it| it.abs() <= large.abs())
            .any(|it| it == large)
}

/// Whether the difference is exactly the fees that one side states: the other booked gross where
/// this one has net, or net where this one has gross.
fn is_net_of_fee(ours: &[&Entry<'_>], theirs: &[&Entry<'_>], difference: i128) -> bool {
    let fees = |of: &[&Entry<'_>]| -> i128 {
        of.iter().filter_map(|it| it.fee).map(|it| i128::from(it.minor()).abs()).sum()
    };
    let (fees_ours, fees_theirs) = (fees(ours), fees(theirs));
    let one = fees_ours.max(fees_theirs);
    one != 0 && (difference.abs() == one)
}

/// At most half a minor unit of the currency, as ISO 4217 has it, for each component.
fn is_rounding(components: usize, difference: i128, currency: Currency) -> bool {
    let standard = Currency::iso(currency.code()).unwrap_or(currency);
    let finer = u32::from(currency.decimals().saturating_sub(standard.decimals()));
    let unit = 10_i128.pow(finer);
    let components = i128::try_from(components).unwrap_or(i128::MAX);
    let is_split = components > 1 || finer > 0;
    is_split && difference.abs().saturating_mul(2) <= unit.saturating_mul(components)
}

/// Whether the difference is exactly a stated rest outstanding.
fn is_partial(ours: &[&Entry<'_>], theirs: &[&Entry<'_>], difference: i128) -> bool {
    let rest: Vec<i128> =
        ours.iter().chain(theirs).filter_map(|it| it.rest).map(|it| it.minor().into()).collect();
    let sum: i128 = rest.iter().sum();
    !rest.is_empty() && sum != 0 && difference.abs() == sum.abs()
}

#[cfg(test)]
mod tests {
    use chrono::NaiveDate;

    use super::*;
    use crate::domain::entry::Place;

    fn money(text: &str) -> Money {
        let (number, code) = text.split_once(' ').unwrap();
        Money::from_decimal(number.parse().unwrap(), Currency::iso(code).unwrap()).unwrap()
    }

    fn entry(amount: Money) -> Entry<'static> {
        Entry::new(Place::default(), amount, NaiveDate::from_ymd_opt(2026, 11, 26).unwrap())
    }

    fn check_entries(ours: &Entry<'_>, theirs: &Entry<'_>, expected: Reason) {
        let amounts = Amounts {
            ours: ours.amount.minor().into(),
            currency_ours: ours.amount.currency(),
            theirs: theirs.amount.minor().into(),
            currency_theirs: theirs.amount.currency(),
        };
        let found = reason(&[ours], &[theirs], amounts, &Tolerance::default());
        assert_eq!(found, Some(expected), "{ours:?} {theirs:?}");
    }

    fn check(
        (ours, theirs): (&str, &str),
        change: impl FnOnce(&mut Entry<'static>, &mut Entry<'static>),
        expected: Reason,
    ) {
        let (mut one, mut other) = (entry(money(ours)), entry(money(theirs)));
        change(&mut one, &mut other);
        check_entries(&one, &other, expected);
    }

    #[test]
    fn a_rate_explains_exactly_its_amount() {
        let both = ("100.00 EUR", "110.00 USD");
        let rate = |text: &str| text.parse().ok();
        check(both, |_, _| {}, Reason::CurrencyDiffers);
        check(both, |_, it| it.rate = rate("1.10"), Reason::AmountByRate);
        check(both, |it, _| it.rate = rate("0.9091"), Reason::AmountByRate);
        check(both, |_, it| it.rate = rate("1.20"), Reason::CurrencyDiffers);
        check(both, |_, it| it.rate = rate("-1.10"), Reason::CurrencyDiffers);
    }

    #[test]
    fn an_original_amount_that_contradicts_explains_nothing() {
        let originals = [
            ("110.00 USD", "100.00 EUR", Reason::AmountByRate),
            ("110.00 USD", "99.00 EUR", Reason::CurrencyDiffers),
            ("111.00 USD", "100.00 EUR", Reason::CurrencyDiffers),
            ("90.00 GBP", "90.00 GBP", Reason::AmountByRate),
        ];
        for (ours, theirs, expected) in originals {
            let change = |one: &mut Entry<'static>, other: &mut Entry<'static>| {
                (one.original, other.original) = (Some(money(ours)), Some(money(theirs)));
                other.rate = "1.10".parse().ok();
            };
            check(("100.00 EUR", "110.00 USD"), change, expected);
        }
    }

    #[test]
    fn a_shift_is_a_power_of_ten_and_nothing_near_it() {
        check(("1000 JPY", "100000 JPY"), |_, _| {}, Reason::AmountShifted);
        check(("100000 JPY", "1000 JPY"), |_, _| {}, Reason::AmountShifted);
        check(("1000 JPY", "100001 JPY"), |_, _| {}, Reason::AmountOver);
        check(("0 JPY", "1000 JPY"), |_, _| {}, Reason::AmountOver);
        check(("-5.00 EUR", "5.00 EUR"), |_, _| {}, Reason::AmountUnder);
    }

    #[test]
    fn a_fee_or_a_rest_explains_exactly_itself() {
        let (by_fee, near) = (("100.00 EUR", "97.55 EUR"), ("100.00 EUR", "97.00 EUR"));
        let fee = Some(money("2.45 EUR"));
        check(by_fee, |_, it| it.fee = fee, Reason::AmountNetOfFee);
        check(by_fee, |it, _| it.fee = fee, Reason::AmountNetOfFee);
        check(near, |_, it| it.fee = fee, Reason::AmountUnder);
        check(by_fee, |_, it| it.rest = fee, Reason::AmountPartial);
        check(near, |_, it| it.rest = fee, Reason::AmountUnder);
        check(by_fee, |_, _| {}, Reason::AmountUnder);
    }

    #[test]
    fn rounding_needs_a_finer_scale_or_several_components() {
        check(("100.00 EUR", "100.01 EUR"), |_, _| {}, Reason::AmountOver);
        let fine = Currency::iso("EUR").unwrap().with_decimals(3);
        for (minor, expected) in
            [(100_005, Reason::AmountByRounding), (100_006, Reason::AmountOver)]
        {
            let (ours, theirs) = (Money::new(100_000, fine), Money::new(minor, fine));
            check_entries(&entry(ours), &entry(theirs), expected);
        }
    }
}
