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

    /// Adds what was read apart of the same side, by the same layout.
    pub fn append(&mut self, other: Self) {
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

    /// How many booked entries, planted ones included.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether it has no booked entry.
    pub fn is_empty(&self) -> bool {
        self.rows.len() == 0
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
        self.rows.place(row).0 == SELF_TEST_FILE
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
