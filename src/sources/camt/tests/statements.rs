//! What a file and its statements state, and what makes them unfit.

use super::{DAY, balance, entry_line, message, read, record, reject_line, statement};
use crate::config::{Format, Sign, Source};
use crate::domain::{
    money::{Money, Sum},
    page::Page,
    statement::Statement,
};

/// Reads a file and compares entries, rejects, faults and remarks, line by line.
fn check(xml: &str, expected: &[&str]) {
    let (stated, kept) = read(xml.as_bytes(), &Source::new(Format::Camt)).unwrap();
    let mut lines: Vec<String> = kept.entries.iter().map(entry_line).collect();
    lines.extend(kept.rejects.iter().map(reject_line));
    lines.extend(stated.faults.iter().map(|it| format!("{}: {}", it.verdict, it.what)));
    lines.extend(stated.remarks);
    assert_eq!(lines, expected);
}

/// What the statements of a file state.
fn statements(xml: &str) -> Vec<Statement> {
    read(xml.as_bytes(), &Source::new(Format::Camt)).unwrap().0.statements
}

/// The file's error, in words.
fn refusal(bytes: &[u8]) -> String {
    read(bytes, &Source::new(Format::Camt)).unwrap_err().to_string()
}

/// Balances of one day, the opening dated the day before.
fn balances(opening: &str, closing: &str) -> String {
    balance("OPBD", opening, "CRDT", "2026-11-29") + &balance("CLBD", closing, "CRDT", DAY)
}

fn reversal(amount: &str, direction: &str) -> String {
    record(amount, direction, "<RvslInd>true</RvslInd>")
}

const NAME: &str = "statement `S1` of account `DE1`";

#[test]
fn reversals_move_money_as_written_where_the_statement_closes_so() {
    let records = reversal("5.00", "DBIT") + &record("7.00", "CRDT", "");
    check(
        &message(&statement(&(balances("10.00", "12.00") + &records))),
        &["2.0 7.00 EUR payment", "1.0 -5.00 EUR reversal"],
    );
}

#[test]
fn reversals_move_money_the_other_way_where_only_that_closes() {
    let parties = "<NtryDtls><TxDtls><RltdPties><Dbtr><Nm>Payer</Nm></Dbtr><Cdtr><Nm>Payee</Nm>\
                   </Cdtr></RltdPties></TxDtls></NtryDtls>";
    let records = reversal("5.00", "DBIT").replace("</Ntry>", &format!("{parties}</Ntry>"));
    check(
        &message(&statement(&(balances("10.00", "15.00") + &records))),
        &[
            "1.0 5.00 EUR reversal party=Payee",
            &format!(
                "{NAME} closes only if its reversals move money against their `CdtDbtInd`, so they do"
            ),
        ],
    );
}

#[test]
fn reversals_stay_as_written_where_both_ways_close_or_none() {
    let both = reversal("5.00", "DBIT") + &reversal("5.00", "CRDT");
    check(
        &message(&statement(&(balances("10.00", "10.00") + &both))),
        &["1.0 -5.00 EUR reversal", "2.0 5.00 EUR reversal"],
    );
    check(
        &message(&statement(&(balances("10.00", "11.00") + &reversal("5.00", "DBIT")))),
        &[
            "1.0 -5.00 EUR reversal",
            &format!(
                "out_of_balance: {NAME} does not close: 10.00 and -5.00 moved make 5.00, 11.00 EUR \
                 is stated: a difference of -6.00"
            ),
        ],
    );
}

#[test]
fn pending_records_are_no_part_of_the_balance() {
    let pending = record("5.00", "CRDT", "").replace("BOOK", "PDNG");
    check(
        &message(&statement(&(balances("10.00", "10.00") + &pending))),
        &["1.0 5.00 EUR payment status=pending"],
    );
}

