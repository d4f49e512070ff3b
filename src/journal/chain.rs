//! The hash chain: each row of record is a link, and none can be changed, added or taken out
//! without breaking it (DESIGN §8).
//!
//! `row_hash = SHA-256(table, columns in declared order, length-prefixed, null distinct)` and
//! `link = SHA-256(previous link, row_hash)`. A row holds its own link and position, so that the
//! chain needs no rows beside those it protects.
//!
//! The head row is the last lock of every transaction, and rows of record are added only under it:
//! what was found absent under it stays absent, and no two writers can wait for each other.

use std::collections::BTreeMap;

use sqlx::{AssertSqlSafe, any::AnyRow};

use crate::domain::id::Hash;
use crate::journal::{
    Dialect, Journal, JournalError, Transaction,
    column::{get, number, value},
    row::{Batch, Insert, Row, int, row_hash, text},
    table::{self, Table},
};

/// The link before the first row.
const START: [u8; 32] = [0; 32];

/// How many positions are verified at a time.
const WINDOW: i64 = 5_000;

/// What the chain says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChainState {
    /// Every row is as it was written.
    Whole {
        /// How many rows.
        rows: u64,
        /// The head; `None` before the first row.
        head: Option<Hash>,
    },
    /// It does not hold from a row on.
    Broken {
        /// The first position that does not hold.
        position: u64,
        /// The row at fault, as table and id; blank where it is missing.
        row: String,
        /// What is wrong, as half a sentence.
        what: String,
    },
}

/// A transaction that holds the head of a tenant's chain: the only way to add rows of record.
pub(super) struct Chain {
    transaction: Transaction,
    dialect: Dialect,
    tenant: String,
    end: End,
}

/// Where a chain ends.
struct End {
    position: i64,
    link: Hash,
}

const MAKE_HEAD: &str = "
    insert into chain_head (tenant, position, link) values ($1, 0, $2) on conflict do nothing";

const ANY_RUN: &str = "select run_id from run where tenant = $1 limit 1";

/// Writing is locking, on both databases.
const LOCK_HEAD: &str = "
    update chain_head set position = position where tenant = $1 returning position, link";

const MOVE_HEAD: &str = "update chain_head set position = $2, link = $3 where tenant = $1";

const READ_HEAD: &str = "select position, link from chain_head where tenant = $1";

impl Chain {
    /// Begins a transaction and takes the head of a tenant's chain, waiting for whoever holds it. A
    /// chain begins only where the tenant has no run: without its head it would begin anew.
    pub(super) async fn take(journal: &Journal, tenant: &str) -> Result<Self, JournalError> {
        let mut transaction = journal.begin().await?;
        let start = hex::encode(START);
        let made = sqlx::query(MAKE_HEAD).bind(tenant).bind(start);
        let made = made.execute(&mut *transaction).await?.rows_affected();
        let runs = sqlx::query(ANY_RUN).bind(tenant).fetch_optional(&mut *transaction).await?;
        if made > 0 && runs.is_some() {
            return Err(JournalError::NoHead { tenant: tenant.to_owned() });
        }
        let head = sqlx::query(LOCK_HEAD).bind(tenant).fetch_one(&mut *transaction).await?;
        let end = End { position: number(&head, "position")?, link: link(&head)? };
        Ok(Self { transaction, dialect: journal.dialect, tenant: tenant.to_owned(), end })
    }

    /// The transaction, to read what is true under the lock.
    pub(super) fn transaction(&mut self) -> &mut Transaction {
        &mut self.transaction
    }

    /// Adds rows of record, in order.
    pub(super) async fn add(&mut self, table: &Table, rows: Vec<Row>) -> Result<(), JournalError> {
        self.add_formed(table, rows.into_iter().map(Ok)).await
    }

    /// Adds rows of record, in order. Some are formed and hashed while the database takes those
    /// before them.
    pub(super) async fn add_formed(
        &mut self,
        table: &Table,
        rows: impl Iterator<Item = Result<Row, JournalError>>,
    ) -> Result<(), JournalError> {
        let mut rows = rows;
        let dialect = self.dialect;
        let mut ready = self.end.link_some(table, &mut rows, dialect)?;
        while let Some(insert) = ready {
            let taken = insert.execute(&mut self.transaction);
            let formed = async { self.end.link_some(table, &mut rows, dialect) };
            let (taken, formed) = tokio::join!(taken, formed);
            taken?;
            ready = formed?;
        }
        Ok(())
    }

    /// Moves the head to the last row added and ends the transaction. Gives the head.
    pub(super) async fn commit(mut self) -> Result<Hash, JournalError> {
        let End { position, link } = self.end;
        let moved = sqlx::query(MOVE_HEAD).bind(self.tenant).bind(position);
        moved.bind(link.to_string()).execute(&mut *self.transaction).await?;
        self.transaction.commit().await?;
        Ok(link)
    }
}

impl End {
    /// Makes links of some rows, as many as one statement adds; `None` where there are no more.
    fn link_some(
        &mut self,
        table: &Table,
        rows: &mut impl Iterator<Item = Result<Row, JournalError>>,
        dialect: Dialect,
    ) -> Result<Option<Insert>, JournalError> {
        let fixed = table.columns.len();
        let mut batch = Batch::of(table);
        while !batch.is_full()
            && let Some(row) = rows.next().transpose()?
        {
            self.position += 1;
            self.link = next(self.link, row_hash(table, &row[..fixed]));
            let mut values = row.into_iter();
            batch.add(values.by_ref().take(fixed));
            batch.add([int(self.position), text(self.link)].into_iter().chain(values));
        }
        if batch.is_empty() { Ok(None) } else { batch.insert(dialect).map(Some) }
    }
}

