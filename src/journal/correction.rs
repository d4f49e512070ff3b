//! Proposed corrections: added once, voided when their evidence has changed.

use std::collections::{BTreeMap, BTreeSet};

use sqlx::{AnyConnection, any::AnyRow};

use crate::corrections::number;
use crate::domain::{
    correction::{Class, Correction, Draft, Form, Leg, State},
    id::{DiscrepancyId, Hash, Parts},
    key::IntentKey,
    money::Money,
};
use crate::journal::{
    Journal, JournalError,
    chain::Chain,
    column::{Columns, get, number as number_of},
    record::Recording,
    row::{Row, currency_text, int, json, parse_currency, select_in, text, text_if},
    table::{CORRECTION, STEP},
};

const BY_DISCREPANCY: &str = "select * from correction where discrepancy_id in ($1)";

/// Another tenant may have the same intent; the tenant is compared afterwards.
const BY_INTENT: &str = "select * from correction where intent_key in ($1)";

const VOID: &str = "update correction set state = 'void' where correction_id = $1";

const STEPS: &str = "
    select correction_id, number from correction_step where correction_id in ($1)";

impl Journal {
    /// The corrections that exist for some drafts, as [`number()`] asks for them.
    pub async fn corrections(
        &self,
        tenant: &str,
        drafts: &[Draft],
    ) -> Result<Vec<Correction>, JournalError> {
        existing(&mut *self.pool.acquire().await?, tenant, drafts).await
    }
}

/// Adds the corrections that a run proposes and voids those they replace, and those whose
/// discrepancy has closed.
pub(super) async fn add(chain: &mut Chain, recording: &Recording<'_>) -> Result<(), JournalError> {
    let run = &recording.result.run;
    let proposed: Vec<&Correction> =
        recording.result.discrepancies.iter().flat_map(|it| &it.corrections).collect();
    let drafts: Vec<Draft> = proposed.iter().map(|it| it.draft.clone()).collect();
    let existing = existing(chain.transaction(), &run.tenant, &drafts).await?;
    for (now, told) in number(&drafts, &existing).iter().zip(&proposed) {
        if now.key != told.key {
            let what = format!("correction `{}` would be `{}`", told.key, now.key);
            return Err(JournalError::Overtaken { run: run.id, what });
        }
    }
    let keys: BTreeSet<&IntentKey> = existing.iter().map(|it| &it.key).collect();
    let new: Vec<&Correction> =
        proposed.iter().copied().filter(|it| !keys.contains(&it.key)).collect();
    let renewed: BTreeSet<DiscrepancyId> = new.iter().map(|it| it.draft.discrepancy).collect();
    let replaced = existing.iter().filter(|it| renewed.contains(&it.draft.discrepancy));
    void(chain, recording, replaced, "its evidence has changed").await?;
    let closed: Vec<String> = recording.closed.iter().map(ToString::to_string).collect();
    let of_closed = read(&select_in(chain.transaction(), BY_DISCREPANCY, &closed).await?)?;
    void(chain, recording, of_closed.iter(), "its discrepancy has closed").await?;
    let id = run.id.to_string();
    chain.add_formed(&CORRECTION, new.iter().map(|it| row(&run.tenant, &id, it))).await
}

/// Voids those that nobody has decided yet.
async fn void(
    chain: &mut Chain,
    recording: &Recording<'_>,
    corrections: impl Iterator<Item = &Correction>,
    why: &str,
) -> Result<(), JournalError> {
    let run = &recording.result.run;
    let ids: Vec<String> = corrections
        .filter(|it| it.state == State::Proposed)
        .map(|it| id(&run.tenant, &it.key))
        .collect();
    let mut steps: BTreeMap<String, i64> = BTreeMap::new();
    for row in select_in(chain.transaction(), STEPS, &ids).await? {
        let last = steps.entry(get(&row, "correction_id")?).or_default();
        *last = number_of(&row, "number")?.max(*last);
    }
    let mut rows = Vec::with_capacity(ids.len());
    for id in ids {
        sqlx::query(VOID).bind(id.clone()).execute(&mut **chain.transaction()).await?;
        let number = steps.get(&id).map_or(1, |last| last + 1);
        let state = State::Void.name();
        rows.push(vec![
            text(id),
            int(number),
            text(&run.tenant),
            text(run.id),
            text(state),
            text(why),
        ]);
    }
    chain.add(&STEP, rows).await
}

