//! Keyed hashes of what rows are joined and found by.

use std::{fmt, hash::Hasher};

use chrono::{Datelike, NaiveDate};
use siphasher::{sip::SipHasher13 as Narrow, sip128};

use crate::config::RuleField;
use crate::domain::{
    entry::Entry,
    money::{Currency, Money},
    repair,
};

use sip128::{Hasher128, SipHasher13 as Wide};

/// The secret under which keys are hashed; another one gives the same results.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct HashKey([u8; 16]);

impl HashKey {
    /// A key of these bytes, which nobody outside may know or choose.
    pub fn new(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    /// A 64-bit hasher for texts under one name.
    pub(crate) fn named(&self, name: &str) -> NamedHasher {
        let mut hasher = Narrow::new_with_key(&self.0);
        hasher.write(&length(name));
        hasher.write(name.as_bytes());
        NamedHasher(hasher)
    }

    /// A 128-bit hasher for a list of parts.
    pub(crate) fn parts(&self) -> PartsHasher {
        PartsHasher { hasher: Wide::new_with_key(&self.0), block: [0; BLOCK], filled: 0 }
    }

    /// The hash of what a rule joins by, to be compared with those of the same rule; `None` where an
    /// entry lacks any of it, for blank never equals blank.
    pub(crate) fn of_rule(&self, on: &[RuleField], entry: &Entry<'_>) -> Option<u128> {
        let mut hasher = self.parts();
        for field in on {
            match field {
                RuleField::Key(scheme) => hasher.part(entry.key(*scheme)?),
                RuleField::Intent => hasher.part(stated(entry.intent.as_deref()?)?),
                RuleField::Amount => hasher.amount(entry.amount),
                RuleField::Currency => hasher.part(entry.amount.currency().code()),
                RuleField::Account => hasher.part(stated(&entry.account)?),
                RuleField::Party => hasher.part(stated(&repair::fold_party(&entry.party))?),
            }
        }
        Some(hasher.finish())
    }
}

impl fmt::Debug for HashKey {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("HashKey(secret)")
    }
}

/// Hashes texts of one kind; texts of two kinds never meet.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NamedHasher(Narrow);

impl NamedHasher {
    /// The hash of a text; never 0 or 1, which columns use for other things.
    pub(crate) fn hash(&self, text: &[u8]) -> u64 {
        let mut hasher = self.0;
        hasher.write(text);
        hasher.finish().max(2)
    }

    /// The hash of an amount with its currency.
    pub(crate) fn hash_money(&self, money: Money) -> u64 {
        let mut hasher = self.0;
        hasher.write(&money.minor().to_be_bytes());
        hasher.write(&currency(money.currency()));
        hasher.finish().max(2)
    }
}

/// How many bytes are hashed at once; most lists of parts have fewer.
const BLOCK: usize = 256;

/// Hashes parts so that no two lists of parts are the same bytes. Short parts are gathered and
/// hashed as one; the hash is that of all bytes in a row.
pub(crate) struct PartsHasher {
    hasher: Wide,
    block: [u8; BLOCK],
    filled: usize,
}

impl PartsHasher {
    /// Adds a text.
    pub(crate) fn part(&mut self, text: &str) {
        self.bytes(length(text));
        self.write(text.as_bytes());
    }

    /// Adds a text that may be absent, which differs from an empty one.
    pub(crate) fn optional(&mut self, text: Option<&str>) {
        self.bytes([u8::from(text.is_some())]);
        self.part(text.unwrap_or(""));
    }

    /// Adds so many bytes.
    pub(crate) fn bytes<const N: usize>(&mut self, bytes: [u8; N]) {
        self.write(&bytes);
    }

    /// Adds a number.
    pub(crate) fn number(&mut self, number: i64) {
        self.bytes(number.to_be_bytes());
    }

    /// Adds a day that may be absent.
    pub(crate) fn day(&mut self, day: Option<NaiveDate>) {
        self.bytes(day.map_or(i32::MIN, |it| it.num_days_from_ce()).to_be_bytes());
    }

    /// Adds a number of units, the same for every scale that it is kept at.
    fn amount(&mut self, amount: Money) {
        let mut minor = amount.minor();
        let mut decimals = amount.currency().decimals();
        while decimals > 0 && minor % 10 == 0 {
            minor /= 10;
            decimals -= 1;
        }
        self.number(minor);
        self.bytes([decimals]);
    }

