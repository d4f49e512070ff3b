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
    layout::{Layout, Link},
    lazy::Lazy,
    row_number,
    tokens::{Token, Tokens},
};

/// One row for each booked entry.
#[derive(Debug, Clone, Default)]
pub(crate) struct Rows {
    /// By rule of the layout: the hash of what it joins by; 0 for a row without.
    pub(crate) keys: Vec<Lazy<u128>>,
    /// By link of the layout.
    pub(crate) tokens: Vec<Tokens>,
    /// Minor units.
    pub(crate) amount: Vec<i64>,
    /// Account and currency, numbered by the side's books.
    pub(crate) book: Vec<u32>,
    /// Booking dates, as days of the common era.
    pub(crate) day: Vec<i32>,
    /// The kind that is compared, by [`Kind::index`].
    pub(crate) kind: Vec<u8>,
    /// The party's hash; 0 where it is blank.
    pub(crate) party: Lazy<u64>,
    /// The fee's hash; 0 where none is stated.
    pub(crate) fee: Lazy<u64>,
    /// The accounting period's hash; 0 where none is stated.
    pub(crate) period: Lazy<u64>,
    /// When it happened, in milliseconds since 1970; 0 where it is not stated.
    pub(crate) event: Lazy<i64>,
    /// Whether its side says that its group has other than one member.
    pub(crate) of_many: Lazy<bool>,
    file: Vec<u16>,
    record: Vec<u32>,
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
        self.amount.len()
    }

    pub(crate) fn place(&self, row: usize) -> RowPlace {
        (self.file[row], self.record[row], self.part.get(row))
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
        repair::fold_party_into(&entry.party, &mut self.buffer);
        if !self.buffer.is_empty() {
            self.party.set(row, layout.party.hash(self.buffer.as_bytes()));
        }
        self.fee.set(row, entry.fee.map_or(0, |it| layout.fee.hash_money(it)));
        let period = entry.period.as_deref().and_then(stated);
        self.period.set(row, period.map_or(0, |it| layout.period.hash(it.as_bytes())));
        let event = entry.event_at.as_ref().map_or(0, DateTime::timestamp_millis);
        self.event.set(row, event);
        self.of_many.set(row, entry.group_size.is_some_and(|it| it != 1));
        self.part.set(row, entry.place.part);
        self.file.push(entry.place.file);
        self.record.push(entry.place.record);
        self.kind.push(entry.compared_kind().index());
        self.day.push(entry.booking_date.num_days_from_ce());
        self.book.push(book);
        self.amount.push(entry.amount.minor());
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
        self.party.append(rows, other.party);
        self.fee.append(rows, other.fee);
        self.period.append(rows, other.period);
        self.event.append(rows, other.event);
        self.of_many.append(rows, other.of_many);
        self.part.append(rows, other.part);
        self.file.extend(other.file);
        self.record.extend(other.record);
        self.kind.extend(other.kind);
        self.day.extend(other.day);
        self.book.extend(other.book.into_iter().map(|it| books[index(it)]));
        self.apart.extend(other.apart.into_iter().map(|it| row_number(index(it) + rows)));
        self.named.extend(other.named);
        self.amount.extend(other.amount);
    }

    /// Sets the row's tokens; true where it has two keys of one scheme, of which a column holds
    /// one. The other is kept as a name, so that what shares it is found too.
    fn push_tokens(&mut self, layout: &Layout, row: usize, entry: &Entry<'_>) -> bool {
        let mut several = false;
        for (at, link) in layout.links.iter().enumerate() {
            let mut first = true;
            for text in texts(link, entry) {
                let token = Token::of(link, text, &mut self.buffer);
                if first {
                    self.tokens[at].set(row, token);
                } else {
                    self.named.push((at, token));
                    several = true;
                }
                first = false;
            }
        }
        several
    }

    /// Keeps the names of an entry that is no row, because no booked money is in it: what answers
    /// to it must be seen beside it.
    pub(crate) fn name(&mut self, layout: &Layout, evidence: &Entry<'_>) {
        for (at, link) in layout.links.iter().enumerate() {
            for text in texts(link, evidence) {
                self.named.push((at, Token::of(link, text, &mut self.buffer)));
            }
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

/// The texts of an entry under a link.
fn texts<'a>(link: &Link, entry: &'a Entry<'_>) -> impl Iterator<Item = &'a str> {
    let intent = match link.field {
        RuleField::Intent => entry.intent.as_deref().and_then(stated),
        RuleField::Key(_)
        | RuleField::Amount
        | RuleField::Currency
        | RuleField::Account
        | RuleField::Party => None,
    };
    let field = link.field;
    let keys = entry.keys.iter().filter(move |it| RuleField::Key(it.scheme) == field);
    intent.into_iter().chain(keys.map(|it| it.text.as_ref()))
}
