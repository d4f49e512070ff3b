//! Opening differences, signed off by a named person.

use chrono::{DateTime, Utc};
use sqlx::any::AnyRow;

use crate::domain::id::{Hash, Parts};
use crate::inbox::OpeningAccepted;
use crate::journal::{
    Journal, JournalError,
    chain::Chain,
    column::Columns,
    row::{currency_text, int, moment, text},
    table::OPENING,
};

/// A named person signs that an opening difference is right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignOff {
    /// Whose books.
    pub tenant: String,
    /// The reconciliation.
    pub reconciliation: String,
    /// What is signed, by whom and why.
    pub opening: OpeningAccepted,
    /// When.
    pub at: DateTime<Utc>,
}

/// What became of a sign-off.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Signed {
    /// It is on record now; the head of the chain after it.
    Now(Hash),
    /// The newest sign-off of this account is of the same difference: nothing was written.
    Before(OpeningAccepted),
}

const OPENINGS: &str = "
    select * from opening where tenant = $1 and reconciliation = $2 order by position";

const NEWEST: &str = "
    select * from opening
    where tenant = $1 and reconciliation = $2 and account = $3 and currency = $4
    order by number desc limit 1";

impl Journal {
    /// Keeps a sign-off as one more row, unless the newest of its account is of the same difference.
    pub async fn accept_opening(&self, signed: &SignOff) -> Result<Signed, JournalError> {
        let opening = &signed.opening;
        let currency = currency_text(opening.difference.currency());
        let mut chain = Chain::take(self, &signed.tenant).await?;
        let newest = sqlx::query(NEWEST)
            .bind(&signed.tenant)
            .bind(&signed.reconciliation)
            .bind(&opening.account)
            .bind(&currency)
            .fetch_optional(&mut **chain.transaction())
            .await?;
        let mut number = 1;
        if let Some(row) = newest {
            let before = read(&row)?;
            if before.difference == opening.difference {
                return Ok(Signed::Before(before));
            }
            number += Columns::of(&OPENING, &row).fit::<i64>("number")?;
        }
        let id = Parts::new()
            .with("opening")
            .with(&signed.tenant)
            .with(&signed.reconciliation)
            .with(&opening.account)
            .with(&currency)
            .with(&number.to_string());
        let row = vec![
            text(id.uuid()),
            text(&signed.tenant),
            text(&signed.reconciliation),
            text(&opening.account),
            text(currency),
            int(number),
            int(opening.difference.minor()),
            text(&opening.by),
            text(moment(signed.at)),
            text(&opening.why),
        ];
        chain.add(&OPENING, vec![row]).await?;
        chain.commit().await.map(Signed::Now)
    }

    /// The openings of a reconciliation that were signed off, the newest last.
    pub(super) async fn openings(
        &self,
        tenant: &str,
        reconciliation: &str,
    ) -> Result<Vec<OpeningAccepted>, JournalError> {
        let query = sqlx::query(OPENINGS).bind(tenant).bind(reconciliation);
        query.fetch_all(&self.pool).await?.iter().map(read).collect()
    }
}

fn read(row: &AnyRow) -> Result<OpeningAccepted, JournalError> {
    let columns = Columns::of(&OPENING, row);
    Ok(OpeningAccepted {
        account: columns.text("account")?,
        difference: columns.money("difference_minor", "currency")?,
        by: columns.text("accepted_by")?,
        why: columns.text("why")?,
    })
}
