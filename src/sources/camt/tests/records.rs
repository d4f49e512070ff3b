//! What one record becomes.

use super::{balance, entry_line, message, read, record, reject_line, statement};
use crate::config::{Format, Source};

/// Reads records in a statement without balances and compares entries and rejects, line by line.
fn check(records: &str, expected: &[&str]) {
    let xml = message(&statement(records));
    let (stated, kept) = read(xml.as_bytes(), &Source::new(Format::Camt)).unwrap();
    let entries = kept.entries.iter().map(entry_line);
    let lines: Vec<String> = entries.chain(kept.rejects.iter().map(reject_line)).collect();
    assert_eq!(lines, expected);
    let faults: Vec<_> = stated.faults.iter().map(|it| &*it.what).collect();
    assert_eq!(faults, ["statement `S1` of account `DE1` states no balance"]);
}

/// Details as texts, each in its own `TxDtls`.
fn details(inner: &[&str]) -> String {
    format!("<NtryDtls><TxDtls>{}</TxDtls></NtryDtls>", inner.join("</TxDtls><TxDtls>"))
}

fn amount(text: &str) -> String {
    format!(r#"<Amt Ccy="EUR">{text}</Amt>"#)
}

fn code(domain: &str, family: &str, sub_family: &str) -> String {
    format!(
        "<BkTxCd><Domn><Cd>{domain}</Cd><Fmly><Cd>{family}</Cd>\
         <SubFmlyCd>{sub_family}</SubFmlyCd></Fmly></Domn></BkTxCd>"
    )
}

#[test]
fn a_batch_gives_one_entry_per_detail_with_its_own_amount() {
    let inner = details(&[
        &format!("<Refs><EndToEndId>E1</EndToEndId></Refs>{}", amount("329.56")),
        r#"<Refs><EndToEndId>E2</EndToEndId></Refs><AmtDtls><TxAmt><Amt Ccy="EUR">100.00</Amt></TxAmt></AmtDtls>"#,
    ]);
    check(
        &record("429.56", "CRDT", &inner),
        &["1.0 329.56 EUR payment end_to_end_id=E1", "1.1 100.00 EUR payment end_to_end_id=E2"],
    );
}

#[test]
fn charges_that_are_the_residue_become_a_fee_of_its_own() {
    for charges in [
        r#"<Chrgs><Rcrd><Amt Ccy="EUR">20.00</Amt></Rcrd><Rcrd><Amt Ccy="EUR">6.00</Amt></Rcrd></Chrgs>"#,
        r#"<Chrgs><Amt Ccy="EUR">20.00</Amt></Chrgs><Chrgs><Amt Ccy="EUR">6.00</Amt></Chrgs>"#,
        r#"<Chrgs><TtlChrgsAndTaxAmt Ccy="EUR">26.00</TtlChrgsAndTaxAmt></Chrgs>"#,
    ] {
        let detail = format!("<Refs><EndToEndId>E1</EndToEndId></Refs>{}{charges}", amount("1500"));
        let inner = format!("<AcctSvcrRef>R1</AcctSvcrRef>{}", details(&[&detail]));
        check(
            &record("1526.00", "DBIT", &inner),
            &[
                "1.0 -1500.00 EUR payment end_to_end_id=E1 account_servicer_reference=R1",
                "1.1 -26.00 EUR fee account_servicer_reference=R1 text=charges stated with the record",
            ],
        );
    }
}

#[test]
fn a_residue_that_nothing_explains_is_an_adjustment_of_its_own() {
    check(
        &record("100.00", "CRDT", &details(&[&amount("60.00"), &amount("39.00")])),
        &[
            "1.0 60.00 EUR payment",
            "1.1 39.00 EUR payment",
            "1.2 1.00 EUR adjustment text=residue: the record moves 100.00, its details 99.00",
        ],
    );
}

#[test]
fn details_may_go_both_ways_and_some_banks_write_the_original_direction() {
    let debit = format!("{}<CdtDbtInd>DBIT</CdtDbtInd>", amount("30.00"));
    check(
        &record("70.00", "CRDT", &details(&[&amount("100.00"), &debit])),
        &["1.0 100.00 EUR payment", "1.1 -30.00 EUR payment"],
    );
    check(
        &record("60.00", "CRDT", &details(&[&amount("30.00"), &debit])),
        &["1.0 30.00 EUR payment", "1.1 30.00 EUR payment"],
    );
}

#[test]
fn details_without_amounts_are_one_entry_known_by_what_they_share() {
    let refs =
        |id: &str| format!("<Refs><PmtInfId>P1</PmtInfId><EndToEndId>{id}</EndToEndId></Refs>");
    check(
        &record("90.00", "CRDT", &details(&[&refs("E1"), &refs("E2"), &refs("E3")])),
        &["1.0 90.00 EUR payment payment_information_id=P1 group=3"],
    );
}

#[test]
fn a_batch_without_details_is_one_entry_with_the_keys_and_size_of_its_batch() {
    let batch = "<NtryDtls><Btch><MsgId>B1</MsgId><PmtInfId>P1</PmtInfId><NbOfTxs>20</NbOfTxs></Btch></NtryDtls>";
    check(
        &record("2000.00", "DBIT", batch),
        &["1.0 -2000.00 EUR payment payment_information_id=P1 batch_id=B1 group=20"],
    );
}

#[test]
fn keys_come_in_their_order_and_what_says_none_is_no_key() {
    let refs = "<Refs><MsgId>X</MsgId><AcctSvcrRef>R2</AcctSvcrRef><PmtInfId>P1</PmtInfId>\
                <InstrId>I1</InstrId><EndToEndId>NOTPROVIDED</EndToEndId><UETR>U1</UETR>\
                <TxId>T1</TxId><MndtId>M1</MndtId></Refs>";
    let inner = format!(
        "<NtryRef>7</NtryRef><AcctSvcrRef>R1</AcctSvcrRef>{}",
        details(&[refs]).replace("<NtryDtls>", "<NtryDtls><Btch><MsgId>B1</MsgId></Btch>")
    );
    check(
        &record("1.00", "CRDT", &inner),
        &["1.0 1.00 EUR payment uetr=U1 instruction_id=I1 transaction_id=T1 \
           payment_information_id=P1 mandate_id=M1 account_servicer_reference=R2 \
           account_servicer_reference=R1 entry_reference=7 batch_id=B1"],
    );
}

#[test]
fn the_party_is_the_other_side_and_the_original_one_where_money_comes_back() {
    let parties =
        "<RltdPties><Dbtr><Pty><Nm>Payer</Nm></Pty></Dbtr><Cdtr><Nm>Payee</Nm></Cdtr></RltdPties>";
    let back = format!("<RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf>{parties}");
    check(
        &[
            record("1.00", "CRDT", &details(&[parties])),
            record("1.00", "DBIT", &details(&[parties])),
            record("1.00", "CRDT", &details(&[&back])),
        ]
        .concat(),
        &[
            "1.0 1.00 EUR payment party=Payer",
            "2.0 -1.00 EUR payment party=Payee",
            "3.0 1.00 EUR return party=Payee",
        ],
    );
}

#[test]
fn texts_are_joined_and_references_stand_in_for_them() {
    let unstructured = "<RmtInf><Ustrd>Rent</Ustrd><Ustrd>5 &lt; 6 &#228;</Ustrd><Strd/></RmtInf>";
    let structured = "<RmtInf><Strd><CdtrRefInf><Ref>RF18</Ref></CdtrRefInf></Strd></RmtInf>";
    let added = "<AddtlNtryInf>Cash</AddtlNtryInf>";
    check(
        &[
            record("1.00", "CRDT", &details(&[unstructured])),
            record("1.00", "CRDT", &details(&[structured])),
            record("1.00", "CRDT", added),
        ]
        .concat(),
        &[
            "1.0 1.00 EUR payment text=Rent 5 < 6 ä",
            "2.0 1.00 EUR payment text=RF18",
            "3.0 1.00 EUR payment text=Cash",
        ],
    );
}

#[test]
fn original_amount_rate_and_contained_fee_are_told_with_the_entry() {
    let detail = r#"<AmtDtls><InstdAmt><Amt Ccy="USD">110.00</Amt></InstdAmt><TxAmt>
        <Amt Ccy="EUR">100.00</Amt><CcyXchg><XchgRate>1.10</XchgRate></CcyXchg></TxAmt></AmtDtls>
        <RltdDts><AccptncDtTm>2026-11-29T23:30:00</AccptncDtTm></RltdDts>"#;
    let fee = r#"<Chrgs><Rcrd><Amt Ccy="EUR">2.45</Amt></Rcrd><Rcrd><Amt Ccy="EUR">9.00</Amt>
        <ChrgInclInd>false</ChrgInclInd></Rcrd></Chrgs>"#;
    check(
        &[record("100.00", "DBIT", &details(&[detail])), record("97.55", "CRDT", &details(&[fee]))]
            .concat(),
        &[
            "1.0 -100.00 EUR payment original=-110.00 USD rate=1.10 at=2026-11-29T22:30:00+00:00",
            "2.0 97.55 EUR payment fee=2.45",
        ],
    );
}

#[test]
fn a_moment_falls_on_its_day_in_the_zone_of_the_reconciliation() {
    let dated = |date: &str| record("1.00", "CRDT", "").replace("<Dt>2026-11-30</Dt>", date);
    check(
        &[
            dated("<DtTm>2026-11-29T23:30:00Z</DtTm>"),
            dated("<Dt>2026-11-30T08:00:00</Dt>"),
            dated("<Dt>2026-11-30+02:00</Dt>"),
            dated("<Dt>2026-12-01</Dt>"),
            dated("<Dt>30.11.2026</Dt>"),
        ]
        .concat(),
        &[
            "1.0 1.00 EUR payment",
            "2.0 1.00 EUR payment",
            "3.0 1.00 EUR payment",
            "4.0 1.00 EUR payment booked=2026-12-01",
            "5 field_unreadable BookgDt `30.11.2026` a date or a date and time of ISO 8601, of the years 1900 to 2200 \
             Some(1.00 EUR)",
        ],
    );
}

#[test]
fn an_amount_is_exact_or_its_record_is_one_reject() {
    let of = |text: &str, currency: &str| {
        record(text, "CRDT", "").replace(r#"Ccy="EUR""#, &format!(r#"Ccy="{currency}""#))
    };
    check(
        &[
            of("000000000000149.87", "EUR"),
            of("8.850", "EUR"),
            of("99999999999999999", "JPY"),
            of("8.855", "EUR"),
            of("8,85", "EUR"),
            of("-8.85", "EUR"),
            of("", "EUR"),
            of("1.00", "ABC"),
            of("1.00", "eur"),
            record("1.00", "CREDIT", ""),
            record("1.00", "CRDT", &details(&[&amount("0.5"), &amount("0,5")])),
        ]
        .concat(),
        &[
            "1.0 149.87 EUR payment",
            "2.0 8.85 EUR payment",
            "3.0 99999999999999999 JPY payment",
            "4 decimals_beyond_currency Amt `8.855` at most 2 decimals for EUR None",
            "5 field_unreadable Amt `8,85` a number without sign and with `.` as decimal mark None",
            "6 field_unreadable Amt `-8.85` a number without sign and with `.` as decimal mark None",
            "7 field_unreadable Amt `` a number without sign and with `.` as decimal mark None",
            "8 field_unreadable Amt/@Ccy `ABC` a currency of ISO 4217, in capital letters None",
            "9 field_unreadable Amt/@Ccy `eur` a currency of ISO 4217, in capital letters None",
            "10 field_unreadable CdtDbtInd `CREDIT` `CRDT` or `DBIT` None",
            "11 field_unreadable Amt `0,5` a number without sign and with `.` as decimal mark \
             Some(1.00 EUR)",
        ],
    );
}

#[test]
fn what_is_not_booked_is_evidence_and_an_unknown_status_is_a_reject() {
    let with = |status: &str| record("1.00", "CRDT", "").replace("<Cd>BOOK</Cd>", status);
    check(
        &[
            with("PDNG"),
            with("<Cd>INFO</Cd>"),
            with("<Cd>FUTR</Cd>"),
            with("BOOK"),
            with("<Prtry>MAYBE</Prtry>"),
        ]
        .concat(),
        &[
            "1.0 1.00 EUR payment status=pending",
            "2.0 1.00 EUR payment status=pending",
            "3.0 1.00 EUR payment status=pending",
            "4.0 1.00 EUR payment",
            "5 kind_unknown Sts `MAYBE` `BOOK`, `PDNG`, `INFO`, `FUTR`, or a status that `statuses` names Some(1.00 EUR)",
        ],
    );
}

#[test]
fn the_bank_transaction_code_tells_the_kind() {
    for (domain, family, sub_family, kind) in [
        ("PMNT", "RCDT", "ESCT", "payment"),
        ("PMNT", "RCDT", "QQQQ", "payment"),
        ("PMNT", "CCRD", "POSD", "payment"),
        ("PMNT", "ICDT", "RRTN", "return"),
        ("PMNT", "IDDT", "UPDD", "return"),
        ("PMNT", "IDDT", "PRDD", "reversal"),
        ("PMNT", "MCRD", "UPCT", "chargeback"),
        ("PMNT", "MCRD", "POSC", "payout"),
        ("ACMT", "MDOP", "CHRG", "fee"),
        ("ACMT", "MCOP", "INTR", "interest"),
        ("ACMT", "MDOP", "ADJT", "adjustment"),
        ("CAMT", "ACCB", "ZABA", "transfer"),
        ("FORX", "SPOT", "OTHR", "fx"),
        ("SECU", "SETT", "TRAD", "other"),
    ] {
        let expected = format!("1.0 1.00 EUR {kind}");
        check(&record("1.00", "CRDT", &code(domain, family, sub_family)), &[&expected]);
        let detail = details(&[&code(domain, family, sub_family)]);
        let inner = code("ACMT", "MDOP", "CHRG") + &detail;
        check(&record("1.00", "CRDT", &inner), &[&expected]);
    }
}

#[test]
fn the_profile_tells_what_the_banks_own_codes_mean() {
    let mut source = Source::new(Format::Camt);
    source.kinds.insert("808".to_owned(), crate::domain::entry::Kind::Fee);
    source.statuses.insert("POSTED".to_owned(), crate::domain::entry::Status::Booked);
    let inner = "<BkTxCd><Prtry><Cd>808</Cd></Prtry></BkTxCd>";
    let xml = record("1.00", "DBIT", inner).replace("<Cd>BOOK</Cd>", "<Prtry>POSTED</Prtry>");
    let (_, kept) = read(message(&statement(&xml)).as_bytes(), &source).unwrap();
    assert_eq!(entry_line(&kept.entries[0]), "1.0 -1.00 EUR fee");
}

#[test]
fn a_record_is_found_again_by_its_bytes() {
    let records = [record("1.00", "CRDT", "<NtryRef>ä</NtryRef>"), record("2.00", "DBIT", "")];
    let inner = balance("OPBD", "0.00", "CRDT", super::DAY) + &records.concat();
    let xml = message(&statement(&inner));
    let utf16: Vec<u8> =
        "\u{feff}".encode_utf16().chain(xml.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let latin = xml.replace("UTF-8", "ISO-8859-1");
    let latin = encoding_rs::WINDOWS_1252.encode(&latin).0.into_owned();
    let marked = format!("\u{feff}{xml}").into_bytes();
    for bytes in [xml.into_bytes(), marked, utf16, latin] {
        let (_, kept) = read(&bytes, &Source::new(Format::Camt)).unwrap();
        for (entry, record) in kept.entries.iter().zip(&records) {
            let start = usize::try_from(entry.place.start).unwrap();
            let end = start + usize::try_from(entry.place.length).unwrap();
            let found = &bytes[start..end];
            let utf16 = record.encode_utf16().flat_map(u16::to_le_bytes).collect();
            let forms = [
                record.clone().into_bytes(),
                utf16,
                encoding_rs::WINDOWS_1252.encode(record).0.into_owned(),
            ];
            assert!(forms.iter().any(|it| it == found), "{}", String::from_utf8_lossy(found));
        }
        assert_eq!(kept.entries[0].keys[0].text, "ä");
        assert_eq!(kept.entries.len(), 2);
    }
}
