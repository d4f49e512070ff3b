//! The evidence of what is not agreed: a row for each entry of a discrepancy, from which the entry
//! comes back whole.

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use sqlx::any::AnyRow;

use crate::domain::{
    discrepancy::Discrepancy,
    entry::{Entry, Kind, Place, Status},
    id::Hash,
    key::{KeyScheme, NaturalKey},
    side::Side,
};
use crate::journal::{
    JournalError,
    chain::Chain,
    column::{Columns, get, number},
    correction::{money_text, parse_money},
    file::Files,
    record::Recording,
    row::{Row, currency_text, int, json, select_in, text, text_if},
    table::RECORD,
};

/// An entry of a discrepancy as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evidence {
    /// Whose.
    pub side: Side,
    /// The bytes of the file it was read from.
    pub sha256: Hash,
    /// That file's name as it first came.
    pub file: String,
    /// The entry; the number of the file in its place is not that of any run.
    pub entry: Entry<'static>,
}

/// What few entries state.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct More {
    #[serde(skip_serializing_if = "Option::is_none")]
    underlying_kind: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fee: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rate: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    original: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rest: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    period: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reverses: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    group_size: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    event_at: Option<chrono::DateTime<chrono::Utc>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    channel: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    client_key: Option<String>,
}

/// The records held for some discrepancies.
const HELD: &str = "
    select discrepancy_id, file_id, record, part from record
    where discrepancy_id in ($1)";

pub(super) const BY_DISCREPANCY: &str = "
    select r.*, f.sha256, f.name from record r join file f on f.file_id = r.file_id
    where r.discrepancy_id in ($1) order by r.discrepancy_id, r.number";

/// Adds the entries of a run's discrepancies that are not held for them yet.
pub(super) async fn add(
    chain: &mut Chain,
    recording: &Recording<'_>,
    files: &Files,
    known: &[String],
) -> Result<(), JournalError> {
    let mut held: BTreeMap<String, Vec<(String, i64, i64)>> = BTreeMap::new();
    for row in select_in(chain.transaction(), HELD, known).await? {
        let at = (get(&row, "file_id")?, number(&row, "record")?, number(&row, "part")?);
        held.entry(get(&row, "discrepancy_id")?).or_default().push(at);
    }
    let rows = recording.discrepancies().into_iter().flat_map(|discrepancy| {
        let id = discrepancy.id.to_string();
        let held = held.get(&id).map_or(&[][..], Vec::as_slice);
        // Rows of a discrepancy are numbered from 1 without a gap, and none is ever deleted.
        let mut count = held.len();
        let mut row_if_new = |side, entry: &Entry<'_>| {
            let file = files.id(entry.place.file)?;
            let at = (entry.place.record.into(), entry.place.part.into());
            if held.iter().any(|it| it.0 == file && (it.1, it.2) == at) {
                return Ok(None);
            }
            count += 1;
            row(recording, &id, count, side, file, entry).map(Some)
        };
        let new = sides(discrepancy).map(|(side, entry)| row_if_new(side, entry).transpose());
        new.flatten().collect::<Vec<_>>()
    });
    chain.add_formed(&RECORD, rows).await
}

fn sides(discrepancy: &Discrepancy) -> impl Iterator<Item = (Side, &Entry<'static>)> {
    let ours = discrepancy.ours.iter().map(|it| (Side::Ours, it));
    ours.chain(discrepancy.theirs.iter().map(|it| (Side::Theirs, it)))
}

