//! The grammar of amounts: a text is a number that can mean only one thing, or it is refused.

use rust_decimal::Decimal;

use crate::domain::money::{Currency, MoneyError};

/// A number as written: `mantissa` × 10^−`decimals`, and the currency written beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Number {
    mantissa: i128,
    decimals: u32,
    beside: Beside,
}

/// What stands before or after a number and says in which currency it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Beside {
    Nothing,
    Currency(Currency),
    /// A symbol that the currencies of these codes share.
    Shared(&'static [&'static str]),
}

/// Why a text is no number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NumberError {
    /// It is none.
    Wrong,
    /// It may mean two: `1.000` with no declared decimal mark.
    Ambiguous,
}

/// How a source writes numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(
    clippy::option_option,
    reason = "undeclared, declared as nothing, and one are three things"
)]
pub struct Grammar {
    /// `.` or `,`, where declared.
    decimal: Option<u8>,
    /// What may group thousands, where declared; `Some(None)` is nothing.
    thousands: Option<Option<u8>>,
}

impl Number {
    /// The currency written before or after it, where that names exactly one.
    pub fn currency(self) -> Option<Currency> {
        match self.beside {
            Beside::Currency(currency) => Some(currency),
            Beside::Nothing | Beside::Shared(_) => None,
        }
    }

    /// Whether it may be an amount of a currency, by what is written beside it.
    pub fn is_in(self, currency: Currency) -> bool {
        match self.beside {
            Beside::Nothing => true,
            Beside::Currency(beside) => beside.code() == currency.code(),
            Beside::Shared(codes) => codes.contains(&currency.code()),
        }
    }

    /// Minor units of a currency kept at `scaled`, from a number that may have `decimals` decimals.
    pub fn minor(self, decimals: u8, scaled: Currency) -> Result<i64, MoneyError> {
        let (mut mantissa, mut written) = (self.mantissa, self.decimals);
        while written > u32::from(decimals) {
            if mantissa % 10 != 0 {
                return Err(MoneyError::Decimals { decimals });
            }
            mantissa /= 10;
            written -= 1;
        }
        let finer = u32::from(scaled.decimals()).saturating_sub(written);
        let minor = 10_i128.checked_pow(finer).and_then(|factor| mantissa.checked_mul(factor));
        minor.and_then(|it| i64::try_from(it).ok()).ok_or(MoneyError::Range)
    }

    /// Whether it is nothing.
    pub fn is_zero(self) -> bool {
        self.mantissa == 0
    }

    /// The number as a rate; `None` beyond 28 decimals.
    pub fn to_decimal(self) -> Option<Decimal> {
        Decimal::try_from_i128_with_scale(self.mantissa, self.decimals).ok()
    }
}

/// Longest number that is looked at; 28 digits, their separators, and a currency.
const LONGEST: usize = 64;

/// Digits that are counted with: beyond them nothing is money.
const MOST_DIGITS: usize = 28;

impl Grammar {
    /// The grammar of a declared decimal mark and thousands separator (checked by the profile).
    pub fn new(decimal: Option<&str>, thousands: Option<&str>) -> Self {
        let first = |text: &str| text.bytes().next();
        Self { decimal: decimal.and_then(first), thousands: thousands.map(first) }
    }