#[test]
fn a_rejected_record_is_told_once_and_not_as_an_imbalance_too() {
    let records = record("5.00", "CRDT", "").replace("BOOK", "WHAT");
    let line = "1 kind_unknown Sts `WHAT` `BOOK`, `PDNG`, `INFO`, `FUTR`, or a status that `statuses` names Some(5.00 EUR)";
    for closing in ["15.00", "10.00"] {
        check(&message(&statement(&(balances("10.00", closing) + &records))), &[line]);
    }
    let fault = format!(
        "out_of_balance: {NAME} does not close: 10.00 and 0.00 moved make 10.00, 16.00 EUR is \
         stated: a difference of -6.00 (rejected records of 5.00 not counted)"
    );
    check(&message(&statement(&(balances("10.00", "16.00") + &records))), &[line, &fault]);
}

#[test]
fn balances_in_debit_are_negative_and_the_previous_closing_opens() {
    let inner = balance("PRCD", "10.00", "DBIT", "2026-11-29")
        + &balance("CLAV", "99.00", "CRDT", DAY)
        + &balance("CLBD", "4.00", "DBIT", DAY)
        + &record("6.00", "CRDT", "");
    check(&message(&statement(&inner)), &["1.0 6.00 EUR payment"]);
    let stated = statements(&message(&statement(&inner))).remove(0);
    let show = |it: Option<Money>| it.map(|it| it.to_string());
    assert_eq!(show(stated.opening).as_deref(), Some("-10.00"));
    assert_eq!(show(stated.closing).as_deref(), Some("-4.00"));
    assert_eq!(stated.imbalance().map(Sum::minor), Some(0));
}

#[test]
fn an_interim_balance_stands_in_for_the_one_that_is_missing() {
    for (kinds, amounts) in [
        (["ITBD", "CLBD"], ["1.00", "3.00"]),
        (["OPBD", "ITBD"], ["1.00", "3.00"]),
        (["ITBD", "ITBD"], ["1.00", "3.00"]),
    ] {
        let inner = balance(kinds[0], amounts[0], "CRDT", DAY)
            + &balance(kinds[1], amounts[1], "CRDT", DAY)
            + &record("2.00", "CRDT", "");
        check(&message(&statement(&inner)), &["1.0 2.00 EUR payment"]);
        let stated = statements(&message(&statement(&inner))).remove(0);
        assert_eq!(stated.imbalance().map(Sum::minor), Some(0), "{kinds:?}");
    }
}

#[test]
fn pages_of_one_file_are_one_statement_and_close_together() {
    let paged = |page: &str, last: &str, inner: &str| {
        let pages =
            format!("<StmtPgntn><PgNb>{page}</PgNb><LastPgInd>{last}</LastPgInd></StmtPgntn>");
        statement(inner).replace("</Id><Acct>", &format!("</Id>{pages}<Acct>"))
    };
    let first = balance("OPBD", "1.00", "CRDT", DAY)
        + &balance("ITBD", "3.00", "CRDT", DAY)
        + &record("2.00", "CRDT", "");
    let second = balance("ITBD", "3.00", "CRDT", DAY)
        + &balance("CLBD", "7.00", "CRDT", DAY)
        + &record("4.00", "CRDT", "");
    let lines = ["1.0 2.00 EUR payment", "2.0 4.00 EUR payment"];
    let whole = message(&(paged("1", "false", &first) + &paged("2", "true", &second)));
    check(&whole, &lines);
    let stated = statements(&whole);
    assert_eq!(stated.len(), 1);
    assert_eq!(stated[0].pages, [Page::new(1, false), Page::new(2, true)]);
    assert_eq!(stated[0].imbalance().map(Sum::minor), Some(0));

    // A file cannot know what other files hold: what is missing is for the inbox to tell.
    let alone = message(&paged("1", "false", &first));
    check(&alone, &lines[..1]);
    let stated = statements(&alone).remove(0);
    let ends = |it: &Statement| [it.opening, it.closing].map(|it| it.map(|it| it.to_string()));
    assert_eq!((stated.imbalance(), ends(&stated)), (None, [Some("1.00".to_owned()), None]));
    let alone = message(&paged("2", "true", &second));
    check(&alone, &["1.0 4.00 EUR payment"]);
    assert_eq!(ends(&statements(&alone)[0]), [None, Some("7.00".to_owned())]);
    let bare = message(&paged("2", "true", &record("4.00", "CRDT", "")));
    let fault = format!("incomplete: {NAME} states no closing balance");
    check(&bare, &["1.0 4.00 EUR payment", &fault]);
    let within = |message: &str| {
        message.replace(
            "</CreDtTm></GrpHdr>",
            "</CreDtTm><MsgPgntn><PgNb>1</PgNb><LastPgInd>false</LastPgInd></MsgPgntn></GrpHdr>",
        )
    };
    let cut = within(&message(&statement(&first)));
    check(&cut, &lines[..1]);
    assert_eq!(statements(&cut)[0].pages, [Page::new(1, false)]);
    let both = statements(&within(&message(&paged("1", "true", &(first + &second))))).remove(0);
    let of_message = Page { message: "M1/2026-12-01".to_owned(), ..Page::new(1, false) };
    assert_eq!(both.pages, [Page::new(1, true), of_message]);
}

