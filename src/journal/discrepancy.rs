//! Discrepancies: one row for each identity, for ever, with what was first said of it, and a history
//! to which a row is added when something changes.

use std::{collections::BTreeMap, ops::Range};

use serde::{Deserialize, Serialize};

use crate::domain::{discrepancy::Discrepancy, money::Sum};
use crate::journal::{
    JournalError,
    chain::Chain,
    column::{get, get_if, number, value},
    evidence::{self, Standing},
    file::Files,
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

/// What is said of a discrepancy besides its reason and its amounts, kept as JSON in
/// which what is not said is left out.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Detail {
    /// For a repeat, how it came about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<String>,
    /// The rule that paired it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// The rule that almost paired it, and what failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nearest: Option<(String, String)>,
    /// Every field that differs: its name, our value, their value.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub differs: Vec<(String, Option<String>, Option<String>)>,
    /// What is claimed from the counterparty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claim: Option<String>,
}

/// Everything that was said of some discrepancies.
const SAID: &str = "
    select * from discrepancy_said where discrepancy_id in ($1) order by discrepancy_id, number";

/// Where what is said begins among the columns of the history, and where it ends.
const SAYING: Range<usize> = 5..14;

/// What is known of a discrepancy.
#[derive(Default)]
struct Known {
    /// The number of what was said last.
    number: i64,
    /// What was said last.
    said: Vec<Option<String>>,
    /// Where its entries stand.
    held: Vec<Standing>,
}

/// Adds the discrepancies that are new, and to the history what has changed.
pub(super) async fn add(
    chain: &mut Chain,
    recording: &Recording<'_>,
    files: &Files,
) -> Result<(), JournalError> {
    let all = recording.discrepancies();
    let ids: Vec<String> = all.iter().map(|it| it.id.to_string()).collect();
    let closing: Vec<String> = recording.closed.iter().map(ToString::to_string).collect();
    let known = known(chain, &[&ids[..], &closing].concat()).await?;
    let told = || all.iter().zip(&ids).map(|(it, id)| (*it, id, known.get(id)));
    let new = told().filter(|(.., known)| known.is_none());
    let rows = new.map(|(it, id, _)| first(recording, id, it, files));
    chain.add_formed(&DISCREPANCY, rows).await?;
    let seen_before = told().filter_map(|(it, id, known)| Some((it, id, known?)));
    let rows = seen_before.map(|(it, id, known)| {
        let entries = evidence::list(it, files, &known.held)?;
        Ok(changed(recording, id, known, said(it)?, entries))
    });
    chain.add_formed(&HISTORY, rows.filter_map(Result::transpose)).await?;
    let closed = closing
        .iter()
        .filter_map(|id| changed(recording, id, known.get(id)?, said_of_closed(), None).map(Ok));
    chain.add_formed(&HISTORY, closed).await
}

async fn known(chain: &mut Chain, ids: &[String]) -> Result<BTreeMap<String, Known>, JournalError> {
    let mut known: BTreeMap<String, Known> = BTreeMap::new();
    for row in select_in(chain.transaction(), SAID, ids).await? {
        let said: Result<Row, _> =
            HISTORY.columns[SAYING].iter().map(|it| value(&row, it)).collect();
        let it = known.entry(get(&row, "discrepancy_id")?).or_default();
        (it.number, it.said) = (number(&row, "number")?, plain(&said?));
        if let Some(entries) = get_if(&row, "entries")? {
            it.held.extend(evidence::standings(&entries)?);
        }
    }
    Ok(known)
}

fn first(
    recording: &Recording<'_>,
    id: &str,
    discrepancy: &Discrepancy,
    files: &Files,
) -> Result<Row, JournalError> {
    let mut row = identity(recording, id, discrepancy);
    row.extend(said(discrepancy)?);
    row.push(text_if(evidence::list(discrepancy, files, &[])?));
    Ok(row)
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

/// The row to be added where something else is said than the last time, or entries have come.
fn changed(
    recording: &Recording<'_>,
    id: &str,
    known: &Known,
    said: Row,
    entries: Option<String>,
) -> Option<Row> {
    if entries.is_none() && known.said == plain(&said) {
        return None;
    }
    let run = &recording.result.run;
    let number = known.number + 1;
    let mut row = vec![text(id), int(number), text(&run.tenant), text(run.id), text(run.as_of)];
    row.extend(said);
    row.push(text_if(entries));
    Some(row)
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
