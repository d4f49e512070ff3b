//! What makes a record the same record in another file: its content, counted (DESIGN §5).

use std::borrow::Cow;

use rayon::slice::ParallelSliceMut;

use crate::domain::{
    entry::{Entry, Status},
    key::KeyScheme,
};
use crate::frames::hashing::HashKey;

/// The hash of an entry's content: account, amount, dates, kind, status, keys, party, text, and
/// never file or record number. The key must be one that outlives the run, for identities are
/// compared with those of earlier days; so kinds, statuses and schemes, told by their place among
/// all, keep their places.
pub fn identity(key: HashKey, entry: &Entry<'_>) -> u128 {
    let mut hasher = key.parts();
    hasher.money(entry.amount);
    hasher.day(Some(entry.booking_date));
    hasher.day(entry.value_date);
    let underlying = entry.underlying_kind.map_or(0, |it| 1 + it.index());
    hasher.bytes([entry.kind.index(), underlying, place(&Status::ALL, entry.status)]);
    hasher.part(&entry.account);
    let mut keys = Cow::Borrowed(&entry.keys[..]);
    if !keys.is_sorted() {
        keys.to_mut().sort();
    }
    for key in keys.iter() {
        hasher.bytes([1 + place(&KeyScheme::ALL, key.scheme)]);
        hasher.part(&key.text);
    }
    hasher.bytes([0]);
    hasher.optional(entry.intent.as_deref());
    hasher.part(&entry.party);
    hasher.part(&entry.text);
    hasher.finish()
}

/// The place of a value among all of its type.
fn place<T: PartialEq + Copy>(all: &[T], one: T) -> u8 {
    let at = all.iter().position(|it| *it == one);
    at.and_then(|it| u8::try_from(it).ok()).unwrap_or(0)
}

/// The identity of the n-th record of a content: the content's own for the first.
pub fn occurrence(key: HashKey, identity: u128, number: u32) -> u128 {
    if number == 1 {
        return identity;
    }
    let mut hasher = key.parts();
    hasher.part(&identity.to_string());
    hasher.number(i64::from(number));
    hasher.finish()
}

/// The identities of one file, sorted. Equal ones are as many operations as they stand here.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Identities(Vec<u128>);

impl Identities {
    /// These identities, in any order.
    pub fn new(mut all: Vec<u128>) -> Self {
        all.par_sort_unstable();
        Self(all)
    }

    /// The identities with their occurrences folded in, ascending: no two are equal, and equal rows
    /// stay as many as they are.
    #[expect(clippy::stable_sort_primitive, reason = "it merges two ascending runs in one pass")]
    pub fn occurrences(self, key: HashKey) -> Vec<u128> {
        let (mut all, mut later, mut number) = (self.0, Vec::new(), 1);
        all.dedup_by(|next, one| {
            number = if next == one { number + 1 } else { 1 };
            if number > 1 {
                later.push(occurrence(key, *one, number));
            }
            number > 1
        });
        if !later.is_empty() {
            later.sort_unstable();
            all.extend(later);
            all.sort();
        }
        all
    }

    /// Each identity with its occurrence, from 1, in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = (u128, u32)> {
        self.0
            .chunk_by(|one, other| one == other)
            .flat_map(|equal| (1..).zip(equal))
            .map(|(occurrence, identity)| (*identity, occurrence))
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use chrono::NaiveDate;

    use super::*;
    use crate::domain::{
        entry::{Kind, Place},
        key::NaturalKey,
        money::{Currency, Money},
    };

    fn entry() -> Entry<'static> {
        let day = NaiveDate::from_ymd_opt(2026, 11, 30).unwrap();
        let money = Money::new(100, Currency::iso("EUR").unwrap());
        Entry::new(Place { record: 3, ..Place::default() }, money, day)
    }

    fn check(change: impl FnOnce(&mut Entry<'static>), same: bool) {
        let key = HashKey::new([1; 16]);
        let mut other = entry();
        change(&mut other);
        assert_eq!(identity(key, &entry()) == identity(key, &other), same, "{other:?}");
    }

    #[test]
    fn an_identity_is_the_content_and_not_the_place() {
        let day = NaiveDate::from_ymd_opt(2026, 11, 30);
        check(|it| it.place = Place { file: 7, record: 9, ..Place::default() }, true);
        check(|it| it.account = "A".into(), false);
        check(|it| it.amount = Money::new(101, it.amount.currency()), false);
        check(|it| it.amount = Money::new(100, it.amount.currency().with_decimals(3)), false);
        check(|it| it.booking_date = it.booking_date.succ_opt().unwrap(), false);
        check(|it| it.value_date = day, false);
        check(|it| it.kind = Kind::Refund, false);
        check(|it| it.status = Status::Pending, false);
        check(|it| it.keys.extend(NaturalKey::given(KeyScheme::EndToEndId, "x")), false);
        check(|it| it.intent = Some("".into()), false);
        check(|it| it.party = "P".into(), false);
        check(|it| it.text = "P".into(), false);
    }

    #[test]
    fn an_identity_is_the_same_in_every_version() {
        let mut it = entry();
        it.kind = Kind::Fee;
        it.keys.extend(NaturalKey::given(KeyScheme::FileRecord, "f-1"));
        let expected = 14_314_970_620_557_461_635_119_372_263_609_562_961;
        assert_eq!(identity(HashKey::new([1; 16]), &it), expected);
    }

    #[test]
    fn each_occurrence_of_equal_records_is_an_identity_of_its_own() {
        let key = HashKey::new([1; 16]);
        let mut expected = vec![4, 9, occurrence(key, 9, 2), occurrence(key, 9, 3)];
        expected.sort_unstable();
        assert_eq!(Identities::new(vec![9, 4, 9, 9]).occurrences(key), expected);
        assert_eq!(Identities::new(vec![7, 3]).occurrences(key), [3, 7]);
    }

    #[test]
    fn equal_records_are_counted() {
        let all: Vec<_> = Identities::new(vec![9, 4, 9, 9]).iter().collect();
        assert_eq!(all, [(4, 1), (9, 1), (9, 2), (9, 3)]);
    }
}
