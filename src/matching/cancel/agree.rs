//! The aggregation that finds what agrees: one streaming `group_by` a rule, in parts where rows
//! are many.

use polars::prelude::{
    DataFrame, DataType, Engine, Expr, IntoLazy, PolarsError, PolarsResult, col, len, lit,
};

use crate::domain::side::Side;
use crate::frames::{
    ACCOUNT, AMOUNT, CURRENCY, CommonBooks, DAY, FEE, KEY, KIND, KeyedRule, PARTY, PERIOD, ROW,
    SideFrame, compared, index, low_bits, row_number,
};
use crate::matching::cancel::{CancelError, Limits, Work, names::Hashes, pairs::Pairs};

/// The lower row number of a key.
const FIRST: &str = "first";
/// The higher one.
const LAST: &str = "last";
/// Whether exactly one row of either side bears the key.
const SINGLE: &str = "single";
/// Whether nothing that is compared differs.
const EQUAL: &str = "equal";
/// How many rows bear the key.
const COUNT: &str = "count";

/// Removes what agrees by each rule in order, on what the earlier ones left.
pub(super) fn all_rules(
    sides: [&SideFrame; 2],
    books: &CommonBooks,
    limits: Limits,
    pairs: &mut Pairs,
    work: &mut Work,
) -> Result<(), CancelError> {
    let mut held = sides.map(|it| vec![false; it.len()]);
    for (at, rule) in sides[0].layout().rules.iter().enumerate() {
        let rows = sides.map(|it| it.rows().keys[at].held()).iter().sum::<usize>();
        let parts = rows.div_ceil(limits.rows_in_pass.max(1)).max(1).next_power_of_two();
        let mut step = Step { sides, at, rule, pairs, held: &mut held, shared: Hashes::default() };
        for part in 0..parts {
            let frame = step.frame(books, parts, part).map_err(|it| step.failed(it))?;
            work.passes += 1;
            work.rows_in_pass = work.rows_in_pass.max(frame.height());
            step.take(frame)?;
        }
        step.hold_shared();
    }
    Ok(())
}

/// One rule at work.
struct Step<'a> {
    sides: [&'a SideFrame; 2],
    at: usize,
    rule: &'a KeyedRule,
    pairs: &'a mut Pairs,
    /// Rows whose key by an earlier rule is shared without agreement: that rule decides about
    /// them, and no later one may.
    held: &'a mut [Vec<bool>; 2],
    /// Keys of this rule that hold their rows.
    shared: Hashes,
}

impl Step<'_> {
    /// The rows of one part that this rule may still remove.
    fn frame(&self, books: &CommonBooks, parts: usize, part: usize) -> PolarsResult<DataFrame> {
        let mask = u64::try_from(parts - 1).unwrap_or(u64::MAX);
        let part = u64::try_from(part).unwrap_or(u64::MAX);
        compared(self.sides, books, self.at, |side, row, key| {
            let alone = !self.rule.group || !self.sides[side].rows().of_many.get(row);
            low_bits(key) & mask == part
                && alone
                && !self.held[side][row]
                && !self.pairs.is_paired(side, row)
        })
    }

    /// Removes the pairs that agree and holds the rest of the keys that several rows bear. Many
    /// rows of a group's key are no doubt about any of them: they wait for the next rules.
    fn take(&mut self, frame: DataFrame) -> Result<(), CancelError> {
        let before = self.sides[0].len();
        let shared = shared_keys(frame, self.rule, row_number(before));
        let rows = shared.and_then(|it| rows_of(&it)).map_err(|it| self.failed(it))?;
        for Shared { key, first, last, single, equal } in rows {
            if single && equal {
                let theirs = last - before;
                let joined = self.pairs.join(first, theirs, self.at);
                joined.map_err(|side| self.paired_twice(side, [first, theirs]))?;
            } else if single {
                self.held[0][first] = true;
                self.held[1][last - before] = true;
            } else if !self.rule.group {
                self.shared.insert(low_bits(key));
            }
        }
        Ok(())
    }

    fn hold_shared(&mut self) {
        if self.shared.is_empty() {
            return;
        }
        for (frame, held) in self.sides.iter().zip(&mut *self.held) {
            let keys = &frame.rows().keys[self.at];
            for (row, held) in held.iter_mut().enumerate() {
                let key = keys.get(row);
                *held |= key != 0 && self.shared.contains(low_bits(key));
            }
        }
    }

    fn failed(&self, cause: PolarsError) -> CancelError {
        CancelError::Engine { rule: self.rule.name.clone(), cause }
    }

    fn paired_twice(&self, side: usize, rows: [usize; 2]) -> CancelError {
        let place = self.sides[side].place(rows[side]);
        CancelError::PairedTwice { side: Side::ALL[side], place }
    }
}

