//! What is on record about one discrepancy, in words.

use crate::config::Language;
use crate::domain::{correction::Correction, money::Money};
use crate::journal::{Evidence, History, StoredDiscrepancy, TrailRow};
use crate::report::visible_line;

/// A discrepancy with its whole history, its entries and its corrections.
pub(super) fn discrepancy(found: &StoredDiscrepancy, language: Language) -> String {
    let mut told = Vec::new();
    told.push(format!("discrepancy {}", found.id));
    let key = found.natural_key.as_ref();
    let key = key.map_or("no key".to_owned(), |it| format!("{} {}", it.scheme, it.text));
    told.push(format!("{key}, intent {}, leg {}", found.intent, found.leg));
    told.push(format!("first seen {} by run {}", found.first_seen, found.first_run));
    for history in &found.history {
        said(&mut told, history, language);
    }
    for evidence in &found.evidence {
        entry(&mut told, evidence);
    }
    for correction in &found.corrections {
        correction_line(&mut told, correction);
    }
    lines(&told)
}

fn said(told: &mut Vec<String>, history: &History, language: Language) {
    let reason = history.reason.map_or("closed", |it| it.code());
    let amount = |it: Option<Money>| it.map_or("nothing".to_owned(), |it| format!("{it:?}"));
    let (ours, theirs) = (amount(history.amount_ours), amount(history.amount_theirs));
    told.push(String::new());
    told.push(format!(
        "{} {reason} ({}): ours {ours}, theirs {theirs}",
        history.as_of,
        history.state.name()
    ));
    if let Some(reason) = history.reason {
        told.push(format!("  {}", reason.text(language).meaning));
    }
    if let Some(due) = history.due_on {
        told.push(format!("  due on {due}"));
    }
    let detail = &history.detail;
    for (field, ours, theirs) in &detail.differs {
        let shown = |it: &Option<String>| it.clone().unwrap_or_else(|| "not stated".to_owned());
        told.push(format!("  {field} differs: ours {}, theirs {}", shown(ours), shown(theirs)));
    }
    for (name, text) in [("cause", &detail.cause), ("rule", &detail.rule), ("claim", &detail.claim)]
    {
        if let Some(text) = text {
            told.push(format!("  {name}: {text}"));
        }
    }
    if let Some((rule, failed)) = &detail.nearest {
        told.push(format!("  nearly paired by `{rule}`: {failed}"));
    }
}

fn entry(told: &mut Vec<String>, evidence: &Evidence) {
    let entry = &evidence.entry;
    told.push(String::new());
    told.push(format!(
        "{} record {} of `{}`: {:?} booked {}, {}, {}",
        evidence.side,
        entry.place.record,
        evidence.file,
        entry.amount,
        entry.booking_date,
        entry.kind,
        entry.status.name(),
    ));
    for key in &entry.keys {
        told.push(format!("  {} {}", key.scheme, key.text));
    }
    for (name, text) in [("party", &entry.party), ("text", &entry.text)] {
        if !text.is_empty() {
            told.push(format!("  {name} {text}"));
        }
    }
}

fn correction_line(told: &mut Vec<String>, correction: &Correction) {
    told.push(String::new());
    told.push(format!(
        "correction {} ({}, {}): {:?}, evidence {}",
        correction.key,
        correction.class.name(),
        correction.state.name(),
        correction.draft.amount,
        correction.draft.evidence,
    ));
    for leg in &correction.draft.legs {
        told.push(format!("  {} {:?}", leg.account, leg.amount));
    }
}

/// Rows of record in the order of the chain, each with its link.
pub(super) fn trail(rows: &[TrailRow]) -> String {
    let mut told = Vec::new();
    for row in rows {
        told.push(format!("{} at {} link {}", row.table, row.position, row.link));
        for (name, value) in &row.columns {
            if let Some(value) = value {
                told.push(format!("  {name} {value}"));
            }
        }
    }
    lines(&told)
}

/// Each on a line of its own, whatever stands in it.
fn lines(told: &[String]) -> String {
    told.iter().map(|it| visible_line(it).into_owned() + "\n").collect()
}
