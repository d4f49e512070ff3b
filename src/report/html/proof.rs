//! The proof of one account and currency, laid out as an accountant would.

use crate::domain::proof::Basis;
use crate::domain::reason::Reason;
use crate::report::ReportError;
use crate::report::amount::Amount;
use crate::report::speech::{Speech, fill};
use crate::report::view::{ProofView, ResultView, ShareView};

/// The proof of one account and currency.
pub(super) struct Line {
    pub(super) account: String,
    pub(super) currency: String,
    pub(super) as_of: String,
    pub(super) basis: &'static str,
    pub(super) parts: Vec<Part>,
}

/// Rows under a heading.
pub(super) struct Part {
    pub(super) heading: &'static str,
    pub(super) rows: Vec<Row>,
}

/// One row; blank where a figure does not apply.
pub(super) struct Row {
    pub(super) class: &'static str,
    pub(super) label: &'static str,
    pub(super) remark: String,
    pub(super) count: String,
    pub(super) gross: String,
    pub(super) net: String,
}

/// The proof, by account and currency.
pub(super) fn lines(view: &ResultView, speech: Speech) -> Result<Vec<Line>, ReportError> {
    view.proof.iter().map(|it| line(it, speech)).collect()
}

fn line(proof: &ProofView, speech: Speech) -> Result<Line, ReportError> {
    let words = speech.words;
    let (basis, ours, theirs) = match proof.basis.0 {
        Basis::Balances => (words.balances, words.closing_ours, words.closing_theirs),
        Basis::Arithmetic => (words.arithmetic, words.movements_ours, words.movements_theirs),
    };
    let by_reason = |waiting: bool| {
        let mut shares: Vec<_> =
            proof.by_reason.iter().filter(|(it, _)| it.0.is_waiting() == waiting).collect();
        shares.sort_by_key(|(reason, _)| (reason.0.danger(), reason.0));
        let row = |(reason, it): (&crate::report::code::Code<Reason>, &ShareView)| {
            share(reason.0.text(speech.language).name, it, speech)
        };
        shares.into_iter().map(row).collect::<Vec<_>>()
    };
    let mut explained = vec![opening(proof, speech)];
    explained.extend(by_reason(false));
    let clear = if proof.unexplained.is_zero() { "close good" } else { "close bad" };
    let parts = [
        Part {
            heading: "",
            rows: vec![
                net("", ours, proof.ours, speech),
                net("", theirs, proof.theirs, speech),
                net("sum", words.difference_row, proof.difference, speech),
            ],
        },
        Part { heading: words.explained_by, rows: explained },
        Part { heading: words.waiting_part, rows: by_reason(true) },
        Part { heading: words.beside_part, rows: beside(proof, speech) },
        Part {
            heading: "",
            rows: vec![
                net("sum", words.explained_sum, explained_sum(proof)?, speech),
                net(clear, words.unexplained, proof.unexplained, speech),
            ],
        },
    ];
    Ok(Line {
        account: proof.account.clone(),
        currency: proof.currency.clone(),
        as_of: speech.date(proof.as_of),
        basis,
        parts: parts.into_iter().filter(|it| !it.rows.is_empty()).collect(),
    })
}

fn opening(proof: &ProofView, speech: Speech) -> Row {
    let words = speech.words;
    let remark = match (&proof.opening_accepted_by, proof.opening_difference.is_zero()) {
        (Some(name), _) => fill(words.signed_off_by, &[name]),
        (None, false) => words.not_signed_off.to_owned(),
        (None, true) => String::new(),
    };
    Row { remark, ..net("", words.opening, proof.opening_difference, speech) }
}

fn beside(proof: &ProofView, speech: Speech) -> Vec<Row> {
    let words = speech.words;
    vec![
        share(words.timing, &proof.shares.timing, speech),
        share(words.tolerated, &proof.shares.tolerated, speech),
        net("", words.undelivered, proof.undelivered, speech),
        share(words.rejected_money, &proof.shares.rejected, speech),
    ]
}

/// The rows above it added up, so that a reader can check `unexplained` against the difference.
fn explained_sum(proof: &ProofView) -> Result<Amount, ReportError> {
    let shares = proof.by_reason.values().map(|it| it.amount);
    let rest = [
        proof.opening_difference,
        proof.timing,
        proof.tolerated,
        proof.undelivered,
        proof.rejected,
    ];
    let sum = shares.chain(rest).try_fold(Amount::ZERO, Amount::checked_add);
    sum.ok_or_else(|| ReportError::Beyond { currency: proof.currency.clone() })
}

fn net(class: &'static str, label: &'static str, net: Amount, speech: Speech) -> Row {
    let blank = String::new;
    let net = speech.amount(net);
    Row { class, label, remark: blank(), count: blank(), gross: blank(), net }
}

fn share(label: &'static str, share: &ShareView, speech: Speech) -> Row {
    Row {
        count: speech.number(share.count),
        gross: speech.amount(share.gross),
        ..net("", label, share.amount, speech)
    }
}
