//! Discrepancies: one row for each identity, for ever, and a history to which a row is added when
//! something changes.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::domain::{discrepancy::Discrepancy, money::Sum};
use crate::journal::{
    JournalError,
    chain::Chain,
    column::{get, number, value},
    record::Recording,
    row::{Row, Value, currency_text, int, int_if, json, select_in, text, text_if},
    table::{DISCREPANCY, HISTORY},
};

/// How a discrepancy stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// Something is to be done.
    Open,
    /// Not due yet.
    Waiting,
    /// Within tolerance, and in the proof until it is corrected.
    Tolerated,
    /// Its counterpart came, or it is no more.
    Closed,
}

impl State {
    /// All, in order.
    pub const ALL: [Self; 4] = [Self::Open, Self::Waiting, Self::Tolerated, Self::Closed];

    /// The name in SQL and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Waiting => "waiting",
            Self::Tolerated => "tolerated",
            Self::Closed => "closed",
        }
    }

    fn of(discrepancy: &Discrepancy) -> Self {
        match (discrepancy.reason.is_waiting(), discrepancy.reason.is_tolerated()) {
            (true, _) => Self::Waiting,
            (false, true) => Self::Tolerated,
            (false, false) => Self::Open,
        }
    }
}

/// What is said of a discrepancy besides its reason and its amounts, kept as JSON.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Detail {
    /// For a repeat, how it came about.
    pub cause: Option<String>,
    /// The rule that paired it.
    pub rule: Option<String>,
    /// The rule that almost paired it, and what failed.
    pub nearest: Option<(String, String)>,
    /// Every field that differs: its name, our value, their value.
    pub differs: Vec<(String, Option<String>, Option<String>)>,
    /// What is claimed from the counterparty.
    pub claim: Option<String>,
}

/// The last that was said of some discrepancies.
const LAST: &str = "
    select h.* from discrepancy_history h
    where h.discrepancy_id in ($1) and not exists (
        select 1 from discrepancy_history l
        where l.discrepancy_id = h.discrepancy_id and l.number > h.number)";

/// Where what was said begins among the columns of the history.
const SAID: usize = 5;

/// The last row of a history.
struct Last {
    number: i64,
    said: Vec<Option<String>>,
}

/// Adds the discrepancies that are new, and to the history what has changed. Gives the ids of
/// those that were known.
pub(super) async fn add(
    chain: &mut Chain,
    recording: &Recording<'_>,
) -> Result<Vec<String>, JournalError> {
    let all = recording.discrepancies();
    let ids: Vec<String> = all.iter().map(|it| it.id.to_string()).collect();
    let closing = recording.closed.iter().map(ToString::to_string);
    let known =
        last(chain, &ids.iter().cloned().chain(closing.clone()).collect::<Vec<_>>()).await?;
    let told = || all.iter().zip(&ids).map(|(it, id)| (*it, id, known.get(id)));
    let new = told().filter(|(.., last)| last.is_none());
    let rows = new.map(|(it, id, _)| Ok(identity(recording, id, it)));
    chain.add_formed(&DISCREPANCY, rows).await?;
    let rows = told().map(|(it, id, last)| Ok(changed(recording, id, last, said(it)?)));
    chain.add_formed(&HISTORY, rows.filter_map(Result::transpose)).await?;
    let closed = closing.filter_map(|id| {
        let last = known.get(&id)?;
        changed(recording, &id, Some(last), said_of_closed())
    });
    chain.add(&HISTORY, closed.collect()).await?;
    Ok(ids.into_iter().filter(|id| known.contains_key(id)).collect())
}

async fn last(chain: &mut Chain, ids: &[String]) -> Result<BTreeMap<String, Last>, JournalError> {
    let mut known = BTreeMap::new();
    for row in select_in(chain.transaction(), LAST, ids).await? {
        let said: Result<Row, _> =
            HISTORY.columns[SAID..].iter().map(|it| value(&row, it)).collect();
        let last = Last { number: number(&row, "number")?, said: plain(&said?) };
        known.insert(get(&row, "discrepancy_id")?, last);
    }
    Ok(known)
}

fn identity(recording: &Recording<'_>, id: &str, discrepancy: &Discrepancy) -> Row {
    let run = &recording.result.run;
    let key = discrepancy.natural_key.as_ref();
    vec![
        text(id),
        text(&run.tenant),
        text(&run.reconciliation),
        text(&discrepancy.leg),
        text(&discrepancy.account),
        text_if(key.map(|it| it.scheme)),
        text_if(key.map(|it| &it.text)),
        text(&discrepancy.intent),
        text(discrepancy.first_seen),
        text(run.id),
    ]
}

/// The row to be added where something else is said than the last time.
fn changed(recording: &Recording<'_>, id: &str, last: Option<&Last>, said: Row) -> Option<Row> {
    let same = last.is_some_and(|last| last.said == plain(&said));
    (!same).then(|| saying(recording, id, last, said))
}

fn saying(recording: &Recording<'_>, id: &str, last: Option<&Last>, said: Row) -> Row {
    let run = &recording.result.run;
    let number = last.map_or(1, |last| last.number + 1);
    let mut row = vec![text(id), int(number), text(&run.tenant), text(run.id), text(run.as_of)];
    row.extend(said);
    row
}

/// What a run says of a discrepancy, as the columns from `state` on.
fn said(discrepancy: &Discrepancy) -> Result<Row, JournalError> {
    let currency_theirs = discrepancy.amount_theirs.map(|it| currency_text(it.currency()));
    Ok(vec![
        text(State::of(discrepancy).name()),
        text(discrepancy.pairing.name()),
        text(discrepancy.reason.code()),
        text(currency_text(discrepancy.currency)),
        amount(discrepancy, discrepancy.amount_ours, "our amount")?,
        text_if(currency_theirs),
        amount(discrepancy, discrepancy.amount_theirs, "their amount")?,
        text_if(discrepancy.due_on),
        json(&detail(discrepancy))?,
    ])
}

fn said_of_closed() -> Row {
    let none = || text_if(None::<String>);
    let amount = || int_if(None::<i64>);
    let state = text(State::Closed.name());
    vec![state, none(), none(), none(), amount(), none(), amount(), none(), none()]
}

fn amount(
    discrepancy: &Discrepancy,
    sum: Option<Sum>,
    what: &'static str,
) -> Result<Value, JournalError> {
    let Some(sum) = sum else { return Ok(Value::Int(None)) };
    let range = || JournalError::Range { id: discrepancy.id.to_string(), what };
    Ok(int(sum.to_money().ok_or_else(range)?.minor()))
}

fn detail(discrepancy: &Discrepancy) -> Detail {
    let differs = discrepancy.differs.iter();
    Detail {
        cause: discrepancy.cause.map(|it| it.code().to_owned()),
        rule: discrepancy.rule.clone(),
        nearest: discrepancy.nearest.as_ref().map(|it| (it.rule.clone(), it.failed.clone())),
        differs: differs
            .map(|it| (it.field.to_owned(), it.ours.clone(), it.theirs.clone()))
            .collect(),
        claim: discrepancy.claim.as_ref().map(|it| it.text.clone()),
    }
}

/// Values as texts, to be compared with what was read.
fn plain(row: &[Value]) -> Vec<Option<String>> {
    row.iter().cloned().map(Value::into_text).collect()
}
