//! One statement while it is read, over all its pages in the file.
//!
//! Whether a record marked as reversal (`RvslInd`) moves money as its `CdtDbtInd` says, as the
//! standard has it, or the other way, as some banks mean it, is decided by the balances. That is
//! known only at the end of a statement, so the entries of reversals, and only they, wait for it
//! here; everything else goes to the sink at once.

use std::collections::BTreeMap;

use chrono::NaiveDate;

use crate::domain::{
    self,
    entry::{Entry, EntrySink, Reject, Status},
    money::Currency,
    statement::FileFault,
};
use crate::sources::{
    ReadContext,
    camt::{
        balance::{self, Balance},
        header::{Header, Page, Pages},
        record::Record,
        summary::{Summary, Tally},
        value::Direction,
    },
};

/// What a page states besides its records.
#[derive(Debug, Default)]
pub(super) struct PageFacts {
    pub(super) header: Header,
    pub(super) balances: Vec<Balance>,
    pub(super) summary: Option<Summary>,
    /// The page of its message, where that is another.
    pub(super) page_beside: Option<domain::page::Page>,
    /// What makes it unfit, found while reading it.
    pub(super) faults: Vec<FileFault>,
}

/// A statement while it is read.
#[derive(Debug)]
pub(super) struct Book {
    pub(super) identity: String,
    pub(super) header: Header,
    pub(super) pages: Pages,
    /// Pages of its message, where they are others than its own.
    pub(super) pages_beside: Vec<domain::page::Page>,
    ends: BTreeMap<u32, (Option<Balance>, Option<Balance>)>,
    /// Booked money as the standard signs it, for every currency of a record.
    pub(super) moves: BTreeMap<Currency, Moves>,
    pub(super) all: Tally,
    pub(super) booked: Tally,
    /// The tallies as the page at hand began.
    before_page: (Tally, Tally),
    pub(super) summary: Option<Summary>,
    pub(super) held: Vec<Held>,
    pub(super) first_booking: Option<NaiveDate>,
    pub(super) last_booking: Option<NaiveDate>,
    pub(super) undated: u64,
    pub(super) faults: Vec<FileFault>,
}

/// The entry of a reversal that waits for its sign.
#[derive(Debug)]
pub(super) struct Held {
    pub(super) entry: Entry<'static>,
    pub(super) party_otherwise: String,
}

/// Sums in minor units.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Moves {
    /// Of records that reverse nothing.
    pub(super) plain: i128,
    /// Of reversals.
    pub(super) reversed: i128,
    /// Of records that were rejected, as far as their amount could be read.
    pub(super) rejected: i128,
}

impl Book {
    /// A statement of which nothing was read yet.
    pub(super) fn new(identity: String, header: Header) -> Self {
        Self {
            identity,
            header,
            pages: Pages::default(),
            pages_beside: Vec::new(),
            ends: BTreeMap::new(),
            moves: BTreeMap::new(),
            all: Tally::default(),
            booked: Tally::default(),
            before_page: (Tally::default(), Tally::default()),
            summary: None,
            held: Vec::new(),
            first_booking: None,
            last_booking: None,
            undated: 0,
            faults: Vec::new(),
        }
    }

    /// Whether a page belongs to this statement.
    pub(super) fn is_continued_by(&self, identity: &str, page: Page) -> bool {
        !identity.is_empty() && self.identity == identity && !self.pages.contains(page.0)
    }

    /// Begins a page.
    pub(super) fn begin_page(&mut self, page: Page) {
        self.pages.add(page);
        self.before_page = (self.all, self.booked);
    }

    /// Takes a record's entries.
    pub(super) fn take(&mut self, record: Record<'_>, sink: &mut dyn EntrySink) {
        let minor = i128::from(record.amount.minor());
        self.all.count(record.direction, minor.abs());
        self.undated += u64::from(record.is_undated);
        let moves = self.moves.entry(record.amount.currency()).or_default();
        if record.status == Status::Booked {
            self.booked.count(record.direction, minor.abs());
            *(if record.is_reversal { &mut moves.reversed } else { &mut moves.plain }) += minor;
            let day = Some(record.booking_date);
            self.first_booking = earliest(self.first_booking, day);
            self.last_booking = self.last_booking.max(day);
        }
        for draft in record.drafts {
            if record.is_reversal {
                let party_otherwise = draft.party_otherwise.to_owned();
                self.held.push(Held { entry: draft.entry.into_owned(), party_otherwise });
            } else {
                sink.entry(&draft.entry);
            }
        }
    }

    /// Takes a record that became no entry.
    pub(super) fn take_reject(&mut self, reject: Reject, sink: &mut dyn EntrySink) {
        if let Some(amount) = reject.amount {
            let is_out = amount.is_outflow();
            let direction = if is_out { Direction::Debit } else { Direction::Credit };
            let minor = i128::from(amount.minor());
            self.all.count(direction, minor.abs());
            self.booked.count(direction, minor.abs());
            self.moves.entry(amount.currency()).or_default().rejected += minor;
        } else {
            self.all.count_unread();
            self.booked.count_unread();
        }
        sink.reject(reject);
    }

    /// Ends a page; whether the statement is complete with it.
    pub(super) fn end_page(
        &mut self,
        page: Page,
        facts: PageFacts,
        context: &ReadContext<'_>,
    ) -> bool {
        let (opening, closing) = balance::ends(&facts.balances);
        self.ends.insert(page.0, (opening.cloned(), closing.cloned()));
        self.pages_beside.extend(facts.page_beside);
        self.faults.extend(facts.faults);
        self.header.from = earliest(self.header.from, facts.header.from);
        self.header.to = self.header.to.max(facts.header.to);
        self.header.is_copy |= facts.header.is_copy;
        if let Some(summary) = facts.summary {
            // A page may sum up itself; what is kept is what sums up the statement.
            let (all, booked) = self.before_page;
            let own = [self.all.since(all), self.booked.since(booked)];
            let is_paged = self.pages.last() != Some((1, true));
            let currency = self.currency(context);
            let ties = |tally| summary.faults("", tally, currency, context).is_empty();
            self.summary = (!is_paged || !own.into_iter().any(ties)).then_some(summary);
        }
        self.pages.is_whole()
    }

    /// The currency of its balances, else of its account, its records, its source.
    pub(super) fn currency(&self, context: &ReadContext<'_>) -> Option<Currency> {
        let balances = self.ends.values().flat_map(|(opening, closing)| [opening, closing]);
        let of_balances = balances.flatten().map(|it| it.amount.currency()).next();
        let of_account = Currency::iso(&self.header.currency).map(|it| context.scaled(it));
        let of_records = self.moves.keys().next().copied();
        let of_source = context.source.currency.map(|it| context.scaled(it));
        of_balances.or(of_account).or(of_records).or(of_source)
    }

    /// The opening of its first page and the closing of its last, where the file has those pages.
    pub(super) fn balances(&self) -> (Option<&Balance>, Option<&Balance>) {
        let opening = self.ends.get(&1).and_then(|(opening, _)| opening.as_ref());
        let last = self.pages.last().filter(|(_, is_last)| *is_last);
        let closing = last.and_then(|(number, _)| self.ends.get(&number)?.1.as_ref());
        (opening, closing)
    }
}

fn earliest(one: Option<NaiveDate>, other: Option<NaiveDate>) -> Option<NaiveDate> {
    one.into_iter().chain(other).min()
}