#[test]
fn control_totals_tie_to_all_records_or_to_the_booked_ones() {
    let total = |count: &str, sum: &str, credits: &str, net: &str| {
        let inner = format!(
            "<TxsSummry><TtlNtries><NbOfNtries>{count}</NbOfNtries><Sum>{sum}</Sum><TtlNetNtry>\
             <Amt>{net}</Amt><CdtDbtInd>CRDT</CdtDbtInd></TtlNetNtry></TtlNtries><TtlCdtNtries>\
             <NbOfNtries>{credits}</NbOfNtries></TtlCdtNtries></TxsSummry>"
        );
        let records = record("5.00", "CRDT", "")
            + &record("2.00", "DBIT", "")
            + &record("1.00", "CRDT", "").replace("BOOK", "PDNG");
        message(&statement(&(balances("1.00", "4.00") + &inner + &records)))
    };
    let lines =
        ["1.0 5.00 EUR payment", "2.0 -2.00 EUR payment", "3.0 1.00 EUR payment status=pending"];
    check(&total("3", "8.00", "2", "4"), &lines);
    check(&total("2", "7", "1", "3.00"), &lines);
    let stated = statements(&total("2", "7", "1", "3.00")).remove(0);
    assert_eq!((stated.count, stated.counted), (Some(2), 2));
    assert_eq!(stated.total, stated.totalled);
    let faults = [
        format!("incomplete: {NAME} states 4 entries, 3 were read"),
        format!(
            "totals_differ: {NAME} states that its entries sum to 9.00, 8.00 was read: \
             a difference of -1.00"
        ),
    ];
    let [one, two, three] = lines;
    check(&total("4", "9.00", "2", "4"), &[one, two, three, &faults[0], &faults[1]]);
    let none =
        statement("<TxsSummry><TtlNtries><NbOfNtries>1</NbOfNtries></TtlNtries></TxsSummry>");
    let fault = format!("incomplete: {NAME} states 1 entries, 0 were read");
    let blank = format!("incomplete: {NAME} states no balance");
    check(&message(&none.replace("<Ccy>EUR</Ccy>", "")), &[&blank, &fault]);
}

#[test]
fn a_statement_of_a_past_day_without_both_balances_is_incomplete() {
    let (opening, closing) =
        (balance("OPBD", "1.00", "CRDT", DAY), balance("CLBD", "2.00", "CRDT", DAY));
    for (given, lacks) in [(&opening, "closing balance"), (&closing, "opening balance")] {
        let xml = message(&statement(&(given.clone() + &record("1.00", "CRDT", ""))));
        let fault = format!("incomplete: {NAME} states no {lacks}");
        check(&xml, &["1.0 1.00 EUR payment", &fault]);
    }
}

#[test]
fn a_statement_is_named_by_account_number_and_year_and_tells_its_period() {
    let head = "<ElctrncSeqNb>17</ElctrncSeqNb><CreDtTm>2027-01-01T00:30:00+01:00</CreDtTm>\
                <FrToDt><FrDtTm>2026-11-30T00:00:00+01:00</FrDtTm>\
                <ToDtTm>2026-12-01T00:00:00+01:00</ToDtTm></FrToDt><CpyDplctInd>DUPL</CpyDplctInd>";
    let stated = statements(&message(&statement(head))).remove(0);
    assert_eq!(stated.identity, "camt.053/DE1/S1/2027");
    assert_eq!(stated.account, "DE1");
    assert_eq!(stated.sequence, Some(17));
    assert!(stated.copy);
    assert_eq!((stated.from, stated.to), (DAY.parse().ok(), DAY.parse().ok()));
    assert_eq!(stated.movement.map(|it| it.to_string()).as_deref(), Some("0.00"));
}

