//! The dataframe that one pass of the cancelling aggregation groups.

use polars::prelude::{
    Column, DataFrame, Int32Chunked, Int64Chunked, IntoColumn, PolarsResult, UInt8Chunked,
    UInt32Chunked, UInt64Chunked, UInt128Chunked,
};

use crate::frames::{books::CommonBooks, columns::SideFrame, row_number};

/// The hash of what the rule joins by.
pub(crate) const KEY: &str = "key";
/// The row's number, theirs counted on from ours.
pub(crate) const ROW: &str = "row";
/// Minor units.
pub(crate) const AMOUNT: &str = "amount";
/// The account, numbered over both sides; 0 for a blank one.
pub(crate) const ACCOUNT: &str = "account";
/// The currency with its scale, numbered over both sides.
pub(crate) const CURRENCY: &str = "currency";
/// The booking date.
pub(crate) const DAY: &str = "day";
/// The kind that is compared.
pub(crate) const KIND: &str = "kind";
/// The party's hash; 0 where it is blank.
pub(crate) const PARTY: &str = "party";
/// The fee's hash; 0 where none is stated.
pub(crate) const FEE: &str = "fee";
/// The accounting period's hash; 0 where none is stated.
pub(crate) const PERIOD: &str = "period";

#[derive(Default)]
struct Columns {
    key: Vec<u128>,
    row: Vec<u32>,
    amount: Vec<i64>,
    account: Vec<u32>,
    currency: Vec<u32>,
    day: Vec<i32>,
    kind: Vec<u8>,
    party: Vec<u64>,
    fee: Vec<u64>,
    period: Vec<u64>,
}

/// The rows of both sides, ours first, that `wanted` picks by side (0 ours, 1 theirs), row and
/// key, with everything that is compared; parties, fees and periods only where both sides state any. Rows
/// without a key are never among them. No column holds nulls: what a row does not state is 0, the
/// least value that its column can have.
pub(crate) fn compared(
    sides: [&SideFrame; 2],
    books: &CommonBooks,
    rule: usize,
    wanted: impl Fn(usize, usize, u128) -> bool,
) -> PolarsResult<DataFrame> {
    let parties = sides.iter().all(|it| !it.rows().party.is_empty());
    let fees = sides.iter().all(|it| !it.rows().fee.is_empty());
    let periods = sides.iter().all(|it| !it.rows().period.is_empty());
    let mut to = Columns::default();
    let mut before = 0;
    for (side, frame) in sides.into_iter().enumerate() {
        let rows = frame.rows();
        for row in 0..rows.len() {
            let key = rows.keys[rule].get(row);
            if key == 0 || !wanted(side, row, key) {
                continue;
            }
            let (account, currency) = books.code(side, rows.book[row]);
            to.key.push(key);
            to.row.push(row_number(before + row));
            to.amount.push(rows.amount[row]);
            to.account.push(account);
            to.currency.push(currency);
            to.day.push(rows.day[row]);
            to.kind.push(rows.kind[row]);
            if parties {
                to.party.push(rows.party.get(row));
            }
            if fees {
                to.fee.push(rows.fee.get(row));
            }
            if periods {
                to.period.push(rows.period.get(row));
            }
        }
        before += rows.len();
    }
    to.into_frame()
}

impl Columns {
    fn into_frame(self) -> PolarsResult<DataFrame> {
        let height = self.key.len();
        let mut columns: Vec<Column> = vec![
            UInt128Chunked::from_vec(KEY.into(), self.key).into_column(),
            UInt32Chunked::from_vec(ROW.into(), self.row).into_column(),
            Int64Chunked::from_vec(AMOUNT.into(), self.amount).into_column(),
            UInt32Chunked::from_vec(ACCOUNT.into(), self.account).into_column(),
            UInt32Chunked::from_vec(CURRENCY.into(), self.currency).into_column(),
            Int32Chunked::from_vec(DAY.into(), self.day).into_column(),
            UInt8Chunked::from_vec(KIND.into(), self.kind).into_column(),
        ];
        for (name, values) in [(PARTY, self.party), (FEE, self.fee), (PERIOD, self.period)] {
            if !values.is_empty() {
                columns.push(UInt64Chunked::from_vec(name.into(), values).into_column());
            }
        }
        DataFrame::new(height, columns)
    }
}
