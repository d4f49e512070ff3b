//! The sink into which the files of one side are read, and what it has when they are.

use std::{collections::BTreeMap, mem, sync::Arc};

use chrono::{Datelike, NaiveDate};

use crate::domain::{
    entry::{Entry, EntrySink, Reject, Status},
    side::Side,
};
use crate::frames::{
    ControlTotal, RowPlace, SELF_TEST_FILE,
    books::Books,
    hashing::HashKey,
    identity::{Identities, identity},
    index,
    layout::Layout,
    rows::Rows,
    sums::{Sums, Total},
};

/// Takes what readers read of one side, file after file: booked entries as rows, the rest as
/// entries. Parts that were read apart are [appended](SideColumns::append).
#[derive(Debug)]
pub struct SideColumns {
    frame: SideFrame,
    identity_key: Option<HashKey>,
    hashes: BTreeMap<u16, Vec<u128>>,
    sums: Sums<(u32, i32)>,
}

/// Everything that was read of one side.
#[derive(Debug)]
pub struct SideFrame {
    side: Side,
    layout: Arc<Layout>,
    books: Books,
    rows: Rows,
    totals: BTreeMap<(u32, i32), Total>,
    evidence: Vec<Entry<'static>>,
    rejects: Vec<Reject>,
    identities: BTreeMap<u16, Identities>,
}

impl SideColumns {
    /// No entries yet. With an `identity_key` the identities of every file are kept too.
    pub fn new(side: Side, layout: Arc<Layout>, identity_key: Option<HashKey>) -> Self {
        let rows = Rows::new(&layout);
        let frame = SideFrame {
            side,
            layout,
            books: Books::default(),
            rows,
            totals: BTreeMap::new(),
            evidence: Vec::new(),
            rejects: Vec::new(),
            identities: BTreeMap::new(),
        };
        Self { frame, identity_key, hashes: BTreeMap::new(), sums: Sums::default() }
    }

    /// Whose.
    pub fn side(&self) -> Side {
        self.frame.side
    }

    /// Makes room for about so many entries in all. Columns that grow as they fill are copied again
    /// and again, and for a while lie in memory twice.
    pub fn reserve(&mut self, entries: usize) {
        self.frame.rows.reserve(entries);
        for hashes in self.hashes.values_mut() {
            hashes.reserve_exact(entries.saturating_sub(hashes.len()));
        }
    }

    /// Adds what was read apart of the same side, by the same layout.
    pub fn append(&mut self, other: Self) {
        if self.frame.is_untouched() {
            *self = Self { identity_key: self.identity_key, ..other };
            return;
        }
        let (to, from) = (&mut self.frame, other.frame);
        let books: Vec<_> =
            from.books.list().iter().map(|(account, it)| to.books.number(account, *it)).collect();
        for ((book, day), total) in other.sums.finish() {
            self.sums.add_total((books[index(book)], day), total);
        }
        to.rows.append(from.rows, &books);
        to.evidence.extend(from.evidence);
        to.rejects.extend(from.rejects);
        for (file, hashes) in other.hashes {
            self.hashes.entry(file).or_default().extend(hashes);
        }
    }

    /// Takes the identities out before the rows go on, by file.
    pub fn take_identities(&mut self) -> BTreeMap<u16, Identities> {
        let hashes = mem::take(&mut self.hashes).into_iter();
        hashes.map(|(file, it)| (file, Identities::new(it))).collect()
    }

    /// What was read.
    pub fn finish(mut self) -> SideFrame {
        self.frame.totals = self.sums.finish();
        let hashes = self.hashes.into_iter();
        self.frame.identities = hashes.map(|(file, it)| (file, Identities::new(it))).collect();
        self.frame
    }
}

impl EntrySink for SideColumns {
    fn entry(&mut self, entry: &Entry<'_>) {
        let planted = entry.place.file == SELF_TEST_FILE;
        if let Some(key) = self.identity_key.filter(|_| !planted) {
            self.hashes.entry(entry.place.file).or_default().push(identity(key, entry));
        }
        match entry.status {
            Status::Booked => {
                let frame = &mut self.frame;
                let book = frame.books.number(&entry.account, entry.amount.currency());
                frame.rows.push(&frame.layout, book, entry);
                if !planted {
                    let day = entry.booking_date.num_days_from_ce();
                    self.sums.add((book, day), entry.amount.minor());
                }
            }
            Status::Pending | Status::Refused | Status::Unknown => {
                let frame = &mut self.frame;
                frame.rows.name(&frame.layout, entry);
                frame.evidence.push(entry.clone().into_owned());
            }
        }
    }

    fn reject(&mut self, reject: Reject) {
        self.frame.rejects.push(reject);
    }
}

impl SideFrame {
    /// Whose.
    pub fn side(&self) -> Side {
        self.side
    }

    /// Whether nothing reached it.
    fn is_untouched(&self) -> bool {
        self.is_empty() && self.evidence.is_empty() && self.rejects.is_empty()
    }

    /// How many booked entries, planted ones included.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether it has no booked entry.
    pub fn is_empty(&self) -> bool {
        self.rows.len() == 0
    }

    /// How many booked entries, planted ones left out.
    pub fn booked(&self) -> u64 {
        self.totals.values().map(|it| it.count).sum()
    }

    /// The booked entries, by account, currency and day, planted ones left out.
    pub fn totals(&self) -> Vec<ControlTotal> {
        let mut totals: Vec<_> = self
            .totals
            .iter()
            .map(|((book, day), total)| {
                let (account, currency) = self.books.list()[index(*book)].clone();
                let (minor, count) = (total.minor, total.count);
                ControlTotal { account, currency, day: date(*day), minor, count }
            })
            .collect();
        totals.sort();
        totals
    }

