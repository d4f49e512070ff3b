//! The three answers, each with its denominators, and what became of every entry.

use std::collections::BTreeMap;

use super::{Listed, Tone};
use crate::domain::proof::Basis;
use crate::domain::run::{Doubt, Independence};
use crate::report::ReportError;
use crate::report::phrase::Phrase;
use crate::report::speech::{Speech, fill, len};
use crate::report::totals::Totals;
use crate::report::view::{DiscrepancyView, ResultView, SideCountsView};

/// A question with its answer, and what the answer rests on.
pub(super) struct Card {
    pub(super) question: &'static str,
    pub(super) answer: &'static str,
    pub(super) lines: Vec<String>,
    pub(super) tone: &'static str,
    pub(super) mark: &'static str,
}

impl Card {
    fn new(question: &'static str, answer: &'static str, tone: Tone, lines: Vec<String>) -> Self {
        Self { question, answer, lines, tone: tone.class(), mark: tone.mark() }
    }
}

/// A doubt, with every text that says where it arose.
pub(super) struct DoubtLine {
    pub(super) name: &'static str,
    pub(super) meaning: &'static str,
    pub(super) texts: Vec<Phrase>,
}

/// One count of both sides.
pub(super) struct CountLine {
    pub(super) class: &'static str,
    pub(super) label: &'static str,
    pub(super) ours: String,
    pub(super) theirs: String,
}

/// The three cards, in the order in which they are asked.
pub(super) fn cards(
    view: &ResultView,
    listed: &Listed<'_>,
    speech: Speech,
) -> Result<Vec<Card>, ReportError> {
    let words = speech.words;
    let said = |yes: bool| if yes { (words.yes, Tone::Good) } else { (words.no, Tone::Bad) };
    let (complete, tone_complete) = said(view.verdict.complete);
    let (agrees, tone_agrees) = said(view.verdict.agrees);
    let independent = view.verdict.independent.0;
    let tone_independent = match independent {
        Independence::Yes => Tone::Good,
        Independence::No => Tone::Bad,
        Independence::NotEstablished => Tone::Warn,
    };
    let (ours, theirs) = files_by_side(view, speech);
    let independence = independent.text(speech.language);
    let sides = fill(words.sides_files, &[&ours, &theirs]);
    Ok(vec![
        Card::new(words.complete, complete, tone_complete, lines_complete(view, speech)),
        Card::new(words.agrees, agrees, tone_agrees, lines_agrees(view, listed, speech)?),
        Card::new(
            words.independent,
            independence.name,
            tone_independent,
            vec![independence.meaning.to_owned(), sides],
        ),
    ])
}

fn lines_complete(view: &ResultView, speech: Speech) -> Vec<String> {
    let words = speech.words;
    let of = |sentence: &str, part: usize, all: usize| {
        let number = |n: usize| speech.number(u64::try_from(n).unwrap_or(u64::MAX));
        fill(sentence, &[&number(part), &number(all)])
    };
    let read = |sentence: &str, side: &SideCountsView| {
        let part = speech.number(side.records.saturating_sub(side.rejects));
        fill(sentence, &[&part, &speech.number(side.records)])
    };
    let usable = view.files.iter().filter(|it| it.verdict.0.is_trusted()).count();
    let closed = view.proof.iter().filter(|it| it.unexplained.is_zero()).count();
    let arithmetic = view.proof.iter().filter(|it| it.basis.0 == Basis::Arithmetic).count();
    let inferred = view.coverage.iter().filter(|it| it.inferred).count();
    let mut lines = vec![
        of(words.files_usable, usable, view.files.len()),
        read(words.records_read_ours, &view.counts.ours),
        read(words.records_read_theirs, &view.counts.theirs),
        of(words.lines_closed, closed, view.proof.len()),
    ];
    if arithmetic > 0 {
        lines.push(of(words.lines_arithmetic, arithmetic, view.proof.len()));
    }
    if inferred > 0 {
        lines.push(of(words.coverage_partly_inferred, inferred, view.coverage.len()));
    }
    lines
}

