//! The daily run, from files to what is on record, on both databases; and what a shell sees of it.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
    sync::Arc,
};

use sverka::clock::Fixed;
use sverka::config::Config;
use sverka::domain::{
    correction::State,
    money::{Currency, Money},
    reason::Reason,
    run::{Doubt, RunResult},
    statement::FileVerdict,
};
use sverka::inbox::OpeningAccepted;
use sverka::journal::SignOff;
use sverka::pipeline::{self, Keep, Progress, Request};
use sverka::report::{json, view::ResultView};
use sverka::store::Store;

use crate::database::{House, check};
use crate::runs::{date, moment};

pub(crate) const CONFIG: &str = r#"
tenant = "acme"
[[reconciliation]]
name = "acquirer"
ours = "ledger"
theirs = "bank"
[[reconciliation.rule]]
name = "end-to-end"
on = ["end_to_end_id"]
single_use = true
[reconciliation.accounts]
settlement = "51-01"
suspense = "76-99"
fee = "91-02"
[source.ledger]
format = "csv"
path = "ledger.csv"
origin = "core"
decimal = "."
currency = "EUR"
columns = { intent_key = "id", end_to_end_id = "key", amount = "amount", booking_date = "day" }
stated = { opening = "Opening", closing = "Closing", cut_off = "Cut-off", count = "Count" }
[source.bank]
format = "csv"
path = "bank.csv"
origin = "bank"
decimal = "."
currency = "EUR"
columns = { end_to_end_id = "key", amount = "amount", booking_date = "day" }
stated = { opening = "Opening", closing = "Closing", from = "From", cut_off = "To", number = "No" }
"#;

pub(crate) const LEDGER: &str = "id,key,amount,day
p1,E1,100.00,2026-11-26
p2,E2,-50.00,2026-11-26
p2,E2,-50.00,2026-11-26
Opening,1000.00
Closing,1000.00
Count,3
Cut-off,2026-11-30
";

pub(crate) const BANK: &str = "key,amount,day
E1,100.00,2026-11-26
E2,-50.00,2026-11-26
E9,70.00,2026-11-27
No,17
From,2026-11-01
To,2026-11-30
Opening,1000.00
Closing,1120.00
";

struct Silent;