#[test]
fn a_period_that_is_not_stated_claims_no_day_before_its_balances() {
    for (opening, booked, from) in [
        ("2026-11-29", "2026-11-30", "2026-11-30"),
        ("2026-11-29", "2026-11-29", "2026-11-29"),
        ("2026-11-30", "2026-11-30", "2026-11-30"),
    ] {
        let inner = balance("OPBD", "0.00", "CRDT", opening)
            + &balance("CLBD", "1.00", "CRDT", DAY)
            + &record("1.00", "CRDT", "").replace(DAY, booked);
        let stated = statements(&message(&statement(&inner))).remove(0);
        assert_eq!((stated.from, stated.to), (from.parse().ok(), DAY.parse().ok()), "{opening}");
    }
}

#[test]
fn several_statements_of_several_accounts_are_told_apart() {
    let other = statement(&record("2.00", "DBIT", "")).replace("DE1", "DE2");
    let stated = statements(&message(&(statement(&record("1.00", "CRDT", "")) + &other)));
    let lines: Vec<_> = stated.iter().map(|it| (it.account.as_str(), it.counted)).collect();
    assert_eq!(lines, [("DE1", 1), ("DE2", 1)]);
}

#[test]
fn balances_in_two_currencies_do_not_close() {
    let two = balances("1.00", "1.00").replacen("EUR", "SEK", 1);
    check(
        &message(&statement(&two)),
        &[&format!("out_of_balance: {NAME} opens with 1.00 SEK and closes with 1.00 EUR")],
    );
    let foreign = balances("1.00", "1.00") + &record("1.00", "CRDT", "").replace("EUR", "SEK");
    check(
        &message(&statement(&foreign)),
        &[
            "1.0 1.00 SEK payment",
            &format!("out_of_balance: {NAME} is kept in EUR and has booked records in SEK"),
        ],
    );
}

#[test]
fn every_message_and_version_is_read_by_local_names() {
    let xml = message(&statement(&(balances("1.00", "2.00") + &record("1.00", "CRDT", ""))));
    for (name, element, format) in [
        ("camt.053.001.02", ["BkToCstmrStmt", "Stmt"], "camt.053.001.02"),
        ("camt.052.001.13", ["BkToCstmrAcctRpt", "Rpt"], "camt.052.001.13"),
        ("camt.054.001.08", ["BkToCstmrDbtCdtNtfctn", "Ntfctn"], "camt.054.001.08"),
    ] {
        let xml = xml.replace("camt.053.001.08", name).replace("BkToCstmrStmt", element[0]);
        let xml = xml.replace("<Stmt>", &format!("<{}>", element[1]));
        let xml = xml.replace("</Stmt>", &format!("</{}>", element[1]));
        check(&xml, &["1.0 1.00 EUR payment"]);
        let prefixed = xml.replace("</", "</c:").replace('<', "<c:").replace("<c:/c:", "</c:");
        let prefixed = prefixed.replace("<c:?", "<?").replace("xmlns=", "xmlns:c=");
        check(&prefixed, &["1.0 1.00 EUR payment"]);
        let (stated, _) = read(prefixed.as_bytes(), &Source::new(Format::Camt)).unwrap();
        assert_eq!(stated.format, format);
    }
    let iso = "urn:iso:std:iso:20022:tech:xsd:camt.053.001.";
    let read_as = "it is read as a camt.053 by the names of its elements";
    for (namespace, told) in [
        (
            "urn:other".to_owned(),
            "`urn:other` is not the namespace of a camt.053 of ISO 20022".to_owned(),
        ),
        (String::new(), "it names no namespace".to_owned()),
        (format!("{iso}14"), format!("`{iso}14` is a version besides 02 to 13")),
        (
            iso.replace("053", "052") + "08",
            format!(
                "`{}08` is not the namespace of a camt.053 of ISO 20022",
                iso.replace("053", "052")
            ),
        ),
    ] {
        let xml = xml.replace(&format!("{iso}08"), &namespace);
        check(&xml, &["1.0 1.00 EUR payment", &format!("{told}; {read_as}")]);
    }
}

