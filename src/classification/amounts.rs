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
