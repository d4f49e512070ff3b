//! Keeping a run: everything of it in one transaction, or nothing.

use crate::domain::{
    discrepancy::Discrepancy,
    id::{DiscrepancyId, Hash},
    run::RunResult,
};
use crate::inbox::Arrival;
use crate::journal::{
    Journal, JournalError, chain::Chain, correction, discrepancy, file, run, table::RUN,
};

/// A run to be kept.
#[derive(Debug, Clone, Copy)]
pub struct Recording<'a> {
    /// What it found out. Places name files by their number in its list.
    pub result: &'a RunResult,
    /// The files that came, whether they were taken or not.
    pub arrivals: &'a [Arrival],
    /// Discrepancies that were carried into the run and are no more. What a run does not speak of
    /// stays as it was: only who carried an item forward knows that it has closed.
    pub closed: &'a [DiscrepancyId],
}

impl<'a> Recording<'a> {
    /// The discrepancies by id. Ids come as if drawn by lot; added in their order, rows go into
    /// the indexes beside each other, which takes a third less time.
    pub(super) fn discrepancies(&self) -> Vec<&'a Discrepancy> {
        let mut sorted: Vec<&Discrepancy> = self.result.discrepancies.iter().collect();
        sorted.sort_by_key(|it| it.id);
        sorted
    }
}

impl Journal {
    /// Keeps a run and gives the head of the tenant's chain after it. `stored` stores its result as
    /// JSON meanwhile and gives its hash; where it cannot, nothing is kept.
    ///
    /// The same day with the same files adds the run, its links and its arrivals, and nothing
    /// else. [`JournalError::Overtaken`] means that another run was kept meanwhile and this one
    /// has to be computed anew; whatever the error, nothing was kept.
    pub async fn record<E: From<JournalError>>(
        &self,
        recording: &Recording<'_>,
        stored: impl Future<Output = Result<Hash, E>>,
    ) -> Result<Hash, E> {
        let run = &recording.result.run;
        let mut chain = Chain::take(self, &run.tenant).await?;
        run::refuse_taken(&mut chain, run).await?;
        let files = file::add(&mut chain, recording).await?;
        discrepancy::add(&mut chain, recording, &files).await?;
        correction::add(&mut chain, recording).await?;
        chain.add(&RUN, vec![run::row(recording, stored.await?)]).await?;
        Ok(chain.commit().await?)
    }
}
