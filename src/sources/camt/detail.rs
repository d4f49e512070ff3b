//! What a record, or one of its details, says of itself besides its amount.

use std::borrow::Cow;

use chrono::{DateTime, Utc};
use rust_decimal::Decimal;

use crate::domain::{
    entry::Kind,
    key::{KeyScheme, NaturalKey},
    money::{Currency, Money},
};
use crate::sources::{
    ReadContext,
    camt::{
        kind::kind,
        tree::Element,
        value::{self, Direction},
    },
};

/// Where each key stands in `Refs`, in the order in which they are given.
const REFERENCES: [(&str, KeyScheme); 6] = [
    ("EndToEndId", KeyScheme::EndToEndId),
    ("UETR", KeyScheme::Uetr),
    ("InstrId", KeyScheme::InstructionId),
    ("TxId", KeyScheme::TransactionId),
    ("PmtInfId", KeyScheme::PaymentInformationId),
    ("MndtId", KeyScheme::MandateId),
];

/// Where other keys stand: in `Refs` and the record itself, in the record, in its batch.
const ELSEWHERE: [KeyScheme; 3] =
    [KeyScheme::AccountServicerReference, KeyScheme::EntryReference, KeyScheme::BatchId];

/// Every scheme of which a detail may have a key.
pub(super) fn schemes() -> impl Iterator<Item = KeyScheme> {
    REFERENCES.into_iter().map(|(_, scheme)| scheme).chain(ELSEWHERE)
}

/// The keys of a detail: its own, its batch's and its record's. The same key is given once.
pub(super) fn keys<'t>(
    entry: Element<'t>,
    batch: Option<Element<'t>>,
    detail: Option<Element<'t>>,
) -> Vec<NaturalKey<'t>> {
    let refs = detail.and_then(|it| it.at("Refs"));
    let mut keys = Vec::new();
    let mut add = |scheme, text: &'t str| {
        let key = NaturalKey::given(scheme, text).filter(|key| !keys.contains(key));
        keys.extend(key);
    };
    for (name, scheme) in REFERENCES {
        let own = refs.map_or("", |it| it.text_at(name));
        add(scheme, own);
        if scheme == KeyScheme::PaymentInformationId && own.is_empty() {
            add(scheme, batch.map_or("", |it| it.text_at(name)));
        }
    }
    add(KeyScheme::AccountServicerReference, refs.map_or("", |it| it.text_at("AcctSvcrRef")));
    add(KeyScheme::AccountServicerReference, entry.text_at("AcctSvcrRef"));
    add(KeyScheme::EntryReference, entry.text_at("NtryRef"));
    add(KeyScheme::BatchId, batch.map_or("", |it| it.text_at("MsgId")));
    keys
}

/// What a detail is: a return where its bank says why it came back, else what its own code says or
/// its record's. A payment marked as reversal is one.
pub(super) fn kind_of(
    entry: Element<'_>,
    detail: Option<Element<'_>>,
    context: &ReadContext<'_>,
) -> Kind {
    if detail.is_some_and(|it| it.at("RtrInf").is_some()) {
        return Kind::Return;
    }
    let codes = [detail, Some(entry)].into_iter().flatten().filter_map(|it| it.at("BkTxCd"));
    let own = codes.clone().find_map(|it| context.source.kinds.get(it.text_at("Prtry/Cd")));
    let standard = || codes.clone().find_map(|it| it.at("Domn")).map_or(Kind::Payment, kind);
    let kind = own.copied().unwrap_or_else(standard);
    if is_reversal(entry) && matches!(kind, Kind::Payment | Kind::Payout) {
        return Kind::Reversal;
    }
    kind
}

/// Whether a record is marked as the reversal of another.
pub(super) fn is_reversal(entry: Element<'_>) -> bool {
    matches!(entry.text_at("RvslInd"), "true" | "1")
}

/// The name of the party that money of this direction comes from or goes to. Since version 8 it
/// may stand under `Pty`, and an agent's under `Agt`.
pub(super) fn party(detail: Option<Element<'_>>, direction: Direction) -> &str {
    let role = match direction {
        Direction::Credit => "Dbtr",
        Direction::Debit => "Cdtr",
    };
    let Some(side) = detail.and_then(|it| it.at("RltdPties")).and_then(|it| it.at(role)) else {
        return "";
    };
    let names = ["Nm", "Pty/Nm", "Agt/FinInstnId/Nm"];
    names.into_iter().map(|path| side.text_at(path)).find(|it| !it.is_empty()).unwrap_or("")
}