    /// What it expects, as half a sentence.
    pub fn expected(self) -> &'static str {
        match self.decimal {
            Some(b',') => "a number with `,` as decimal mark",
            Some(_) => "a number with `.` as decimal mark",
            None => "a number that can mean only one thing, or a declared `decimal` mark",
        }
    }

    /// Reads a number with its sign and currency.
    pub fn parse(self, text: &str) -> Result<Number, NumberError> {
        if let Some(number) = self.plain(text.as_bytes()) {
            return Ok(number);
        }
        let digit = |c: char| c.is_ascii_digit();
        let first = text.find(digit).ok_or(NumberError::Wrong)?;
        let last = text.rfind(digit).ok_or(NumberError::Wrong)?;
        let (before, after) = (&text[..first], &text[last + 1..]);
        let affixes = Affixes::read(before, after).ok_or(NumberError::Wrong)?;
        let digits = self.core(&text[first..=last])?;
        let mantissa =
            if affixes.negative == Some(true) { -digits.mantissa } else { digits.mantissa };
        Ok(Number { mantissa, beside: affixes.beside.unwrap_or(Beside::Nothing), ..digits })
    }

    /// The common form, without looking twice: a minus, at most 18 digits, a declared mark.
    fn plain(self, bytes: &[u8]) -> Option<Number> {
        let (negative, digits) = match bytes {
            [b'-', rest @ ..] => (true, rest),
            all => (false, all),
        };
        if digits.is_empty() || digits.len() > 19 {
            return None;
        }
        let (mut mantissa, mut mark) = (0_i64, None);
        for (at, byte) in digits.iter().enumerate() {
            match byte {
                b'0'..=b'9' => {
                    mantissa = mantissa.checked_mul(10)?.checked_add(i64::from(byte - b'0'))?;
                }
                other if mark.is_none() && Some(*other) == self.decimal && at > 0 => {
                    mark = Some(at);
                }
                _ => return None,
            }
        }
        let decimals = mark.map_or(0, |at| digits.len() - at - 1);
        let mantissa = i128::from(if negative { -mantissa } else { mantissa });
        Some(Number { mantissa, decimals: u32::try_from(decimals).ok()?, beside: Beside::Nothing })
    }

    /// What stands from the first digit to the last.
    fn core(self, text: &str) -> Result<Number, NumberError> {
        let core = Core::read(text).ok_or(NumberError::Wrong)?;
        let decimal = self.decimal_of(&core)?;
        let (groups, fraction) = match decimal {
            Some(_) => (&core.groups[..core.count - 1], core.groups[core.count - 1]),
            None => (&core.groups[..core.count], 0),
        };
        let separators = &core.separators[..groups.len() - 1];
        if let Some(separator) = separators.first() {
            let allowed = self.thousands.is_none_or(|it| it == Some(*separator));
            let alike = separators.iter().all(|it| it == separator);
            let is_decimal = decimal == Some(*separator) || self.decimal == Some(*separator);
            if !allowed || !alike || is_decimal || !grouped(groups, *separator) {
                return Err(NumberError::Wrong);
            }
        }
        let decimals = u32::try_from(fraction).map_err(|_| NumberError::Wrong)?;
        Ok(Number { mantissa: core.mantissa, decimals, beside: Beside::Nothing })
    }

    /// Which of its separators is the decimal mark: the last one or none.
    fn decimal_of(self, core: &Core) -> Result<Option<u8>, NumberError> {
        let separators = &core.separators[..core.count - 1];
        let Some((last, others)) = separators.split_last() else { return Ok(None) };
        if let Some(declared) = self.decimal {
            return Ok((*last == declared).then_some(declared));
        }
        if !matches!(last, b'.' | b',') || others.contains(last) {
            return Ok(None);
        }
        if !others.is_empty() {
            return Ok(Some(*last));
        }
        // One mark alone. It groups thousands only before exactly three digits and after one to
        // three that do not begin with a zero; elsewhere it can only be the decimal mark.
        let could_group = core.groups[1] == 3 && core.groups[0] <= 3 && !core.begins_with_zero;
        if could_group { Err(NumberError::Ambiguous) } else { Ok(Some(*last)) }
    }
}

/// Digits in groups, and what stands between them.
struct Core {
    mantissa: i128,
    begins_with_zero: bool,
    groups: [usize; LONGEST],
    separators: [u8; LONGEST],
    /// How many groups there are; separators are one fewer.
    count: usize,
}

impl Core {
    fn read(text: &str) -> Option<Self> {
        if text.len() > LONGEST {
            return None;
        }
        let mut core = Self {
            mantissa: 0,
            begins_with_zero: text.starts_with('0'),
            groups: [0; LONGEST],
            separators: [0; LONGEST],
            count: 1,
        };
        let mut digits = 0;
        for c in text.chars() {
            if let Some(digit) = c.to_digit(10) {
                core.mantissa = core.mantissa * 10 + i128::from(digit);
                core.groups[core.count - 1] += 1;
                digits += 1;
            } else {
                if core.groups[core.count - 1] == 0 {
                    return None;
                }
                core.separators[core.count - 1] = separator(c)?;
                core.count += 1;
            }
            if digits > MOST_DIGITS {
                return None;
            }
        }
        Some(core)
    }
}

