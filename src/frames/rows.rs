//! The columns of one side, and how an entry becomes a row of them.

use chrono::{DateTime, Datelike};

use crate::config::RuleField;
use crate::domain::{
    entry::{Entry, Kind},
    key::IntentKey,
    repair,
};
use crate::frames::{
    RowPlace,
    hashing::stated,
    index,
    layout::Layout,
    lazy::Lazy,
    row_number,
    tokens::{Token, Tokens},
};

/// What is compared of a booked entry, and where it was read. It lies together, because the rows of
/// the other side are looked at in no order of theirs, and every place looked at costs a wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Row {
    /// Minor units.
    pub(crate) amount: i64,
    /// The party's hash; 0 where it is blank.
    pub(crate) party: u64,
    /// The booking date, as a day of the common era.
    pub(crate) day: i32,
    /// Account and currency, numbered by the side's books.
    pub(crate) book: u32,
    record: u32,
    file: u16,
    /// The kind that is compared, by [`Kind::index`].
    pub(crate) kind: u8,
}

/// One row for each booked entry.
#[derive(Debug, Clone, Default)]
pub(crate) struct Rows {
    list: Vec<Row>,
    /// By rule of the layout: the hash of what it joins by; 0 for a row without.
    pub(crate) keys: Vec<Lazy<u128>>,
    /// By link of the layout.
    pub(crate) tokens: Vec<Tokens>,
    /// The fee's hash; 0 where none is stated.
    pub(crate) fee: Lazy<u64>,
    /// The accounting period's hash; 0 where none is stated.
    pub(crate) period: Lazy<u64>,
    /// When it happened, in milliseconds since 1970; 0 where it is not stated.
    pub(crate) event: Lazy<i64>,
    /// Whether its side says that its group has other than one member.
    pub(crate) of_many: Lazy<bool>,
    part: Lazy<u16>,
    /// Rows that never cancel: they take another back, or bear two keys of one scheme.
    pub(crate) apart: Vec<u32>,
    /// Names besides those of rows, by link: what such rows take back, their further keys, and all
    /// names of evidence.
    pub(crate) named: Vec<(usize, Token)>,
    buffer: String,
}

