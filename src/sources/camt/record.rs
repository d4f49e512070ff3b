//! One `Ntry`: its amount, and the entries it falls into.

use chrono::NaiveDate;

use crate::domain::{
    entry::{Entry, Kind, Place, Reject, Status},
    key::NaturalKey,
    money::Money,
};
use crate::sources::{
    ReadContext,
    camt::{
        detail::{self, Charges},
        split::{Part, Residue, Share, Split, split},
        tree::Element,
        value::{self, Direction, Moment, Unreadable},
    },
};

/// A record as it is written, with its entries signed as the standard has it: `CdtDbtInd` tells the
/// direction of this record, also of one that reverses another.
#[derive(Debug)]
pub(super) struct Record<'t> {
    /// What it moves, signed.
    pub(super) amount: Money,
    pub(super) direction: Direction,
    pub(super) status: Status,
    pub(super) booking_date: NaiveDate,
    /// Whether its booking date is that of the statement, as it states none itself.
    pub(super) is_undated: bool,
    pub(super) is_reversal: bool,
    /// Its entries, which sum to its amount.
    pub(super) drafts: Vec<Draft<'t>>,
}

/// An entry, and what it would name as party if its direction were the other one.
#[derive(Debug, Clone)]
pub(super) struct Draft<'t> {
    pub(super) entry: Entry<'t>,
    pub(super) party_otherwise: &'t str,
}

/// What a record takes from its statement.
#[derive(Debug, Clone, Copy)]
pub(super) struct Surroundings<'s> {
    pub(super) account: &'s str,
    /// The day of records that state none.
    pub(super) day: Option<NaiveDate>,
    pub(super) context: &'s ReadContext<'s>,
}

/// Reads a record, or tells why it becomes no entry.
pub(super) fn read<'t>(
    entry: Element<'t>,
    place: Place,
    around: Surroundings<'t>,
) -> Result<Record<'t>, Box<Reject>> {
    assemble(entry, place, around).map_err(|fault| {
        Box::new(Reject {
            place,
            reason: fault.reason,
            field: fault.field.to_owned(),
            text: fault.text.chars().take(200).collect(),
            expected: fault.expected,
            amount: moved(entry, around.context)
                .ok()
                .map(|(amount, direction)| direction.sign(amount)),
            account: around.account.to_owned(),
        })
    })
}

fn assemble<'t>(
    entry: Element<'t>,
    place: Place,
    around: Surroundings<'t>,
) -> Result<Record<'t>, Unreadable> {
    let context = around.context;
    let (unsigned, direction) = moved(entry, context)?;
    let status = value::status(entry, context)?;
    let value_date = value::moment(entry.at("ValDt"), "ValDt", context)?;
    let stated = value::moment(entry.at("BookgDt"), "BookgDt", context)?;
    let Some(booking_date) = stated.or(value_date).map(|it| it.day).or(around.day) else {
        return Err(Unreadable::field("BookgDt", "", "a booking date"));
    };
    let common = Common { entry, place, around, status, booking_date, value_date };
    let split = split(entry, unsigned, direction, context)?;
    Ok(Record {
        amount: direction.sign(unsigned),
        direction,
        status,
        booking_date,
        is_undated: stated.or(value_date).is_none(),
        is_reversal: detail::is_reversal(entry),
        drafts: common.drafts(&split)?,
    })
}

/// What a record moves, unsigned, and which way.
fn moved(entry: Element<'_>, context: &ReadContext<'_>) -> Result<(Money, Direction), Unreadable> {
    let Some(amount) = entry.at("Amt") else {
        return Err(Unreadable::field("Amt", "", "an amount"));
    };
    let amount = value::amount(amount, context)?;
    let direction = Direction::of(entry)?;
    let absent = || Unreadable::field("CdtDbtInd", "", "`CRDT` or `DBIT`");
    Ok((amount, direction.ok_or_else(absent)?))
}

/// What all entries of a record share.
struct Common<'t> {
    entry: Element<'t>,
    place: Place,
    around: Surroundings<'t>,
    status: Status,
    booking_date: NaiveDate,
    value_date: Option<Moment>,
}

