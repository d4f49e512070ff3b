//! The daily report: one self-contained page without a script, readable by somebody who has
//! never seen it.

mod answers;
mod charts;
mod evidence;
mod items;
mod money;
mod proof;

use askama::Template;

use crate::domain::language::Language;
use crate::report::ReportError;
use crate::report::speech::{Speech, fill, len};
use crate::report::totals::Totals;
use crate::report::view::{DiscrepancyView, ResultView};
use crate::report::visible::visible;
use crate::report::words::Words;

/// How many bytes from the start tell whether a file is a report of ours.
pub const HEAD: u64 = 256;

/// What stands in the head of every report, before anything that a run put there.
const GENERATOR: &str = "<meta name=\"generator\" content=\"sverka\">";

/// Whether a file that begins like this was rendered here.
pub fn is_report(start: &[u8]) -> bool {
    start.starts_with(b"<!doctype html>")
        && start.windows(GENERATOR.len()).any(|it| it == GENERATOR.as_bytes())
}

/// How a report is rendered.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// Its language.
    pub language: Language,
    /// How many rows of a list are shown before the report says `N of M rows`.
    pub rows: usize,
}

impl Options {
    /// The usual report of a language: up to 2,000 rows a list.
    pub fn new(language: Language) -> Self {
        Self { language, rows: 2_000 }
    }
}

/// Whether a line speaks well of the day; never told by colour alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tone {
    Good,
    Warn,
    Bad,
}

impl Tone {
    fn class(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Warn => "warn",
            Self::Bad => "bad",
        }
    }

    fn mark(self) -> &'static str {
        match self {
            Self::Good => "✓",
            Self::Warn => "?",
            Self::Bad => "✕",
        }
    }
}

/// A label with its value.
struct Fact {
    label: String,
    value: String,
    remark: String,
    foreign: bool,
}

impl Fact {
    fn new(label: &str, value: impl Into<String>) -> Self {
        Self { label: label.to_owned(), value: value.into(), remark: String::new(), foreign: false }
    }
}

/// The rows of a list that are shown, and what is said where that is not all of them.
struct Rows<T> {
    count: String,
    shown: Vec<T>,
    cut: String,
}

struct Head {
    reconciliation: String,
    tenant: String,
    as_of: String,
    attempt: String,
    started_at: String,
    id: String,
    program: String,
    outcome: String,
    status: String,
    tone: &'static str,
    mark: &'static str,
}

struct Link {
    target: &'static str,
    label: &'static str,
    count: String,
}

#[derive(Template)]
#[template(path = "report.html")]
struct Page<'a> {
    speech: Speech,
    w: &'static Words,
    head: Head,
    links: Vec<Link>,
    cards: Vec<answers::Card>,
    doubts: Vec<answers::DoubtLine>,
    counts: Vec<answers::CountLine>,
    agreed: Vec<(&'a str, String)>,
    proof: Vec<proof::Line>,
    by_reason: Vec<charts::ReasonChart>,
    by_age: Vec<charts::AgeRow>,
    lists: Vec<items::List>,
    suspects: Rows<evidence::Suspect>,
    money: money::Money,
    files: Vec<evidence::File>,
    coverage: Vec<evidence::Cover>,
    facts: Vec<Fact>,
    self_test: evidence::SelfTest,
    rejects: Rows<evidence::Reject>,
    rejects_none: String,
    repeats: Vec<evidence::Repeat>,
}

/// Renders the report of a result.
pub fn render(view: &ResultView, options: Options) -> Result<String, ReportError> {
    let speech = Speech::new(options.language);
    let open = Listed::of(view);
    let page = Page {
        speech,
        w: speech.words,
        head: head(view, &open, speech),
        links: links(view, &open, speech),
        cards: answers::cards(view, &open, speech)?,
        doubts: answers::doubts(view, speech),
        counts: answers::counts(view, speech),
        agreed: view.agreed.iter().map(|(rule, n)| (rule.as_str(), speech.number(*n))).collect(),
        proof: proof::lines(view, speech)?,
        by_reason: charts::by_reason(view, speech)?,
        by_age: charts::by_age(view, speech)?,
        lists: items::lists(view, &open, options, speech)?,
        suspects: evidence::suspects(view, options, speech)?,
        money: money::money(view, options, speech)?,
        files: evidence::files(view, speech),
        coverage: evidence::coverage(view, speech),
        facts: evidence::facts(view, speech),
        self_test: evidence::self_test(view, speech),
        rejects: evidence::rejects(view, options, speech)?,
        rejects_none: evidence::rejects_none(view, speech),
        repeats: evidence::repeats(view, speech),
    };
    // Whatever a text out of a file holds, nothing in it acts on the page.
    Ok(visible(&page.render()?).into_owned())
}

