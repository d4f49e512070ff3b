//! The proof of DESIGN §7: closing ours − closing theirs, explained item by item.

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;

use crate::domain::{
    discrepancy::Discrepancy,
    entry::{Entry, Reject, Status},
    money::{Currency, Money, Sum},
    proof::{Basis, ProofLine, Share},
    side::Side,
};

/// What is proven together: an account and a currency.
pub type Line = (String, Currency);

/// Sums of booked entries as their reader counted them, by account, currency and booking date;
/// they owe nothing to pairing.
pub type Movements = BTreeMap<(String, Currency, NaiveDate), i128>;

/// The booked balances that a side states for a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Balances {
    /// Opening.
    pub opening: Money,
    /// Closing.
    pub closing: Money,
}

/// An agreed operation whose sides may lie on different sides of the as-of day: amounts by side
/// and booking date.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgreedAmount {
    /// Whose amount.
    pub side: Side,
    /// The account as its entry names it.
    pub account: String,
    /// The amount.
    pub amount: Sum,
    /// When it was booked.
    pub booking_date: NaiveDate,
}

/// Everything the proof adds up. Each list is of one run, the self-test's plants left out.
#[derive(Debug, Default)]
pub struct Account<'a> {
    /// Our movements.
    pub movements_ours: Movements,
    /// Their movements.
    pub movements_theirs: Movements,
    /// Our stated balances.
    pub balances_ours: BTreeMap<Line, Balances>,
    /// Their stated balances.
    pub balances_theirs: BTreeMap<Line, Balances>,
    /// Opening differences that a person signed off: the account, the difference and who. The last
    /// of an account holds.
    pub openings_accepted: Vec<(String, Sum, String)>,
    /// Everything open, waiting and tolerated included.
    pub discrepancies: &'a [Discrepancy],
    /// Agreed operations with an entry after the as-of day.
    pub straddling: Vec<AgreedAmount>,
    /// Rejects by side.
    pub rejects: Vec<(Side, &'a Reject)>,
    /// Corrections posted and not yet in the extract.
    pub undelivered: BTreeMap<Line, i128>,
}

impl Account<'_> {
    /// The proof of every account and currency that either side speaks of, in order.
    pub fn prove(&self, as_of: NaiveDate) -> Vec<ProofLine> {
        let names = Names::of(self);
        let mut lines = names.lines(self);
        for line in lines.values_mut() {
            line.as_of = as_of;
        }
        self.add_totals(&names, as_of, &mut lines);
        self.add_items(&names, as_of, &mut lines);
        lines.into_values().map(settled).collect()
    }

    fn add_totals(&self, names: &Names, as_of: NaiveDate, lines: &mut BTreeMap<Line, ProofLine>) {
        let moved_ours = names.moved(&self.movements_ours, as_of);
        let moved_theirs = names.moved(&self.movements_theirs, as_of);
        for line in lines.values_mut() {
            let key = (line.account.clone(), line.currency);
            let balances = names.balances(&self.balances_ours, &key);
            let both = balances.zip(names.balances(&self.balances_theirs, &key));
            if let Some((ours, theirs)) = both {
                line.basis = Basis::Balances;
                let at = |of: Balances, moved: &BTreeMap<Line, Moved>| {
                    let after = moved.get(&key).map_or(0, |it| it.after);
                    Sum::from(of.closing).plus(-after)
                };
                line.opening_difference =
                    Sum::from(ours.opening).plus(-i128::from(theirs.opening.minor()));
                (line.ours, line.theirs) = (at(ours, &moved_ours), at(theirs, &moved_theirs));
            } else {
                let until =
                    |moved: &BTreeMap<Line, Moved>| moved.get(&key).map_or(0, |it| it.until);
                line.ours = line.ours.plus(until(&moved_ours));
                line.theirs = line.theirs.plus(until(&moved_theirs));
            }
            let mut accepted = self.openings_accepted.iter();
            line.opening_accepted_by = accepted
                .rfind(|(account, sum, _)| names.line(account, sum.currency()) == key)
                .filter(|(_, difference, _)| *difference == line.opening_difference)
                .map(|(_, _, by)| by.clone());
        }
    }

    fn add_items(&self, names: &Names, as_of: NaiveDate, lines: &mut BTreeMap<Line, ProofLine>) {
        for discrepancy in self.discrepancies {
            for (key, difference) in differences(discrepancy, names, as_of) {
                let Some(line) = lines.get_mut(&key) else { continue };
                if discrepancy.reason.is_tolerated() {
                    line.tolerated.add(difference);
                    continue;
                }
                let none = Share::none(line.currency);
                line.by_reason.entry(discrepancy.reason).or_insert(none).add(difference);
            }
        }
        for agreed in self.straddling.iter().filter(|it| it.booking_date <= as_of) {
            let key = names.line(&agreed.account, agreed.amount.currency());
            if let Some(line) = lines.get_mut(&key) {
                line.timing.add(signed(agreed.side, agreed.amount.minor()));
            }
        }
        for (side, reject) in &self.rejects {
            let Some(amount) = reject.amount else { continue };
            let key = names.line(&reject.account, amount.currency());
            let Some(line) = lines.get_mut(&key) else { continue };
            line.rejected.add(signed(*side, amount.minor().into()));
            if line.basis == Basis::Arithmetic {
                match side {
                    Side::Ours => line.ours = line.ours.plus(amount.minor().into()),
                    Side::Theirs => line.theirs = line.theirs.plus(amount.minor().into()),
                }
            }
        }
        for ((account, currency), minor) in &self.undelivered {
            if let Some(line) = lines.get_mut(&names.line(account, *currency)) {
                line.undelivered = line.undelivered.plus(*minor);
            }
        }
    }
}

