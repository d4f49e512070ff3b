//! The whole program on the generated files: `sverka run`, storage and report included.

use std::{collections::BTreeSet, fs, io::BufReader, path::Path, process::Command};

use serde::Deserialize;

use crate::{
    duckdb::known,
    generate::Found,
    process::{Measured, measure},
};

const CONFIG: &str = r#"
tenant = "scale"
database = "sqlite://sverka.db"

[[reconciliation]]
name = "scale"
ours = "ledger"
theirs = "statement"

[[reconciliation.rule]]
name = "end-to-end"
on = ["end_to_end_id"]
single_use = true
date_window_days = 2

[source.ledger]
format = "csv"
path = "ledger.csv"
account = "51-01"
decimal = "."
columns = { intent_key = "payment_id", end_to_end_id = "e2e", amount = "amount", currency = "ccy", booking_date = "booked", kind = "type", party = "party" }
kinds = { PAY = "payment" }

[source.statement]
format = "csv"
path = "statement.csv"
account = "51-01"
decimal = "."
columns = { end_to_end_id = "reference", amount = "sum", currency = "currency", booking_date = "date", party = "name" }
"#;

#[derive(Deserialize)]
struct Outcome {
    discrepancies: Vec<Listed>,
}

#[derive(Deserialize)]
struct Listed {
    reason: String,
    natural_key: Option<Key>,
}

#[derive(Deserialize)]
struct Key {
    text: String,
}

/// Runs the day afresh: an earlier round's database and store are removed first. What was found is
/// asked of the record afterwards.
pub(crate) fn run(folder: &Path) -> (Measured, BTreeSet<Found>) {
    for name in ["sverka.db", "sverka.db-wal", "sverka.db-shm"] {
        if folder.join(name).exists() {
            fs::remove_file(folder.join(name)).unwrap();
        }
    }
    if folder.join("store").exists() {
        fs::remove_dir_all(folder.join("store")).unwrap();
    }
    let config = folder.join("sverka.toml");
    fs::write(&config, CONFIG).unwrap();
    let sverka = |words: &[&str], output: &Path| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sverka"));
        command.args(words).arg("--config").arg(&config).current_dir(folder);
        let (measured, status) = measure(&mut command, output);
        assert!(status.code().is_some_and(|it| it != 2), "{words:?} failed: {status}");
        measured
    };
    let measured = sverka(&["run", "--date", "2026-11-16"], &folder.join("sverka.txt"));
    let output = folder.join("sverka.json");
    sverka(&["report", "--json"], &output);
    let outcome: Outcome =
        serde_json::from_reader(BufReader::new(fs::File::open(output).unwrap())).unwrap();
    let listed = outcome.discrepancies.into_iter();
    let found = listed.map(|it| {
        let key = it.natural_key.map_or_else(String::new, |key| key.text);
        (key, known(&it.reason))
    });
    (measured, found.collect())
}