/// One form for every blank and every apostrophe; `None` for what separates nothing.
fn separator(c: char) -> Option<u8> {
    match c {
        '.' => Some(b'.'),
        ',' => Some(b','),
        '\'' | '\u{2019}' => Some(b'\''),
        ' ' | '\u{a0}' | '\u{2009}' | '\u{202f}' | '\u{2007}' => Some(b' '),
        _ => None,
    }
}

/// Whether the digits are grouped as people group thousands: `1,234,567`, or `12,34,567` in India.
fn grouped(groups: &[usize], separator: u8) -> bool {
    let [first, middle @ .., last] = groups else { return true };
    let western = *first <= 3 && middle.iter().all(|it| *it == 3);
    let indian = separator == b',' && *first <= 2 && middle.iter().all(|it| *it == 2);
    *last == 3 && (western || indian)
}

/// Sign and currency around the digits, each told at most once.
#[derive(Default)]
struct Affixes {
    negative: Option<bool>,
    beside: Option<Beside>,
}

impl Affixes {
    /// What stands before and after the digits; `None` where that is no sign and no currency, or
    /// where either is told twice.
    fn read(before: &str, after: &str) -> Option<Self> {
        let mut affixes = Self::default();
        let after =
            affixes.take_before(before.trim_matches(is_blank), after.trim_matches(is_blank))?;
        affixes.take_after(after)?;
        Some(affixes)
    }

    /// Takes what stands before the digits, and the parenthesis that answers it; gives what is
    /// left after them.
    fn take_before<'a>(&mut self, mut before: &str, mut after: &'a str) -> Option<&'a str> {
        while !before.is_empty() {
            let rest = if let Some(rest) = before.strip_prefix(MINUS) {
                self.sign(true)?;
                rest
            } else if let Some(rest) = before.strip_prefix('+') {
                self.sign(false)?;
                rest
            } else if let Some(rest) = before.strip_prefix('(') {
                self.sign(true)?;
                after = after.strip_suffix(')').or_else(|| after.strip_prefix(')'))?;
                after = after.trim_matches(is_blank);
                rest
            } else {
                let end = before.find(['-', '\u{2212}', '+', '(']).unwrap_or(before.len());
                self.currency(&before[..end])?;
                &before[end..]
            };
            before = rest.trim_start_matches(is_blank);
        }
        Some(after)
    }

    fn take_after(&mut self, mut after: &str) -> Option<()> {
        while !after.is_empty() {
            let rest = if let Some(rest) = after.strip_suffix(MINUS) {
                self.sign(true)?;
                rest
            } else if let Some(rest) = strip_word(after, "DR") {
                self.sign(true)?;
                rest
            } else if let Some(rest) = strip_word(after, "CR") {
                self.sign(false)?;
                rest
            } else {
                let word = after.trim_start_matches(MINUS);
                self.currency(word)?;
                &after[..after.len() - word.len()]
            };
            after = rest.trim_end_matches(is_blank);
        }
        Some(())
    }

    fn sign(&mut self, negative: bool) -> Option<()> {
        self.negative.replace(negative).is_none().then_some(())
    }

    fn currency(&mut self, word: &str) -> Option<()> {
        let named = currency_named(word.trim_matches(is_blank))?;
        self.beside.replace(named).is_none().then_some(())
    }
}

const MINUS: [char; 2] = ['-', '\u{2212}'];

fn is_blank(c: char) -> bool {
    c == '\t' || separator(c) == Some(b' ')
}

/// The text before a word that stands at its end alone, in any case.
fn strip_word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let at = text.len().checked_sub(word.len())?;
    let stands = text.is_char_boundary(at)
        && text[at..].eq_ignore_ascii_case(word)
        && !text[..at].ends_with(char::is_alphabetic);
    stands.then(|| &text[..at])
}

