//! Days planted with faults: what comes out is what was planted, and nothing else.
//!
//! The planter knows reasons only as texts, and nothing of how they are decided.

mod faults;
mod seed;

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs,
    ops::Range,
    path::{Path, PathBuf},
};

use serde_json::Value;
use sverka::config::Config;
use sverka::pipeline::{self, House, Keep, Request};
use sverka::report::{json, view::ResultView};
use tokio::runtime::Runtime;

use crate::samples::{Silent, clock};
use faults::{Happening, KINDS, Row, Stuff};
use seed::Seed;

/// The columns of both sides: word in a row, what it stands for.
const COLUMNS: [(&str, &str); 16] = [
    ("i", "intent_key"),
    ("k", "end_to_end_id"),
    ("o", "payment_order"),
    ("b", "batch_id"),
    ("a", "amount"),
    ("d", "booking_date"),
    ("t", "event_at"),
    ("kind", "kind"),
    ("u", "underlying_kind"),
    ("r", "reverses"),
    ("s", "status"),
    ("p", "party"),
    ("fee", "fee"),
    ("rest", "rest"),
    ("per", "period"),
    ("n", "group_size"),
];

const RULES: &str = r#"
tenant = "acme"
[[reconciliation]]
name = "planted"
ours = "one"
theirs = "other"
repeat_window = "15m"
[[reconciliation.rule]]
name = "end-to-end"
on = ["end_to_end_id"]
[[reconciliation.rule]]
name = "order"
on = ["payment_order"]
single_use = true
[[reconciliation.rule]]
name = "batch"
on = ["batch_id"]
group = true
[reconciliation.tolerance]
EUR = "0.02"
[reconciliation.accounts]
settlement = "51-01"
suspense = "76-99"
fee = "91-02"
clearing = "76-01"
"#;

fn config() -> Config {
    let mut text = RULES.to_owned();
    for name in ["one", "other"] {
        write!(
            text,
            "[source.{name}]\nformat = \"csv\"\npath = \"{name}.csv\"\norigin = \"{name}\"\n\
             currency = \"EUR\"\nstated = {{ from = \"from\", cut_off = \"up to\" }}\n\
             [source.{name}.columns]\n"
        )
        .unwrap();
        for (_, of) in COLUMNS {
            writeln!(text, "{of} = \"{of}\"").unwrap();
        }
    }
    Config::parse(&text, Path::new("planted.toml")).unwrap()
}

/// A day as rows of both sides, with what is to be found.
#[derive(Debug, Default)]
struct Day {
    ours: Vec<Row>,
    theirs: Vec<Row>,
    expected: Vec<String>,
}

impl Day {
    /// The days of some numbers as one, of the happenings that fulfil a condition.
    fn planted(numbers: Range<u64>, condition: impl Fn(&Happening) -> bool) -> Self {
        let mut day = Self::default();
        let mut seed = Seed(numbers.start);
        for number in numbers {
            let mut seed = Seed(number);
            let (faults, agreed) = (1 + seed.below(8), 1 + seed.below(8));
            for at in 0..faults + agreed {
                let stuff = Stuff::new(100 * number + at, &mut seed);
                let happening = if at < faults {
                    stuff.fault(seed.below(KINDS))
                } else {
                    stuff.agreed(&mut seed)
                };
                if condition(&happening) {
                    day.ours.extend(happening.ours);
                    day.theirs.extend(happening.theirs);
                    day.expected.extend(happening.expected);
                }
            }
        }
        seed.shuffle(&mut day.ours);
        seed.shuffle(&mut day.theirs);
        day.expected.sort();
        day
    }
}

/// Rows as the text of a file; a later word goes before an earlier one of the same name.
fn file(rows: &[Row]) -> String {
    let names: Vec<&str> = COLUMNS.iter().map(|(_, of)| *of).collect();
    let mut text = format!("from,2026-11-02\nup to,2026-11-30\n{}\n", names.join(","));
    for row in rows {
        let words: BTreeMap<&str, &str> =
            row.split_whitespace().map(|it| it.split_once('=').unwrap()).collect();
        let cells = COLUMNS.map(|(word, _)| match (word, words.get(word)) {
            ("kind", None) => "payment".to_owned(),
            ("s", None) => "booked".to_owned(),
            ("t", Some(time)) => format!("{}T{time}:00Z", words["d"]),
            (_, value) => value.map_or(String::new(), |it| (*it).to_owned()),
        });
        writeln!(text, "{}", cells.join(",")).unwrap();
    }
    text
}

/// Where days are run, one after another.
struct Ground {
    config: Config,
    folder: tempfile::TempDir,
    runtime: Runtime,
}

impl Ground {
    fn new() -> Self {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(1).build().unwrap();
        Self { config: config(), folder: tempfile::tempdir().unwrap(), runtime }
    }

    /// The JSON of a run over files of either side.
    fn run(&self, ours: &[String], theirs: &[String]) -> String {
        let write = |name: &str, texts: &[String]| -> Vec<PathBuf> {
            let paths = (0..texts.len()).map(|at| self.folder.path().join(format!("{name}{at}")));
            let paths: Vec<_> = paths.collect();
            paths.iter().zip(texts).for_each(|(path, text)| fs::write(path, text).unwrap());
            paths
        };
        let request = Request {
            config: &self.config,
            reconciliation: self.config.reconciliation(None).unwrap(),
            as_of: None,
            ours: write("ours", ours),
            theirs: write("theirs", theirs),
            absent: Vec::new(),
            keep: Keep::Nothing,
        };
        let clock = clock();
        let house = House { journal: None, store: None, clock: &clock, progress: &Silent };
        let result = self.runtime.block_on(pipeline::run(&request, &house)).unwrap();
        json::to_string(&ResultView::from(&result)).unwrap()
    }

