//! How the journal is opened: by many at once, and where it cannot be.

use futures_util::future::join_all;
use sverka::journal::Journal;

use crate::cluster::Cluster;
use crate::database::{House, TABLES, check};

/// How many open one fresh database at the same moment.
const MANY: usize = 12;

/// Opens a database that nobody has opened before, from many tasks at once.
async fn open_at_once(url: &str) {
    let opening = (0..MANY).map(|_| {
        let url = url.to_owned();
        tokio::spawn(async move { Journal::connect(&url).await })
    });
    let opened = join_all(opening).await;
    for (number, journal) in opened.into_iter().enumerate() {
        let journal = journal.unwrap().unwrap_or_else(|error| panic!("opening {number}: {error}"));
        journal.close().await;
    }
}

#[test]
fn many_open_one_fresh_database_at_once() {
    check("many_open_one_fresh_database_at_once", async |house: &House| {
        for round in 0..5 {
            let url = house.fresh(round).await;
            open_at_once(&url).await;
            let fresh = House { journal: Journal::connect(&url).await.unwrap(), url };
            assert_eq!(fresh.counts().await.len(), TABLES.len());
            fresh.journal.close().await;
        }
    });
}

impl House {
    /// The URL of another database beside this one, which nobody has opened.
    async fn fresh(&self, number: usize) -> String {
        if self.is_sqlite() {
            return format!("{}-{number}", self.url);
        }
        let schema = format!("fresh_{number}");
        self.meddle(&format!("create schema {schema}")).await.unwrap();
        Cluster::shared(&[]).url(&schema)
    }
}