    /// Entries that carry no booked money, in the order in which they were read.
    pub fn evidence(&self) -> &[Entry<'static>] {
        &self.evidence
    }

    /// Records that became no entry, in the order in which they were read.
    pub fn rejects(&self) -> &[Reject] {
        &self.rejects
    }

    /// The identities by file, where they were asked for; evidence included, planted entries not.
    pub fn identities(&self) -> &BTreeMap<u16, Identities> {
        &self.identities
    }

    /// Takes the identities out, to be stored and forgotten.
    pub fn take_identities(&mut self) -> BTreeMap<u16, Identities> {
        mem::take(&mut self.identities)
    }

    /// The place of a row.
    pub(crate) fn place(&self, row: usize) -> RowPlace {
        self.rows.place(row)
    }

    /// Whether the self-test planted a row.
    pub(crate) fn is_planted(&self, row: usize) -> bool {
        self.rows.file(row) == SELF_TEST_FILE
    }

    pub(crate) fn layout(&self) -> &Layout {
        &self.layout
    }

    pub(crate) fn books(&self) -> &Books {
        &self.books
    }

    pub(crate) fn rows(&self) -> &Rows {
        &self.rows
    }

    pub(crate) fn totals_by_book(&self) -> &BTreeMap<(u32, i32), Total> {
        &self.totals
    }
}

/// The date of a day of the common era; every day in a column came from a date.
pub(crate) fn date(day: i32) -> NaiveDate {
    NaiveDate::from_num_days_from_ce_opt(day).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{
        entry::{Place, RejectReason},
        money::{Currency, Money},
    };

    fn entry(
        record: u32,
        account: &'static str,
        code: &str,
        day: u32,
        minor: i64,
    ) -> Entry<'static> {
        let currency = Currency::iso(code).unwrap();
        let date = NaiveDate::from_ymd_opt(2026, 11, day).unwrap();
        let place = Place { file: 1, record, ..Place::default() };
        let mut it = Entry::new(place, Money::new(minor, currency), date);
        it.account = account.into();
        it
    }

    fn columns(entries: &[Entry<'static>]) -> SideColumns {
        let layout = Arc::new(Layout::new(&[], &[], HashKey::new([1; 16])));
        let mut columns = SideColumns::new(Side::Ours, layout, Some(HashKey::new([2; 16])));
        for entry in entries {
            columns.entry(entry);
        }
        columns
    }

    fn check(frame: &SideFrame, expected: &[(&str, &str, u32, i128, u64)]) {
        let totals = frame.totals();
        let told: Vec<_> = totals
            .iter()
            .map(|it| (&*it.account, it.currency.code(), it.day.day(), it.minor, it.count))
            .collect();
        assert_eq!(told, expected);
    }

    #[test]
    fn totals_are_by_account_currency_and_day() {
        let entries = [
            entry(1, "B", "EUR", 3, i64::MAX),
            entry(2, "B", "EUR", 3, i64::MAX),
            entry(3, "A", "USD", 3, -5),
            entry(4, "B", "EUR", 2, 1),
            entry(5, "B", "EUR", 3, -1),
        ];
        let expected = [
            ("A", "USD", 3, -5, 1),
            ("B", "EUR", 2, 1, 1),
            ("B", "EUR", 3, 2 * i128::from(i64::MAX) - 1, 3),
        ];
        check(&columns(&entries).finish(), &expected);
        let mut tail = columns(&entries[2..]);
        tail.append(columns(&entries[..2]));
        let frame = tail.finish();
        check(&frame, &expected);
        assert_eq!((frame.len(), frame.booked(), frame.place(4)), (5, 5, (1, 2, 0)));
    }

    #[test]
    fn evidence_and_rejects_are_kept_and_no_money() {
        let pending = Entry { status: Status::Pending, ..entry(1, "A", "EUR", 3, 7) };
        let mut columns = columns(std::slice::from_ref(&pending));
        let reject = Reject {
            place: Place::default(),
            reason: RejectReason::KeyMangled,
            field: "e2e".to_owned(),
            text: "1.0".to_owned(),
            expected: "a key".to_owned(),
            amount: None,
            account: String::new(),
        };
        columns.reject(reject.clone());
        let frame = columns.finish();
        check(&frame, &[]);
        assert!(frame.is_empty());
        assert_eq!((frame.evidence(), frame.rejects()), (&[pending][..], &[reject][..]));
        assert_eq!(frame.identities()[&1].len(), 1);
    }

    #[test]
    fn what_the_self_test_plants_is_a_row_and_nothing_else() {
        let mut planted = entry(1, "A", "EUR", 3, 7);
        planted.place.file = SELF_TEST_FILE;
        let mut frame = columns(&[planted, entry(1, "A", "EUR", 3, 8)]).finish();
        check(&frame, &[("A", "EUR", 3, 8, 1)]);
        assert_eq!((frame.len(), frame.booked()), (2, 1));
        assert_eq!(frame.take_identities().keys().copied().collect::<Vec<_>>(), [1]);
        assert!(frame.identities().is_empty());
    }

    #[test]
    fn equal_records_have_equal_identities_in_any_file() {
        let one = entry(1, "A", "EUR", 3, 7);
        let mut again = one.clone();
        again.place = Place { file: 2, record: 9, ..Place::default() };
        let frame = columns(&[one.clone(), one, again]).finish();
        let of = |file: u16| frame.identities()[&file].iter().collect::<Vec<_>>();
        assert_eq!(of(1).iter().map(|it| it.1).collect::<Vec<_>>(), [1, 2]);
        assert_eq!(of(1)[..1], of(2)[..]);
    }
}