/// The text for people: what the payer wrote, else the structured reference, else what the bank
/// adds to the detail or to the record.
pub(super) fn text<'t>(entry: Element<'t>, detail: Option<Element<'t>>) -> Cow<'t, str> {
    let Some(detail) = detail else { return Cow::Borrowed(entry.text_at("AddtlNtryInf")) };
    if let Some(remittance) = detail.at("RmtInf") {
        let lines = remittance.all("Ustrd").map(Element::text);
        let structured = remittance.all("Strd").map(|it| {
            let reference = it.text_at("CdtrRefInf/Ref");
            if reference.is_empty() { it.text_at("CdtrRefInf/CdtrRef") } else { reference }
        });
        for text in [join(lines), join(structured)] {
            if !text.is_empty() {
                return text;
            }
        }
    }
    let own = detail.text_at("AddtlTxInf");
    Cow::Borrowed(if own.is_empty() { entry.text_at("AddtlNtryInf") } else { own })
}

/// The original amount, unsigned: what was instructed, or the transaction's amount, where it is
/// another than what was booked. It only explains: what cannot be read exactly is not stated.
pub(super) fn original(
    sources: &[Element<'_>],
    booked: Money,
    context: &ReadContext<'_>,
) -> Option<Money> {
    let amounts = sources.iter().flat_map(|of| {
        let detail = (of.name() == "TxDtls").then(|| of.at("Amt")).flatten();
        ["AmtDtls/InstdAmt/Amt", "AmtDtls/TxAmt/Amt"]
            .map(|path| of.at(path))
            .into_iter()
            .chain([detail])
    });
    let mut readable = amounts.flatten().filter_map(|it| value::amount(it, context).ok());
    readable.find(|it| it.minor() != 0 && *it != booked)
}

/// A stated rate of exchange.
pub(super) fn rate(sources: &[Element<'_>]) -> Option<Decimal> {
    let amounts = ["InstdAmt", "TxAmt", "CntrValAmt", "AnncdPstngAmt"];
    let mut rates = sources
        .iter()
        .filter_map(|it| it.at("AmtDtls"))
        .flat_map(|it| amounts.map(|of| it.at(of).and_then(|of| of.at("CcyXchg/XchgRate"))));
    let found = rates.find_map(|it| value::unsigned(it?.text()));
    found.filter(|it| !it.is_zero())
}

/// When it happened, where the detail says so.
pub(super) fn event_at(
    detail: Option<Element<'_>>,
    context: &ReadContext<'_>,
) -> Option<DateTime<Utc>> {
    let dates = detail?.at("RltdDts")?;
    let stated = ["AccptncDtTm", "TxDtTm"].map(|name| dates.text_at(name));
    stated.into_iter().find_map(|text| value::parse_moment(text, context)?.at)
}

/// The charges an element states in a currency: what is debited less what is credited. Up to
/// version 3 each charge is a group of its own, later they are `Rcrd`s of one.
pub(super) fn charges(
    element: Element<'_>,
    currency: Currency,
    counted: Charges,
    context: &ReadContext<'_>,
) -> i128 {
    element.all("Chrgs").map(|group| of_group(group, currency, counted, context)).sum()
}

/// Which charges are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Charges {
    /// All that are stated.
    Stated,
    /// Those contained in the amount: all but the ones said not to be.
    Contained,
}

fn of_group(
    group: Element<'_>,
    currency: Currency,
    counted: Charges,
    context: &ReadContext<'_>,
) -> i128 {
    let charge = |it: Element<'_>, path: &str| -> Option<i128> {
        let amount = value::amount(it.at(path)?, context).ok()?;
        let outside = matches!(it.text_at("ChrgInclInd"), "false" | "0");
        if amount.currency() != currency || (outside && counted == Charges::Contained) {
            return Some(0);
        }
        let minor = i128::from(amount.minor());
        Some(if it.text_at("CdtDbtInd") == "CRDT" { -minor } else { minor })
    };
    let records = group.all("Rcrd").filter_map(|it| charge(it, "Amt"));
    let single = records.chain(charge(group, "Amt")).reduce(|sum, it| sum + it);
    single.or_else(|| charge(group, "TtlChrgsAndTaxAmt")).unwrap_or(0)
}

fn join<'t>(mut texts: impl Iterator<Item = &'t str>) -> Cow<'t, str> {
    let first = texts.next().unwrap_or("");
    texts.filter(|it| !it.is_empty()).fold(Cow::Borrowed(first), |joined, text| {
        if joined.is_empty() {
            return Cow::Borrowed(text);
        }
        Cow::Owned(format!("{joined} {text}"))
    })
}
