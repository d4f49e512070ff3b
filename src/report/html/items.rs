//! The lists: discrepancies in order of danger, what waits, and what is tolerated.

use std::collections::BTreeMap;

use super::{Fact, Listed, Options, cut};
use crate::domain::correction::Class;
use crate::domain::reason::Reason;
use crate::report::ReportError;
use crate::report::amount::Amount;
use crate::report::phrase::Phrase;
use crate::report::speech::{Speech, fill, len};
use crate::report::totals::Totals;
use crate::report::view::{CorrectionView, DiffersView, DiscrepancyView, EntryView, ResultView};

/// One list with its heading.
pub(super) struct List {
    pub(super) id: &'static str,
    pub(super) title: &'static str,
    pub(super) lead: &'static str,
    pub(super) none: String,
    pub(super) count: String,
    pub(super) cut: String,
    pub(super) groups: Vec<Group>,
}

/// The items of one reason.
pub(super) struct Group {
    pub(super) name: &'static str,
    pub(super) meaning: &'static str,
    pub(super) code: &'static str,
    pub(super) count: String,
    pub(super) sums: Vec<String>,
    pub(super) cut: String,
    pub(super) items: Vec<Item>,
}

/// One item, with everything known of it.
pub(super) struct Item {
    pub(super) id: String,
    pub(super) aria: String,
    pub(super) key: String,
    pub(super) sub: Vec<String>,
    pub(super) ours: String,
    pub(super) theirs: String,
    pub(super) difference: String,
    pub(super) differs: Vec<Differs>,
    pub(super) facts: Vec<Fact>,
    pub(super) sources: Vec<Sources>,
    pub(super) corrections: Vec<Fix>,
    pub(super) claim: Claim,
    pub(super) decision: String,
}

/// A field that differs.
pub(super) struct Differs {
    pub(super) field: String,
    pub(super) ours: String,
    pub(super) theirs: String,
}

/// The source records of one side.
pub(super) struct Sources {
    pub(super) label: &'static str,
    pub(super) entries: Vec<Source>,
}

/// One entry by its source record.
pub(super) struct Source {
    pub(super) place: String,
    pub(super) amount: String,
    pub(super) date: String,
    pub(super) kind: &'static str,
    pub(super) texts: Vec<String>,
}

/// A correction proposed or further.
pub(super) struct Fix {
    pub(super) class: &'static str,
    pub(super) state: &'static str,
    pub(super) kind: &'static str,
    pub(super) key: String,
    pub(super) amount: String,
    pub(super) narrative: String,
    pub(super) legs: Vec<Leg>,
}

/// One leg of a correction.
pub(super) struct Leg {
    pub(super) side: &'static str,
    pub(super) account: String,
    pub(super) amount: String,
}

/// A claim; its text is blank where there is none.
#[derive(Default)]
pub(super) struct Claim {
    pub(super) amount: String,
    pub(super) text: String,
    pub(super) foreign: bool,
}

/// The three lists.
pub(super) fn lists(
    view: &ResultView,
    listed: &Listed<'_>,
    options: Options,
    speech: Speech,
) -> Result<Vec<List>, ReportError> {
    let words = speech.words;
    let entries = [view.counts.ours.entries, view.counts.theirs.entries].map(|n| speech.number(n));
    let blank = |id, title, lead, none: String| List {
        id,
        title,
        lead,
        none,
        count: String::new(),
        cut: String::new(),
        groups: Vec::new(),
    };
    let none = fill(words.discrepancies_none, &[&entries[0], &entries[1]]);
    let open = blank("discrepancies", words.discrepancies, words.discrepancies_lead, none);
    let waiting =
        blank("waiting", words.waiting, words.waiting_lead, words.waiting_none.to_owned());
    let tolerated =
        blank("tolerated", words.tolerated, words.tolerated_lead, words.tolerated_none.to_owned());
    let all = [(open, &listed.open), (waiting, &listed.waiting), (tolerated, &listed.tolerated)];
    all.into_iter().map(|(list, items)| filled(list, items, view, options, speech)).collect()
}

