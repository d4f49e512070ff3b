//! How long 100,000 discrepancies take to be kept on both databases, with their evidence, history
//! and chain; the target is 2 seconds each. `cargo bench --bench journal [-- COUNT]`.

#![expect(clippy::print_stdout, reason = "a bench prints what it measured")]
#![expect(clippy::unwrap_used, reason = "a bench that cannot go on has failed")]
#![allow(dead_code, reason = "the modules of the tests have more than is used here")]

#[path = "../tests/it/cluster.rs"]
mod cluster;
#[path = "../tests/it/runs.rs"]
mod runs;

use std::time::Instant;

use sverka::domain::discrepancy::{Discrepancy, Pairing};
use sverka::domain::reason::Reason;
use sverka::journal::{ChainState, Journal};

use runs::{TENANT, day, discrepancy_id, repeated};

/// The command's own.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    let count = std::env::args().find_map(|it| it.parse().ok()).unwrap_or(100_000);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let folder = tempfile::tempdir().unwrap();
        let sqlite = format!("sqlite://{}", folder.path().join("sverka.db").display());
        let postgres = cluster::Cluster::shared(&[]).url("public");
        for (name, url) in [("SQLite", sqlite), ("PostgreSQL", postgres)] {
            measure(name, &url, count).await;
        }
    });
}

async fn measure(name: &str, url: &str, count: u32) {
    let journal = Journal::connect(url).await.unwrap();
    let first = day(1, (0..count).map(discrepancy).collect());
    let mut again = first.clone();
    again.result.run = day(2, Vec::new()).result.run;
    for (what, day) in [("a new day", first), ("the same day again", again)] {
        let start = Instant::now();
        day.record_in(&journal).await.unwrap();
        println!("{name}: {count} discrepancies, {what}: {:?}", start.elapsed());
    }
    let start = Instant::now();
    let state = journal.verify_chain(TENANT).await.unwrap();
    let ChainState::Whole { rows, .. } = state else { panic!("{state:?}") };
    println!("{name}: {rows} rows verified: {:?}", start.elapsed());
}

/// Every other one is seen from one side, the rest from both, as a bad day has them.
fn discrepancy(number: u32) -> Discrepancy {
    let mut made = repeated(&format!("p-{number}"));
    made.id = discrepancy_id(&number.to_string());
    made.corrections.clear();
    for entry in made.ours.iter_mut().chain(&mut made.theirs) {
        entry.place.record = number + 1;
    }
    if number.is_multiple_of(2) {
        made.theirs.clear();
        return made;
    }
    Discrepancy { pairing: Pairing::Both, reason: Reason::AmountUnder, ..made }
}
