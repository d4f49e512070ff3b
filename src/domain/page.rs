//! Statements that come in pages: which pages are held, and the whole that they make.

use crate::domain::{money::Sum, statement::Statement};

/// A page of a statement, or of the message that a statement came in.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Page {
    /// The message, by its name and day; blank where it is the statement that comes in pages.
    pub message: String,
    /// Its number, from 1.
    pub number: u32,
    /// Whether no page follows.
    pub last: bool,
}

impl Page {
    /// A page of a statement.
    pub fn new(number: u32, last: bool) -> Self {
        Self { message: String::new(), number, last }
    }
}

/// What is missing among pages of one thing, as half a sentence; `None` where all are there.
pub fn missing<'a>(pages: impl IntoIterator<Item = &'a Page>) -> Option<String> {
    let mut pages: Vec<_> = pages.into_iter().collect();
    pages.sort_unstable();
    pages.dedup_by_key(|it| it.number);
    let last = pages.last()?;
    let absent = (1..).zip(&pages).find(|(number, page)| page.number != *number);
    match absent {
        Some((number, _)) => Some(format!("page {number}")),
        None if last.last => None,
        None => Some(format!("what follows page {}", last.number)),
    }
}

impl Statement {
    /// Its own pages.
    pub fn pages_of_it(&self) -> impl Iterator<Item = &Page> {
        self.pages.iter().filter(|it| it.message.is_empty())
    }

    /// Whether all of it is here.
    pub fn is_whole(&self) -> bool {
        missing(self.pages_of_it()).is_none()
    }

    /// Whether another tells pages of the same statement. One without a name is known by its days.
    pub fn is_paged_with(&self, other: &Self) -> bool {
        let days = |it: &Self| it.identity.is_empty().then_some((it.from, it.to));
        let paged = |it: &Self| it.pages_of_it().next().is_some();
        (&self.account, &self.identity, days(self))
            == (&other.account, &other.identity, days(other))
            && paged(self)
            && paged(other)
    }

    /// Whether two tell a page in common; a statement without pages is all of them.
    pub fn shares_a_page(&self, other: &Self) -> bool {
        let numbers = |it: &Self| it.pages_of_it().map(|it| it.number).collect::<Vec<_>>();
        let (one, other) = (numbers(self), numbers(other));
        one.is_empty() || other.is_empty() || one.iter().any(|it| other.contains(it))
    }

    /// Adds pages of the same statement that it does not have.
    fn join(&mut self, other: &Self) {
        if self.shares_a_page(other) {
            return;
        }
        // Only its first page has its opening, and only its last one its closing.
        self.opening = self.opening.or(other.opening);
        self.closing = self.closing.or(other.closing);
        self.currency = self.currency.or(other.currency);
        self.from = earliest(self.from, other.from);
        self.to = self.to.max(other.to);
        self.first_booking = earliest(self.first_booking, other.first_booking);
        self.last_booking = self.last_booking.max(other.last_booking);
        self.movement = sum(self.movement, other.movement);
        self.count = self.count.or(other.count);
        self.counted += other.counted;
        self.total = self.total.or(other.total);
        self.totalled = sum(self.totalled, other.totalled);
        self.sequence = self.sequence.or(other.sequence);
        self.copy |= other.copy;
        self.pages.extend(other.pages.iter().cloned());
        self.pages.sort_unstable();
    }
}

/// Statements in their order, those that come in pages put together.
pub fn whole<'a>(statements: impl IntoIterator<Item = &'a Statement>) -> Vec<Statement> {
    let mut whole: Vec<Statement> = Vec::new();
    for statement in statements {
        let paged = !statement.pages.is_empty();
        match whole.iter_mut().find(|it| paged && it.is_paged_with(statement)) {
            Some(it) => it.join(statement),
            None => whole.push(statement.clone()),
        }
    }
    whole
}

fn earliest<T: Ord>(one: Option<T>, other: Option<T>) -> Option<T> {
    one.into_iter().chain(other).min()
}

/// The sum of both, where they are of one currency.
fn sum(one: Option<Sum>, other: Option<Sum>) -> Option<Sum> {
    let (one, other) = (one?, other?);
    (one.currency() == other.currency()).then(|| one.plus(other.minor()))
}
