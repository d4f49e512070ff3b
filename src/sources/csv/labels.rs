//! Rows that are no records: what the file states of itself, totals, repeated headers.

use crate::config::Source;

/// What a labelled row states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Label {
    /// The opening balance.
    Opening,
    /// The closing balance.
    Closing,
    /// The number of records.
    Count,
    /// The control total.
    Total,
    /// The first day.
    From,
    /// The last day.
    CutOff,
    /// The statement's number.
    Number,
}

/// How much of a cell a label is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Labelled {
    /// All of it, but for a value behind a colon.
    Wholly,
    /// Its first word: a party's name may begin so too.
    AtItsBeginning,
}

/// Finds labels, and keeps what was stated under them.
#[derive(Debug)]
pub(super) struct Labels<'a> {
    wanted: Vec<(Label, &'a str)>,
    skipped: &'a [String],
    found: Vec<(Label, String)>,
    /// Rows before the header.
    pub before: u64,
    /// Rows after it that are no records.
    pub after: u64,
    /// Repetitions of the header.
    pub headers: u64,
}

impl<'a> Labels<'a> {
    /// The labels of a profile.
    pub(super) fn new(source: &'a Source) -> Self {
        let stated = &source.stated;
        let wanted = [
            (Label::Opening, &stated.opening),
            (Label::Closing, &stated.closing),
            (Label::Count, &stated.count),
            (Label::Total, &stated.total),
            (Label::From, &stated.from),
            (Label::CutOff, &stated.cut_off),
            (Label::Number, &stated.number),
        ];
        let wanted = wanted.into_iter().filter_map(|(it, text)| Some((it, text.as_deref()?)));
        Self {
            wanted: wanted.collect(),
            skipped: &source.skip,
            found: Vec::new(),
            before: 0,
            after: 0,
            headers: 0,
        }
    }

    /// Whether rows must be looked at before they are read as records.
    pub(super) fn are_any(&self) -> bool {
        !self.wanted.is_empty() || !self.skipped.is_empty()
    }

    /// How the first filled cell of a row is a label, if it is one.
    pub(super) fn in_first(&self, first: &str) -> Option<Labelled> {
        let stated = self.wanted.iter().any(|(_, label)| value_in(first, label).is_some());
        if stated || self.skipped.iter().any(|it| it == first) {
            return Some(Labelled::Wholly);
        }
        self.skipped.iter().any(|it| begins(first, it)).then_some(Labelled::AtItsBeginning)
    }

    /// How a row is labelled in any of its cells, if it is.
    pub(super) fn in_any(&self, cells: &[String]) -> Option<Labelled> {
        let first = cells.iter().find(|it| !it.is_empty());
        let stated = |cell: &String| self.wanted.iter().any(|it| value_in(cell, it.1).is_some());
        let wholly = cells.iter().any(stated).then_some(Labelled::Wholly);
        wholly.or_else(|| self.in_first(first?))
    }

    /// Takes what a row states.
    pub(super) fn take(&mut self, cells: &[String]) {
        for (label, name) in &self.wanted {
            let at = cells.iter().position(|cell| value_in(cell, name).is_some());
            let Some(at) = at else { continue };
            let inside = value_in(&cells[at], name).filter(|it| !it.is_empty());
            let value = inside.or_else(|| {
                let after = cells[at + 1..].iter().map(String::as_str);
                after.into_iter().find(|it| !it.is_empty())
            });
            self.found.push((*label, value.unwrap_or("").to_owned()));
        }
    }

    /// What the file states under a label: the first opening, else the last statement of it.
    pub(super) fn value(&self, label: Label) -> Option<&str> {
        let mut all = self.found.iter().filter(|(it, _)| *it == label).map(|(_, text)| &**text);
        match label {
            Label::Opening | Label::From => all.next(),
            Label::Closing | Label::Count | Label::Total | Label::CutOff | Label::Number => {
                all.next_back()
            }
        }
    }

    /// The labels that the profile declares and no row has.
    pub(super) fn missing(&self) -> impl Iterator<Item = &'a str> {
        let absent = |label: Label| !self.found.iter().any(|(it, _)| *it == label);
        self.wanted.iter().filter(move |(it, _)| absent(*it)).map(|(_, name)| *name)
    }

    /// What was passed over, for people.
    pub(super) fn remarks(&self) -> impl Iterator<Item = String> {
        let counts = [
            (self.before, "before the header"),
            (self.after, "among or after the records that are none"),
            (self.headers, "repeating the header"),
        ];
        let some = counts.into_iter().filter(|(count, _)| *count > 0);
        some.map(|(count, what)| {
            format!("{count} {} {what}", if count == 1 { "row" } else { "rows" })
        })
    }
}

/// Whether a text begins with a word and does not merely share its first letters.
fn begins(text: &str, word: &str) -> bool {
    text.strip_prefix(word).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
}

/// What follows a label in its own cell, after a colon; blank where the cell is the label alone.
fn value_in<'c>(cell: &'c str, label: &str) -> Option<&'c str> {
    let rest = cell.strip_prefix(label)?.trim_start();
    if rest.is_empty() { Some("") } else { rest.strip_prefix(':').map(str::trim) }
}