#[test]
fn what_follows_the_document_is_refused() {
    let xml = message(&statement(&record("1.00", "CRDT", "")));
    for more in [xml.as_str(), "<a/>", "x", "\0\0", "&amp;", "<![CDATA[x]]>"] {
        let told = refusal(format!("{xml}\n{more}").as_bytes());
        assert!(told.contains("something follows the end of the document: two files"), "{told}");
    }
    let told = refusal(format!("x{xml}").as_bytes());
    assert_eq!(told, "byte 0: it is no XML: text stands before its first element");
    let (_, kept) =
        read(format!("{xml}\n \n<!-- end -->\n").as_bytes(), &Source::new(Format::Camt)).unwrap();
    assert_eq!(kept.entries.len(), 1);
}

#[test]
fn a_file_that_is_cut_is_refused_at_its_byte() {
    let xml = message(&statement(&record("1.00", "CRDT", "")));
    let at = xml.find("</Ntry>").unwrap();
    assert_eq!(
        refusal(&xml.as_bytes()[..at]),
        format!("byte {at}: the file ends inside its document; elements still open: 4")
    );
    let inside = refusal(&xml.as_bytes()[..at + 3]);
    assert!(inside.starts_with(&format!("byte {}: ", at + 3)), "{inside}");
}

#[test]
fn what_is_no_safe_xml_is_refused_as_a_whole() {
    let xml = message(&statement(""));
    let doctype = xml.replace("<Document", "<!DOCTYPE a [<!ENTITY b \"c\">]><Document");
    assert!(refusal(doctype.as_bytes()).ends_with("a document type declaration is refused"));
    let entity = xml.replace("M1", "&b;");
    assert!(refusal(entity.as_bytes()).ends_with("entity `&b;` is not defined"));
    let deep = xml.replace("M1", &"<a>".repeat(100));
    assert!(refusal(deep.as_bytes()).ends_with("elements lie deeper than 64"));
    let long = xml.replace("M1", &"x".repeat(2 << 20));
    assert!(refusal(long.as_bytes()).ends_with("a tag or text is longer than 1048576 bytes"));
    let shift = xml.replace("UTF-8", "Shift_JIS");
    assert!(refusal(shift.as_bytes()).contains("encoding `Shift_JIS` is not read"));
    let latin = encoding_rs::WINDOWS_1252.encode(&xml.replace("M1", "ä")).0.into_owned();
    assert!(refusal(&latin).contains("byte "));
    assert!(refusal(b"<Document><CstmrCdtTrfInitn/></Document>").contains("no camt.052"));
    assert!(refusal(b"").contains("no camt.052"));
}

#[test]
fn a_mirrored_account_is_turned_around_as_a_whole() {
    let inner = balances("1.00", "3.00") + &record("2.00", "CRDT", "");
    for source in [
        Source { mirror: true, ..Source::new(Format::Camt) },
        Source { sign: Sign::Inverted, ..Source::new(Format::Camt) },
    ] {
        let (stated, kept) = read(message(&statement(&inner)).as_bytes(), &source).unwrap();
        assert_eq!(entry_line(&kept.entries[0]), "1.0 -2.00 EUR payment");
        assert_eq!(stated.statements[0].closing.map(|it| it.to_string()).as_deref(), Some("-3.00"));
        assert_eq!(stated.statements[0].imbalance().map(Sum::minor), Some(0));
    }
}

#[test]
fn a_finer_scale_is_kept_where_the_profile_declares_it() {
    let source = Source { scale: Some(3), ..Source::new(Format::Camt) };
    let inner = balances("1.000", "3.125") + &record("2.125", "CRDT", "");
    let (stated, kept) = read(message(&statement(&inner)).as_bytes(), &source).unwrap();
    assert_eq!(entry_line(&kept.entries[0]), "1.0 2.125 EUR payment");
    assert_eq!(stated.faults, []);
}