fn filled(
    list: List,
    items: &[&DiscrepancyView],
    view: &ResultView,
    options: Options,
    speech: Speech,
) -> Result<List, ReportError> {
    let mut by_reason: BTreeMap<(u8, Reason), Vec<&DiscrepancyView>> = BTreeMap::new();
    for item in items {
        by_reason.entry((item.reason.0.danger(), item.reason.0)).or_default().push(item);
    }
    let mut left = options.rows;
    let mut shown = Vec::new();
    let mut groups = Vec::new();
    for ((_, reason), of_reason) in by_reason {
        let visible = &of_reason[..left.min(of_reason.len())];
        left -= visible.len();
        shown.extend(visible);
        groups.push(group(reason, visible, &of_reason, speech)?);
    }
    let sums = [Totals::of(shown.iter().copied())?, Totals::of(items.iter().copied())?];
    let cut = cut((shown.len(), &sums[0]), (items.len(), &sums[1]), view, speech);
    Ok(List { count: speech.length(items), cut, groups, ..list })
}

fn group(
    reason: Reason,
    shown: &[&DiscrepancyView],
    all: &[&DiscrepancyView],
    speech: Speech,
) -> Result<Group, ReportError> {
    let text = reason.text(speech.language);
    let totals = Totals::of(all.iter().copied())?;
    let cut = if shown.len() < all.len() {
        let part = Totals::of(shown.iter().copied())?.gross_line(speech);
        let whole = totals.gross_line(speech);
        let counts = [speech.length(shown), speech.length(all)];
        fill(speech.words.cut_group, &[&counts[0], &counts[1], &part, &whole])
    } else {
        String::new()
    };
    Ok(Group {
        name: text.name,
        meaning: text.meaning,
        code: reason.code(),
        count: speech.length(all),
        sums: totals.nets(speech),
        cut,
        items: shown.iter().map(|it| item(it, speech)).collect(),
    })
}

fn item(it: &DiscrepancyView, speech: Speech) -> Item {
    let words = speech.words;
    let money = |amount: Option<Amount>, currency: &str| {
        amount.map_or_else(String::new, |it| speech.money(it, currency))
    };
    let theirs = it.currency_theirs.as_deref().unwrap_or(&it.currency);
    let key = it.natural_key.as_ref().map_or_else(String::new, |key| key.text.clone());
    let sources = [(words.records_ours, &it.ours), (words.records_theirs, &it.theirs)];
    let sources = sources.into_iter().filter(|(_, entries)| !entries.is_empty());
    let reason = it.reason.0.text(speech.language).name;
    let named = if key.is_empty() { words.no_key } else { key.as_str() };
    Item {
        id: it.id.clone(),
        aria: format!("{reason}: {named}"),
        sub: sub(it, speech),
        ours: money(it.amount_ours, &it.currency),
        theirs: money(it.amount_theirs, theirs),
        difference: speech.money(it.difference, &it.currency),
        differs: it.differs.iter().map(|it| differs(it, speech)).collect(),
        facts: facts(it, speech),
        sources: sources
            .map(|(label, entries)| Sources {
                label,
                entries: entries.iter().map(|it| source(it, speech)).collect(),
            })
            .collect(),
        corrections: it.corrections.iter().map(|it| fix(it, speech)).collect(),
        claim: it.claim.as_ref().map_or_else(Claim::default, |claim| {
            let Phrase { text, foreign } = speech.phrase(&claim.text);
            Claim { amount: speech.money(claim.amount, &claim.currency), text, foreign }
        }),
        decision: decision(it, speech),
        key,
    }
}

/// What stands below the key: its scheme, the account, the party.
fn sub(it: &DiscrepancyView, speech: Speech) -> Vec<String> {
    let scheme = it.natural_key.as_ref().map(|key| {
        use crate::report::code::Coded;
        speech.scheme(key.scheme.0.text())
    });
    let entry = it.ours.first().or(it.theirs.first());
    let party = entry.map(|it| it.party.clone()).filter(|it| !it.is_empty());
    let date = entry.map(|it| speech.date(it.booking_date));
    let account = Some(it.account.clone()).filter(|it| !it.is_empty());
    let pairing = Some(it.pairing.0.text(speech.language).name.to_owned());
    [scheme, pairing, date, party, account].into_iter().flatten().collect()
}

