//! The control totals of a statement: `TxsSummry`.

use crate::domain::{
    money::{Currency, Sum},
    statement::{FileFault, FileVerdict},
};
use crate::sources::{
    ReadContext,
    camt::{
        tree::Element,
        value::{self, Direction},
    },
};

/// How many records there are and what they sum to, by the direction written in each.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Tally {
    credits: (u64, i128),
    debits: (u64, i128),
    /// Records in which no direction and amount can be read.
    unread: u64,
}

impl Tally {
    /// Counts a record by its unsigned amount.
    pub(super) fn count(&mut self, direction: Direction, minor: i128) {
        let side = match direction {
            Direction::Credit => &mut self.credits,
            Direction::Debit => &mut self.debits,
        };
        side.0 += 1;
        side.1 += minor;
    }

    /// Counts a record of which nothing can be read.
    pub(super) fn count_unread(&mut self) {
        self.unread += 1;
    }

    /// How many records.
    pub(super) fn records(self) -> u64 {
        self.credits.0 + self.debits.0 + self.unread
    }

    /// Their amounts summed without sign.
    pub(super) fn gross(self) -> i128 {
        self.credits.1 + self.debits.1
    }

    /// What came since an earlier tally.
    pub(super) fn since(self, earlier: Self) -> Self {
        let less = |it: (u64, i128), than: (u64, i128)| (it.0 - than.0, it.1 - than.1);
        Self {
            credits: less(self.credits, earlier.credits),
            debits: less(self.debits, earlier.debits),
            unread: self.unread - earlier.unread,
        }
    }
}

/// A count and a sum as written, blank where not stated.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Total {
    count: String,
    sum: String,
}

impl Total {
    fn read(element: Option<Element<'_>>) -> Self {
        let text = |path| element.map_or("", |it| it.text_at(path)).to_owned();
        Self { count: text("NbOfNtries"), sum: text("Sum") }
    }
}

/// What a `TxsSummry` states.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Summary {
    all: Total,
    credits: Total,
    debits: Total,
    net: Option<(String, Direction)>,
}

impl Summary {
    /// Reads a `TxsSummry`.
    pub(super) fn read(element: Element<'_>) -> Self {
        let all = element.at("TtlNtries");
        let net = all.and_then(|all| {
            let (holder, path) = match all.at("TtlNetNtry") {
                Some(net) => (net, "Amt"),
                None => (all, "TtlNetNtryAmt"),
            };
            let direction = Direction::of(holder).ok()??;
            Some((holder.at(path)?.text().to_owned(), direction))
        });
        Self {
            all: Total::read(all),
            credits: Total::read(element.at("TtlCdtNtries")),
            debits: Total::read(element.at("TtlDbtNtries")),
            net,
        }
    }

    /// How many records it states, over both directions.
    pub(super) fn count(&self) -> Option<u64> {
        let parse = |it: &Total| it.count.parse::<u64>().ok();
        parse(&self.all).or_else(|| parse(&self.credits)?.checked_add(parse(&self.debits)?))
    }

    /// The sum it states, over both directions without sign.
    pub(super) fn sum(&self, currency: Currency, context: &ReadContext<'_>) -> Option<Sum> {
        let parse = |it: &Total| minor(&it.sum, currency, context);
        let sum = parse(&self.all).or_else(|| Some(parse(&self.credits)? + parse(&self.debits)?));
        sum.map(|it| Sum::new(it, currency))
    }

    /// Everything in which it differs from what was read; `name` is the statement's. Sums are
    /// compared where there is one currency to compare them in.
    pub(super) fn faults(
        &self,
        name: &str,
        tally: Tally,
        currency: Option<Currency>,
        context: &ReadContext<'_>,
    ) -> Vec<FileFault> {
        let lines = [
            ("entries", &self.all, (tally.records(), tally.gross())),
            ("credit entries", &self.credits, tally.credits),
            ("debit entries", &self.debits, tally.debits),
        ];
        let mut faults = Vec::new();
        for (what, stated, (count, sum)) in lines {
            if !stated.count.is_empty() && stated.count.parse() != Ok(count) {
                let stated = &stated.count;
                let what = format!("{name} states {stated} {what}, {count} were read");
                faults.push(FileFault { verdict: FileVerdict::Incomplete, what });
            }
            let what = format!("{name} states that its {what} sum to");
            let sum = currency.map(|it| Sum::new(sum, it));
            faults.extend(sum.and_then(|it| sum_fault(&what, &stated.sum, it, context)));
        }
        if let Some((stated, direction)) = &self.net {
            let net = match direction {
                Direction::Credit => tally.credits.1 - tally.debits.1,
                Direction::Debit => tally.debits.1 - tally.credits.1,
            };
            let what = format!("{name} states a net of");
            let net = currency.map(|it| Sum::new(net, it));
            faults.extend(net.and_then(|it| sum_fault(&what, stated, it, context)));
        }
        faults
    }
}

/// The fault of a stated sum that is not the one read.
fn sum_fault(what: &str, stated: &str, read: Sum, context: &ReadContext<'_>) -> Option<FileFault> {
    if stated.is_empty() {
        return None;
    }
    let what = match minor(stated, read.currency(), context) {
        Some(minor) if minor == read.minor() => return None,
        Some(minor) => {
            let difference = read.plus(-minor);
            format!("{what} {stated}, {read} was read: a difference of {difference}")
        }
        None => format!("{what} `{stated}`, which is no amount of {}", read.currency()),
    };
    Some(FileFault { verdict: FileVerdict::TotalsDiffer, what })
}

fn minor(text: &str, currency: Currency, context: &ReadContext<'_>) -> Option<i128> {
    value::number(text, currency, context).ok().map(|it| i128::from(it.minor()))
}
