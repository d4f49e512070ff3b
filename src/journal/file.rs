//! Files and their statements, arrivals, rejects, and what is known of all of them.

use std::collections::{BTreeMap, BTreeSet};

use sqlx::any::AnyRow;

use crate::domain::{
    entry::Reject,
    id::{Hash, Parts},
    money::{Currency, Money},
    page::Page,
    run::{FileResult, RunFacts},
    side::Side,
    statement::{FileVerdict, Statement},
};
use crate::inbox::{Arrival, Known, KnownFile};
use crate::journal::{
    Journal, JournalError,
    chain::Chain,
    column::{Columns, get, number_if},
    record::Recording,
    row::{Row, Value, currency_text, int, int_if, json, select_in, text, text_if},
    table::{ARRIVAL, FILE, REJECT, RUN_FILE, STATEMENT},
};

const KNOWN: &str = "
    select * from file where tenant = $1 and reconciliation = $2 order by position";

const STATEMENTS: &str = "
    select s.* from statement s join file f on f.file_id = s.file_id
    where f.tenant = $1 and f.reconciliation = $2 order by s.position";

const HELD: &str = "select file_id from file where file_id in ($1)";

/// The ids of a run's files, by their number in the run's list.
pub(super) struct Files(Vec<String>);

impl Files {
    /// The id of the file with a number.
    pub(super) fn id(&self, number: u16) -> Result<&str, JournalError> {
        let found = self.0.get(usize::from(number)).map(String::as_str);
        found.ok_or_else(|| JournalError::NoSuchFile(format!("number {number}")))
    }
}

impl Journal {
    /// What is known of a reconciliation: its files with their first verdicts and statements, the
    /// openings signed off, and the head of the tenant's chain.
    pub async fn known(&self, tenant: &str, reconciliation: &str) -> Result<Known, JournalError> {
        let mut statements: BTreeMap<String, Vec<Statement>> = BTreeMap::new();
        let query = sqlx::query(STATEMENTS).bind(tenant).bind(reconciliation);
        for row in query.fetch_all(&self.pool).await? {
            let of = statements.entry(get(&row, "file_id")?).or_default();
            of.push(read_statement(&row)?);
        }
        let mut files = Vec::new();
        let query = sqlx::query(KNOWN).bind(tenant).bind(reconciliation);
        for row in query.fetch_all(&self.pool).await? {
            let statements = statements.remove(&get(&row, "file_id")?).unwrap_or_default();
            files.push(read_file(&row, statements)?);
        }
        let openings = self.openings(tenant, reconciliation).await?;
        let chain_head = self.chain_head(tenant).await?;
        Ok(Known { files, openings, chain_head })
    }
}

/// Adds a run's files that are new, with their statements and rejects; then its arrivals, and the
/// links from the run to its files.
pub(super) async fn add(
    chain: &mut Chain,
    recording: &Recording<'_>,
) -> Result<Files, JournalError> {
    let result = recording.result;
    let run = &result.run;
    let ids: Vec<String> = result.files.iter().map(|it| file_id(run, it.side, it.sha256)).collect();
    let held: BTreeSet<String> = select_in(chain.transaction(), HELD, &ids)
        .await?
        .iter()
        .map(|row| get(row, "file_id"))
        .collect::<Result<_, _>>()?;
    let mut new: BTreeSet<&str> = BTreeSet::new();
    let (mut files, mut statements, mut links) = (Vec::new(), Vec::new(), Vec::new());
    for (number, (file, id)) in result.files.iter().zip(&ids).enumerate() {
        links.push(vec![text(run.id), int(number), text(&run.tenant), text(id)]);
        if !held.contains(id) && new.insert(id) {
            files.push(file_row(run, id, file));
            let of_it = file.stated.statements.iter().enumerate();
            for (at, it) in of_it {
                statements.push(statement_row(&run.tenant, id, at, it)?);
            }
        }
    }
    let rejects = rejects(recording, &ids, &new)?;
    let arrivals = recording.arrivals.iter().enumerate();
    let arrivals = arrivals.map(|(number, it)| arrival_row(run, number, it)).collect();
    chain.add(&FILE, files).await?;
    chain.add(&STATEMENT, statements).await?;
    chain.add(&REJECT, rejects).await?;
    chain.add(&ARRIVAL, arrivals).await?;
    chain.add(&RUN_FILE, links).await?;
    Ok(Files(ids))
}

/// The id of a file: its bytes as one side of a reconciliation.
fn file_id(run: &RunFacts, side: Side, sha256: Hash) -> String {
    let parts = Parts::new().with("file").with(&run.tenant).with(&run.reconciliation);
    parts.with(side.name()).with(&sha256.to_string()).uuid().to_string()
}

fn file_row(run: &RunFacts, id: &str, file: &FileResult) -> Row {
    vec![
        text(id),
        text(&run.tenant),
        text(&run.reconciliation),
        text(run.id),
        text(file.side),
        text(file.sha256),
        text(&file.name),
        text(&file.stated.format),
        text(file.verdict),
        text(&file.explanation),
        int(file.stated.records),
        int(file.entries),
        int(file.rejects),
        text_if(file.identities),
    ]
}