fn lines_agrees(
    view: &ResultView,
    listed: &Listed<'_>,
    speech: Speech,
) -> Result<Vec<String>, ReportError> {
    let words = speech.words;
    let (ours, theirs) = (&view.counts.ours, &view.counts.theirs);
    let agreed = |sentence: &str, side: &SideCountsView| {
        fill(sentence, &[&speech.number(side.agreed), &speech.number(side.entries)])
    };
    let beside = |sentence: &str, items: &[&DiscrepancyView]| -> Result<String, ReportError> {
        let sums = Totals::of(items.iter().copied())?.grosses(speech);
        let count = speech.length(items);
        let said = if sums.is_empty() { count } else { format!("{count} ({})", sums.join(" · ")) };
        Ok(fill(sentence, &[&said]))
    };
    let mut undelivered = Totals::default();
    for line in view.proof.iter().filter(|it| !it.undelivered.is_zero()) {
        undelivered.add(&line.currency, line.undelivered)?;
    }
    let mut lines = vec![
        agreed(words.agreed_ours, ours),
        agreed(words.agreed_theirs, theirs),
        beside(words.open_line, &listed.open)?,
        beside(words.waiting_line, &listed.waiting)?,
        beside(words.tolerated_line, &listed.tolerated)?,
    ];
    if undelivered.iter().next().is_some() {
        lines.push(fill(words.undelivered_line, &[&undelivered.nets(speech).join(" · ")]));
    }
    Ok(lines)
}

fn files_by_side(view: &ResultView, speech: Speech) -> (String, String) {
    let (ours, theirs): (Vec<_>, Vec<_>) =
        view.files.iter().partition(|it| it.side.0 == crate::domain::side::Side::Ours);
    (speech.number(len(&ours)), speech.number(len(&theirs)))
}

/// The doubts, each once with all its texts.
pub(super) fn doubts(view: &ResultView, speech: Speech) -> Vec<DoubtLine> {
    let mut texts: BTreeMap<Doubt, Vec<Phrase>> = BTreeMap::new();
    for doubt in &view.verdict.doubts {
        texts.entry(doubt.code.0).or_default().push(speech.phrase(&doubt.text));
    }
    let lines = texts.into_iter().map(|(doubt, texts)| {
        let said = doubt.text(speech.language);
        DoubtLine { name: said.name, meaning: said.meaning, texts }
    });
    lines.collect()
}

/// What became of every record and entry of both sides.
pub(super) fn counts(view: &ResultView, speech: Speech) -> Vec<CountLine> {
    let words = speech.words;
    let line = |class, label, of: fn(&SideCountsView) -> u64| CountLine {
        class,
        label,
        ours: speech.number(of(&view.counts.ours)),
        theirs: speech.number(of(&view.counts.theirs)),
    };
    vec![
        line("", words.records, |it| it.records),
        line("", words.rejected_records, |it| it.rejects),
        line("", words.told_before_entries, |it| it.told_before),
        line("", words.entries_not_in_force, |it| it.not_in_force),
        line("", words.evidence_entries, |it| it.evidence),
        line("sum", words.booked_entries, |it| it.entries),
        line("", words.agreed, |it| it.agreed),
        line("", words.self_reversed, |it| it.self_reversed),
        line("", words.waiting, |it| it.waiting),
        line("", words.tolerated, |it| it.tolerated),
        line("", words.in_discrepancy, |it| it.discrepancies),
        line("", words.out_of_scope, |it| it.out_of_scope),
        line("sum", words.sum_of_lines, sum_of_lines),
    ]
}

fn sum_of_lines(it: &SideCountsView) -> u64 {
    let lines =
        [it.agreed, it.self_reversed, it.waiting, it.tolerated, it.discrepancies, it.out_of_scope];
    lines.into_iter().fold(0, u64::saturating_add)
}
