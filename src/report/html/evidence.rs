//! What the run rests on: files, coverage, rules and program, the self-test; and what it could
//! not use.

use super::{Fact, Options, Rows, Tone, cut, items};
use crate::domain::side::Side;
use crate::domain::statement::FileVerdict;
use crate::report::ReportError;
use crate::report::code::Code;
use crate::report::phrase::Phrase;
use crate::report::speech::{Speech, fill};
use crate::report::totals::Totals;
use crate::report::view::{FileView, RejectView, ResultView, StatementView, SuspectView};

/// A file with the verdict on it.
pub(super) struct File {
    pub(super) side: &'static str,
    pub(super) name: String,
    pub(super) format: String,
    pub(super) sha256: String,
    pub(super) verdict: &'static str,
    pub(super) meaning: &'static str,
    pub(super) tone: &'static str,
    pub(super) mark: &'static str,
    pub(super) remarks: Vec<Phrase>,
    pub(super) records: String,
    pub(super) entries: String,
    pub(super) rejects: String,
    pub(super) statements: Vec<Vec<Fact>>,
}

/// Days covered.
pub(super) struct Cover {
    pub(super) side: &'static str,
    pub(super) account: String,
    pub(super) from: String,
    pub(super) to: String,
    pub(super) basis: &'static str,
}

/// The self-test.
pub(super) struct SelfTest {
    pub(super) tone: &'static str,
    pub(super) mark: &'static str,
    pub(super) found: String,
    pub(super) missed: String,
    pub(super) undecidable: String,
}

/// A record refused.
pub(super) struct Reject {
    pub(super) side: &'static str,
    pub(super) place: String,
    pub(super) reason: &'static str,
    pub(super) meaning: &'static str,
    pub(super) field: String,
    pub(super) text: String,
    pub(super) expected: Phrase,
    pub(super) amount: String,
}

/// A file that came again.
pub(super) struct Repeat {
    pub(super) name: String,
    pub(super) text: &'static str,
}

/// Entries that may be one operation posted twice.
pub(super) struct Suspect {
    pub(super) party: String,
    pub(super) account: String,
    pub(super) amount: String,
    pub(super) entries: Vec<items::Source>,
}

fn side(side: Code<Side>, speech: Speech) -> &'static str {
    match side.0 {
        Side::Ours => speech.words.ours,
        Side::Theirs => speech.words.theirs,
    }
}

/// All files.
pub(super) fn files(view: &ResultView, speech: Speech) -> Vec<File> {
    view.files.iter().map(|it| file(it, speech)).collect()
}

fn file(it: &FileView, speech: Speech) -> File {
    let text = it.verdict.0.text(speech.language);
    let tone = match it.verdict.0 {
        FileVerdict::Accepted | FileVerdict::Empty => Tone::Good,
        FileVerdict::Overlapping | FileVerdict::Repeated => Tone::Warn,
        FileVerdict::Unreadable
        | FileVerdict::Foreign
        | FileVerdict::Restated
        | FileVerdict::Incomplete
        | FileVerdict::OutOfBalance
        | FileVerdict::TotalsDiffer
        | FileVerdict::Gap
        | FileVerdict::Overdue
        | FileVerdict::NotIndependent => Tone::Bad,
    };
    let said = std::iter::once(&it.explanation).chain(&it.remarks);
    let mut remarks: Vec<_> =
        said.filter(|it| !it.is_empty()).map(|it| speech.phrase(it)).collect();
    if it.told_before > 0 {
        let counts = [it.told_before, it.entries].map(|it| speech.number(it));
        let text = fill(speech.words.file_told_before, &[&counts[0], &counts[1]]);
        remarks.push(Phrase { text, foreign: false });
    }
    if it.seen_before {
        remarks.push(Phrase { text: speech.words.seen_before.to_owned(), foreign: false });
    }
    File {
        side: side(it.side, speech),
        name: it.name.clone(),
        format: it.format.clone(),
        sha256: it.sha256.clone(),
        verdict: text.name,
        meaning: text.meaning,
        tone: tone.class(),
        mark: tone.mark(),
        remarks,
        records: speech.number(it.records),
        entries: speech.number(it.entries),
        rejects: speech.number(it.rejects),
        statements: it.statements.iter().map(|it| statement(it, speech)).collect(),
    }
}

