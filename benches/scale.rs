//! Speed and memory at scale, and whether exactly what was planted is found.
//!
//! `cargo bench --bench scale -- [rows] [rounds]` generates a ledger and a statement of so many
//! rows with about two planted faults in a hundred, and runs in turn the whole program (`sverka
//! run`, storage and report included) and, where Python has `duckdb` installed, `DuckDB`'s bare
//! query on the same files: aggregate both sides, full join, list the rest. `-- engine [rows]`
//! measures only columns and cancelling, in this process, without files; `-- query [rows]` only
//! `DuckDB`'s query.

#![expect(clippy::unwrap_used, reason = "a bench that cannot go on has failed")]
#![expect(clippy::print_stdout, reason = "a bench tells what it measured")]

#[path = "scale/duckdb.rs"]
mod duckdb;
#[path = "scale/engine.rs"]
mod engine;
#[path = "scale/generate.rs"]
mod generate;
#[path = "scale/process.rs"]
mod process;
#[path = "scale/sverka.rs"]
mod sverka_run;

use std::{collections::BTreeSet, env, path::Path};

use generate::{Day, Found};
use process::Measured;

fn main() {
    let words: Vec<String> = env::args().skip(1).filter(|it| !it.starts_with("--")).collect();
    let number = |at: usize, default: u32| {
        words.get(at).map_or(default, |it| it.replace('_', "").parse().unwrap())
    };
    if words.first().is_some_and(|it| it == "engine") {
        return engine::measure(Day::new(number(1, 1_000_000)));
    }
    if words.first().is_some_and(|it| it == "query") {
        return query(Day::new(number(1, 1_000_000)));
    }
    compare(Day::new(number(0, 1_000_000)), number(1, 3));
}

fn query(day: Day) {
    let folder = tempfile::tempdir().unwrap();
    let expected = day.write(folder.path());
    match duckdb::run(folder.path()) {
        Some(run) => report(1, "duckdb", &run, &expected, &mut None),
        None => println!("duckdb is not installed"),
    }
}

/// Runs both programs in turn, so that a machine whose speed drifts treats them alike.
fn compare(day: Day, rounds: u32) {
    let folder = tempfile::tempdir().unwrap();
    let expected = day.write(folder.path());
    println!("{} operations, {} faults planted", day.operations, expected.len());
    let mut best: [Option<Measured>; 2] = [None, None];
    for round in 1..=rounds {
        let ours = sverka_run::run(folder.path());
        report(round, "sverka", &ours, &expected, &mut best[0]);
        if let Some(theirs) = duckdb::run(folder.path()) {
            report(round, "duckdb", &theirs, &expected, &mut best[1]);
        }
    }
    match best {
        [Some(ours), Some(theirs)] => {
            let hundredths = ours.time.as_millis() * 100 / theirs.time.as_millis().max(1);
            println!("sverka takes {}.{:02} x duckdb", hundredths / 100, hundredths % 100);
        }
        _ => println!("duckdb is not installed: nothing to compare with"),
    }
    store_size(folder.path());
}

fn report(
    round: u32,
    name: &str,
    run: &(Measured, BTreeSet<Found>),
    expected: &BTreeSet<Found>,
    best: &mut Option<Measured>,
) {
    let (measured, found) = run;
    let missed = expected.difference(found).count();
    let invented = found.difference(expected).count();
    println!(
        "round {round}: {name:<7} {:>9.2?}  peak {:>5} MiB  found {} of {}, {invented} invented",
        measured.time,
        measured.peak_kib / 1024,
        expected.len() - missed,
        expected.len(),
    );
    for (kind, set) in [
        ("missed", expected.difference(found).next()),
        ("invented", found.difference(expected).next()),
    ] {
        if let Some((key, reason)) = set {
            println!("         {kind}, for example: {key} {reason}");
        }
    }
    if best.as_ref().is_none_or(|it| measured.time < it.time) {
        *best = Some(*measured);
    }
}

fn store_size(folder: &Path) {
    let database = folder.join("sverka.db");
    if let Ok(size) = std::fs::metadata(database).map(|it| it.len()) {
        println!("the database holds {} KiB", size / 1024);
    }
}
