//! ISO 20022 statements: camt.053, camt.052 (within the day) and camt.054 (notifications).
//!
//! Elements are found by their local names, so that every version is read whose needed elements
//! are there; the reader was built for versions 02 to 13. One record is held at a time. A record
//! is one `Ntry`; it gives one entry per detail and one for what its details leave over.
//!
//! Records reach the sink in the order of the file, but for those marked as reversals: their sign
//! is known only at the end of their statement, and they follow there.

mod balance;
mod book;
mod closing;
mod detail;
mod feed;
mod header;
mod kind;
mod mirror;
mod record;
mod split;
mod summary;
#[cfg(test)]
mod tests;
mod tree;
mod value;
mod walk;

use std::io::BufRead;

use crate::domain::{
    entry::EntrySink,
    statement::{FileFault, FileVerdict, Stated},
};
use crate::sources::{
    ReadContext, StatementError,
    camt::{
        balance::Balance,
        book::{Book, PageFacts},
        header::{GroupHeader, Header},
        mirror::Mirror,
        record::Surroundings,
        summary::Summary,
        tree::{Element, Tree},
        walk::{Step, Walk},
    },
};

/// How the names of camt messages begin in the namespaces of ISO 20022.
const NAMESPACE: &str = "urn:iso:std:iso:20022:tech:xsd:";

/// The versions this reader was built for.
const VERSIONS: std::ops::RangeInclusive<u8> = 2..=13;

/// Every scheme of which a record may have a key.
pub(super) fn schemes() -> impl Iterator<Item = crate::domain::key::KeyScheme> {
    detail::schemes()
}

/// Reads a camt file; every record reaches `sink`, as entries or as a reject with its reason.
pub fn read(
    input: &mut dyn BufRead,
    context: &ReadContext<'_>,
    sink: &mut dyn EntrySink,
) -> Result<Stated, StatementError> {
    if !mirror::is_mirrored(context.source) {
        return Reading::new(input, context, sink)?.file();
    }
    let mut stated = Reading::new(input, context, &mut Mirror(sink))?.file()?;
    mirror::turn(&mut stated);
    Ok(stated)
}

/// The message that an element begins, by its local name; version 1 has its number in it.
fn message(name: &str) -> Option<&'static str> {
    let plain = name.trim_end_matches(|it: char| it.is_ascii_digit()).trim_end_matches('V');
    match plain {
        "BkToCstmrStmt" => Some("camt.053"),
        "BkToCstmrAcctRpt" => Some("camt.052"),
        "BkToCstmrDbtCdtNtfctn" => Some("camt.054"),
        _ => None,
    }
}

/// A file while it is read.
struct Reading<'a> {
    walk: Walk<'a>,
    context: &'a ReadContext<'a>,
    sink: &'a mut dyn EntrySink,
    tree: Tree,
    stated: Stated,
    /// Statements of which pages are still to come.
    books: Vec<Book>,
    records: u32,
}

impl<'a> Reading<'a> {
    fn new(
        input: &'a mut dyn BufRead,
        context: &'a ReadContext<'a>,
        sink: &'a mut dyn EntrySink,
    ) -> Result<Self, StatementError> {
        Ok(Self {
            walk: Walk::new(input)?,
            context,
            sink,
            tree: Tree::default(),
            stated: Stated::default(),
            books: Vec::new(),
            records: 0,
        })
    }

    fn file(mut self) -> Result<Stated, StatementError> {
        loop {
            match self.walk.step()? {
                Step::Open { .. } => {
                    if let Some(message) = message(self.walk.name()) {
                        self.recognise(message);
                        self.message(message)?;
                    }
                }
                Step::Close | Step::Text => {}
                Step::End => break,
            }
        }
        if self.stated.format.is_empty() {
            let what = "no camt.052, camt.053 or camt.054 message is in the file".to_owned();
            return Err(StatementError::Malformed { at: self.walk.position(), what });
        }
        for book in std::mem::take(&mut self.books) {
            closing::close(book, self.context, self.sink, &mut self.stated);
        }
        if self.stated.statements.is_empty() {
            self.fault(FileVerdict::Incomplete, "the message holds no statement".to_owned());
        }
        Ok(self.stated)
    }