/// `ours − theirs` of one amount.
fn signed(side: Side, minor: i128) -> i128 {
    match side {
        Side::Ours => minor,
        Side::Theirs => -minor,
    }
}

/// What a discrepancy holds open at the as-of day, by line: one whose currencies or accounts
/// differ stands in both.
fn differences(discrepancy: &Discrepancy, names: &Names, as_of: NaiveDate) -> BTreeMap<Line, i128> {
    let mut open = BTreeMap::new();
    let mut add = |side: Side, entry: &Entry<'_>| {
        if entry.status == Status::Booked && entry.booking_date <= as_of {
            let line = names.line(&entry.account, entry.amount.currency());
            *open.entry(line).or_insert(0) += signed(side, entry.amount.minor().into());
        }
    };
    discrepancy.ours.iter().for_each(|it| add(Side::Ours, it));
    discrepancy.theirs.iter().for_each(|it| add(Side::Theirs, it));
    if open.is_empty() {
        let line = names.line(&discrepancy.account, discrepancy.currency);
        open.insert(line, 0);
    }
    open
}

/// The line with its difference, and what nothing on it explains.
fn settled(mut line: ProofLine) -> ProofLine {
    line.difference = line.ours.plus(-line.theirs.minor());
    let by_reason: i128 = line.by_reason.values().map(|it| it.net.minor()).sum();
    let explained = line.opening_difference.minor()
        + by_reason
        + line.timing.net.minor()
        + line.tolerated.net.minor()
        + line.undelivered.minor()
        + line.rejected.net.minor();
    line.unexplained = line.difference.plus(-explained);
    line
}

/// What a line moved up to the as-of day, and after it.
#[derive(Debug, Clone, Copy, Default)]
struct Moved {
    until: i128,
    after: i128,
}

/// The names of accounts: where a run knows exactly one, a blank stands for it.
struct Names {
    only: Option<String>,
}

impl Names {
    fn of(account: &Account<'_>) -> Self {
        let movements = account.movements_ours.keys().chain(account.movements_theirs.keys());
        let moved = movements.map(|it| it.0.trim());
        let balances = account.balances_ours.keys().chain(account.balances_theirs.keys());
        let stated = balances.map(|it| it.0.trim());
        let named: BTreeSet<&str> = moved.chain(stated).filter(|it| !it.is_empty()).collect();
        let only = (named.len() == 1).then(|| named.first().map(|it| (*it).to_owned()));
        Self { only: only.flatten() }
    }

    fn line(&self, account: &str, currency: Currency) -> Line {
        match (&self.only, account.trim()) {
            (Some(only), "") => (only.clone(), currency),
            (_, named) => (named.to_owned(), currency),
        }
    }

    fn moved(&self, movements: &Movements, as_of: NaiveDate) -> BTreeMap<Line, Moved> {
        let mut moved: BTreeMap<Line, Moved> = BTreeMap::new();
        for ((account, currency, day), sum) in movements {
            let of_line = moved.entry(self.line(account, *currency)).or_default();
            if *day <= as_of {
                of_line.until += sum;
            } else {
                of_line.after += sum;
            }
        }
        moved
    }

    fn balances(&self, of: &BTreeMap<Line, Balances>, line: &Line) -> Option<Balances> {
        let mut found =
            of.iter().filter(|((account, currency), _)| self.line(account, *currency) == *line);
        found.next().map(|(_, balances)| *balances)
    }

    fn lines(&self, account: &Account<'_>) -> BTreeMap<Line, ProofLine> {
        let movements = account.movements_ours.keys().chain(account.movements_theirs.keys());
        let moved = movements.map(|(account, currency, _)| self.line(account, *currency));
        let balances = account.balances_ours.keys().chain(account.balances_theirs.keys());
        let stated = balances.map(|(account, currency)| self.line(account, *currency));
        let rejected = account
            .rejects
            .iter()
            .filter_map(|(_, it)| Some(self.line(&it.account, it.amount?.currency())));
        let open = account.discrepancies.iter().map(|it| self.line(&it.account, it.currency));
        let all: BTreeSet<Line> = moved.chain(stated).chain(rejected).chain(open).collect();
        all.into_iter().map(|it| (it.clone(), empty(it))).collect()
    }
}

fn empty((account, currency): Line) -> ProofLine {
    ProofLine {
        account,
        currency,
        as_of: NaiveDate::MIN,
        basis: Basis::Arithmetic,
        ours: Sum::zero(currency),
        theirs: Sum::zero(currency),
        difference: Sum::zero(currency),
        opening_difference: Sum::zero(currency),
        opening_accepted_by: None,
        by_reason: BTreeMap::new(),
        timing: Share::none(currency),
        tolerated: Share::none(currency),
        undelivered: Sum::zero(currency),
        rejected: Share::none(currency),
        unexplained: Sum::zero(currency),
    }
}
