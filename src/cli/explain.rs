//! What is on record about one discrepancy, in words.

use std::fmt::Write as _;

use crate::config::Language;
use crate::domain::{correction::Correction, money::Money};
use crate::journal::{Evidence, History, StoredDiscrepancy, TrailRow};

/// A discrepancy with its whole history, its entries and its corrections.
pub(super) fn discrepancy(found: &StoredDiscrepancy, language: Language) -> anyhow::Result<String> {
    let mut told = String::new();
    writeln!(told, "discrepancy {}", found.id)?;
    let key = found.natural_key.as_ref();
    let key = key.map_or("no key".to_owned(), |it| format!("{} {}", it.scheme, it.text));
    writeln!(told, "{key}, intent {}, leg {}", found.intent, found.leg)?;
    writeln!(told, "first seen {} by run {}", found.first_seen, found.first_run)?;
    for history in &found.history {
        said(&mut told, history, language)?;
    }
    for evidence in &found.evidence {
        entry(&mut told, evidence)?;
    }
    for correction in &found.corrections {
        correction_line(&mut told, correction)?;
    }
    Ok(told)
}

fn said(told: &mut String, history: &History, language: Language) -> anyhow::Result<()> {
    let reason = history.reason.map_or("closed", |it| it.code());
    let amount = |it: Option<Money>| it.map_or("nothing".to_owned(), |it| format!("{it:?}"));
    let (ours, theirs) = (amount(history.amount_ours), amount(history.amount_theirs));
    writeln!(told)?;
    writeln!(
        told,
        "{} {reason} ({}): ours {ours}, theirs {theirs}",
        history.as_of,
        history.state.name()
    )?;
    if let Some(reason) = history.reason {
        writeln!(told, "  {}", reason.text(language).meaning)?;
    }
    if let Some(due) = history.due_on {
        writeln!(told, "  due on {due}")?;
    }
    let detail = &history.detail;
    for (field, ours, theirs) in &detail.differs {
        let shown = |it: &Option<String>| it.clone().unwrap_or_else(|| "not stated".to_owned());
        writeln!(told, "  {field} differs: ours {}, theirs {}", shown(ours), shown(theirs))?;
    }
    for (name, text) in [("cause", &detail.cause), ("rule", &detail.rule), ("claim", &detail.claim)]
    {
        if let Some(text) = text {
            writeln!(told, "  {name}: {text}")?;
        }
    }
    if let Some((rule, failed)) = &detail.nearest {
        writeln!(told, "  nearly paired by `{rule}`: {failed}")?;
    }
    Ok(())
}

fn entry(told: &mut String, evidence: &Evidence) -> anyhow::Result<()> {
    let entry = &evidence.entry;
    writeln!(told)?;
    writeln!(
        told,
        "{} record {} of `{}`: {:?} booked {}, {}, {}",
        evidence.side,
        entry.place.record,
        evidence.file,
        entry.amount,
        entry.booking_date,
        entry.kind,
        entry.status.name(),
    )?;
    for key in &entry.keys {
        writeln!(told, "  {} {}", key.scheme, key.text)?;
    }
    for (name, text) in [("party", &entry.party), ("text", &entry.text)] {
        if !text.is_empty() {
            writeln!(told, "  {name} {text}")?;
        }
    }
    Ok(())
}

fn correction_line(told: &mut String, correction: &Correction) -> anyhow::Result<()> {
    writeln!(told)?;
    writeln!(
        told,
        "correction {} ({}, {}): {:?}, evidence {}",
        correction.key,
        correction.class.name(),
        correction.state.name(),
        correction.draft.amount,
        correction.draft.evidence,
    )?;
    for leg in &correction.draft.legs {
        writeln!(told, "  {} {:?}", leg.account, leg.amount)?;
    }
    Ok(())
}

/// Rows of record in the order of the chain, each with its link.
pub(super) fn trail(rows: &[TrailRow]) -> anyhow::Result<String> {
    let mut told = String::new();
    for row in rows {
        writeln!(told, "{} at {} link {}", row.table, row.position, row.link)?;
        for (name, value) in &row.columns {
            if let Some(value) = value {
                writeln!(told, "  {name} {value}")?;
            }
        }
    }
    Ok(told)
}