/// A key that several rows bear.
struct Shared {
    key: u128,
    first: usize,
    last: usize,
    single: bool,
    equal: bool,
}

/// The keys that several rows bear, in no order. No column holds nulls, and what two rows of
/// equal values have as least value they have as greatest: so one comparison of both tells all.
fn shared_keys(frame: DataFrame, rule: &KeyedRule, before: u32) -> PolarsResult<DataFrame> {
    let stated = |it: &&str| frame.column(it).is_ok();
    let optional: Vec<&str> = [ACCOUNT, PARTY, FEE, PERIOD].into_iter().filter(stated).collect();
    let always = [AMOUNT, CURRENCY, KIND];
    let mut equal = days_within(rule.window_days);
    let mut sums = vec![len().alias(COUNT), least(ROW), most(ROW), least(DAY), most(DAY)];
    for name in always.into_iter().chain(optional.iter().copied()) {
        sums.extend([least(name), most(name)]);
        let same = col(least_name(name)).eq_missing(col(most_name(name)));
        equal = equal.and(if optional.contains(&name) { same.or(absent(name)) } else { same });
    }
    let before = || lit(before).cast(DataType::UInt32);
    let single = (col(COUNT).cast(DataType::UInt32))
        .eq_missing(lit(2_u32).cast(DataType::UInt32))
        .and(col(least_name(ROW)).lt(before()))
        .and(col(most_name(ROW)).gt_eq(before()));
    let plan = frame
        .lazy()
        .group_by([col(KEY)])
        .agg(sums)
        .filter(col(COUNT).cast(DataType::UInt32).gt(lit(1_u32).cast(DataType::UInt32)))
        .select([
            col(KEY),
            col(least_name(ROW)).alias(FIRST),
            col(most_name(ROW)).alias(LAST),
            single.alias(SINGLE),
            equal.alias(EQUAL),
        ]);
    Ok(plan.collect_with_engine(Engine::Streaming)?.unwrap_single())
}

fn days_within(window_days: u32) -> Expr {
    let day = |name: String| col(name).cast(DataType::Int64);
    let window = lit(i64::from(window_days)).cast(DataType::Int64);
    (day(most_name(DAY)) - day(least_name(DAY))).lt_eq(window)
}

/// Whether one of the rows does not state it: what a row does not state is 0, the least of all.
fn absent(name: &str) -> Expr {
    let nothing =
        lit(0_u32).cast(if name == ACCOUNT { DataType::UInt32 } else { DataType::UInt64 });
    col(least_name(name)).eq_missing(nothing)
}

fn least(name: &str) -> Expr {
    col(name).min().alias(least_name(name))
}

fn most(name: &str) -> Expr {
    col(name).max().alias(most_name(name))
}

fn least_name(name: &str) -> String {
    format!("{name}_least")
}

fn most_name(name: &str) -> String {
    format!("{name}_most")
}

fn rows_of(frame: &DataFrame) -> PolarsResult<Vec<Shared>> {
    let keys = frame.column(KEY)?.u128()?.into_no_null_iter();
    let first = frame.column(FIRST)?.u32()?.into_no_null_iter();
    let last = frame.column(LAST)?.u32()?.into_no_null_iter();
    let yes = |it: Option<bool>| it == Some(true);
    let single = frame.column(SINGLE)?.bool()?.iter().map(yes);
    let equal = frame.column(EQUAL)?.bool()?.iter().map(yes);
    let rows = keys.zip(first.zip(last)).zip(single.zip(equal));
    Ok(rows
        .map(|((key, (first, last)), (single, equal))| Shared {
            key,
            first: index(first),
            last: index(last),
            single,
            equal,
        })
        .collect())
}