impl<'t> Common<'t> {
    fn drafts(&self, split: &Split<'t>) -> Result<Vec<Draft<'t>>, Unreadable> {
        let mut drafts = Vec::with_capacity(split.shares.len() + 1);
        for share in &split.shares {
            drafts.push(self.draft(part_number(drafts.len())?, share, split));
        }
        if let Some(residue) = &split.residue {
            let entry = self.residue(part_number(drafts.len())?, residue);
            drafts.push(Draft { entry, party_otherwise: "" });
        }
        Ok(drafts)
    }

    fn draft(&self, part: u16, share: &Share<'t>, split: &Split<'t>) -> Draft<'t> {
        let Part { batch, detail } = share.part;
        let kind = detail::kind_of(self.entry, detail, self.around.context);
        let direction =
            if share.amount.is_outflow() { Direction::Debit } else { Direction::Credit };
        // Whoever sends money back names the parties of the payment that comes back.
        let comes_back = detail::is_reversal(self.entry) || kind == Kind::Return;
        let paid = if comes_back { direction.other() } else { direction };

        let mut entry = self.blank(part, share.amount);
        let booked = Money::new(share.amount.minor().saturating_abs(), share.amount.currency());
        let alone = [detail, Some(self.entry)];
        let sources = if split.shares.len() == 1 { &alone[..] } else { &alone[..1] };
        let sources: Vec<_> = sources.iter().flatten().copied().collect();
        let original = detail::original(&sources, booked, self.around.context);
        entry.keys = self.keys(share, split);
        entry.kind = kind;
        entry.party = detail::party(detail, paid).into();
        entry.text = detail::text(self.entry, detail);
        entry.fee = self.fee(&sources, booked, split);
        entry.rate = detail::rate(&sources);
        entry.original = original.map(|it| direction.sign(it));
        entry.group_size = match detail {
            Some(_) => None,
            None => batch.and_then(|it| it.text_at("NbOfTxs").parse().ok()).or(split.unsplit),
        };
        entry.event_at = detail::event_at(detail, self.around.context);
        Draft { entry, party_otherwise: detail::party(detail, paid.other()) }
    }

    fn keys(&self, share: &Share<'t>, split: &Split<'t>) -> Vec<NaturalKey<'t>> {
        let mut keys = detail::keys(self.entry, share.part.batch, share.part.detail);
        // Details that cannot be told apart name their record only by what they all share.
        if let Some((first, others)) = split.common.split_first() {
            let of = |part: &Part<'t>| detail::keys(self.entry, part.batch, part.detail);
            keys = of(first);
            for other in others {
                let theirs = of(other);
                keys.retain(|key| theirs.contains(key));
            }
        }
        keys
    }

    /// The fee contained in an entry: what is stated and did not become an entry of its own.
    fn fee(&self, sources: &[Element<'t>], booked: Money, split: &Split<'t>) -> Option<Money> {
        let is_split = split.residue.as_ref().is_some_and(|it| it.kind == Kind::Fee);
        let contained = |it: &Element<'t>| {
            detail::charges(*it, booked.currency(), Charges::Contained, self.around.context)
        };
        let minor = sources.iter().map(contained).find(|it| *it > 0).filter(|_| !is_split)?;
        Some(Money::new(i64::try_from(minor).ok()?, booked.currency()))
    }

    fn residue(&self, part: u16, residue: &Residue) -> Entry<'t> {
        let mut entry = self.blank(part, residue.amount);
        entry.keys = detail::keys(self.entry, None, None);
        entry.kind = residue.kind;
        // Stated charges are a fee like any other; only what nothing explains is a rest.
        entry.is_residue = residue.kind != Kind::Fee;
        entry.text = residue.text.clone().into();
        entry
    }

    fn blank(&self, part: u16, amount: Money) -> Entry<'t> {
        let place = Place { part, ..self.place };
        let mut entry = Entry::new(place, amount, self.booking_date);
        entry.account = self.around.account.into();
        entry.value_date = self.value_date.map(|it| it.day);
        entry.status = self.status;
        entry
    }
}

fn part_number(at: usize) -> Result<u16, Unreadable> {
    let beyond = |_| Unreadable::field("TxDtls", "", format!("at most {} details", u16::MAX));
    u16::try_from(at).map_err(beyond)
}