    /// Adds an amount with its currency and scale.
    pub(crate) fn money(&mut self, money: Money) {
        self.number(money.minor());
        self.bytes(currency(money.currency()));
    }

    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        if bytes.len() > BLOCK - self.filled {
            self.flush();
        }
        match self.block.get_mut(self.filled..self.filled + bytes.len()) {
            Some(to) => {
                to.copy_from_slice(bytes);
                self.filled += bytes.len();
            }
            None => self.hasher.write(bytes),
        }
    }

    fn flush(&mut self) {
        self.hasher.write(&self.block[..self.filled]);
        self.filled = 0;
    }

    /// The hash; never 0, which says that a row has none.
    pub(crate) fn finish(mut self) -> u128 {
        self.flush();
        u128::from(self.hasher.finish128()).max(1)
    }
}

/// A text that is not blank, without the blanks around it.
pub(crate) fn stated(text: &str) -> Option<&str> {
    let text = text.trim();
    (!text.is_empty()).then_some(text)
}

/// The lower half of a wide hash.
pub(crate) fn low_bits(hash: u128) -> u64 {
    u64::try_from(hash & u128::from(u64::MAX)).unwrap_or(u64::MAX)
}

fn length(text: &str) -> [u8; 8] {
    u64::try_from(text.len()).unwrap_or(u64::MAX).to_be_bytes()
}

fn currency(currency: Currency) -> [u8; 4] {
    let mut bytes = [0, 0, 0, currency.decimals()];
    for (to, from) in bytes.iter_mut().zip(currency.code().bytes().take(3)) {
        *to = from;
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{
        entry::Place,
        key::{KeyScheme, NaturalKey},
    };

    const KEY: HashKey = HashKey([7; 16]);
    const E2E: RuleField = RuleField::Key(KeyScheme::EndToEndId);
    const ORDER: RuleField = RuleField::Key(KeyScheme::PaymentOrder);

    fn entry(keys: &[(KeyScheme, &'static str)], decimals: u8, minor: i64) -> Entry<'static> {
        let currency = Currency::iso("EUR").unwrap().with_decimals(decimals);
        let day = NaiveDate::from_ymd_opt(2026, 11, 30).unwrap();
        let mut entry = Entry::new(Place::default(), Money::new(minor, currency), day);
        entry.keys = keys.iter().filter_map(|(s, t)| NaturalKey::given(*s, *t)).collect();
        entry
    }

    fn check(on: &[RuleField], one: &Entry<'_>, other: &Entry<'_>, equal: bool) {
        let (one, other) = (KEY.of_rule(on, one), KEY.of_rule(on, other));
        assert_eq!(one.is_some() && one == other, equal, "{on:?}");
    }

    #[test]
    fn the_hash_is_that_of_all_bytes_however_they_are_gathered() {
        let text = "0123456789".repeat(70);
        for long in [0, 1, BLOCK - 17, BLOCK - 16, BLOCK - 8, BLOCK, BLOCK + 1, 700] {
            let mut parts = KEY.parts();
            let mut whole = Wide::new_with_key(&KEY.0);
            for part in ["x", &text[..long], "", "yz"] {
                parts.part(part);
                whole.write(&length(part));
                whole.write(part.as_bytes());
            }
            assert_eq!(parts.finish(), u128::from(whole.finish128()), "{long}");
        }
    }

    #[test]
    fn parts_that_join_to_the_same_text_are_two_keys() {
        let one = entry(&[(KeyScheme::EndToEndId, "ab"), (KeyScheme::PaymentOrder, "c")], 2, 1);
        let other = entry(&[(KeyScheme::EndToEndId, "a"), (KeyScheme::PaymentOrder, "bc")], 2, 1);
        check(&[E2E, ORDER], &one, &other, false);
        check(&[E2E, ORDER], &one, &one, true);
    }

    #[test]
    fn the_same_text_under_two_schemes_is_two_keys() {
        let one = entry(&[(KeyScheme::EndToEndId, "a")], 2, 1);
        let other = entry(&[(KeyScheme::PaymentOrder, "a")], 2, 1);
        check(&[E2E], &one, &other, false);
        check(&[ORDER], &one, &other, false);
    }

    #[test]
    fn blank_never_equals_blank() {
        let one = entry(&[(KeyScheme::EndToEndId, "a"), (KeyScheme::PaymentOrder, " ")], 2, 1);
        check(&[E2E, ORDER], &one, &one, false);
        check(&[E2E, RuleField::Party], &one, &one, false);
        check(&[E2E, RuleField::Account], &one, &one, false);
        check(&[E2E], &one, &one, true);
    }

    #[test]
    fn an_amount_joins_at_any_scale() {
        let on = [E2E, RuleField::Amount, RuleField::Currency];
        let key = [(KeyScheme::EndToEndId, "a")];
        check(&on, &entry(&key, 2, 150), &entry(&key, 3, 1500), true);
        check(&on, &entry(&key, 2, 150), &entry(&key, 3, 150), false);
        check(&on, &entry(&key, 2, 0), &entry(&key, 0, 0), true);
    }
}
