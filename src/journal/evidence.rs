//! The evidence of what is not agreed: the entries of a discrepancy as a list in JSON, from which
//! each comes back whole.

use std::{borrow::Cow, collections::BTreeMap};

use chrono::{DateTime, NaiveDate, Utc};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use crate::domain::{
    discrepancy::Discrepancy,
    entry::{Entry, Kind, Place, Status},
    id::Hash,
    key::{KeyScheme, NaturalKey},
    side::Side,
};
use crate::journal::{
    JournalError,
    correction::{money_text, parse_money},
    file::Files,
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

/// Hash and name of each file by its id.
pub(super) type Origins = BTreeMap<String, (Hash, String)>;

/// Where an entry stands: file id, record, part.
pub(super) type Standing = (String, u32, u16);

/// The entries of a discrepancy in JSON.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct List<'e> {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    ours: Vec<Kept<'e>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    theirs: Vec<Kept<'e>>,
}

/// An entry in JSON. What an entry does not state is left out, and so is that it is the first part
/// of its record.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Kept<'e> {
    file_id: Cow<'e, str>,
    record: u32,
    #[serde(default, skip_serializing_if = "is_first")]
    part: u16,
    start_byte: u64,
    length: u32,
    account: Cow<'e, str>,
    keys: Vec<(Cow<'e, str>, Cow<'e, str>)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    intent_key: Option<Cow<'e, str>>,
    amount: String,
    booking_date: NaiveDate,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    value_date: Option<NaiveDate>,
    kind: Cow<'e, str>,
    status: Cow<'e, str>,
    #[serde(default, skip_serializing_if = "str::is_empty")]
    party: Cow<'e, str>,
    #[serde(default, skip_serializing_if = "str::is_empty")]
    text: Cow<'e, str>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    underlying_kind: Option<Cow<'e, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fee: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rate: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    original: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rest: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    period: Option<Cow<'e, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reverses: Option<Cow<'e, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    group_size: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    event_at: Option<DateTime<Utc>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    channel: Option<Cow<'e, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    client_key: Option<Cow<'e, str>>,
}

/// The entries of a discrepancy that do not stand among those held, as a list; `None` where there
/// are none.
pub(super) fn list<'e>(
    discrepancy: &'e Discrepancy,
    files: &'e Files,
    held: &[Standing],
) -> Result<Option<String>, JournalError> {
    let new = |entries: &'e [Entry<'_>]| {
        let mut new = Vec::with_capacity(entries.len());
        for entry in entries {
            let file = files.id(entry.place.file)?;
            let at = (entry.place.record, entry.place.part);
            if !held.iter().any(|it| it.0 == file && (it.1, it.2) == at) {
                new.push(Kept::of(file, entry));
            }
        }
        Ok::<_, JournalError>(new)
    };
    let list = List { ours: new(&discrepancy.ours)?, theirs: new(&discrepancy.theirs)? };
    if list.ours.is_empty() && list.theirs.is_empty() {
        return Ok(None);
    }
    serde_json::to_string(&list).map(Some).map_err(JournalError::Json)
}

/// Where the entries of a list stand.
pub(super) fn standings(list: &str) -> Result<Vec<Standing>, JournalError> {
    let List { ours, theirs } = parse(list)?;
    let standing = |it: Kept<'_>| (it.file_id.into_owned(), it.record, it.part);
    Ok(ours.into_iter().chain(theirs).map(standing).collect())
}

/// The entries of a list, with the files that they were read from.
pub(super) fn read(list: &str, origins: &Origins) -> Result<Vec<Evidence>, JournalError> {
    let List { ours, theirs } = parse(list)?;
    let ours = ours.into_iter().map(|it| (Side::Ours, it));
    let theirs = theirs.into_iter().map(|it| (Side::Theirs, it));
    let evidence = |(side, it): (Side, Kept<'static>)| {
        let unknown = || JournalError::NoSuchFile(it.file_id.to_string());
        let (sha256, file) = origins.get(&*it.file_id).cloned().ok_or_else(unknown)?;
        Ok(Evidence { side, sha256, file, entry: it.entry()? })
    };
    ours.chain(theirs).map(evidence).collect()
}

fn parse(list: &str) -> Result<List<'static>, JournalError> {
    serde_json::from_str(list).map_err(|_| unreadable(list))
}

fn unreadable(text: &str) -> JournalError {
    let text = text.to_owned();
    JournalError::Unreadable { table: "discrepancy", what: "list of entries", text }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_first(part: &u16) -> bool {
    *part == 0
}

impl<'e> Kept<'e> {
    fn of(file: &'e str, entry: &'e Entry<'_>) -> Self {
        let lent = |text: Option<&'e str>| text.map(Cow::Borrowed);
        let keys = entry.keys.iter();
        Self {
            file_id: file.into(),
            record: entry.place.record,
            part: entry.place.part,
            start_byte: entry.place.start,
            length: entry.place.length,
            account: (&*entry.account).into(),
            keys: keys.map(|it| (it.scheme.name().into(), (&*it.text).into())).collect(),
            intent_key: lent(entry.intent.as_deref()),
            amount: money_text(entry.amount),
            booking_date: entry.booking_date,
            value_date: entry.value_date,
            kind: entry.kind.name().into(),
            status: entry.status.name().into(),
            party: (&*entry.party).into(),
            text: (&*entry.text).into(),
            underlying_kind: entry.underlying_kind.map(|it| it.name().into()),
            fee: entry.fee.map(money_text),
            rate: entry.rate.map(|it| it.to_string()),
            original: entry.original.map(money_text),
            rest: entry.rest.map(money_text),
            period: lent(entry.period.as_deref()),
            reverses: lent(entry.reverses.as_deref()),
            group_size: entry.group_size,
            event_at: entry.event_at,
            channel: lent(entry.channel.as_deref()),
            client_key: lent(entry.client_key.as_deref()),
        }
    }
}

impl Kept<'static> {
    fn entry(self) -> Result<Entry<'static>, JournalError> {
        let money = |text: &str| parse_money(text).ok_or_else(|| unreadable(text));
        let money_if = |text: &Option<String>| text.as_deref().map(money).transpose();
        let kind = |it: &str| it.parse::<Kind>().map_err(|_| unreadable(it));
        let rate = |it: &str| it.parse::<Decimal>().map_err(|_| unreadable(it));
        let key = |(scheme, text): (Cow<'static, str>, Cow<'static, str>)| {
            let scheme = scheme.parse::<KeyScheme>().map_err(|_| unreadable(&scheme))?;
            Ok(NaturalKey { scheme, text })
        };
        let place = Place {
            file: 0,
            record: self.record,
            part: self.part,
            start: self.start_byte,
            length: self.length,
        };
        Ok(Entry {
            account: self.account,
            keys: self.keys.into_iter().map(key).collect::<Result<_, JournalError>>()?,
            intent: self.intent_key,
            value_date: self.value_date,
            kind: kind(&self.kind)?,
            underlying_kind: self.underlying_kind.as_deref().map(kind).transpose()?,
            status: self.status.parse::<Status>().map_err(|_| unreadable(&self.status))?,
            party: self.party,
            text: self.text,
            fee: money_if(&self.fee)?,
            rate: self.rate.as_deref().map(rate).transpose()?,
            original: money_if(&self.original)?,
            rest: money_if(&self.rest)?,
            period: self.period,
            reverses: self.reverses,
            group_size: self.group_size,
            event_at: self.event_at,
            channel: self.channel,
            client_key: self.client_key,
            ..Entry::new(place, money(&self.amount)?, self.booking_date)
        })
    }
}