    fn run_day(&self, day: &Day) -> Value {
        self.value(&[file(&day.ours)], &[file(&day.theirs)])
    }

    fn value(&self, ours: &[String], theirs: &[String]) -> Value {
        serde_json::from_str(&self.run(ours, theirs)).unwrap()
    }
}

/// What a run found, each as `reason difference`.
fn found(result: &Value) -> Vec<String> {
    let items = result["discrepancies"].as_array().unwrap();
    let told = |it: &Value| {
        format!("{} {}", it["reason"].as_str().unwrap(), it["difference"].as_str().unwrap())
    };
    let mut found: Vec<_> = items.iter().map(told).collect();
    found.sort();
    found
}

/// Days that are run together: a run costs more than what is in it.
const TOGETHER: u64 = 20;

/// Runs days together, and tells the first that are wrong, alone where they are wrong alone too.
fn each_days(days: Range<u64>, check: impl Fn(&Ground, Range<u64>) -> Result<(), String>) {
    let ground = Ground::new();
    let mut wrong = Vec::new();
    for first in days.clone().step_by(usize::try_from(TOGETHER).unwrap()) {
        let together = first..days.end.min(first + TOGETHER);
        let Err(why) = check(&ground, together.clone()) else { continue };
        let mut alone = together.clone().filter_map(|day| {
            check(&ground, day..day + 1).err().map(|why| format!("day {day}: {why}"))
        });
        wrong.push(alone.next().unwrap_or_else(|| format!("days {together:?}: {why}")));
    }
    assert!(wrong.is_empty(), "{} times wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// Nothing where two values are equal, else both.
fn equal<T: PartialEq + std::fmt::Debug>(
    found: &T,
    expected: &T,
    what: &str,
) -> Result<(), String> {
    if found == expected {
        return Ok(());
    }
    Err(format!("{what}\nfound    {found:?}\nexpected {expected:?}"))
}

#[test]
fn every_planted_fault_is_found_with_its_reason_and_nothing_else() {
    each_days(0..1000, |ground, days| {
        let day = Day::planted(days.clone(), |_| true);
        let result = ground.run_day(&day);
        equal(&found(&result), &day.expected, &format!("{day:#?}"))?;
        equal(&result["self_test"]["missed"], &Value::Array(Vec::new()), "the self-test")?;
        for line in result["proof"].as_array().unwrap() {
            equal(&line["unexplained"], &Value::from("0.00"), &line.to_string())?;
        }
        Ok(())
    });
}

/// What must not depend on files: the result without the run, files and places in them.
fn canonical(mut result: Value) -> Value {
    fn without_places(value: &mut Value) {
        match value {
            Value::Object(fields) => {
                for name in ["run", "files", "file", "record"] {
                    fields.remove(name);
                }
                fields.values_mut().for_each(without_places);
            }
            Value::Array(items) => items.iter_mut().for_each(without_places),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    without_places(&mut result);
    result
}

#[test]
fn neither_the_order_of_rows_nor_their_files_change_a_result() {
    each_days(0..60, |ground, days| {
        let mut day = Day::planted(days.clone(), |_| true);
        let first = canonical(ground.run_day(&day));
        let mut seed = Seed(days.end);
        seed.shuffle(&mut day.ours);
        seed.shuffle(&mut day.theirs);
        equal(&canonical(ground.run_day(&day)), &first, "in another order")?;
        let (one, other) = day.ours.split_at(day.ours.len() / 2);
        let split = ground.value(&[file(one), file(other)], &[file(&day.theirs)]);
        equal(&canonical(split), &first, "with our file split in two")?;
        let (one, other) = day.theirs.split_at(day.theirs.len() / 2);
        let split = ground.value(&[file(&day.ours)], &[file(one), file(other)]);
        equal(&canonical(split), &first, "with their file split in two")
    });
}

#[test]
fn the_same_files_at_the_same_time_give_the_same_bytes() {
    each_days(0..20, |ground, days| {
        let day = Day::planted(days.clone(), |_| true);
        let (ours, theirs) = ([file(&day.ours)], [file(&day.theirs)]);
        equal(&ground.run(&ours, &theirs), &ground.run(&ours, &theirs), "run twice")
    });
}

/// The money of what is open, each as `ours theirs`; items without money left out.
fn money(result: &Value, ours: &str, theirs: &str) -> Vec<String> {
    let items = result["discrepancies"].as_array().unwrap();
    let told = |it: &Value| {
        let amount = |side: &str| it[side].as_str().unwrap_or("0.00").to_owned();
        format!("{} {}", amount(ours), amount(theirs))
    };
    let open = items.iter().filter(|it| it["difference"] != "0.00");
    let mut told: Vec<_> = open.map(told).collect();
    told.sort();
    told
}

#[test]
fn swapping_the_sides_swaps_the_money_of_every_discrepancy() {
    each_days(0..100, |ground, days| {
        let day = Day::planted(days.clone(), |it| it.is_symmetric);
        let swapped = Day { ours: day.theirs.clone(), theirs: day.ours.clone(), ..Day::default() };
        let straight = money(&ground.run_day(&day), "amount_ours", "amount_theirs");
        let turned = money(&ground.run_day(&swapped), "amount_theirs", "amount_ours");
        equal(&turned, &straight, &format!("{day:#?}"))
    });
}
