//! What the records come to, held against what the file states of itself.

use chrono::NaiveDate;

use crate::config::{Column, Covers, TotalOf};
use crate::domain::entry::{Entry, Status};
use crate::domain::money::{Currency, Money, Sum};
use crate::domain::statement::{FileFault, FileVerdict, Stated, Statement};
use crate::sources::ReadContext;
use crate::sources::csv::chain::Chain;
use crate::sources::csv::fields::{Fielded, Fields};
use crate::sources::csv::labels::{Label, Labels};

/// Counts and sums over the records of one file.
#[derive(Debug, Default)]
pub(super) struct Tally {
    /// Records, refused ones among them.
    pub records: u32,
    rejects: u64,
    account: Same<String>,
    currency: Same<Currency>,
    first_booking: Option<NaiveDate>,
    last_booking: Option<NaiveDate>,
    /// Sum of booked entries; of all entries; of all without their signs.
    booked: i128,
    net: i128,
    gross: i128,
    chain: Chain,
}

/// A value that all records share, as long as they do.
#[derive(Debug, Default, PartialEq, Eq)]
enum Same<T> {
    #[default]
    None,
    One(T),
    Many,
}

impl Tally {
    /// Takes a record that became an entry.
    pub(super) fn take(&mut self, read: &Fielded<'_>) {
        let entry = &read.entry;
        let minor = i128::from(entry.amount.minor());
        self.net += minor;
        self.gross += minor.abs();
        if self.is_of_another(entry) {
            self.chain.interrupt();
        }
        if entry.status != Status::Booked {
            return;
        }
        self.booked += minor;
        let day = entry.booking_date;
        self.first_booking = Some(self.first_booking.map_or(day, |it| it.min(day)));
        self.last_booking = Some(self.last_booking.map_or(day, |it| it.max(day)));
        self.chain.take(entry.place.record, entry.amount, read.balance);
    }

    /// Takes a record that was refused.
    pub(super) fn reject(&mut self) {
        self.rejects += 1;
        self.chain.interrupt();
    }

    /// Whether the entry's account or currency is not that of all before; remembers both.
    fn is_of_another(&mut self, entry: &Entry<'_>) -> bool {
        let currency = entry.amount.currency();
        match &self.currency {
            Same::None => self.currency = Same::One(currency),
            Same::One(one) if *one == currency => {}
            Same::One(_) | Same::Many => self.currency = Same::Many,
        }
        match &self.account {
            Same::None => self.account = Same::One(entry.account.clone().into_owned()),
            Same::One(one) if *one == entry.account => {}
            Same::One(_) | Same::Many => self.account = Same::Many,
        }
        self.currency == Same::Many || self.account == Same::Many
    }

    /// Everything learned of the file.
    pub(super) fn finish(
        self,
        context: &ReadContext<'_>,
        fields: Option<&Fields<'_>>,
        labels: &Labels<'_>,
    ) -> Stated {
        let mut faults = Vec::new();
        for name in labels.missing() {
            let what = format!("the row `{name}`, which the profile declares, is missing");
            faults.push(FileFault { verdict: FileVerdict::Incomplete, what });
        }
        let statement = fields.map(|fields| {
            let reader = StatedReader { context, fields, labels, tally: &self };
            reader.read(&mut faults)
        });
        Stated {
            format: "csv".to_owned(),
            records: u64::from(self.records),
            statements: statement.into_iter().collect(),
            faults,
            remarks: labels.remarks().collect(),
        }
    }
}

/// Reads what labels state, and holds it against the tally.
struct StatedReader<'a> {
    context: &'a ReadContext<'a>,
    fields: &'a Fields<'a>,
    labels: &'a Labels<'a>,
    tally: &'a Tally,
}

