//! Every folder of `samples` is a test, a demo and documentation in one: its files go through the
//! whole run, without a database and with one, and come out as its `expected.txt` says.

use std::{
    collections::BTreeSet,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use sverka::clock::Fixed;
use sverka::config::{Config, Language, Reconciliation};
use sverka::domain::{
    discrepancy::Discrepancy,
    money::Sum,
    proof::ProofLine,
    reason::Reason,
    run::{RunResult, SideCounts},
    side::Side,
};
use sverka::journal::Journal;
use sverka::pipeline::{self, House, Keep, Progress, Request};
use sverka::report::{self, view::ResultView};
use sverka::store::{Store, locate};

/// Reasons that this version gives a name and does not decide yet.
const UNDECIDED: [Reason; 8] = [
    Reason::CorrectionOvertaken,
    Reason::CorrectionNotEffective,
    Reason::ChangedAfterAgreement,
    Reason::Backdated,
    Reason::ElsewhereOurs,
    Reason::ElsewhereTheirs,
    Reason::ExpiredTheirs,
    Reason::Vanished,
];

/// Says nothing.
pub(crate) struct Silent;

impl Progress for Silent {
    fn stage(&self, _name: &'static str) {}
}

/// The clock of all runs here.
pub(crate) fn clock() -> Fixed {
    Fixed("2026-12-01T05:00:00Z".parse().unwrap())
}

fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("samples")
}

/// Every folder of samples, in order of their names.
fn folders() -> Vec<PathBuf> {
    let all = fs::read_dir(samples()).unwrap().map(|it| it.unwrap().path());
    let mut folders: Vec<_> = all.filter(|it| it.is_dir()).collect();
    folders.sort();
    folders
}

fn expected(folder: &Path) -> String {
    let path = folder.join("expected.txt");
    fs::read_to_string(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display()))
}

/// What the command line would ask for.
pub(crate) fn request<'a>(
    config: &'a Config,
    reconciliation: &'a Reconciliation,
    keep: Keep,
) -> Request<'a> {
    let mut absent = Vec::new();
    let mut files = |side, name: &str| {
        let path = config.sources[name].path.as_ref().unwrap();
        let found = locate(&config.folder, path, chrono::NaiveDate::default()).unwrap();
        if found.is_empty() {
            absent.push((side, path.display().to_string()));
        }
        found
    };
    let ours = files(Side::Ours, &reconciliation.ours);
    let theirs = files(Side::Theirs, &reconciliation.theirs);
    Request { config, reconciliation, as_of: None, ours, theirs, absent, keep }
}

/// Runs a sample without a database.
fn run(config: &Config) -> RunResult {
    let request = request(config, config.reconciliation(None).unwrap(), Keep::Nothing);
    let clock = clock();
    let house = House { journal: None, store: None, clock: &clock, progress: &Silent };
    block_on(pipeline::run(&request, &house)).unwrap()
}

/// Runs a sample as often as asked, all on one database of its own.
fn run_stored(config: &Config, times: usize) -> Vec<RunResult> {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}", folder.path().join("sverka.db").display());
    let store = Arc::new(Store::at(&folder.path().join("store")).unwrap());
    let request = request(config, config.reconciliation(None).unwrap(), Keep::Everything);
    let clock = clock();
    block_on(async {
        let journal = Journal::connect(&url).await.unwrap();
        let mut results = Vec::new();
        for _ in 0..times {
            let (journal, store) = (Some(&journal), Some(&store));
            let house = House { journal, store, clock: &clock, progress: &Silent };
            results.push(pipeline::run(&request, &house).await.unwrap());
        }
        journal.close().await;
        results
    })
}

pub(crate) fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap().block_on(future)
}

/// The texts of a page that it marks as English, each once.
fn english(page: &str) -> BTreeSet<String> {
    let marked = page.split(" lang=\"en\">").skip(1);
    marked.map(|it| it.split("</").next().unwrap().replace("<bdi>", "")).collect()
}

#[test]
fn a_russian_report_leaves_nothing_in_english() {
    let mut left = BTreeSet::new();
    for folder in folders() {
        let config = Config::load(&folder.join("sverka.toml")).unwrap();
        let view = ResultView::from(&run(&config));
        let options = report::html::Options::new(Language::Russian);
        left.extend(english(&report::html::render(&view, options).unwrap()));
    }
    assert!(left.is_empty(), "{left:#?}");
}

#[test]
fn what_no_phrase_says_is_marked_as_english() {
    let page = "<p lang=\"en\"><bdi>so it is</bdi></p><b lang=\"en\">and so</b>";
    assert_eq!(Vec::from_iter(english(page)), ["and so", "so it is"]);
}

/// A result as the lines of an `expected.txt`. Equal lines are counted.
fn told(result: &RunResult) -> String {
    let verdict = &result.verdict;
    let said = |yes: bool| if yes { "yes" } else { "no" };
    let mut lines = vec![
        format!("exit {}", verdict.status()),
        format!(
            "complete {}, agrees {}, independent {}",
            said(verdict.complete),
            said(verdict.agrees),
            verdict.independent.name()
        ),
    ];
    lines.extend(verdict.doubts.iter().map(|(doubt, _)| format!("doubt: {}", doubt.code())));
    lines.push(format!("ours: {}", counts(result.counts_ours)));
    lines.push(format!("theirs: {}", counts(result.counts_theirs)));
    lines.extend(result.rejects.iter().map(|it| {
        let (reason, number) = (it.reason.code(), it.place.record);
        format!("record {number} rejected: {reason}, {} `{}`", it.field, it.text)
    }));
    lines.extend(result.withheld.iter().map(|it| {
        let (together, ceiling) = (shown(it.amount), shown(it.ceiling.into()));
        format!("adjustments withheld: {}, together {together}, ceiling {ceiling}", it.count)
    }));
    lines.extend(result.discrepancies.iter().map(line));
    lines.extend(result.proof.iter().map(proof));
    let missed = result.self_test.missed.iter();
    lines.extend(missed.map(|it| format!("self-test missed {it}")));
    counted(&lines)
}