fn statement_row(
    tenant: &str,
    file: &str,
    number: usize,
    statement: &Statement,
) -> Result<Row, JournalError> {
    Ok(vec![
        text(file),
        int(number),
        text(tenant),
        text(&statement.identity),
        text(&statement.account),
        text_if(currency(statement).map(currency_text)),
        text_if(statement.from),
        text_if(statement.to),
        text_if(statement.first_booking),
        text_if(statement.last_booking),
        int_if(statement.opening.map(Money::minor)),
        int_if(statement.closing.map(Money::minor)),
        int_if(statement.sequence),
        pages_text(&statement.pages)?,
        int(i64::from(statement.copy)),
    ])
}

/// Pages as they are kept: the message whose they are, blank for the statement's own, the number,
/// and whether it is the last.
fn pages_text(pages: &[Page]) -> Result<Value, JournalError> {
    let list: Vec<_> = pages.iter().map(|it| (&it.message, it.number, it.last)).collect();
    if list.is_empty() { Ok(text_if(None::<&str>)) } else { json(&list) }
}

fn read_pages(text: &str) -> Option<Vec<Page>> {
    let list: Vec<(String, u32, bool)> = serde_json::from_str(text).ok()?;
    Some(list.into_iter().map(|(message, number, last)| Page { message, number, last }).collect())
}

/// The currency of a statement's balances.
fn currency(statement: &Statement) -> Option<Currency> {
    let balance = statement.opening.or(statement.closing).map(Money::currency);
    balance.or(statement.currency)
}

fn arrival_row(run: &RunFacts, number: usize, arrival: &Arrival) -> Row {
    let decision = &arrival.decision;
    vec![
        text(run.id),
        int(number),
        text(&run.tenant),
        text(file_id(run, arrival.side, arrival.sha256)),
        text(arrival.side),
        text(&arrival.name),
        text(arrival.sha256),
        text(decision.arrival),
        int(decision.taken),
        int(decision.left_out),
        text(&decision.why),
    ]
}

/// The rejects of the files that are new; those of the others are kept already.
fn rejects(
    recording: &Recording<'_>,
    ids: &[String],
    new: &BTreeSet<&str>,
) -> Result<Vec<Row>, JournalError> {
    let run = &recording.result.run;
    let mut rows = Vec::new();
    let mut seen = BTreeSet::new();
    for reject in &recording.result.rejects {
        let number = reject.place.file;
        let Some(id) = ids.get(usize::from(number)) else {
            return Err(JournalError::NoSuchFile(format!("number {number}")));
        };
        if new.contains(id.as_str()) && seen.insert((id, reject.place.record)) {
            rows.push(reject_row(run, id, reject));
        }
    }
    Ok(rows)
}

fn reject_row(run: &RunFacts, file: &str, reject: &Reject) -> Row {
    vec![
        text(file),
        int(reject.place.record),
        text(&run.tenant),
        text(run.id),
        int(reject.place.start),
        int(reject.place.length),
        text(reject.reason.code()),
        text(&reject.field),
        text(&reject.text),
        text(&reject.expected),
        text(&reject.account),
        int_if(reject.amount.map(Money::minor)),
        text_if(reject.amount.map(|it| currency_text(it.currency()))),
    ]
}

fn read_file(row: &AnyRow, statements: Vec<Statement>) -> Result<KnownFile, JournalError> {
    let columns = Columns::of(&FILE, row);
    let side = |it: &str| Side::ALL.into_iter().find(|side| side.name() == it);
    let verdict = |it: &str| FileVerdict::ALL.into_iter().find(|verdict| verdict.code() == it);
    Ok(KnownFile {
        side: columns.read("side", side)?,
        sha256: columns.read("sha256", Hash::from_hex)?,
        name: columns.text("name")?,
        verdict: columns.read("verdict", verdict)?,
        explanation: columns.text("explanation")?,
        identities: columns.read_if("identities_sha256", Hash::from_hex)?,
        statements,
    })
}

/// A statement with what later files are held against; its counts and sums are in the result.
fn read_statement(row: &AnyRow) -> Result<Statement, JournalError> {
    let columns = Columns::of(&STATEMENT, row);
    let currency = columns.currency_if("currency")?;
    let balance = |column| -> Result<Option<Money>, JournalError> {
        Ok(number_if(row, column)?.zip(currency).map(|(minor, it)| Money::new(minor, it)))
    };
    Ok(Statement {
        identity: columns.text("identity")?,
        account: columns.text("account")?,
        currency,
        from: columns.parse_if("from_day")?,
        to: columns.parse_if("to_day")?,
        first_booking: columns.parse_if("first_booking")?,
        last_booking: columns.parse_if("last_booking")?,
        opening: balance("opening_minor")?,
        closing: balance("closing_minor")?,
        sequence: columns.fit_if("sequence")?,
        pages: columns.read_if("pages", read_pages)?.unwrap_or_default(),
        copy: columns.fit::<i64>("copy")? == 1,
        ..Statement::default()
    })
}
