//! Corrections apart from refunds, and what waits in suspense.

use std::collections::BTreeMap;

use super::{Options, Rows, cut};
use crate::domain::correction::{Class, State};
use crate::domain::entry::Kind;
use crate::report::ReportError;
use crate::report::speech::{Speech, len};
use crate::report::totals::{Total, Totals};
use crate::report::view::{CorrectionView, DiscrepancyView, EntryView, ResultView};

/// Everything the report says of money moved by hand.
pub(super) struct Money {
    pub(super) corrections: Vec<Row>,
    pub(super) totals: Vec<Row>,
    pub(super) withheld: Vec<String>,
    pub(super) refunds: Vec<Refunds>,
    pub(super) suspense: Rows<Suspense>,
    pub(super) suspense_sums: Vec<String>,
}

/// One row of sums.
pub(super) struct Row {
    pub(super) class: &'static str,
    pub(super) label: &'static str,
    pub(super) kind: &'static str,
    pub(super) state: &'static str,
    pub(super) count: String,
    pub(super) gross: String,
    pub(super) net: String,
}

/// The refunds of one currency.
pub(super) struct Refunds {
    pub(super) currency: String,
    pub(super) rows: Vec<Row>,
}

/// A correction to suspense.
pub(super) struct Suspense {
    pub(super) operation: String,
    pub(super) key: String,
    pub(super) state: &'static str,
    pub(super) age: String,
    pub(super) amount: String,
}

/// Corrections, refunds and suspense of a result.
pub(super) fn money(
    view: &ResultView,
    options: Options,
    speech: Speech,
) -> Result<Money, ReportError> {
    let mut by_kind: BTreeMap<(Kind, State), Totals> = BTreeMap::new();
    let mut all = Totals::default();
    for fix in technical(view).map(|(_, fix)| fix) {
        let key = (fix.underlying_kind.0, fix.state.0);
        by_kind.entry(key).or_default().add(&fix.currency, fix.amount)?;
        all.add(&fix.currency, fix.amount)?;
    }
    let rows = by_kind.iter().flat_map(|((kind, state), totals)| {
        totals.iter().map(|(currency, total)| Row {
            kind: kind.text(speech.language).name,
            state: state.text(speech.language).name,
            ..row("", currency, total, speech)
        })
    });
    let (suspense, suspense_sums) = suspense(view, options, speech)?;
    Ok(Money {
        corrections: rows.collect(),
        totals: all.iter().map(|(currency, it)| row("", currency, it, speech)).collect(),
        withheld: view.withheld.iter().map(|it| speech.withheld(it)).collect(),
        refunds: refunds(view, speech)?,
        suspense,
        suspense_sums,
    })
}

/// Technical corrections with the items they repair; a refund is never among them.
fn technical(view: &ResultView) -> impl Iterator<Item = (&DiscrepancyView, &CorrectionView)> {
    let all = view.discrepancies.iter();
    let all = all.flat_map(|item| item.corrections.iter().map(move |fix| (item, fix)));
    all.filter(|(_, fix)| match fix.class.0 {
        Class::TechnicalCorrection => true,
        Class::Refund => false,
    })
}

fn row(label: &'static str, currency: &str, total: &Total, speech: Speech) -> Row {
    Row {
        class: "",
        label,
        kind: "",
        state: "",
        count: speech.number(total.count),
        gross: speech.money(total.gross, currency),
        net: speech.money(total.net, currency),
    }
}

/// Refunds booked, and those booked by correction, tied to theirs.
fn refunds(view: &ResultView, speech: Speech) -> Result<Vec<Refunds>, ReportError> {
    let words = speech.words;
    let booked = |entries: fn(&DiscrepancyView) -> &[EntryView]| -> Result<Totals, ReportError> {
        let mut totals = Totals::default();
        for entry in view.discrepancies.iter().flat_map(entries) {
            let is_booked = entry.status.0 == crate::domain::entry::Status::Booked;
            if is_booked && entry.kind.0 == Kind::Refund {
                totals.add(&entry.currency, entry.amount)?;
            }
        }
        Ok(totals)
    };
    let (ours, theirs) = (booked(|it| &it.ours)?, booked(|it| &it.theirs)?);
    let mut corrected = Totals::default();
    let live = technical(view).filter(|(_, fix)| fix.state.0.is_live());
    for (_, fix) in live.filter(|(_, fix)| fix.underlying_kind.0 == Kind::Refund) {
        corrected.add(&fix.currency, fix.amount)?;
    }
    let mut left = Totals::default();
    for (totals, sign) in [(&ours, 1), (&corrected, 1), (&theirs, -1)] {
        for (currency, it) in totals.iter() {
            let net = if sign < 0 { it.net.negated() } else { it.net };
            left.add(currency, net)?;
        }
    }
    let of_currency = |(currency, left): (&str, &Total)| {
        let nothing = left.net.zeroed();
        let none = Total { net: nothing, gross: nothing, count: 0 };
        let of = |label, totals: &Totals| {
            row(label, currency, totals.get(currency).unwrap_or(&none), speech)
        };
        let rest = Row {
            class: "sum",
            count: String::new(),
            ..row(words.refunds_left, currency, left, speech)
        };
        Refunds {
            currency: currency.to_owned(),
            rows: vec![
                of(words.refunds_ours, &ours),
                of(words.refunds_by_correction, &corrected),
                of(words.refunds_theirs, &theirs),
                rest,
            ],
        }
    };
    Ok(left.iter().map(of_currency).collect())
}

fn suspense(
    view: &ResultView,
    options: Options,
    speech: Speech,
) -> Result<(Rows<Suspense>, Vec<String>), ReportError> {
    let all: Vec<_> = technical(view).filter(|(_, fix)| fix.suspense).collect();
    let shown = &all[..options.rows.min(all.len())];
    let sum = |list: &[(&DiscrepancyView, &CorrectionView)]| -> Result<Totals, ReportError> {
        let mut totals = Totals::default();
        for (_, fix) in list {
            totals.add(&fix.currency, fix.amount)?;
        }
        Ok(totals)
    };
    let whole = sum(&all)?;
    let line = |(item, fix): &(&DiscrepancyView, &CorrectionView)| Suspense {
        operation: item
            .natural_key
            .as_ref()
            .map_or_else(|| speech.words.no_key.to_owned(), |key| key.text.clone()),
        key: fix.key.clone(),
        state: fix.state.0.text(speech.language).name,
        age: speech.counted(u64::from(item.age_days), speech.words.business_days),
        amount: speech.money(fix.amount, &fix.currency),
    };
    let rows = Rows {
        count: speech.number(len(&all)),
        shown: shown.iter().map(line).collect(),
        cut: cut((shown.len(), &sum(shown)?), (all.len(), &whole), view, speech),
    };
    Ok((rows, whole.nets(speech)))
}