impl Journal {
    /// The head of a tenant's chain; `None` before its first row.
    pub async fn chain_head(&self, tenant: &str) -> Result<Option<Hash>, JournalError> {
        let head = sqlx::query(READ_HEAD).bind(tenant).fetch_optional(&self.pool).await?;
        let head = head.as_ref().map(link).transpose()?;
        Ok(head.filter(|it| *it.bytes() != START))
    }

    /// Reads the whole chain of a tenant and computes every link anew.
    pub async fn verify_chain(&self, tenant: &str) -> Result<ChainState, JournalError> {
        let head = sqlx::query(READ_HEAD).bind(tenant).fetch_optional(&self.pool).await?;
        if let Some(row) = self.row_without_chain().await? {
            return Ok(row);
        }
        let Some(head) = head else { return Ok(ChainState::Whole { rows: 0, head: None }) };
        let (last, expected) = (number(&head, "position")?, link(&head)?);
        let mut at = Hash::new(START);
        let mut from = 1;
        while from <= last {
            let to = last.min(from + WINDOW - 1);
            let rows = self.window(tenant, from, to).await?;
            for position in from..=to {
                let Some(row) = rows.get(&position) else {
                    return Ok(broken(position, String::new(), "the row is missing"));
                };
                at = next(at, row.hash);
                if at != row.link {
                    return Ok(broken(position, row.name.clone(), "the row was changed"));
                }
            }
            from = to + 1;
        }
        if at != expected {
            return Ok(broken(last, String::new(), "the head is not the last link"));
        }
        if let Some((position, row)) = self.window(tenant, last + 1, i64::MAX).await?.pop_first() {
            return Ok(broken(position, row.name, "the row is beyond the head"));
        }
        if let Some(state) = self.state_without_step(tenant).await? {
            return Ok(state);
        }
        let rows = u64::try_from(last).unwrap_or_default();
        Ok(ChainState::Whole { rows, head: (rows > 0).then_some(at) })
    }

    /// The rows of all tables between two positions.
    async fn window(
        &self,
        tenant: &str,
        from: i64,
        to: i64,
    ) -> Result<BTreeMap<i64, Linked>, JournalError> {
        let mut found = BTreeMap::new();
        for table in table::ALL {
            let query = sqlx::query(AssertSqlSafe(window_sql(table)));
            let query = query.bind(tenant).bind(from).bind(to);
            for row in query.fetch_all(&self.pool).await? {
                found.insert(number(&row, "position")?, Linked::read(table, &row)?);
            }
        }
        Ok(found)
    }

    /// A row, of whatever tenant, that no chain leads to: its tenant has no head.
    async fn row_without_chain(&self) -> Result<Option<ChainState>, JournalError> {
        for table in table::ALL {
            let sql = format!(
                "select {} from {} where tenant not in (select tenant from chain_head) \
                 order by position limit 1",
                table.all_columns().join(", "),
                table.name
            );
            let found = sqlx::query(AssertSqlSafe(sql)).fetch_optional(&self.pool).await?;
            if let Some(row) = found {
                let name = Linked::read(table, &row)?.name;
                return Ok(Some(broken(number(&row, "position")?, name, "its chain has no head")));
            }
        }
        Ok(None)
    }

    /// A correction whose state is not what its last step says. The state is no part of the row's
    /// hash, so that it is held against the steps, which are rows of record.
    async fn state_without_step(&self, tenant: &str) -> Result<Option<ChainState>, JournalError> {
        let found = sqlx::query(STATE_WITHOUT_STEP).bind(tenant).fetch_optional(&self.pool).await?;
        let Some(row) = found else { return Ok(None) };
        let name = format!("correction {}", get(&row, "correction_id")?);
        Ok(Some(broken(number(&row, "position")?, name, "its state is not that of its last step")))
    }
}

const STATE_WITHOUT_STEP: &str = "
    select c.correction_id, c.position from correction c
    where c.tenant = $1 and c.state <> coalesce((
        select s.state from correction_step s where s.correction_id = c.correction_id
        order by s.number desc limit 1), 'proposed')
    order by c.position limit 1";

/// A row of record as it stands in the database.
struct Linked {
    name: String,
    hash: Hash,
    link: Hash,
}

impl Linked {
    fn read(table: &Table, row: &AnyRow) -> Result<Self, JournalError> {
        let values: Result<Row, _> = table.columns.iter().map(|it| value(row, it)).collect();
        let name = format!("{} {}", table.name, get(row, table.columns[0])?);
        Ok(Self { name, hash: row_hash(table, &values?), link: link(row)? })
    }
}

fn next(link: Hash, row: Hash) -> Hash {
    Hash::of(&[*link.bytes(), *row.bytes()].concat())
}

fn link(row: &AnyRow) -> Result<Hash, JournalError> {
    let text = get(row, "link")?;
    Hash::from_hex(&text).ok_or(JournalError::Unreadable { table: "chain", what: "link", text })
}

fn broken(position: i64, row: String, what: &str) -> ChainState {
    let position = u64::try_from(position).unwrap_or_default();
    ChainState::Broken { position, row, what: what.to_owned() }
}

fn window_sql(table: &Table) -> String {
    let (name, columns) = (table.name, table.all_columns().join(", "));
    format!("select {columns} from {name} where tenant = $1 and position between $2 and $3")
}
