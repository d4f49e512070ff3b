//! The short verdict on a terminal: some two dozen lines of plain text.

use std::collections::BTreeMap;

use crate::domain::language::Language;
use crate::domain::reason::Reason;
use crate::domain::side::Side;
use crate::report::ReportError;
use crate::report::speech::{Speech, fill, len};
use crate::report::totals::Totals;
use crate::report::view::{DiscrepancyView, RejectView, ResultView, SideCountsView};
use crate::report::visible::visible_line;

/// How many reasons are named before the rest is only counted.
const REASONS_MAX: usize = 4;

/// How many rejected records are named before the rest is only counted.
const REJECTS_MAX: usize = 3;

/// The verdict of a result, with the place of its report if one was written.
pub fn verdict(
    view: &ResultView,
    language: Language,
    report: Option<&str>,
) -> Result<String, ReportError> {
    let speech = Speech::new(language);
    let mut lines = vec![
        format!("{}, {}", view.run.reconciliation, speech.date(view.run.as_of)),
        String::new(),
    ];
    lines.extend(answers(view, speech));
    let doubts = view.verdict.doubts.iter();
    lines.extend(doubts.map(|it| {
        let name = it.code.0.text(language).name;
        format!("  ! {name}: {}", speech.phrase(&it.text).text)
    }));
    lines.extend(rejects(view, speech)?);
    lines.extend(reasons(view, speech)?);
    lines.extend(actions(view, speech));
    lines.extend(report.map(|path| fill(speech.words.report_at, &[path])));
    let text: Vec<_> = lines.iter().map(|it| visible_line(it).replace('\u{a0}', " ")).collect();
    Ok(text.join("\n") + "\n")
}

fn answers(view: &ResultView, speech: Speech) -> Vec<String> {
    let words = speech.words;
    let said = |yes: bool| if yes { words.yes } else { words.no };
    let of = |sentence: &str, part: u64, all: u64| {
        fill(sentence, &[&speech.number(part), &speech.number(all)])
    };
    let (ours, theirs) = (&view.counts.ours, &view.counts.theirs);
    let read = |it: &SideCountsView| it.records.saturating_sub(it.rejects);
    let independent = view.verdict.independent.0.text(speech.language).name;
    vec![
        format!(
            "{} {}. {}. {}.",
            words.complete,
            said(view.verdict.complete),
            of(words.records_read_ours, read(ours), ours.records),
            of(words.records_read_theirs, read(theirs), theirs.records),
        ),
        format!(
            "{} {}. {}. {}.",
            words.agrees,
            said(view.verdict.agrees),
            of(words.agreed_ours, ours.agreed, ours.entries),
            of(words.agreed_theirs, theirs.agreed, theirs.entries),
        ),
        format!("{} {independent}.", words.independent),
    ]
}

/// The records that became no entry: how many, how much where that could be read, the first by name.
fn rejects(view: &ResultView, speech: Speech) -> Result<Vec<String>, ReportError> {
    let (all, words) = (&view.rejects, speech.words);
    if all.is_empty() {
        return Ok(Vec::new());
    }
    let mut totals = Totals::default();
    for (currency, amount) in all.iter().filter_map(RejectView::money) {
        totals.add(currency, amount)?;
    }
    let readable = all.iter().filter(|it| it.money().is_some()).count();
    let (count, unread) = (speech.length(all), (all.len() - readable).to_string());
    let sums = [totals.nets(speech).join(", "), totals.gross_line(speech)];
    let mut lines = vec![String::new()];
    lines.push(match (readable, all.len() - readable) {
        (0, _) => fill(words.rejected_unread, &[&count]),
        (_, 0) => fill(words.rejected_read, &[&count, &sums[0], &sums[1]]),
        (_, _) => fill(words.rejected_partly, &[&count, &sums[0], &sums[1], &unread]),
    });
    lines.extend(all.iter().take(REJECTS_MAX).map(|it| reject(it, speech)));
    if all.len() > REJECTS_MAX {
        let more = (all.len() - REJECTS_MAX).to_string();
        lines.push(format!("  {}", fill(words.and_more, &[&more])));
    }
    Ok(lines)
}

fn reject(it: &RejectView, speech: Speech) -> String {
    let words = speech.words;
    let side = match it.side.0 {
        Side::Ours => words.ours,
        Side::Theirs => words.theirs,
    };
    let place = fill(words.record_at, &[&it.file, &it.record.to_string()]);
    let reason = it.reason.0.text(speech.language).name;
    let expected = speech.phrase(&it.expected).text;
    let values = [side, &place, reason, &it.field, &it.text, &expected];
    format!("  {}", fill(words.rejected_line, &values))
}

/// What is open, the most dangerous first; then what is no discrepancy, with its sums all the same.
fn reasons(view: &ResultView, speech: Speech) -> Result<Vec<String>, ReportError> {
    let is_open = |it: &&DiscrepancyView| !it.waiting && !it.reason.0.is_tolerated();
    let (open, beside): (Vec<_>, Vec<_>) = view.discrepancies.iter().partition(is_open);
    let mut lines = by_reason(&open, speech.words.top_reasons, speech)?;
    lines.extend(by_reason(&beside, speech.words.no_discrepancies, speech)?);
    if !lines.is_empty() {
        lines.push(String::new());
    }
    Ok(lines)
}

fn by_reason(
    items: &[&DiscrepancyView],
    title: &str,
    speech: Speech,
) -> Result<Vec<String>, ReportError> {
    let mut by_reason: BTreeMap<(u8, Reason), Vec<&DiscrepancyView>> = BTreeMap::new();
    for item in items {
        by_reason.entry((item.reason.0.danger(), item.reason.0)).or_default().push(item);
    }
    if by_reason.is_empty() {
        return Ok(Vec::new());
    }
    let mut lines = vec![String::new(), title.to_owned()];
    for ((_, reason), items) in by_reason.iter().take(REASONS_MAX) {
        let sums = Totals::of(items.iter().copied())?.nets(speech).join(", ");
        let name = reason.text(speech.language).name;
        lines.push(format!("  {:>5}  {name}: {sums}", speech.length(items)));
    }
    if by_reason.len() > REASONS_MAX {
        let more = (by_reason.len() - REASONS_MAX).to_string();
        lines.push(format!("         {}", fill(speech.words.and_more, &[&more])));
    }
    Ok(lines)
}

fn actions(view: &ResultView, speech: Speech) -> Vec<String> {
    let corrections: Vec<_> = view.discrepancies.iter().flat_map(|it| &it.corrections).collect();
    let claims: Vec<_> = view.discrepancies.iter().filter_map(|it| it.claim.as_ref()).collect();
    let counts = [speech.number(len(&corrections)), speech.number(len(&claims))];
    let any = !corrections.is_empty() || !claims.is_empty();
    let moved = any.then(|| fill(speech.words.corrections_line, &[&counts[0], &counts[1]]));
    moved.into_iter().chain(view.withheld.iter().map(|it| speech.withheld(it))).collect()
}