/// The listed items, by what they ask of the reader.
struct Listed<'a> {
    open: Vec<&'a DiscrepancyView>,
    waiting: Vec<&'a DiscrepancyView>,
    tolerated: Vec<&'a DiscrepancyView>,
}

impl<'a> Listed<'a> {
    fn of(view: &'a ResultView) -> Self {
        let mut listed = Self { open: Vec::new(), waiting: Vec::new(), tolerated: Vec::new() };
        for item in &view.discrepancies {
            if item.waiting {
                listed.waiting.push(item);
            } else if item.reason.0.is_tolerated() {
                listed.tolerated.push(item);
            } else {
                listed.open.push(item);
            }
        }
        listed
    }
}

fn head(view: &ResultView, listed: &Listed<'_>, speech: Speech) -> Head {
    let (run, words) = (&view.run, speech.words);
    let entries = [view.counts.ours.entries, view.counts.theirs.entries].map(|n| speech.number(n));
    let (tone, outcome) = match (view.verdict.doubts.is_empty(), view.verdict.agrees) {
        (false, _) => (Tone::Bad, words.outcome_doubt.to_owned()),
        (true, false) => {
            let open = speech.counted(len(&listed.open), words.discrepancy);
            (Tone::Warn, fill(words.outcome_open, &[&open]))
        }
        (true, true) => (Tone::Good, fill(words.outcome_agrees, &[&entries[0], &entries[1]])),
    };
    Head {
        reconciliation: run.reconciliation.clone(),
        tenant: run.tenant.clone(),
        as_of: speech.date(run.as_of),
        attempt: fill(words.attempt, &[&run.attempt.to_string()]),
        started_at: fill(words.started, &[&speech.moment(run.started_at)]),
        id: run.id.clone(),
        program: run.program.clone(),
        outcome,
        status: fill(words.exit_status, &[&run.status.to_string()]),
        tone: tone.class(),
        mark: tone.mark(),
    }
}

fn links(view: &ResultView, listed: &Listed<'_>, speech: Speech) -> Vec<Link> {
    let words = speech.words;
    let link = |target, label, count| Link { target, label, count };
    vec![
        link("answers", words.answers, String::new()),
        link("proof", words.proof, speech.length(&view.proof)),
        link("reasons", words.by_reason, String::new()),
        link("ages", words.by_age, String::new()),
        link("discrepancies", words.discrepancies, speech.length(&listed.open)),
        link("waiting", words.waiting, speech.length(&listed.waiting)),
        link("tolerated", words.tolerated, speech.length(&listed.tolerated)),
        link("suspects", words.suspects, speech.length(&view.suspected_repeats)),
        link("corrections", words.corrections, String::new()),
        link("evidence", words.evidence, speech.length(&view.files)),
        link("rejects", words.rejects, speech.length(&view.rejects)),
        link("guide", words.guide, String::new()),
        link("signoff", words.sign_off, String::new()),
    ]
}

/// `N of M rows, sum S of T`, and where the whole list is; blank where all are shown.
fn cut(
    shown: (usize, &Totals),
    all: (usize, &Totals),
    view: &ResultView,
    speech: Speech,
) -> String {
    if shown.0 >= all.0 {
        return String::new();
    }
    let count = |n: usize| speech.number(u64::try_from(n).unwrap_or(u64::MAX));
    let command = format!("sverka report {} --json", view.run.id);
    let sums = [shown.1.gross_line(speech), all.1.gross_line(speech)];
    let values = [&count(shown.0), &count(all.0), &sums[0], &sums[1], &command];
    fill(speech.words.cut_list, &values.map(String::as_str))
}