fn statement(it: &StatementView, speech: Speech) -> Vec<Fact> {
    let words = speech.words;
    let currency = it.currency.as_deref().unwrap_or("");
    let money = |label: &str, amount| Fact::new(label, speech.money(amount, currency));
    let period = match (it.from, it.to) {
        (Some(from), Some(to)) => Some(format!("{} – {}", speech.date(from), speech.date(to))),
        (Some(day), None) | (None, Some(day)) => Some(speech.date(day)),
        (None, None) => None,
    };
    let count = it.count.map(|count| {
        let values = [speech.number(it.counted), speech.number(count)];
        fill(words.stated_count, &[&values[0], &values[1]])
    });
    let total = it.total.map(|total| {
        let read = it.totalled.map_or_else(|| words.absent.to_owned(), |it| speech.amount(it));
        fill(words.total_of, &[&read, &speech.amount(total)])
    });
    let out_by = it.difference.filter(|it| !it.is_zero());
    [
        it.identity.as_ref().map(|text| Fact::new(words.statement, text)),
        it.account.as_ref().map(|text| Fact::new(words.account, text)),
        period.map(|text| Fact::new(words.period, text)),
        it.opening.map(|it| money(words.opening_balance, it)),
        it.closing.map(|it| money(words.closing_balance, it)),
        out_by.map(|it| money(words.out_by, it)),
        count.map(|text| Fact::new(words.count_stated, text)),
        total.map(|text| Fact::new(words.total_stated, text)),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Coverage of both sides.
pub(super) fn coverage(view: &ResultView, speech: Speech) -> Vec<Cover> {
    let words = speech.words;
    let cover = |it: &crate::report::view::CoverageView| Cover {
        side: side(it.side, speech),
        account: it.account.clone(),
        from: speech.date(it.from),
        to: speech.date(it.to),
        basis: if it.inferred { words.coverage_inferred } else { words.coverage_stated },
    };
    view.coverage.iter().map(cover).collect()
}

/// By which program, rules and chain.
pub(super) fn facts(view: &ResultView, speech: Speech) -> Vec<Fact> {
    let (run, words) = (&view.run, speech.words);
    let chain = run.chain_head.as_deref().unwrap_or(words.not_stored);
    vec![
        Fact::new(words.run_id, &run.id),
        Fact::new(words.program, &run.program),
        Fact::new(words.rules_version, &run.rules_version),
        Fact::new(words.chain_head, chain),
    ]
}

/// What the self-test found.
pub(super) fn self_test(view: &ResultView, speech: Speech) -> SelfTest {
    let test = &view.self_test;
    let names = |codes: &[Code<crate::domain::reason::Reason>]| {
        let names: Vec<_> = codes.iter().map(|it| it.0.text(speech.language).name).collect();
        names.join(" · ")
    };
    let tone = match (test.planted, test.missed.is_empty()) {
        (0, _) => Tone::Warn,
        (_, true) => Tone::Good,
        (_, false) => Tone::Bad,
    };
    let found = [speech.number(test.found), speech.number(test.planted)];
    SelfTest {
        tone: tone.class(),
        mark: tone.mark(),
        found: fill(speech.words.self_test_found, &[&found[0], &found[1]]),
        missed: names(&test.missed),
        undecidable: names(&test.undecidable),
    }
}

/// Records refused.
pub(super) fn rejects(
    view: &ResultView,
    options: Options,
    speech: Speech,
) -> Result<Rows<Reject>, ReportError> {
    let shown = &view.rejects[..options.rows.min(view.rejects.len())];
    let sum = |list: &[RejectView]| -> Result<Totals, ReportError> {
        let mut totals = Totals::default();
        for (currency, amount) in list.iter().filter_map(RejectView::money) {
            totals.add(currency, amount)?;
        }
        Ok(totals)
    };
    let sums = [sum(shown)?, sum(&view.rejects)?];
    Ok(Rows {
        count: speech.length(&view.rejects),
        shown: shown.iter().map(|it| reject(it, speech)).collect(),
        cut: cut((shown.len(), &sums[0]), (view.rejects.len(), &sums[1]), view, speech),
    })
}

fn reject(it: &RejectView, speech: Speech) -> Reject {
    let text = it.reason.0.text(speech.language);
    Reject {
        side: side(it.side, speech),
        place: fill(speech.words.record_at, &[&it.file, &it.record.to_string()]),
        reason: text.name,
        meaning: text.meaning,
        field: it.field.clone(),
        text: it.text.clone(),
        expected: speech.phrase(&it.expected),
        amount: it.money().map_or_else(String::new, |(currency, it)| speech.money(it, currency)),
    }
}

/// What is said where no record was refused, with how many there were.
pub(super) fn rejects_none(view: &ResultView, speech: Speech) -> String {
    let records = view.counts.ours.records.saturating_add(view.counts.theirs.records);
    fill(speech.words.rejects_none, &[&speech.number(records)])
}

/// Files that came again, wholly or in part.
pub(super) fn repeats(view: &ResultView, speech: Speech) -> Vec<Repeat> {
    let again = [FileVerdict::Repeated, FileVerdict::Overlapping, FileVerdict::Restated];
    let files = view.files.iter();
    let files = files.filter(|it| it.seen_before || again.contains(&it.verdict.0));
    let repeat = |it: &FileView| Repeat {
        name: it.name.clone(),
        text: if again.contains(&it.verdict.0) {
            it.verdict.0.text(speech.language).meaning
        } else {
            speech.words.seen_before
        },
    };
    files.map(repeat).collect()
}

/// Suspected repeats.
pub(super) fn suspects(
    view: &ResultView,
    options: Options,
    speech: Speech,
) -> Result<Rows<Suspect>, ReportError> {
    let all = &view.suspected_repeats;
    let shown = &all[..options.rows.min(all.len())];
    let sum = |list: &[SuspectView]| -> Result<Totals, ReportError> {
        let mut totals = Totals::default();
        for entry in list.iter().flat_map(|it| &it.entries) {
            totals.add(&entry.currency, entry.amount)?;
        }
        Ok(totals)
    };
    let suspect = |it: &SuspectView| Suspect {
        party: it.party.clone(),
        account: it.account.clone(),
        amount: speech.money(it.amount, &it.currency),
        entries: it.entries.iter().map(|it| items::source(it, speech)).collect(),
    };
    let sums = [sum(shown)?, sum(all)?];
    Ok(Rows {
        count: speech.length(all),
        shown: shown.iter().map(suspect).collect(),
        cut: cut((shown.len(), &sums[0]), (all.len(), &sums[1]), view, speech),
    })
}