impl Progress for Silent {
    fn stage(&self, _: &'static str) {}
}

/// A folder with a configuration and both sides' files.
pub(crate) struct Desk {
    folder: tempfile::TempDir,
}

impl Desk {
    pub(crate) fn new(ledger: &str, bank: &str) -> Self {
        let desk = Self { folder: tempfile::tempdir().unwrap() };
        desk.put("sverka.toml", CONFIG);
        desk.put("ledger.csv", ledger);
        desk.put("bank.csv", bank);
        desk
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn put(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    async fn run(&self, house: &House, keep: Keep) -> RunResult {
        let config = Config::load(&self.path("sverka.toml")).unwrap();
        let store = Arc::new(Store::at(&self.path("store")).unwrap());
        let request = Request {
            config: &config,
            reconciliation: &config.reconciliations[0],
            as_of: Some(date("2026-11-30")),
            ours: vec![self.path("ledger.csv")],
            theirs: vec![self.path("bank.csv")],
            absent: Vec::new(),
            keep,
        };
        let rooms = pipeline::House {
            journal: Some(&house.journal),
            store: Some(&store),
            clock: &Fixed(moment()),
            progress: &Silent,
        };
        pipeline::run(&request, &rooms).await.unwrap()
    }

    /// Runs the program itself.
    pub(crate) fn sverka(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sverka"));
        command.current_dir(self.folder.path()).args(arguments).output().unwrap()
    }
}

fn reasons(result: &RunResult) -> Vec<Reason> {
    result.discrepancies.iter().map(|it| it.reason).collect()
}

fn keys(result: &RunResult) -> Vec<String> {
    let corrections = result.discrepancies.iter().flat_map(|it| &it.corrections);
    corrections.map(|it| it.key.to_string()).collect()
}

#[test]
fn a_day_run_again_adds_a_run_and_nothing_else() {
    check("a_day_run_again_adds_a_run_and_nothing_else", async |house: &House| {
        let desk = Desk::new(LEDGER, BANK);
        let first = desk.run(house, Keep::Everything).await;
        assert_eq!(reasons(&first), [Reason::RepeatedOurs, Reason::MissingOurs]);
        assert_eq!(first.verdict.status(), 1, "{:?}", first.verdict);
        assert_eq!(keys(&first).len(), 2);
        assert_eq!(keys(&first)[0], "p2:compensate");
        let before = house.counts().await;
        let second = desk.run(house, Keep::Everything).await;
        let after = house.counts().await;
        assert_eq!(keys(&second), keys(&first));
        assert_eq!(second.run.attempt, 2);
        for (table, count) in &after {
            let added = count - before[table];
            let expected = match *table {
                "run" => 1,
                "run_file" | "arrival" => 2,
                _ => 0,
            };
            assert_eq!(added, expected, "{table}");
        }
        let verdicts: Vec<_> = second.files.iter().map(|it| (it.verdict, it.seen_before)).collect();
        assert_eq!(verdicts, [(FileVerdict::Accepted, true); 2]);
        house.check_chain().await;
    });
}

#[test]
fn a_dry_run_finds_the_same_and_stores_nothing() {
    check("a_dry_run_finds_the_same_and_stores_nothing", async |house: &House| {
        let desk = Desk::new(LEDGER, BANK);
        let before = house.counts().await;
        let dry = desk.run(house, Keep::Nothing).await;
        assert_eq!(house.counts().await, before);
        let mut kept = desk.run(house, Keep::Everything).await;
        kept.run.chain_head = dry.run.chain_head;
        let text = |it: &RunResult| json::to_string(&ResultView::from(it)).unwrap();
        assert_eq!(text(&dry), text(&kept));
        // What came before is seen: a statement told anew is held against its earlier version.
        desk.put("bank.csv", &BANK.replace("70.00", "71.00").replace("1120.00", "1121.00"));
        let dry = desk.run(house, Keep::Nothing).await;
        let mut kept = desk.run(house, Keep::Everything).await;
        kept.run.chain_head = dry.run.chain_head;
        assert!(kept.files[1].explanation.contains("added: 1, vanished: 1"), "{:?}", kept.files[1]);
        assert_eq!(text(&dry), text(&kept));
    });
}

#[test]
fn an_opening_difference_waits_for_a_named_person() {
    check("an_opening_difference_waits_for_a_named_person", async |house: &House| {
        let bank = BANK.replace("Opening,1000.00", "Opening,988.00");
        let desk = Desk::new(LEDGER, &bank.replace("Closing,1120.00", "Closing,1108.00"));
        let first = desk.run(house, Keep::Everything).await;
        let doubts: Vec<_> = first.verdict.doubts.iter().map(|it| it.0).collect();
        assert_eq!(doubts, [Doubt::OpeningNotAccepted], "{:?}", first.verdict);
        assert_eq!(first.proof[0].opening_difference.to_string(), "12.00");
        assert_eq!(first.proof[0].unexplained.minor(), 0);
        assert_eq!((first.verdict.status(), keys(&first)), (3, Vec::new()));
        let signs = async |account: &str, minor: i64| {
            let signed = SignOff {
                tenant: "acme".to_owned(),
                reconciliation: "acquirer".to_owned(),
                opening: OpeningAccepted {
                    account: account.to_owned(),
                    difference: Money::new(minor, Currency::iso("EUR").unwrap()),
                    by: "Olga".to_owned(),
                    why: "a deposit of before the first day".to_owned(),
                },
                at: moment(),
            };
            house.journal.accept_opening(&signed).await.unwrap();
        };
        signs("", 1_200).await;
        let second = desk.run(house, Keep::Everything).await;
        assert_eq!(second.verdict.status(), 1, "{:?}", second.verdict);
        assert_eq!(second.proof[0].opening_accepted_by.as_deref(), Some("Olga"));
        // Only the difference that was signed is accepted: the books were put right, by 2.00.
        desk.put("ledger.csv", &LEDGER.replace(",1000.00", ",998.00"));
        let third = desk.run(house, Keep::Everything).await;
        assert_eq!(third.proof[0].opening_difference.to_string(), "10.00");
        assert_eq!(third.proof[0].opening_accepted_by, None, "{:?}", third.verdict);
        signs("", 1_000).await;
        let fourth = desk.run(house, Keep::Everything).await;
        assert_eq!(fourth.proof[0].opening_accepted_by.as_deref(), Some("Olga"));
        house.check_chain().await;
    });
}

#[test]
fn a_restated_statement_is_no_evidence_until_a_person_decides() {
    check("a_restated_statement_is_no_evidence_until_a_person_decides", async |house: &House| {
        let desk = Desk::new(LEDGER, BANK);
        desk.run(house, Keep::Everything).await;
        let restated = BANK.replace("E9,70.00", "E9,75.00").replace("1120.00", "1125.00");
        desk.put("bank.csv", &restated);
        let second = desk.run(house, Keep::Everything).await;
        assert_eq!(second.files[1].verdict, FileVerdict::Restated, "{:?}", second.files[1]);
        assert_eq!(second.verdict.status(), 3);
        assert!(!second.verdict.complete);
        let proposed = second.discrepancies.iter().flat_map(|it| &it.corrections);
        assert_eq!(proposed.filter(|it| it.state == State::Proposed).count(), 0);
    });
}

/// Runs the program and checks its exit status; what it says is shown where that fails.
fn check_status(desk: &Desk, arguments: &[&str], expected: i32, says: &str) {
    let output = desk.sverka(arguments);
    let told = String::from_utf8_lossy(&output.stderr).into_owned()
        + &String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(expected), "{arguments:?}: {told}");
    assert!(told.contains(says), "{arguments:?} does not say `{says}`: {told}");
}

#[test]
fn a_report_replaces_nothing_that_a_configuration_names() {
    let desk = Desk::new(LEDGER, BANK);
    for path in ["sverka.toml", "ledger.csv", "bank.csv"] {
        let kept = desk.folder.path().join(path);
        let before = fs::read(&kept).unwrap();
        let shown = format!("the report cannot go to `{path}`");
        check_status(&desk, &["run", "--dry-run", "--report", path], 2, &shown);
        assert!(fs::read(&kept).unwrap() == before, "{path} is as it was");
    }
}

#[test]
fn the_exit_status_tells_what_a_run_found() {
    let desk = Desk::new(LEDGER, BANK);
    let text = CONFIG.replacen("tenant", "database = \"sqlite://t.db\"\ntenant", 1);
    desk.put("sverka.toml", &text);
    check_status(&desk, &["run"], 1, "Agrees? No");
    check_status(&desk, &["report"], 1, "acquirer-2026-11-30.html");
    check_status(&desk, &["doctor"], 0, "hash chain: whole");
    check_status(&desk, &["run", "--config", "absent.toml"], 2, "absent.toml");
    check_status(&desk, &["run", "--date", "30.11.2026"], 2, "--date");
    fs::remove_file(desk.path("bank.csv")).unwrap();
    check_status(&desk, &["run", "--date", "2026-11-30"], 3, "bank.csv");
    desk.put("bank.csv", "key,amount\n");
    check_status(&desk, &["run", "--date", "2026-11-30"], 2, "sverka: cannot read `bank.csv`");
    check_status(&desk, &["report", "--report", "again.html"], 2, "again.html");
    let again = fs::read_to_string(desk.path("again.html")).unwrap();
    assert!(again.contains("exit status 2"), "the report says with what the run ended");
}

#[test]
fn a_run_before_every_entry_or_on_a_day_to_come_concludes_nothing() {
    let desk = Desk::new(LEDGER, BANK);
    let says = "every entry is booked after 2026-10-01";
    check_status(&desk, &["run", "--dry-run", "--date", "2026-10-01"], 3, says);
    desk.put("bank.csv", &BANK.replace("To,2026-11-30", "To,2106-11-30"));
    check_status(&desk, &["run", "--dry-run"], 2, "2106-11-30, is still to come");
    desk.put("bank.csv", &BANK.replace("To,2026-11-30", "To,2206-11-30"));
    check_status(&desk, &["run", "--dry-run"], 3, "`2206-11-30` is stated as a day, and is not");
}

#[test]
fn two_reconciliations_take_one_repeat_back_once() {
    check("two_reconciliations_take_one_repeat_back_once", async |house: &House| {
        let desk = Desk::new(LEDGER, BANK);
        let first = desk.run(house, Keep::Everything).await;
        desk.put("sverka.toml", &CONFIG.replace("name = \"acquirer\"", "name = \"other\""));
        let second = desk.run(house, Keep::Everything).await;
        assert_eq!(reasons(&second), reasons(&first));
        assert_eq!(keys(&second)[0], "p2:compensate");
        assert_eq!(keys(&second)[0], keys(&first)[0]);
        assert_eq!(house.counts().await["correction"], 3);
        house.check_chain().await;
    });
}

#[test]
fn the_report_of_a_run_on_record_comes_out_again() {
    let desk = Desk::new(LEDGER, BANK);
    desk.put("sverka.toml", &CONFIG.replacen("tenant", "database = \"sqlite://t.db\"\ntenant", 1));
    check_status(&desk, &["run"], 1, "acquirer-2026-11-30.html");
    let read = |name: &str| fs::read_to_string(desk.path(name)).unwrap();
    let first = read("acquirer-2026-11-30.html");
    check_status(&desk, &["report", "--report", "again.html"], 1, "again.html");
    assert!(read("again.html") == first, "the stored result gives the same page");
    assert!(Path::new(&desk.path("store")).is_dir());
}

/// The reasons of a run over one ledger and several statement files, with the files' verdicts.
fn check_files(bank: &[(&str, &str)], verdicts: &[FileVerdict], expected: &[Reason]) -> ResultView {
    let desk = Desk::new(LEDGER, BANK);
    fs::remove_file(desk.path("bank.csv")).unwrap();
    desk.put("sverka.toml", &CONFIG.replace("\"bank.csv\"", "\"bank-*.csv\""));
    for (name, text) in bank {
        desk.put(name, text);
    }
    let output = desk.sverka(&["run", "--json", "--dry-run", "--date", "2026-11-30"]);
    let text = String::from_utf8(output.stdout).unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    let view = json::read(&text).unwrap_or_else(|error| panic!("{error}: {text} {told}"));
    let found: Vec<_> = view.files.iter().skip(1).map(|it| it.verdict.0).collect();
    assert_eq!(found, verdicts, "{text}");
    let found: Vec<_> = view.discrepancies.iter().map(|it| it.reason.0).collect();
    assert_eq!(found, expected, "{text}");
    let counts = view.counts.theirs.clone();
    let all: u64 = view.files.iter().skip(1).map(|it| it.entries).sum();
    let told = counts.told_before + counts.not_in_force;
    assert_eq!(all, counts.entries + counts.evidence + told, "{text}");
    view
}

/// What of its second file a run took, what another file told, and what is not in force.
fn check_left_out(view: &ResultView, taken: u64, told_before: u64, not_in_force: u64) {
    let (file, counts) = (&view.files[2], &view.counts.theirs);
    assert_eq!((file.taken, file.told_before), (taken, told_before), "{file:?}");
    assert_eq!((counts.told_before, counts.not_in_force), (told_before, not_in_force));
}

#[test]
fn a_record_that_comes_twice_in_one_run_is_taken_once() {
    let found = [Reason::RepeatedOurs, Reason::MissingOurs];
    let twice = [("bank-1.csv", BANK), ("bank-2.csv", BANK)];
    let view = check_files(&twice, &[FileVerdict::Accepted, FileVerdict::Repeated], &found);
    check_left_out(&view, 0, 3, 0);
    let other_bytes = BANK.replace("E1,100.00", "E1,100");
    let again = [("bank-1.csv", BANK), ("bank-2.csv", &other_bytes)];
    let view = check_files(&again, &[FileVerdict::Accepted, FileVerdict::Repeated], &found);
    check_left_out(&view, 0, 3, 0);
    let restated = BANK.replace("E9,70.00", "E9,75.00").replace("1120.00", "1125.00");
    let other = [("bank-1.csv", BANK), ("bank-2.csv", &restated)];
    let view = check_files(&other, &[FileVerdict::Accepted, FileVerdict::Restated], &found);
    check_left_out(&view, 0, 0, 3);
    let longer = BANK.replace("No,17", "E8,5.00,2026-11-27\nNo,18").replace("1120.00", "1125.00");
    let overlapping = [("bank-1.csv", BANK), ("bank-2.csv", &longer)];
    let view = check_files(
        &overlapping,
        &[FileVerdict::Accepted, FileVerdict::Overlapping],
        &[Reason::RepeatedOurs, Reason::MissingOurs, Reason::MissingOurs],
    );
    check_left_out(&view, 1, 3, 0);
}
