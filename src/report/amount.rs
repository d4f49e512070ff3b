//! Amounts as JSON carries them: exact decimal strings, added without ever passing a float.

use std::{cmp::Ordering, fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::domain::money::{Money, Sum};

/// An exact decimal number with a fixed count of decimals; its currency stands beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Amount {
    minor: i128,
    decimals: u8,
}

/// More decimals than any currency has: `10^decimals` stays far inside 128 bits.
const DECIMALS_MAX: usize = 18;

impl Amount {
    /// Nothing, at no decimals: the neutral start of a sum.
    pub const ZERO: Self = Self { minor: 0, decimals: 0 };

    /// Whether it is nothing.
    pub fn is_zero(self) -> bool {
        self.minor == 0
    }

    /// Whether it is less than nothing.
    pub fn is_negative(self) -> bool {
        self.minor < 0
    }

    /// The sum, at the finer scale of the two; `None` beyond 128 bits.
    pub fn checked_add(self, other: Self) -> Option<Self> {
        let decimals = self.decimals.max(other.decimals);
        let minor = self.at(decimals)?.checked_add(other.at(decimals)?)?;
        Some(Self { minor, decimals })
    }

    /// The same number with the other sign.
    #[must_use]
    pub fn negated(self) -> Self {
        Self { minor: self.minor.saturating_neg(), ..self }
    }

    /// Nothing, at the decimals of this number.
    #[must_use]
    pub fn zeroed(self) -> Self {
        Self { minor: 0, ..self }
    }

    /// The same number without a sign.
    #[must_use]
    pub fn magnitude(self) -> Self {
        Self { minor: self.minor.saturating_abs(), ..self }
    }

    /// `self` in thousandths of `whole`, from 0 to 2000; 0 where `whole` is nothing.
    pub fn per_mille_of(self, whole: Self) -> u32 {
        let decimals = self.decimals.max(whole.decimals);
        let (Some(part), Some(whole)) = (self.at(decimals), whole.at(decimals)) else { return 0 };
        let (part, whole) = (part.unsigned_abs(), whole.unsigned_abs());
        // Above a million units dividing first loses less than a picture shows.
        let scaled = match whole {
            0 => 0,
            1..=1_000_000 => part.saturating_mul(1000) / whole,
            _ => part / (whole / 1000),
        };
        u32::try_from(scaled.min(2000)).unwrap_or(2000)
    }

    /// Which of two sizes is larger, signs aside.
    pub fn by_size(one: &Self, other: &Self) -> Ordering {
        let decimals = one.decimals.max(other.decimals);
        let size = |it: &Self| it.at(decimals).map_or(u128::MAX, i128::unsigned_abs);
        size(one).cmp(&size(other))
    }

    fn at(self, decimals: u8) -> Option<i128> {
        let factor = 10_i128.checked_pow(u32::from(decimals - self.decimals))?;
        self.minor.checked_mul(factor)
    }
}

impl From<Sum> for Amount {
    fn from(sum: Sum) -> Self {
        Self { minor: sum.minor(), decimals: sum.currency().decimals() }
    }
}

impl From<Money> for Amount {
    fn from(money: Money) -> Self {
        Sum::from(money).into()
    }
}

/// `-1234.50`: a point, no grouping, all decimals.
impl fmt::Display for Amount {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.minor < 0 { "-" } else { "" };
        let decimals = usize::from(self.decimals);
        let digits = format!("{:0width$}", self.minor.unsigned_abs(), width = decimals + 1);
        let (whole, rest) = digits.split_at(digits.len() - decimals);
        let point = if rest.is_empty() { "" } else { "." };
        write!(out, "{sign}{whole}{point}{rest}")
    }
}

impl FromStr for Amount {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is no decimal number");
        let (whole, rest) = text.split_once('.').unwrap_or((text, ""));
        let digits = |it: &str| it.bytes().all(|byte| byte.is_ascii_digit());
        let unsigned = whole.strip_prefix('-').unwrap_or(whole);
        let dangling = text.ends_with('.') || unsigned.is_empty() || rest.len() > DECIMALS_MAX;
        if dangling || !digits(unsigned) || !digits(rest) {
            return Err(wrong());
        }
        let minor = format!("{whole}{rest}").parse().map_err(|_| wrong())?;
        Ok(Self { minor, decimals: u8::try_from(rest.len()).map_err(|_| wrong())? })
    }
}

impl Serialize for Amount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(terms: &[&str], expected: &str) {
        let mut sum = Amount::ZERO;
        for term in terms {
            sum = sum.checked_add(term.parse().unwrap()).unwrap();
        }
        assert_eq!(sum.to_string(), expected, "{terms:?}");
    }

    #[test]
    fn a_sum_is_exact_at_the_finest_scale() {
        check(&["90071992547409.92", "0.01"], "90071992547409.93");
        check(&["0.335", "-1.00"], "-0.665");
        check(&["1000", "-0.05"], "999.95");
        check(&["-0.05"], "-0.05");
        check(&["0.00"], "0.00");
    }

    #[test]
    fn what_is_no_decimal_number_is_refused() {
        for text in ["", "-", ".5", "1.", "1,00", "1e3", "+1", "--1", "1.-2", " 1"] {
            assert!(text.parse::<Amount>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_share_never_leaves_its_bar() {
        let amount = |text: &str| text.parse::<Amount>().unwrap();
        for (part, whole, expected) in [
            ("1.00", "2.00", 500),
            ("0.00", "0.00", 0),
            ("5", "1.00", 2000),
            ("99999999999999999999.00", "99999999999999999999.00", 1000),
            ("-1.00", "4.00", 250),
        ] {
            assert_eq!(amount(part).per_mille_of(amount(whole)), expected, "{part} of {whole}");
        }
    }
}