fn row(
    recording: &Recording<'_>,
    discrepancy: &str,
    number: usize,
    side: Side,
    file: &str,
    entry: &Entry<'_>,
) -> Result<Row, JournalError> {
    let run = &recording.result.run;
    let keys: Vec<(&str, &str)> =
        entry.keys.iter().map(|it| (it.scheme.name(), it.text.as_ref())).collect();
    let more = more(entry);
    let more = if more == More::default() { text_if(None::<String>) } else { json(&more)? };
    Ok(vec![
        text(discrepancy),
        int(number),
        text(&run.tenant),
        text(run.id),
        text(side),
        text(file),
        int(entry.place.record),
        int(entry.place.part),
        int(entry.place.start),
        int(entry.place.length),
        text(&entry.account),
        json(&keys)?,
        text_if(entry.intent.as_ref()),
        int(entry.amount.minor()),
        text(currency_text(entry.amount.currency())),
        text(entry.booking_date),
        text_if(entry.value_date),
        text(entry.kind),
        text(entry.status.name()),
        text(&entry.party),
        text(&entry.text),
        more,
    ])
}

fn more(entry: &Entry<'_>) -> More {
    More {
        underlying_kind: entry.underlying_kind.map(|it| it.name().to_owned()),
        fee: entry.fee.map(money_text),
        rate: entry.rate.map(|it| it.to_string()),
        original: entry.original.map(money_text),
        rest: entry.rest.map(money_text),
        period: entry.period.as_deref().map(str::to_owned),
        reverses: entry.reverses.as_deref().map(str::to_owned),
        group_size: entry.group_size,
        event_at: entry.event_at,
        channel: entry.channel.as_deref().map(str::to_owned),
        client_key: entry.client_key.as_deref().map(str::to_owned),
    }
}

/// The entry of a row that [`BY_DISCREPANCY`] gave.
pub(super) fn read(row: &AnyRow) -> Result<Evidence, JournalError> {
    let columns = Columns::of(&RECORD, row);
    let side = |it: &str| Side::ALL.into_iter().find(|side| side.name() == it);
    Ok(Evidence {
        side: columns.read("side", side)?,
        sha256: columns.read("sha256", Hash::from_hex)?,
        file: columns.text("name")?,
        entry: entry(columns)?,
    })
}

fn entry(row: Columns<'_>) -> Result<Entry<'static>, JournalError> {
    let more = row.read_if("more", |it| serde_json::from_str::<More>(it).ok())?.unwrap_or_default();
    let wrong = |text: &str| row.unreadable("more", text);
    let money = |text: &Option<String>| {
        text.as_ref().map(|it| parse_money(it).ok_or_else(|| wrong(it))).transpose()
    };
    let kind = |it: &String| it.parse::<Kind>().map_err(|_| wrong(it));
    let rate = |it: &String| it.parse::<Decimal>().map_err(|_| wrong(it));
    let status = |it: &str| it.parse::<Status>().ok();
    let place = Place {
        file: 0,
        record: row.fit("record")?,
        part: row.fit("part")?,
        start: row.fit("start_byte")?,
        length: row.fit("length")?,
    };
    Ok(Entry {
        account: row.text("account")?.into(),
        keys: row.read("keys", keys)?,
        intent: row.text_if("intent_key")?.map(Into::into),
        value_date: row.parse_if("value_date")?,
        kind: row.parse("kind")?,
        underlying_kind: more.underlying_kind.as_ref().map(kind).transpose()?,
        status: row.read("status", status)?,
        party: row.text("party")?.into(),
        text: row.text("text")?.into(),
        fee: money(&more.fee)?,
        rate: more.rate.as_ref().map(rate).transpose()?,
        original: money(&more.original)?,
        rest: money(&more.rest)?,
        period: more.period.map(Into::into),
        reverses: more.reverses.map(Into::into),
        group_size: more.group_size,
        event_at: more.event_at,
        channel: more.channel.map(Into::into),
        client_key: more.client_key.map(Into::into),
        ..Entry::new(place, row.money("amount_minor", "currency")?, row.parse("booking_date")?)
    })
}

fn keys(text: &str) -> Option<Vec<NaturalKey<'static>>> {
    let keys: Vec<(String, String)> = serde_json::from_str(text).ok()?;
    keys.into_iter()
        .map(|(scheme, text)| {
            Some(NaturalKey { scheme: scheme.parse::<KeyScheme>().ok()?, text: text.into() })
        })
        .collect()
}
