//! How a record's amount falls into its details.
//!
//! The record's amount is what moved the balance; details only explain it. What they leave over is
//! a residue of its own, never spread and never dropped.

use crate::domain::{
    entry::Kind,
    money::{Money, Sum},
};
use crate::sources::{
    ReadContext,
    camt::{
        detail::{self, Charges},
        tree::Element,
        value::{self, Direction, Unreadable},
    },
};

/// Where the amount of the only detail of a record is looked for. What was instructed is not among
/// them: charges on the way are not a part of this record.
const AMOUNTS_ALONE: [&str; 3] = ["Amt", "AmtDtls/TxAmt/Amt", "AmtDtls/CntrValAmt/Amt"];

/// Where the amount of one detail of several is looked for.
const AMOUNTS: [&str; 4] =
    ["Amt", "AmtDtls/TxAmt/Amt", "AmtDtls/CntrValAmt/Amt", "AmtDtls/InstdAmt/Amt"];

/// One thing that a record lists: a `TxDtls`, or a batch that states none.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Part<'t> {
    pub(super) batch: Option<Element<'t>>,
    pub(super) detail: Option<Element<'t>>,
}

/// A part with its signed amount.
#[derive(Debug)]
pub(super) struct Share<'t> {
    pub(super) part: Part<'t>,
    pub(super) amount: Money,
}

/// What the details leave over.
#[derive(Debug)]
pub(super) struct Residue {
    pub(super) amount: Money,
    pub(super) kind: Kind,
    pub(super) text: String,
}

/// A record's amount, divided.
#[derive(Debug, Default)]
pub(super) struct Split<'t> {
    pub(super) shares: Vec<Share<'t>>,
    pub(super) residue: Option<Residue>,
    /// The details, where they are several and could not be told apart by amounts.
    pub(super) common: Vec<Part<'t>>,
    /// How many those are.
    pub(super) unsplit: Option<u32>,
}

/// Divides a record's amount among its details.
pub(super) fn split<'t>(
    entry: Element<'t>,
    unsigned: Money,
    direction: Direction,
    context: &ReadContext<'_>,
) -> Result<Split<'t>, Unreadable> {
    let parts = parts(entry);
    let whole = direction.sign(unsigned);
    let Some(amounts) = amounts(&parts, unsigned, context)? else {
        return Ok(undivided(parts, whole));
    };
    let as_written: Vec<Money> = parts
        .iter()
        .zip(&amounts)
        .map(|(part, amount)| Ok(direction_of(*part)?.unwrap_or(direction).sign(*amount)))
        .collect::<Result<_, Unreadable>>()?;
    let as_record: Vec<Money> = amounts.iter().map(|it| direction.sign(*it)).collect();

    let charges = Stated::of(entry, &parts, whole, context);
    let left_by = |signed: &[Money]| {
        let listed: i128 = signed.iter().map(|it| i128::from(it.minor())).sum();
        i128::from(whole.minor()) - listed
    };
    // Some banks write the direction of the original payment at a detail. Sums tell.
    let explains = |left: i128| left == 0 || charges.explain(left);
    let keep = explains(left_by(&as_written)) || !explains(left_by(&as_record));
    let signed = if keep { as_written } else { as_record };
    let left = left_by(&signed);

    let shares = parts.into_iter().zip(signed);
    let shares = shares.map(|(part, amount)| Share { part, amount }).collect();
    Ok(Split { shares, residue: residue(whole, left, charges)?, ..Split::default() })
}

/// Everything a record lists, in its order. In version 1 a batch stands in the record itself.
fn parts(entry: Element<'_>) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    for group in entry.all("NtryDtls") {
        let batch = group.at("Btch");
        let before = parts.len();
        parts.extend(group.all("TxDtls").map(|it| Part { batch, detail: Some(it) }));
        if parts.len() == before && batch.is_some() {
            parts.push(Part { batch, detail: None });
        }
    }
    if parts.is_empty() {
        parts.extend(
            entry.all("TxDtls").map(|it| Part { batch: entry.at("Btch"), detail: Some(it) }),
        );
    }
    if parts.is_empty() {
        parts.push(Part { batch: entry.at("Btch"), detail: None });
    }
    parts
}

/// The amounts of all parts in the record's currency, or `None` if one of them states none. Zero
/// is what some banks write for none.
fn amounts(
    parts: &[Part<'_>],
    unsigned: Money,
    context: &ReadContext<'_>,
) -> Result<Option<Vec<Money>>, Unreadable> {
    let paths = if parts.len() == 1 { &AMOUNTS_ALONE[..] } else { &AMOUNTS[..] };
    let mut amounts = Vec::with_capacity(parts.len());
    for part in parts {
        let stated = match part.detail {
            Some(detail) => paths.iter().filter_map(|path| detail.at(path)).collect(),
            None => Vec::from_iter(part.batch.and_then(|it| it.at("TtlAmt"))),
        };
        let code = unsigned.currency();
        let same = stated.into_iter().filter(|it| it.currency().eq_ignore_ascii_case(code.code()));
        let read = same.map(|it| value::amount(it, context)).collect::<Result<Vec<_>, _>>()?;
        let Some(amount) = read.into_iter().find(|it| it.minor() != 0) else { return Ok(None) };
        amounts.push(amount);
    }
    Ok(Some(amounts))
}

/// The record's whole amount as one share.
fn undivided(parts: Vec<Part<'_>>, amount: Money) -> Split<'_> {
    if let [part] = parts[..] {
        return Split { shares: vec![Share { part, amount }], ..Split::default() };
    }
    let unsplit = u32::try_from(parts.len()).ok();
    let shares = vec![Share { part: Part::default(), amount }];
    Split { shares, common: parts, unsplit, ..Split::default() }
}

fn direction_of(part: Part<'_>) -> Result<Option<Direction>, Unreadable> {
    part.detail.or(part.batch).map_or(Ok(None), Direction::of)
}

/// The charges that a record and its details state, in minor units.
#[derive(Debug, Clone, Copy)]
struct Stated {
    record: i128,
    details: i128,
}

impl Stated {
    fn of(entry: Element<'_>, parts: &[Part<'_>], whole: Money, context: &ReadContext<'_>) -> Self {
        let charges = |it| detail::charges(it, whole.currency(), Charges::Stated, context);
        let details = parts.iter().filter_map(|it| it.detail).map(charges).sum();
        Self { record: charges(entry), details }
    }

    /// Whether what is left over is exactly what is charged; some banks state it at the record and
    /// at its detail once more.
    fn explain(self, left: i128) -> bool {
        let sums = [self.record, self.details, self.record + self.details];
        sums.iter().any(|it| *it != 0 && it.abs() == left.abs())
    }
}

fn residue(whole: Money, left: i128, charges: Stated) -> Result<Option<Residue>, Unreadable> {
    if left == 0 {
        return Ok(None);
    }
    let Some(amount) = Sum::new(left, whole.currency()).to_money() else {
        return Err(Unreadable::field("TxDtls", "", "details within 64 bits of minor units"));
    };
    if charges.explain(left) {
        let text = "charges stated with the record".to_owned();
        return Ok(Some(Residue { amount, kind: Kind::Fee, text }));
    }
    let listed = Sum::from(whole).plus(-left);
    let text = format!("residue: the record moves {whole}, its details {listed}");
    Ok(Some(Residue { amount, kind: Kind::Adjustment, text }))
}