impl StatedReader<'_> {
    fn read(&self, faults: &mut Vec<FileFault>) -> Statement {
        let tally = self.tally;
        let mut statement = self.unstated();
        self.read_words(&mut statement, faults);
        let opening = self.balance(Label::Opening, faults);
        let closing = self.balance(Label::Closing, faults);
        if let Some(mismatch) = tally.chain.mismatch() {
            let stated = Sum::from(mismatch.stated);
            let off = stated.plus(-mismatch.follows.minor());
            faults.push(fault(
                FileVerdict::OutOfBalance,
                format!(
                    "record {}: balance {stated} is stated, and {} follows from the one before: {off}",
                    mismatch.record, mismatch.follows
                ),
            ));
        }
        let one = !matches!(tally.account, Same::Many) && !matches!(tally.currency, Same::Many);
        let implied = tally.chain.ends().filter(|_| one);
        statement.opening = opening.or(implied.map(|it| it.0));
        statement.closing = closing.or(implied.map(|it| it.1));
        check_ends(&statement, implied, faults);
        self.check_count(&mut statement, faults);
        self.check_total(&mut statement, faults);
        statement
    }

    /// What the records alone tell.
    fn unstated(&self) -> Statement {
        let tally = self.tally;
        let currency = self.currency();
        Statement {
            account: match &tally.account {
                Same::One(account) => account.clone(),
                Same::None => self.context.source.account.clone().unwrap_or_default(),
                Same::Many => String::new(),
            },
            currency,
            first_booking: tally.first_booking,
            last_booking: tally.last_booking,
            movement: currency.map(|it| Sum::new(tally.booked, it)),
            counted: u64::from(tally.records),
            ..Statement::default()
        }
    }

    /// The one currency of the file, at the run's scale.
    fn currency(&self) -> Option<Currency> {
        match self.tally.currency {
            Same::One(currency) => Some(currency),
            Same::None => self.context.source.currency.map(|it| self.context.scaled(it)),
            Same::Many => None,
        }
    }

    fn read_words(&self, statement: &mut Statement, faults: &mut Vec<FileFault>) {
        statement.from = self.day(Label::From, faults);
        statement.to = self.day(Label::CutOff, faults);
        if let (Some(Covers::Date), Some(day)) = (self.context.source.covers, self.context.as_of) {
            statement.from = statement.from.or(Some(day));
            statement.to = statement.to.or(Some(day));
        }
        let Some(number) = self.labels.value(Label::Number).filter(|it| !it.is_empty()) else {
            return;
        };
        let year = statement.to.or(statement.last_booking).map(|it| it.format("%Y").to_string());
        let parts = [&statement.account, number, year.as_deref().unwrap_or("")];
        statement.identity = parts.join("/");
        statement.sequence = number.parse().ok();
    }

    fn day(&self, label: Label, faults: &mut Vec<FileFault>) -> Option<NaiveDate> {
        let text = self.labels.value(label)?;
        let day = self.fields.dates.day(text);
        if day.is_none() {
            let what =
                format!("`{text}` is stated as a day, and is not {}", self.fields.dates.expected());
            faults.push(fault(FileVerdict::Incomplete, what));
        }
        day
    }

    /// A stated balance with the sign of ours.
    fn balance(&self, label: Label, faults: &mut Vec<FileFault>) -> Option<Money> {
        let text = self.labels.value(label)?;
        let money = self.money(text);
        let turned = self.fields.turns_balances();
        let money = money.and_then(|it| {
            let turned = if turned { it.checked_neg() } else { Some(it) };
            turned.ok_or_else(|| "beyond 64 bits of minor units".to_owned())
        });
        match money {
            Ok(money) => Some(money),
            Err(why) => {
                let what = format!("`{text}` is stated as a balance: {why}");
                faults.push(fault(FileVerdict::OutOfBalance, what));
                None
            }
        }
    }

    /// A stated amount in the file's one currency.
    fn money(&self, text: &str) -> Result<Money, String> {
        let expected = || format!("not {}", self.fields.numbers.expected());
        let number = self.fields.numbers.parse(text).map_err(|_| expected())?;
        let beside = number.currency().map(|it| self.context.scaled(it));
        let currency = self.currency().or(beside).ok_or("in which currency is not told")?;
        if !number.is_in(currency) {
            return Err(format!("the records are in {currency}"));
        }
        let own = Currency::iso(currency.code()).unwrap_or(currency);
        let minor = number.minor(self.context.decimals(own), currency);
        minor.map(|it| Money::new(it, currency)).map_err(|why| why.to_string())
    }

    fn check_count(&self, statement: &mut Statement, faults: &mut Vec<FileFault>) {
        let Some(text) = self.labels.value(Label::Count) else { return };
        let digits: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        statement.count = digits.parse().ok();
        let counted = statement.counted;
        let what = match statement.count {
            Some(count) if count == counted => return,
            Some(count) => format!("records stated: {count}, found: {counted}"),
            None => format!("`{text}` is stated as the number of records"),
        };
        faults.push(fault(FileVerdict::Incomplete, what));
    }

    fn check_total(&self, statement: &mut Statement, faults: &mut Vec<FileFault>) {
        let Some(text) = self.labels.value(Label::Total) else { return };
        let source = self.context.source;
        let signed = source.columns.contains_key(&Column::Amount)
            && !source.columns.contains_key(&Column::Mark);
        // A net total has the file's own sign, as its amounts have.
        let inverted = signed && source.sign == crate::config::Sign::Inverted;
        let turned = inverted ^ source.mirror;
        let stated = match (self.money(text), source.stated.total_of) {
            (Err(why), _) => {
                let what = format!("`{text}` is stated as the control total: {why}");
                return faults.push(fault(FileVerdict::TotalsDiffer, what));
            }
            (Ok(money), TotalOf::Gross) => {
                statement.totalled = Some(Sum::new(self.tally.gross, money.currency()));
                Sum::new(i128::from(money.minor()).abs(), money.currency())
            }
            (Ok(money), TotalOf::Net) => {
                statement.totalled = Some(Sum::new(self.tally.net, money.currency()));
                let minor = i128::from(money.minor());
                Sum::new(if turned { -minor } else { minor }, money.currency())
            }
        };
        statement.total = Some(stated);
        let read = statement.totalled.map_or(0, Sum::minor);
        if read != stated.minor() {
            let off = stated.plus(-read);
            let read = Sum::new(read, stated.currency());
            let refused = match self.tally.rejects {
                0 => String::new(),
                rejects => format!(" ({rejects} refused)"),
            };
            let what =
                format!("control total {stated} is stated, and {read} is read{refused}: {off}");
            faults.push(fault(FileVerdict::TotalsDiffer, what));
        }
    }
}

/// The balances at both ends, with what is read between them and with the running balance.
fn check_ends(statement: &Statement, implied: Option<(Money, Money)>, faults: &mut Vec<FileFault>) {
    if let Some(off) = statement.imbalance().filter(|it| it.minor() != 0)
        && let (Some(opening), Some(closing)) = (statement.opening, statement.closing)
    {
        let moved = statement.movement.unwrap_or(Sum::zero(opening.currency()));
        let follows = Sum::from(opening).plus(moved.minor());
        faults.push(fault(
            FileVerdict::OutOfBalance,
            format!(
                "opening {opening} and {moved} moved make {follows}, and closing {closing} is stated: {off}"
            ),
        ));
    } else if let (Some(opening), Some((first, _))) = (statement.opening, implied)
        && opening != first
    {
        let off = Sum::from(opening).plus(-i128::from(first.minor()));
        let what = format!(
            "opening {opening} is stated, and the running balance begins at {first}: {off}"
        );
        faults.push(fault(FileVerdict::OutOfBalance, what));
    }
}

fn fault(verdict: FileVerdict, what: String) -> FileFault {
    FileFault { verdict, what }
}