/// All corrections of the discrepancies and of the intents of some drafts.
async fn existing(
    connection: &mut AnyConnection,
    tenant: &str,
    drafts: &[Draft],
) -> Result<Vec<Correction>, JournalError> {
    let ids: BTreeSet<String> = drafts.iter().map(|it| it.discrepancy.to_string()).collect();
    let intents: BTreeSet<String> = drafts.iter().map(|it| it.intent.to_string()).collect();
    let (ids, intents): (Vec<_>, Vec<_>) = (Vec::from_iter(ids), Vec::from_iter(intents));
    let mut rows = select_in(connection, BY_DISCREPANCY, &ids).await?;
    rows.extend(select_in(connection, BY_INTENT, &intents).await?);
    let foreign = |row: &AnyRow| get(row, "tenant").is_ok_and(|it| it != tenant);
    rows.retain(|row| !foreign(row));
    let mut all = read(&rows)?;
    all.sort_by(|one, other| one.key.cmp(&other.key));
    all.dedup_by(|one, other| one.key == other.key);
    Ok(all)
}

/// The corrections of one discrepancy, by number.
pub(super) async fn of_discrepancy(
    connection: &mut AnyConnection,
    discrepancy: &str,
) -> Result<Vec<Correction>, JournalError> {
    let mut all = read(&select_in(connection, BY_DISCREPANCY, &[discrepancy.to_owned()]).await?)?;
    all.sort_by_key(|it| (it.draft.form, it.number));
    Ok(all)
}

fn id(tenant: &str, key: &IntentKey) -> String {
    Parts::new().with("correction").with(tenant).with(key.as_str()).uuid().to_string()
}

fn row(tenant: &str, run: &str, correction: &Correction) -> Result<Row, JournalError> {
    let draft = &correction.draft;
    let legs: Vec<(&str, String)> =
        draft.legs.iter().map(|leg| (leg.account.as_str(), money_text(leg.amount))).collect();
    Ok(vec![
        text(id(tenant, &correction.key)),
        text(tenant),
        text(draft.discrepancy),
        text(run),
        text(&correction.key),
        text(&draft.intent),
        text(draft.form.name()),
        int(correction.number),
        text(correction.class.name()),
        text(draft.underlying_kind),
        int(draft.amount.minor()),
        text(currency_text(draft.amount.currency())),
        json(&legs)?,
        text(draft.evidence),
        text_if(draft.repairs.as_ref()),
        text(&draft.narrative),
        text(correction.state.name()),
    ])
}

fn read(rows: &[AnyRow]) -> Result<Vec<Correction>, JournalError> {
    rows.iter().map(|row| read_one(Columns::of(&CORRECTION, row))).collect()
}

fn read_one(row: Columns<'_>) -> Result<Correction, JournalError> {
    let classes = [Class::Refund, Class::TechnicalCorrection];
    let forms = [Form::Compensate, Form::Adjust, Form::Book];
    Ok(Correction {
        key: row.read("correction_key", IntentKey::stated)?,
        number: row.fit("number")?,
        class: row.read("class", |it| classes.into_iter().find(|class| class.name() == it))?,
        state: row.read("state", |it| State::ALL.into_iter().find(|state| state.name() == it))?,
        draft: Draft {
            discrepancy: row.read("discrepancy_id", DiscrepancyId::parse)?,
            intent: row.read("intent_key", IntentKey::stated)?,
            form: row.read("form", |it| forms.into_iter().find(|form| form.name() == it))?,
            underlying_kind: row.parse("underlying_kind")?,
            amount: row.money("amount_minor", "currency")?,
            legs: row.read("legs", legs)?,
            evidence: row.read("evidence", Hash::from_hex)?,
            repairs: row.text_if("repairs")?,
            narrative: row.text("narrative")?,
        },
    })
}

fn legs(text: &str) -> Option<Vec<Leg>> {
    let legs: Vec<(String, String)> = serde_json::from_str(text).ok()?;
    legs.into_iter()
        .map(|(account, amount)| Some(Leg { account, amount: parse_money(&amount)? }))
        .collect()
}

/// An amount inside a text: minor units and currency.
pub(super) fn money_text(money: Money) -> String {
    format!("{} {}", money.minor(), currency_text(money.currency()))
}

/// The amount that [`money_text`] wrote.
pub(super) fn parse_money(text: &str) -> Option<Money> {
    let (minor, currency) = text.split_once(' ')?;
    Some(Money::new(minor.parse().ok()?, parse_currency(currency)?))
}