    /// Notes the format by the namespace of the message.
    fn recognise(&mut self, message: &str) {
        let namespace = self.walk.namespace();
        let name = namespace.strip_prefix(NAMESPACE).unwrap_or("");
        let version = name.strip_prefix(message).and_then(|it| it.strip_prefix(".001."));
        let known = version.and_then(|it| it.parse().ok()).is_some_and(|it| VERSIONS.contains(&it));
        if !known {
            let named = if namespace.is_empty() {
                "it names no namespace".to_owned()
            } else if version.is_some() {
                let (first, last) = (VERSIONS.start(), VERSIONS.end());
                format!("`{namespace}` is a version besides {first:02} to {last:02}")
            } else {
                format!("`{namespace}` is not the namespace of a {message} of ISO 20022")
            };
            let remark = format!("{named}; it is read as a {message} by the names of its elements");
            self.stated.remarks.push(remark);
        }
        if self.stated.format.is_empty() {
            let format = if name.starts_with(message) { name } else { message };
            format.clone_into(&mut self.stated.format);
        }
    }

    fn message(&mut self, message: &str) -> Result<(), StatementError> {
        let mut group = GroupHeader::default();
        loop {
            match self.walk.step()? {
                Step::Open { start } => match self.walk.name() {
                    "Stmt" | "Rpt" | "Ntfctn" => self.statement(message, &group)?,
                    "GrpHdr" => {
                        self.walk.load(start, &mut self.tree)?;
                        group = GroupHeader::read(self.tree.root(), self.context);
                    }
                    _ => self.walk.skip()?,
                },
                Step::Text => {}
                Step::Close | Step::End => return Ok(()),
            }
        }
    }

    fn statement(&mut self, message: &str, group: &GroupHeader) -> Result<(), StatementError> {
        let header = Header::of(group, self.context);
        let mut facts = PageFacts { header, ..PageFacts::default() };
        let mut book = None;
        loop {
            match self.walk.step()? {
                Step::Open { start } if self.walk.name() == "Ntry" => {
                    let book = book.get_or_insert_with(|| self.open(message, &facts));
                    self.walk.load(start, &mut self.tree)?;
                    self.record(start, &facts, book);
                }
                Step::Open { start } => {
                    self.walk.load(start, &mut self.tree)?;
                    take(self.tree.root(), &mut facts, self.context);
                }
                Step::Text => {}
                Step::Close | Step::End => break,
            }
        }
        let mut book = book.unwrap_or_else(|| self.open(message, &facts));
        let page = facts.header.page.unwrap_or((1, true));
        facts.page_beside = group.page_beside(page);
        if book.end_page(page, facts, self.context) {
            closing::close(book, self.context, self.sink, &mut self.stated);
        } else {
            self.books.push(book);
        }
        Ok(())
    }

    /// The statement that a page belongs to: one of which a page was read before, or a new one.
    fn open(&mut self, message: &str, facts: &PageFacts) -> Book {
        let identity = facts.header.identity(message);
        let page = facts.header.page.unwrap_or((1, true));
        let before = self.books.iter().position(|it| it.is_continued_by(&identity, page));
        let mut book = match before {
            Some(at) => self.books.remove(at),
            None => Book::new(identity, facts.header.clone()),
        };
        book.begin_page(page);
        book
    }

    /// Reads the record that the tree holds.
    fn record(&mut self, start: u64, facts: &PageFacts, book: &mut Book) {
        self.records = self.records.saturating_add(1);
        self.stated.records += 1;
        let length = u32::try_from(self.walk.position() - start).unwrap_or(u32::MAX);
        let place = self.context.place(self.records, 0, start, length);
        let closing = balance::ends(&facts.balances).1.and_then(|it| it.day);
        let header = &facts.header;
        let day = closing.or(header.to).or(header.created);
        let around = Surroundings { account: &header.account, day, context: self.context };
        match record::read(self.tree.root(), place, around) {
            Ok(record) => book.take(record, self.sink),
            Err(reject) => book.take_reject(*reject, self.sink),
        }
    }

    fn fault(&mut self, verdict: FileVerdict, what: String) {
        self.stated.faults.push(FileFault { verdict, what });
    }
}

/// Takes what an element of a statement says besides its records.
fn take(element: Element<'_>, facts: &mut PageFacts, context: &ReadContext<'_>) {
    facts.header.take(element, context);
    match element.name() {
        "Bal" => match Balance::read(element, context) {
            Ok(balance) => facts.balances.extend(balance),
            Err(fault) => facts.faults.push(FileFault {
                verdict: FileVerdict::OutOfBalance,
                what: format!(
                    "balance of {}: {} `{}` is not {}",
                    facts.header.name(),
                    fault.field,
                    fault.text,
                    fault.expected
                ),
            }),
        },
        "TxsSummry" => facts.summary = Some(Summary::read(element)),
        _ => {}
    }
}
