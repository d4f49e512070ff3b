//! Money: whole minor units of a currency, never a float.

use std::fmt;

use rust_decimal::Decimal;

/// A currency of ISO 4217 with the number of decimals its amounts are kept at.
///
/// The decimals are those of ISO 4217 unless a profile of the account declares a finer scale
/// (DESIGN §3); the scale travels with the currency, so that an amount always prints itself.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Currency {
    code: [u8; 3],
    decimals: u8,
}

/// What an amount may fail at when it becomes [`Money`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MoneyError {
    /// More decimals than the account's scale: refused, never rounded.
    #[error("more than {decimals} decimals")]
    Decimals {
        /// The decimals allowed.
        decimals: u8,
    },
    /// More than 64 bits of minor units.
    #[error("beyond 64 bits of minor units")]
    Range,
}

impl Currency {
    /// The currency of an ISO 4217 alphabetic code in either case, with the standard's decimals.
    pub fn iso(code: &str) -> Option<Self> {
        let upper: [u8; 3] = code.as_bytes().try_into().ok()?;
        let upper = upper.map(|byte| byte.to_ascii_uppercase());
        let known = iso_currency::Currency::from_code(std::str::from_utf8(&upper).ok()?)?;
        let decimals = u8::try_from(known.exponent().unwrap_or(0)).ok()?;
        Some(Self { code: upper, decimals })
    }

    /// The same currency kept at another scale, from 0 to 9 decimals.
    #[must_use]
    pub fn with_decimals(self, decimals: u8) -> Self {
        Self { decimals: decimals.min(9), ..self }
    }

    /// The alphabetic code.
    pub fn code(&self) -> &str {
        std::str::from_utf8(&self.code).unwrap_or("???")
    }

    /// How many decimals an amount of this currency has.
    pub fn decimals(self) -> u8 {
        self.decimals
    }
}

impl fmt::Debug for Currency {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.code())
    }
}

impl fmt::Display for Currency {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.code())
    }
}

/// An amount in minor units of its currency; positive is money in on the account (DESIGN §3).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Money {
    minor: i64,
    currency: Currency,
}

impl Money {
    /// An amount of `minor` units.
    pub fn new(minor: i64, currency: Currency) -> Self {
        Self { minor, currency }
    }

    /// The exact amount of a decimal number, or why it has none.
    pub fn from_decimal(amount: Decimal, currency: Currency) -> Result<Self, MoneyError> {
        let amount = amount.normalize();
        let decimals = u32::from(currency.decimals);
        if amount.scale() > decimals {
            return Err(MoneyError::Decimals { decimals: currency.decimals });
        }
        let factor = 10_i128.pow(decimals - amount.scale());
        let minor = amount.mantissa().checked_mul(factor).ok_or(MoneyError::Range)?;
        let minor = i64::try_from(minor).map_err(|_| MoneyError::Range)?;
        Ok(Self { minor, currency })
    }

    /// The amount as a decimal number, for rates and percentages.
    pub fn to_decimal(self) -> Decimal {
        Decimal::new(self.minor, u32::from(self.currency.decimals))
    }

    /// Minor units.
    pub fn minor(self) -> i64 {
        self.minor
    }

    /// The currency.
    pub fn currency(self) -> Currency {
        self.currency
    }

    /// Whether money goes out.
    pub fn is_outflow(self) -> bool {
        self.minor < 0
    }

    /// The same amount the other way; `None` for the one amount that has no opposite.
    pub fn checked_neg(self) -> Option<Self> {
        Some(Self { minor: self.minor.checked_neg()?, ..self })
    }
}

impl fmt::Display for Money {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        Sum::from(*self).fmt(out)
    }
}

impl fmt::Debug for Money {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{self} {}", self.currency)
    }
}

/// A sum of amounts of one currency; 128 bits hold any number of 64-bit amounts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sum {
    minor: i128,
    currency: Currency,
}

impl Sum {
    /// A sum of `minor` units.
    pub fn new(minor: i128, currency: Currency) -> Self {
        Self { minor, currency }
    }

    /// Nothing yet.
    pub fn zero(currency: Currency) -> Self {
        Self { minor: 0, currency }
    }

    /// Minor units.
    pub fn minor(self) -> i128 {
        self.minor
    }

    /// The currency.
    pub fn currency(self) -> Currency {
        self.currency
    }

    /// This sum and `minor` more units of the same currency.
    #[must_use]
    pub fn plus(self, minor: i128) -> Self {
        Self { minor: self.minor + minor, ..self }
    }

    /// The sum as one amount; `None` beyond 64 bits, where it may not be stored.
    pub fn to_money(self) -> Option<Money> {
        Some(Money { minor: i64::try_from(self.minor).ok()?, currency: self.currency })
    }
}

impl From<Money> for Sum {
    fn from(money: Money) -> Self {
        Self { minor: i128::from(money.minor), currency: money.currency }
    }
}

/// The decimal string of DESIGN §10: `-1234.50`, a point, no grouping, all decimals.
impl fmt::Display for Sum {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.minor < 0 { "-" } else { "" };
        let digits = self.minor.unsigned_abs();
        let decimals = usize::from(self.currency.decimals);
        if decimals == 0 {
            return write!(out, "{sign}{digits}");
        }
        let factor = 10_u128.pow(u32::from(self.currency.decimals));
        write!(out, "{sign}{}.{:0decimals$}", digits / factor, digits % factor)
    }
}

impl fmt::Debug for Sum {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{self} {}", self.currency)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, code: &str, expected: Result<&str, MoneyError>) {
        let currency = Currency::iso(code).unwrap();
        let money = Money::from_decimal(text.parse().unwrap(), currency);
        assert_eq!(money.map(|it| it.to_string()), expected.map(str::to_owned), "{text} {code}");
    }

    #[test]
    fn an_amount_is_exact_or_refused() {
        check("90071992547409.93", "EUR", Ok("90071992547409.93"));
        check("-0.05", "EUR", Ok("-0.05"));
        check("1.10", "JPY", Err(MoneyError::Decimals { decimals: 0 }));
        check("1.00", "JPY", Ok("1"));
        check("1.5", "KWD", Ok("1.500"));
        check("0.335", "EUR", Err(MoneyError::Decimals { decimals: 2 }));
        check("92233720368547758.08", "EUR", Err(MoneyError::Range));
    }

    #[test]
    fn a_finer_scale_travels_with_the_currency() {
        let fine = Currency::iso("EUR").unwrap().with_decimals(3);
        let money = Money::from_decimal("0.335".parse().unwrap(), fine).unwrap();
        assert_eq!(money.to_string(), "0.335");
        assert_eq!(Sum::from(money).plus(335).plus(340).to_string(), "1.010");
    }

    #[test]
    fn a_code_outside_iso_4217_is_no_currency() {
        assert_eq!(Currency::iso("EU"), None);
        assert_eq!(Currency::iso("QQQ"), None);
        assert_eq!(Currency::iso("eur"), Currency::iso("EUR"));
    }
}