impl Rows {
    pub(crate) fn new(layout: &Layout) -> Self {
        Self {
            keys: layout.rules.iter().map(|_| Lazy::default()).collect(),
            tokens: layout.links.iter().map(|_| Tokens::default()).collect(),
            ..Self::default()
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    pub(crate) fn row(&self, row: usize) -> &Row {
        &self.list[row]
    }

    pub(crate) fn place(&self, row: usize) -> RowPlace {
        let at = self.row(row);
        (at.file, at.record, self.part.get(row))
    }

    /// The index of the file that a row was read from.
    pub(crate) fn file(&self, row: usize) -> u16 {
        self.row(row).file
    }

    /// Appends a booked entry of an account and currency that the side's books number.
    pub(crate) fn push(&mut self, layout: &Layout, book: u32, entry: &Entry<'_>) {
        let row = self.len();
        for (column, rule) in self.keys.iter_mut().zip(&layout.rules) {
            column.set(row, layout.key.of_rule(&rule.on, entry).unwrap_or(0));
        }
        let takes_back = self.push_named(layout, entry);
        let ambiguous = self.push_tokens(layout, row, entry);
        if takes_back || ambiguous {
            self.apart.push(row_number(row));
        }
        self.fee.set(row, entry.fee.map_or(0, |it| layout.fee.hash_money(it)));
        let period = entry.period.as_deref().and_then(stated);
        self.period.set(row, period.map_or(0, |it| layout.period.hash(it.as_bytes())));
        let event = entry.event_at.as_ref().map_or(0, DateTime::timestamp_millis);
        self.event.set(row, event);
        self.of_many.set(row, entry.group_size.is_some_and(|it| it != 1));
        self.part.set(row, entry.place.part);
        repair::fold_party_into(&entry.party, &mut self.buffer);
        let party = self.buffer.as_bytes();
        self.list.push(Row {
            amount: entry.amount.minor(),
            party: if party.is_empty() { 0 } else { layout.party.hash(party) },
            day: entry.booking_date.num_days_from_ce(),
            book,
            record: entry.place.record,
            file: entry.place.file,
            kind: entry.compared_kind().index(),
        });
    }

    /// Makes room for so many rows in all, in every column that is held by now.
    pub(crate) fn reserve(&mut self, rows: usize) {
        self.list.reserve_exact(rows.saturating_sub(self.list.len()));
        self.keys.iter_mut().for_each(|it| it.reserve(rows));
        self.tokens.iter_mut().for_each(|it| it.reserve(rows));
        for column in [&mut self.fee, &mut self.period] {
            column.reserve(rows);
        }
        self.event.reserve(rows);
        self.part.reserve(rows);
    }

    /// Appends the rows of another part of the same side; `books` are the numbers that its books
    /// have here.
    pub(crate) fn append(&mut self, other: Self, books: &[u32]) {
        let rows = self.len();
        for (column, more) in self.keys.iter_mut().zip(other.keys) {
            column.append(rows, more);
        }
        for (column, more) in self.tokens.iter_mut().zip(other.tokens) {
            column.append(rows, more);
        }
        self.fee.append(rows, other.fee);
        self.period.append(rows, other.period);
        self.event.append(rows, other.event);
        self.of_many.append(rows, other.of_many);
        self.part.append(rows, other.part);
        self.apart.extend(other.apart.into_iter().map(|it| row_number(index(it) + rows)));
        self.named.extend(other.named);
        let renumbered = |it: Row| Row { book: books[index(it.book)], ..it };
        self.list.extend(other.list.into_iter().map(renumbered));
    }

    /// Sets the row's tokens; true where it has two keys of one scheme, of which a column holds
    /// one. The other is kept as a name, so that what shares it is found too.
    fn push_tokens(&mut self, layout: &Layout, row: usize, entry: &Entry<'_>) -> bool {
        let mut several = false;
        for (at, text) in names(layout, entry) {
            let token = Token::of(&layout.links[at], text, &mut self.buffer);
            if self.tokens[at].fold(row) == 0 {
                self.tokens[at].set(row, token);
            } else {
                self.named.push((at, token));
                several = true;
            }
        }
        several
    }

    /// Keeps the names of an entry that is no row, because no booked money is in it: what answers
    /// to it must be seen beside it.
    pub(crate) fn name(&mut self, layout: &Layout, evidence: &Entry<'_>) {
        for (at, text) in names(layout, evidence) {
            self.named.push((at, Token::of(&layout.links[at], text, &mut self.buffer)));
        }
        self.push_named(layout, evidence);
    }

    /// Keeps what the entry says to take back, by every link; true where it takes back anything.
    fn push_named(&mut self, layout: &Layout, entry: &Entry<'_>) -> bool {
        let corrected = entry
            .intent
            .as_deref()
            .filter(|it| it.contains(':'))
            .and_then(IntentKey::stated)
            .and_then(|it| it.corrected());
        let reverses = entry.reverses.as_deref().and_then(stated);
        for text in corrected.iter().map(IntentKey::as_str).chain(reverses) {
            for (at, link) in layout.links.iter().enumerate() {
                self.named.push((at, Token::of(link, text, &mut self.buffer)));
            }
        }
        let by_kind = matches!(entry.kind, Kind::Correction | Kind::Reversal);
        by_kind || corrected.is_some() || reverses.is_some()
    }
}

/// The names of an entry, each with the number of its link.
fn names<'a>(layout: &Layout, entry: &'a Entry<'_>) -> impl Iterator<Item = (usize, &'a str)> {
    let intent = entry.intent.as_deref().and_then(stated).map(|it| (RuleField::Intent, it));
    let keys = entry.keys.iter().map(|it| (RuleField::Key(it.scheme), it.text.as_ref()));
    let link = |field| layout.links.iter().position(|it| it.field == field);
    intent.into_iter().chain(keys).filter_map(move |(field, text)| Some((link(field)?, text)))
}