/// Codes of currencies that are written with the same symbol.
const DOLLARS: &[&str] = &[
    "USD", "ARS", "AUD", "BBD", "BMD", "BND", "BSD", "BZD", "CAD", "CLP", "COP", "CUP", "CVE",
    "DOP", "FJD", "GYD", "HKD", "JMD", "KYD", "LRD", "MOP", "MXN", "NAD", "NIO", "NZD", "SBD",
    "SGD", "SRD", "TOP", "TTD", "TWD", "UYU", "WST", "XCD",
];
const POUNDS: &[&str] = &["GBP", "EGP", "FKP", "GIP", "LBP", "SDG", "SHP", "SSP", "SYP"];
const ROUBLES: &[&str] = &["RUB", "BYN"];
const YEN: &[&str] = &["JPY", "CNY"];

/// The currency that a word or symbol names, `None` where it names none.
fn currency_named(word: &str) -> Option<Beside> {
    let lower = word.trim_end_matches('.').to_lowercase();
    let code = match lower.as_str() {
        "$" => return Some(Beside::Shared(DOLLARS)),
        "£" => return Some(Beside::Shared(POUNDS)),
        "¥" => return Some(Beside::Shared(YEN)),
        "€" => "EUR",
        "руб" | "р" => return Some(Beside::Shared(ROUBLES)),
        "₽" => "RUB",
        code => code,
    };
    Currency::iso(code).map(Beside::Currency)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// `decimal` is the declared mark, blank for none; `Ok` is the amount in EUR.
    fn check(decimal: &str, text: &str, expected: Result<&str, &str>) {
        check_in("EUR", decimal, None, text, expected);
    }

    fn check_in(
        code: &str,
        decimal: &str,
        thousands: Option<&str>,
        text: &str,
        expected: Result<&str, &str>,
    ) {
        let currency = Currency::iso(code).unwrap();
        let grammar = Grammar::new((!decimal.is_empty()).then_some(decimal), thousands);
        let found = match grammar.parse(text) {
            Err(NumberError::Wrong) => Err("wrong"),
            Err(NumberError::Ambiguous) => Err("ambiguous"),
            Ok(number) => match number.minor(currency.decimals(), currency) {
                Err(MoneyError::Decimals { .. }) => Err("decimals"),
                Err(MoneyError::Range) => Err("range"),
                Ok(minor) => Ok(crate::domain::money::Money::new(minor, currency).to_string()),
            },
        };
        assert_eq!(found, expected.map(str::to_owned), "`{text}` with `{decimal}`");
    }

    #[test]
    fn a_declared_mark_decides() {
        check(",", "-1.000", Ok("-1000.00"));
        check(".", "-1.000", Ok("-1.00"));
        check(",", "1.234,56", Ok("1234.56"));
        check(".", "1,234.56", Ok("1234.56"));
        check(".", "12,34,567.89", Ok("1234567.89"));
        check(",", "500,", Ok("500.00"));
        check(",", "12.34", Err("wrong"));
        check(".", "1.234.567", Err("wrong"));
    }

    #[test]
    fn without_a_declared_mark_only_what_cannot_mean_two_things_is_read() {
        check("", "-1.000", Err("ambiguous"));
        check("", "1,000", Err("ambiguous"));
        check("", "12.5", Ok("12.50"));
        check("", "12,50", Ok("12.50"));
        check("", "1.234.567", Ok("1234567.00"));
        check("", "1,234.56", Ok("1234.56"));
        check("", "1.234,56", Ok("1234.56"));
        check("", "0.125", Err("decimals"));
        check("", "1234.567", Err("decimals"));
        check("", "1 234.500", Ok("1234.50"));
        check("", "7 000", Ok("7000.00"));
        check("", "1000", Ok("1000.00"));
    }

    #[test]
    fn every_blank_and_apostrophe_groups_thousands() {
        for blank in [' ', '\u{a0}', '\u{2009}', '\u{202f}', '\'', '\u{2019}'] {
            check(",", &format!("1{blank}234{blank}567,89"), Ok("1234567.89"));
        }
        check(",", "1 234\u{a0}567,89", Ok("1234567.89"));
        check(",", "1 234.567,89", Err("wrong"));
        check(",", "12 34,56", Err("wrong"));
        check_in("EUR", ",", Some(" "), "1 234,50", Ok("1234.50"));
        check_in("EUR", ",", Some(" "), "1.234,50", Err("wrong"));
        check_in("EUR", ",", Some(""), "1 234,50", Err("wrong"));
    }

    #[test]
    fn a_group_of_two_is_refused() {
        for decimal in ["", ".", ","] {
            check(decimal, "12,34.56", Err("wrong"));
        }
    }

    #[test]
    fn signs_and_currencies_stand_on_either_side() {
        check(".", "(33.52)", Ok("-33.52"));
        check(".", "€(63.12)", Ok("-63.12"));
        check(".", "($182.77)", Ok("-182.77"));
        check(".", "(182.77 EUR)", Ok("-182.77"));
        check("", "-110.7 €", Ok("-110.70"));
        check(".", "100-", Ok("-100.00"));
        check(".", "\u{2212}5.00", Ok("-5.00"));
        check(".", "+5.00", Ok("5.00"));
        check(".", "5.00 CR", Ok("5.00"));
        check(".", "5.00DR", Ok("-5.00"));
        check(".", "579.68 USD", Ok("579.68"));
        check_in("RUB", ",", None, "579,68 руб.", Ok("579.68"));
        check_in("BYN", ",", None, "579,68 руб.", Ok("579.68"));
        check(",", "1 000,00- EUR", Ok("-1000.00"));
    }

    #[test]
    fn a_sign_told_twice_is_refused() {
        for text in ["-(5)", "-5-", "-5 DR", "5- CR", "--5", "(5", "5)"] {
            check(".", text, Err("wrong"));
        }
    }

    #[test]
    fn what_is_no_number_is_refused() {
        for text in ["", "-", "n/a", "1.5E+5", "12 abc", "0x10", "1..5", "1 2", "5%", "١٢", ".5"]
        {
            check(".", text, Err("wrong"));
        }
    }

    #[test]
    fn what_does_not_fit_is_refused_and_never_wrapped() {
        check(".", "90071992547409.93", Ok("90071992547409.93"));
        check(".", "92233720368547758.07", Ok("92233720368547758.07"));
        check(".", "92233720368547758.08", Err("range"));
        check(".", "12345678901234567890", Err("range"));
        check(".", "12345678901234567890123456789", Err("wrong"));
        check(".", "1.005", Err("decimals"));
        check_in("KWD", ".", None, "1.005", Ok("1.005"));
        check_in("JPY", ".", None, "1.5", Err("decimals"));
        check_in("JPY", ".", None, "1000.00", Ok("1000"));
    }

    #[test]
    fn the_currency_written_beside_it_is_told() {
        let named = |text| Grammar::new(Some("."), None).parse(text).unwrap().currency();
        assert_eq!(named("5.00 EUR"), Currency::iso("EUR"));
        assert_eq!(named("₽5.00"), Currency::iso("RUB"));
        assert_eq!(named("$5.00"), None);
        let number = |text| Grammar::new(Some("."), None).parse(text).unwrap();
        let allows = |text, code| number(text).is_in(Currency::iso(code).unwrap());
        assert!(allows("$5.00", "USD") && allows("CAD 5.00", "CAD") && allows("5.00", "EUR"));
        assert!(!allows("$5.00", "EUR") && !allows("£5.00", "JPY") && !allows("5.00 EUR", "USD"));
        assert_eq!(Grammar::new(Some("."), None).parse("5.00 QQQ"), Err(NumberError::Wrong));
        assert_eq!(named("5.00 XDR"), Currency::iso("XDR"));
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "[-+(),.' 0-9€A-Z\u{a0}]{0,24}|\\PC*") {
            for decimal in [None, Some("."), Some(",")] {
                let _ = Grammar::new(decimal, None).parse(&text);
            }
        }

        #[test]
        fn a_printed_amount_is_read_back(minor: i64) {
            let currency = Currency::iso("EUR").unwrap();
            let text = crate::domain::money::Money::new(minor, currency).to_string();
            let number = Grammar::new(Some("."), None).parse(&text).unwrap();
            prop_assert_eq!(number.minor(2, currency), Ok(minor));
        }
    }
}