fn facts(it: &DiscrepancyView, speech: Speech) -> Vec<Fact> {
    let words = speech.words;
    let mut facts = Vec::new();
    if let Some(cause) = it.cause {
        let text = cause.0.text(speech.language);
        let remark = text.meaning.to_owned();
        facts.push(Fact { remark, ..Fact::new(words.cause, text.name) });
    }
    if let Some(rule) = &it.rule {
        facts.push(Fact::new(words.rule, rule));
    }
    if let Some(nearest) = &it.nearest {
        let Phrase { text, foreign } = speech.phrase(&nearest.failed);
        facts.push(Fact { remark: text, foreign, ..Fact::new(words.nearest, &nearest.rule) });
    }
    facts.push(Fact::new(words.first_seen, speech.date(it.first_seen)));
    let age = speech.counted(u64::from(it.age_days), words.business_days);
    facts.push(Fact::new(words.age, age));
    if let Some(due) = it.due_on {
        facts.push(Fact::new(words.due, speech.date(due)));
    }
    if !it.leg.is_empty() {
        facts.push(Fact::new(words.leg, &it.leg));
    }
    facts.push(Fact::new(words.intent, &it.intent_key));
    facts.push(Fact::new(words.identity, &it.id));
    facts
}

fn differs(it: &DiffersView, speech: Speech) -> Differs {
    let value = |text: &Option<String>| {
        let said = text.as_deref().map(|text| value(&it.field, text, speech));
        said.unwrap_or_else(|| speech.words.not_stated.to_owned())
    };
    Differs { field: speech.field(&it.field), ours: value(&it.ours), theirs: value(&it.theirs) }
}

/// A value of a field as a reader writes it: dates, amounts and codes; anything else as it is.
fn value(field: &str, text: &str, speech: Speech) -> String {
    if let Ok(kind) = text.parse::<crate::domain::entry::Kind>()
        && field == "kind"
    {
        return kind.text(speech.language).name.to_owned();
    }
    if let Ok(status) = text.parse::<crate::domain::entry::Status>()
        && (field == "state" || field == "status")
    {
        return status.text(speech.language).name.to_owned();
    }
    if let Ok(day) = text.parse::<chrono::NaiveDate>()
        && field.ends_with("_date")
    {
        return speech.date(day);
    }
    let money = ["amount", "fee", "original", "rest"].contains(&field);
    let (number, currency) = text.split_once(' ').unwrap_or((text, ""));
    match number.parse::<Amount>() {
        Ok(amount) if money && currency.is_empty() => speech.amount(amount),
        Ok(amount) if money => speech.money(amount, currency),
        Ok(_) | Err(_) => text.to_owned(),
    }
}

/// An entry by its source record, as the lists name it.
pub(super) fn source(it: &EntryView, speech: Speech) -> Source {
    let texts = [&it.party, &it.text].into_iter().filter(|it| !it.is_empty());
    Source {
        place: fill(speech.words.record_at, &[&it.file, &it.record.to_string()]),
        amount: speech.money(it.amount, &it.currency),
        date: speech.date(it.booking_date),
        kind: it.kind.0.text(speech.language).name,
        texts: texts.cloned().collect(),
    }
}

fn fix(it: &CorrectionView, speech: Speech) -> Fix {
    let words = speech.words;
    let leg = |leg: &crate::report::view::LegView| Leg {
        side: if leg.amount.is_negative() { words.credit } else { words.debit },
        account: leg.account.clone(),
        amount: speech.money(leg.amount.magnitude(), &it.currency),
    };
    Fix {
        class: match it.class.0 {
            Class::TechnicalCorrection => words.correction_technical,
            Class::Refund => words.correction_refund,
        },
        state: it.state.0.text(speech.language).name,
        kind: it.underlying_kind.0.text(speech.language).name,
        key: it.key.clone(),
        amount: speech.money(it.amount, &it.currency),
        narrative: it.narrative.clone(),
        legs: it.legs.iter().map(leg).collect(),
    }
}

fn decision(it: &DiscrepancyView, speech: Speech) -> String {
    let words = speech.words;
    match (it.waiting, it.due_on) {
        (true, Some(due)) => fill(words.waits_until, &[&speech.date(due)]),
        (true, None) => words.waits.to_owned(),
        (false, _) if it.reason.0.is_tolerated() => words.tolerated_decision.to_owned(),
        (false, _) if len(&it.corrections) == 0 && it.claim.is_none() => {
            words.person_decides.to_owned()
        }
        (false, _) => String::new(),
    }
}
