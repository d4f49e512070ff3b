//! The listed items by reason and by age.

use std::collections::BTreeMap;

use crate::domain::reason::Reason;
use crate::report::ReportError;
use crate::report::amount::Amount;
use crate::report::speech::{Speech, fill};
use crate::report::svg::{self, Bar};
use crate::report::totals::{Total, Totals, shares};
use crate::report::view::ResultView;

/// One currency by reason.
pub(super) struct ReasonChart {
    pub(super) currency: String,
    pub(super) rows: Vec<ReasonRow>,
    pub(super) count: String,
    pub(super) gross: String,
    pub(super) net: String,
}

/// One reason in a currency.
pub(super) struct ReasonRow {
    pub(super) label: &'static str,
    pub(super) tag: &'static str,
    pub(super) bar: Bar,
    pub(super) count: String,
    pub(super) gross: String,
    pub(super) net: String,
}

/// One span of ages.
pub(super) struct AgeRow {
    pub(super) label: String,
    pub(super) open: String,
    pub(super) beside: String,
    pub(super) open_width: u32,
    pub(super) beside_width: u32,
    pub(super) sums: Vec<String>,
}

/// Everything listed by currency and reason, by danger.
pub(super) fn by_reason(
    view: &ResultView,
    speech: Speech,
) -> Result<Vec<ReasonChart>, ReportError> {
    let mut reasons: BTreeMap<(u8, Reason), Totals> = BTreeMap::new();
    for item in &view.discrepancies {
        let reason = item.reason.0;
        let totals = reasons.entry((reason.danger(), reason)).or_default();
        for (currency, amount) in shares(item) {
            totals.add(currency, amount)?;
        }
    }
    let all = Totals::of(&view.discrepancies)?;
    let chart = |(currency, total): (&str, &Total)| {
        let of_currency = |((_, reason), totals): (&(u8, Reason), &Totals)| {
            totals.get(currency).map(|total| (*reason, *total))
        };
        let found: Vec<_> = reasons.iter().filter_map(of_currency).collect();
        let widest = found.iter().map(|(_, it)| it.gross).max_by(Amount::by_size);
        let widest = widest.unwrap_or(Amount::ZERO);
        let rows = found.into_iter().map(|(reason, it)| reason_row(reason, &it, widest, speech));
        ReasonChart {
            currency: currency.to_owned(),
            rows: rows.collect(),
            count: speech.number(total.count),
            gross: speech.amount(total.gross),
            net: speech.amount(total.net),
        }
    };
    Ok(all.iter().map(chart).collect())
}

fn reason_row(reason: Reason, total: &Total, widest: Amount, speech: Speech) -> ReasonRow {
    let tag = match (reason.is_waiting(), reason.is_tolerated()) {
        (true, _) => speech.words.waiting_tag,
        (false, true) => speech.words.tolerated_tag,
        (false, false) => "",
    };
    ReasonRow {
        label: reason.text(speech.language).name,
        tag,
        bar: Bar::new(total, widest),
        count: speech.number(total.count),
        gross: speech.amount(total.gross),
        net: speech.amount(total.net),
    }
}

/// The last age, in business days, of every span but the last.
const SPANS: [u32; 5] = [0, 1, 5, 20, 60];

/// Everything listed by age.
pub(super) fn by_age(view: &ResultView, speech: Speech) -> Result<Vec<AgeRow>, ReportError> {
    if view.discrepancies.is_empty() {
        return Ok(Vec::new());
    }
    let mut spans: Vec<(u64, u64, Totals)> = vec![(0, 0, Totals::default()); SPANS.len() + 1];
    for item in &view.discrepancies {
        let at = SPANS.iter().position(|last| item.age_days <= *last).unwrap_or(SPANS.len());
        let (open, beside, totals) = &mut spans[at];
        let is_beside = item.waiting || item.reason.0.is_tolerated();
        *(if is_beside { beside } else { open }) += 1;
        for (currency, amount) in shares(item) {
            totals.add(currency, amount)?;
        }
    }
    let most = spans.iter().map(|(open, beside, _)| open + beside).max().unwrap_or(0);
    let row = |(at, (open, beside, totals)): (usize, &(u64, u64, Totals))| AgeRow {
        label: span_label(at, speech),
        open: speech.number(*open),
        beside: speech.number(*beside),
        open_width: svg::width(*open, most),
        beside_width: svg::width(*beside, most),
        sums: totals.grosses(speech),
    };
    Ok(spans.iter().enumerate().map(row).collect())
}

fn span_label(at: usize, speech: Speech) -> String {
    let words = speech.words;
    let after = at.checked_sub(1).and_then(|before| SPANS.get(before)).copied();
    match (after, SPANS.get(at).copied()) {
        (None, _) => words.ages_new.to_owned(),
        (Some(0), _) => words.ages_one.to_owned(),
        (Some(before), Some(last)) => {
            fill(words.ages_from_to, &[&(before + 1).to_string(), &last.to_string()])
        }
        (Some(before), None) => fill(words.ages_over, &[&before.to_string()]),
    }
}
