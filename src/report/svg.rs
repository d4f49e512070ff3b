//! The geometry of the report's pictures, in whole thousandths of their width; the templates draw.

use crate::report::amount::Amount;
use crate::report::totals::Total;

/// A bar on an axis in the middle: to the left what our books lack, to the right their surplus.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Bar {
    /// Where the left part begins.
    pub(super) less_from: u32,
    /// The width of the left part.
    pub(super) less: u32,
    /// The width of the right part.
    pub(super) more: u32,
}

impl Bar {
    /// The bar of a total; a bar of `widest` fills its half.
    pub(super) fn new(total: &Total, widest: Amount) -> Self {
        // gross = more + less and net = more − less, so that twice each part is at hand.
        let more = total.gross.checked_add(total.net).unwrap_or(total.gross);
        let less = total.gross.checked_add(total.net.negated()).unwrap_or(total.gross);
        let width = |twice: Amount| {
            let half = twice.per_mille_of(widest) / 4;
            if twice.is_zero() { 0 } else { half.max(3) }
        };
        let less = width(less);
        Self { less_from: 500 - less, less, more: width(more) }
    }
}

/// A width of `count` out of `most`, in thousandths; what is not nothing is seen.
pub(super) fn width(count: u64, most: u64) -> u32 {
    if count == 0 {
        return 0;
    }
    let share = u128::from(count) * 1000 / u128::from(most.max(1));
    u32::try_from(share.clamp(4, 1000)).unwrap_or(1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(net: &str, gross: &str, widest: &str, expected: (u32, u32, u32)) {
        let amount = |text: &str| text.parse::<Amount>().unwrap();
        let total = Total { net: amount(net), gross: amount(gross), count: 1 };
        let bar = Bar::new(&total, amount(widest));
        assert_eq!((bar.less_from, bar.less, bar.more), expected, "{net} of {gross}");
    }

    #[test]
    fn a_bar_shows_both_directions_and_stays_in_its_half() {
        check("-100.00", "100.00", "100.00", (0, 500, 0));
        check("100.00", "100.00", "100.00", (500, 0, 500));
        check("0.00", "100.00", "100.00", (250, 250, 250));
        check("0.01", "0.01", "9000000.00", (500, 0, 3));
        check("0.00", "0.00", "0.00", (500, 0, 0));
    }
}
