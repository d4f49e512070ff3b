//! A day of many operations with known faults: the same for the same number of rows.

use std::{
    collections::BTreeSet,
    fs::File,
    io::{BufWriter, Write},
    path::Path,
};

/// A key and the reason that it must be listed with.
pub(crate) type Found = (String, &'static str);

/// A day's operations.
#[derive(Clone, Copy)]
pub(crate) struct Day {
    pub(crate) operations: u32,
}

/// What went wrong with an operation.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    None,
    MissingOurs,
    MissingTheirs,
    DoubledOurs,
    DoubledTheirs,
    Amount,
    Currency,
    Date,
}

impl Fault {
    /// The reason it must be listed with.
    pub(crate) fn reason(self) -> Option<&'static str> {
        match self {
            Self::None => None,
            Self::MissingOurs => Some("missing_ours"),
            Self::MissingTheirs => Some("missing_theirs"),
            Self::DoubledOurs => Some("repeated_ours"),
            Self::DoubledTheirs => Some("repeated_theirs"),
            Self::Amount => Some("amount_under"),
            Self::Currency => Some("currency_differs"),
            Self::Date => Some("date_differs"),
        }
    }
}

/// One operation, as both sides should tell it.
pub(crate) struct Operation {
    pub(crate) number: u32,
    pub(crate) minor: i64,
    /// Day of November 2026.
    pub(crate) day: u32,
    pub(crate) party: u32,
    pub(crate) fault: Fault,
}

/// One side's telling of an operation.
pub(crate) struct Told {
    pub(crate) key: String,
    pub(crate) minor: i64,
    pub(crate) currency: &'static str,
    pub(crate) day: u32,
    pub(crate) party: u32,
    pub(crate) times: u32,
}

impl Operation {
    pub(crate) fn key(&self) -> String {
        format!("E2E-{:08x}-{:010}", spread(u64::from(self.number)) >> 32, self.number)
    }

    pub(crate) fn ours(&self) -> Told {
        let times = match self.fault {
            Fault::MissingOurs => 0,
            Fault::DoubledOurs => 2,
            Fault::None
            | Fault::MissingTheirs
            | Fault::DoubledTheirs
            | Fault::Amount
            | Fault::Currency
            | Fault::Date => 1,
        };
        let (key, minor, day, party) = (self.key(), self.minor, self.day, self.party);
        Told { key, minor, currency: "EUR", day, party, times }
    }

    pub(crate) fn theirs(&self) -> Told {
        let mut told = Told { times: 1, ..self.ours() };
        match self.fault {
            Fault::None | Fault::MissingOurs | Fault::DoubledOurs => {}
            Fault::MissingTheirs => told.times = 0,
            Fault::DoubledTheirs => told.times = 2,
            Fault::Amount => told.minor -= 7,
            Fault::Currency => told.currency = "USD",
            Fault::Date => told.day += 5,
        }
        told
    }
}

impl Day {
    pub(crate) fn new(operations: u32) -> Self {
        Self { operations }
    }

    /// The operations in the order of our ledger.
    pub(crate) fn in_order(self) -> impl Iterator<Item = Operation> {
        (0..self.operations).map(operation)
    }

    /// The operations in another order, as their side books them.
    pub(crate) fn in_their_order(self) -> impl Iterator<Item = Operation> {
        let all = u64::from(self.operations.max(1));
        let step = (7_368_787..).step_by(2).find(|it| coprime(*it, all)).unwrap();
        let number = move |at: u32| u32::try_from(u64::from(at) * step % all).unwrap();
        (0..self.operations).map(number).map(operation)
    }

    /// Writes `ledger.csv` and `statement.csv`; what must be listed.
    pub(crate) fn write(self, folder: &Path) -> BTreeSet<Found> {
        let create = |name| BufWriter::new(File::create(folder.join(name)).unwrap());
        let mut ledger = create("ledger.csv");
        writeln!(ledger, "payment_id,e2e,amount,ccy,booked,type,party").unwrap();
        let mut expected = BTreeSet::new();
        for it in self.in_order() {
            let Told { key, minor, currency, day, party, times } = it.ours();
            for _ in 0..times {
                let number = it.number;
                let amount = amount(minor);
                writeln!(
                    ledger,
                    "pay-{number},{key},{amount},{currency},2026-11-{day:02},PAY,Client {party}"
                )
                .unwrap();
            }
            expected.extend(it.fault.reason().map(|reason| (key, reason)));
        }
        ledger.flush().unwrap();
        let mut statement = create("statement.csv");
        writeln!(statement, "reference,sum,currency,date,name").unwrap();
        for it in self.in_their_order() {
            let Told { key, minor, currency, day, party, times } = it.theirs();
            for _ in 0..times {
                let amount = amount(minor);
                writeln!(statement, "{key},{amount},{currency},2026-11-{day:02},Client {party}")
                    .unwrap();
            }
        }
        statement.flush().unwrap();
        expected
    }
}

/// About two operations in a hundred have a fault. Those that must be due, or told later, are of
/// the first days, so that the rest of the month covers them.
fn operation(number: u32) -> Operation {
    let random = spread(u64::from(number) + 1);
    let part = |shift: u32, of: u64| u32::try_from((random >> shift) % of).unwrap();
    let day = 2 + part(8, 10);
    let early = day <= 6;
    let fault = match part(16, 1000) {
        0..3 => Fault::MissingOurs,
        3..9 if early => Fault::MissingTheirs,
        9..12 => Fault::DoubledOurs,
        12..15 => Fault::DoubledTheirs,
        15..18 => Fault::Amount,
        18..19 => Fault::Currency,
        19..25 if early => Fault::Date,
        _ => Fault::None,
    };
    let minor = 1000 + i64::from(part(32, 5_000_000));
    Operation { number, minor, day, party: part(40, 100_000), fault }
}

/// A fixed scrambling of 64 bits: neighbours come out far apart, and no two alike.
fn spread(number: u64) -> u64 {
    let one = (number ^ number >> 31).wrapping_mul(0x7fb5_d329_728e_a185);
    let two = (one ^ one >> 27).wrapping_mul(0x81da_def4_bc2d_d44d);
    two ^ two >> 33
}

fn coprime(one: u64, other: u64) -> bool {
    let (mut one, mut other) = (one, other);
    while other > 0 {
        (one, other) = (other, one % other);
    }
    one == 1
}

fn amount(minor: i64) -> String {
    format!("{}.{:02}", minor / 100, minor % 100)
}
