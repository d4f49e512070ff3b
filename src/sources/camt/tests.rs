//! Small statements, one per trap, and bytes that are broken at random.

mod records;
mod statements;

use chrono_tz::Tz;
use proptest::prelude::*;

use crate::config::{Format, Source};
use crate::domain::{
    entry::{Entry, Kept, Reject, Status},
    statement::Stated,
};
use crate::sources::{ReadContext, StatementError};

/// The day on which records are booked in these tests, where nothing else is said.
const DAY: &str = "2026-11-30";

/// Reads bytes as a bank's in Berlin.
fn read(bytes: &[u8], source: &Source) -> Result<(Stated, Kept), StatementError> {
    let context = ReadContext { timezone: Tz::Europe__Berlin, ..ReadContext::new(source) };
    let mut kept = Kept::default();
    let stated = super::read(&mut &bytes[..], &context, &mut kept)?;
    Ok((stated, kept))
}

/// A message of version 8 around statements.
fn message(statements: &str) -> String {
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>
<GrpHdr><MsgId>M1</MsgId><CreDtTm>2026-12-01T05:00:00+01:00</CreDtTm></GrpHdr>
{statements}</BkToCstmrStmt></Document>"#
    )
}

/// A statement `S1` of account `DE1` in EUR around balances, totals and records.
fn statement(inner: &str) -> String {
    format!("<Stmt><Id>S1</Id><Acct><Id><IBAN>DE1</IBAN></Id><Ccy>EUR</Ccy></Acct>{inner}</Stmt>")
}

/// A record of [`DAY`] with more in it.
fn record(amount: &str, direction: &str, inner: &str) -> String {
    format!(
        r#"<Ntry><Amt Ccy="EUR">{amount}</Amt><CdtDbtInd>{direction}</CdtDbtInd>
<Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>{DAY}</Dt></BookgDt>{inner}</Ntry>"#
    )
}

/// A balance of a kind.
fn balance(kind: &str, amount: &str, direction: &str, day: &str) -> String {
    format!(
        r#"<Bal><Tp><CdOrPrtry><Cd>{kind}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">{amount}</Amt>
<CdtDbtInd>{direction}</CdtDbtInd><Dt><Dt>{day}</Dt></Dt></Bal>"#
    )
}

/// An entry as a line: what is always there, then what is stated.
fn entry_line(entry: &Entry<'_>) -> String {
    let place = entry.place;
    let mut line = format!("{}.{} {:?} {}", place.record, place.part, entry.amount, entry.kind);
    let mut add = |name: &str, value: Option<String>| {
        if let Some(value) = value.filter(|it| !it.is_empty()) {
            line = format!("{line} {name}={value}");
        }
    };
    let status = (entry.status != Status::Booked).then(|| entry.status.name().to_owned());
    let booked = entry.booking_date.to_string();
    add("status", status);
    add("booked", (booked != DAY).then_some(booked));
    add("value", entry.value_date.map(|it| it.to_string()));
    for key in &entry.keys {
        add(key.scheme.name(), Some(key.text.to_string()));
    }
    add("party", Some(entry.party.to_string()));
    add("text", Some(entry.text.to_string()));
    add("fee", entry.fee.map(|it| it.to_string()));
    add("original", entry.original.map(|it| format!("{it:?}")));
    add("rate", entry.rate.map(|it| it.to_string()));
    add("group", entry.group_size.map(|it| it.to_string()));
    add("at", entry.event_at.map(|it| it.to_rfc3339()));
    line
}

/// A reject as a line.
fn reject_line(reject: &Reject) -> String {
    let Reject { place, reason, field, text, expected, amount, .. } = reject;
    format!("{} {} {field} `{text}` {expected} {amount:?}", place.record, reason.code())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    /// A file broken at random is read or refused, and every record of it is accounted for.
    #[test]
    fn no_broken_file_loses_a_record(
        cuts in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..4_u8), 0..6),
        end in any::<prop::sample::Index>(),
        is_cut in prop::bool::weighted(0.2),
    ) {
        let detail = r#"<NtryDtls><TxDtls><Refs><EndToEndId>A &amp; B</EndToEndId></Refs>
<Amt Ccy="EUR">60.00</Amt></TxDtls><TxDtls><Amt Ccy="EUR">39.00</Amt></TxDtls></NtryDtls>"#;
        let reversal = record("5.00", "DBIT", "<RvslInd>true</RvslInd>");
        let inner = [
            balance("OPBD", "0.00", "CRDT", DAY),
            balance("CLBD", "95.00", "CRDT", DAY),
            "<TxsSummry><TtlNtries><NbOfNtries>2</NbOfNtries><Sum>105</Sum></TtlNtries></TxsSummry>".to_owned(),
            record("100.00", "CRDT", detail),
            reversal,
        ];
        let mut bytes = message(&statement(&inner.concat())).into_bytes();
        for (at, byte, how) in cuts {
            let at = at.index(bytes.len());
            match how {
                0 => bytes[at] = byte,
                1 => bytes[at] = b"0123456789.<>&;/\"x"[usize::from(byte) % 18],
                2 => drop(bytes.remove(at)),
                _ => bytes.insert(at, byte),
            }
        }
        if is_cut {
            bytes.truncate(end.index(bytes.len()));
        }
        if let Ok((stated, kept)) = read(&bytes, &Source::new(Format::Camt)) {
            let mut records: Vec<u32> = kept.entries.iter().map(|it| it.place.record).collect();
            records.sort_unstable();
            records.dedup();
            let accounted = records.len() + kept.rejects.len();
            prop_assert_eq!(stated.records, u64::try_from(accounted).unwrap());
            for place in kept.entries.iter().map(|it| it.place) {
                let end = place.start + u64::from(place.length);
                prop_assert!(end <= u64::try_from(bytes.len()).unwrap());
            }
        }
    }
}