fn counts(of: SideCounts) -> String {
    let mut told = format!("{} of {} agreed", of.agreed, of.entries);
    let others = [
        (of.evidence, "evidence"),
        (of.rejects, "rejected"),
        (of.self_reversed, "self-reversed"),
        (of.waiting, "waiting"),
        (of.tolerated, "tolerated"),
        (of.out_of_scope, "out of scope"),
    ];
    for (count, name) in others.into_iter().filter(|(count, _)| *count > 0) {
        write!(told, ", {count} {name}").unwrap();
    }
    told
}

/// `reason pairing: ours …, theirs …, difference …; keys of corrections; claim …`.
fn line(of: &Discrepancy) -> String {
    let amount = |it: Option<Sum>| it.map_or("-".to_owned(), shown);
    let mut line = format!(
        "{} {}: ours {}, theirs {}, difference {}",
        of.reason,
        of.pairing.name(),
        amount(of.amount_ours),
        amount(of.amount_theirs),
        shown(of.difference())
    );
    if let Some(cause) = of.cause {
        write!(line, "; by {}", cause.code()).unwrap();
    }
    for correction in &of.corrections {
        let against = correction.draft.legs.last().map_or("", |it| it.account.as_str());
        let (key, amount) = (key(correction.key.as_str()), correction.draft.amount);
        write!(line, "; {key} {} against {against}", shown(Sum::from(amount))).unwrap();
    }
    if let Some(claim) = &of.claim {
        write!(line, "; claim {}", shown(claim.amount)).unwrap();
    }
    line
}

/// The key of a correction; an intent that we derived is a hash, and says nothing to a reader.
fn key(text: &str) -> String {
    match text.split_once(':') {
        Some((intent, form)) if uuid::Uuid::parse_str(intent).is_ok() => {
            format!("<derived>:{form}")
        }
        Some(_) | None => text.to_owned(),
    }
}

fn proof(of: &ProofLine) -> String {
    let mut line = format!(
        "proof on {}: ours {}, theirs {}",
        of.basis.name(),
        shown(of.ours),
        shown(of.theirs)
    );
    let shares = [
        (of.opening_difference, "opening difference"),
        (of.timing.net, "timing"),
        (of.tolerated.net, "tolerated"),
        (of.rejected.net, "rejected"),
    ];
    for (sum, name) in shares.into_iter().filter(|(sum, _)| sum.minor() != 0) {
        write!(line, ", {name} {sum}").unwrap();
    }
    format!("{line}, unexplained {}", of.unexplained)
}

fn shown(of: Sum) -> String {
    format!("{of} {}", of.currency())
}

/// The lines, with equal neighbours as one line and their number.
fn counted(lines: &[String]) -> String {
    let mut text = String::new();
    for same in lines.chunk_by(|one, other| one == other) {
        match same.len() {
            1 => writeln!(text, "{}", same[0]).unwrap(),
            count => writeln!(text, "{count} x {}", same[0]).unwrap(),
        }
    }
    text
}

/// What is not as expected, with `-` for lines that are missing and `+` for those in their place.
fn diff(expected: &str, found: &str) -> String {
    let mut rest: Vec<&str> = found.lines().collect();
    let mut told = String::new();
    for line in expected.lines() {
        match rest.iter().position(|it| *it == line) {
            Some(at) => drop(rest.remove(at)),
            None => writeln!(told, "  - {line}").unwrap(),
        }
    }
    for line in rest {
        writeln!(told, "  + {line}").unwrap();
    }
    match told.as_str() {
        "" if expected != found => "  the same lines in another order\n".to_owned(),
        _ => told,
    }
}

/// Runs every sample in a way, and compares each result with its right answer.
fn check(run: impl Fn(&Config) -> Vec<RunResult>) {
    let mut wrong = String::new();
    for folder in folders() {
        let config = Config::load(&folder.join("sverka.toml")).unwrap();
        let expected = expected(&folder);
        for (at, result) in run(&config).iter().enumerate() {
            let found = told(result);
            if found != expected {
                let name = folder.file_name().unwrap().to_string_lossy();
                write!(wrong, "{name}, run {}:\n{}", at + 1, diff(&expected, &found)).unwrap();
            }
        }
    }
    assert!(wrong.is_empty(), "what samples expect (-) and what came out (+):\n{wrong}");
}

#[test]
fn every_sample_has_its_right_answer() {
    check(|config| vec![run(config)]);
}

#[test]
fn every_sample_has_its_right_answer_on_a_database_and_again_when_it_is_run_again() {
    check(|config| run_stored(config, 2));
}

#[test]
fn every_reason_that_is_decided_has_a_sample() {
    let texts: Vec<String> = folders().iter().map(|it| expected(it)).collect();
    let lines = texts.iter().flat_map(|it| it.lines());
    let words = lines.flat_map(str::split_whitespace);
    let shown: BTreeSet<Reason> = words.filter_map(|it| it.parse().ok()).collect();
    let decided = Reason::ALL.into_iter().filter(|it| !UNDECIDED.contains(it));
    assert_eq!(shown, decided.collect());
}
