//! Opening differences, signed off by a named person, once.

use chrono::{DateTime, Utc};

use crate::domain::{
    id::{Hash, Parts},
    money::Money,
};
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

const OPENINGS: &str = "
    select * from opening where tenant = $1 and reconciliation = $2 order by account, currency";

const SIGNED: &str = "select opening_id from opening where opening_id = $1";

impl Journal {
    /// Keeps a sign-off and gives the head of the chain after it. An opening is signed once.
    pub async fn accept_opening(&self, signed: &SignOff) -> Result<Hash, JournalError> {
        let opening = &signed.opening;
        let currency = currency_text(opening.difference.currency());
        let id = Parts::new()
            .with("opening")
            .with(&signed.tenant)
            .with(&signed.reconciliation)
            .with(&opening.account)
            .with(&currency)
            .uuid();
        let mut chain = Chain::take(self, &signed.tenant).await?;
        let before = sqlx::query(SIGNED).bind(id.to_string());
        if before.fetch_optional(&mut **chain.transaction()).await?.is_some() {
            let account = opening.account.clone();
            return Err(JournalError::OpeningAccepted { account, currency });
        }
        let row = vec![
            text(id),
            text(&signed.tenant),
            text(&signed.reconciliation),
            text(&opening.account),
            text(currency),
            int(opening.difference.minor()),
            text(&opening.by),
            text(moment(signed.at)),
            text(&opening.why),
        ];
        chain.add(&OPENING, vec![row]).await?;
        chain.commit().await
    }

    /// The openings of a reconciliation that were signed off.
    pub(super) async fn openings(
        &self,
        tenant: &str,
        reconciliation: &str,
    ) -> Result<Vec<OpeningAccepted>, JournalError> {
        let query = sqlx::query(OPENINGS).bind(tenant).bind(reconciliation);
        let mut openings = Vec::new();
        for row in query.fetch_all(&self.pool).await? {
            let columns = Columns::of(&OPENING, &row);
            let difference: Money = columns.money("difference_minor", "currency")?;
            openings.push(OpeningAccepted {
                account: columns.text("account")?,
                difference,
                by: columns.text("accepted_by")?,
                why: columns.text("why")?,
            });
        }
        Ok(openings)
    }
}
