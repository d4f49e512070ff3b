//! A statement whose pages come as several files, through the program.

use std::fmt::Write as _;

use sverka::report::{json, view::ResultView};

use crate::daily::Desk;

const CONFIG: &str = r#"
tenant = "acme"
database = "sqlite://t.db"
[[reconciliation]]
name = "bank"
timezone = "Europe/Berlin"
ours = "ledger"
theirs = "bank"
[[reconciliation.rule]]
name = "end-to-end"
on = ["end_to_end_id"]
[source.ledger]
format = "csv"
path = "ledger.csv"
origin = "core"
account = "DE1"
decimal = "."
currency = "EUR"
columns = { intent_key = "id", end_to_end_id = "key", amount = "amount", booking_date = "day" }
stated = { from = "From", cut_off = "To", opening = "Opening", closing = "Closing" }
[source.bank]
format = "camt"
path = "bank-*.xml"
origin = "bank"
"#;

const LEDGER: &str = "id,key,amount,day
p1,A,-10.00,2026-11-26
p2,B,-5.00,2026-11-26
p3,C,-2.00,2026-11-26
Opening,100.00
Closing,83.00
From,2026-11-26
To,2026-11-26
";

/// How a bank tells pages.
#[derive(Clone, Copy)]
struct Manner {
    /// The element that counts them, around the statement's records or before the statement.
    element: &'static str,
    /// Whether the statement has a number of its own besides its name.
    numbered: bool,
    /// The kinds of the balances within, and whether each page has its own or that of all.
    inner: [&'static str; 2],
    balances: [[&'static str; 2]; 3],
}

/// Every page has the balances between which its own records lie.
const OWN: [[&str; 2]; 3] = [["100.00", "90.00"], ["90.00", "85.00"], ["85.00", "83.00"]];

const USUAL: Manner =
    Manner { element: "StmtPgntn", numbered: true, inner: ["ITBD", "ITBD"], balances: OWN };

/// Pages of a statement from 100.00 to 83.00, by number, in one message.
fn message(manner: Manner, pages: &[usize]) -> String {
    let numbered = |page: usize| {
        let element = manner.element;
        let last = page == 3;
        format!("<{element}><PgNb>{page}</PgNb><LastPgInd>{last}</LastPgInd></{element}>")
    };
    let of_message = manner.element == "MsgPgntn";
    let mut text = "<Document xmlns=\"urn:iso:std:iso:20022:tech:xsd:camt.053.001.08\">\
         <BkToCstmrStmt><GrpHdr><MsgId>M1</MsgId><CreDtTm>2026-11-27T05:00:00</CreDtTm>"
        .to_owned();
    let first = if of_message { numbered(pages[0]) } else { String::new() };
    write!(text, "{first}</GrpHdr>").unwrap();
    for page in pages {
        let own = if of_message { String::new() } else { numbered(*page) };
        let number = if manner.numbered { "<ElctrncSeqNb>7</ElctrncSeqNb>" } else { "" };
        let kinds = [
            if *page == 1 { "OPBD" } else { manner.inner[0] },
            if *page == 3 { "CLBD" } else { manner.inner[1] },
        ];
        write!(
            text,
            "<Stmt><Id>S1</Id>{own}{number}<CreDtTm>2026-11-27T05:00:00</CreDtTm><FrToDt>\
             <FrDtTm>2026-11-26T00:00:00</FrDtTm><ToDtTm>2026-11-26T23:59:59</ToDtTm></FrToDt>\
             <Acct><Id><IBAN>DE1</IBAN></Id><Ccy>EUR</Ccy></Acct>"
        )
        .unwrap();
        for (kind, amount) in kinds.iter().zip(manner.balances[page - 1]) {
            write!(
                text,
                "<Bal><Tp><CdOrPrtry><Cd>{kind}</Cd></CdOrPrtry></Tp><Amt Ccy=\"EUR\">{amount}\
                 </Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-11-26</Dt></Dt></Bal>"
            )
            .unwrap();
        }
        let (key, amount) = [("A", "10.00"), ("B", "5.00"), ("C", "2.00")][page - 1];
        write!(
            text,
            "<Ntry><Amt Ccy=\"EUR\">{amount}</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd>\
             </Sts><BookgDt><Dt>2026-11-26</Dt></BookgDt><NtryDtls><TxDtls><Refs><EndToEndId>{key}\
             </EndToEndId></Refs></TxDtls></NtryDtls></Ntry></Stmt>"
        )
        .unwrap();
    }
    text + "</BkToCstmrStmt></Document>"
}

/// A run over files that hold so many pages each, in the order of their names.
fn run(manner: Manner, files: &[&[usize]]) -> (Option<i32>, ResultView) {
    let desk = Desk::new(LEDGER, "");
    desk.put("sverka.toml", CONFIG);
    run_at(&desk, manner, files)
}

fn run_at(desk: &Desk, manner: Manner, files: &[&[usize]]) -> (Option<i32>, ResultView) {
    for (number, pages) in files.iter().enumerate() {
        desk.put(&format!("bank-{number}.xml"), &message(manner, pages));
    }
    let output = desk.sverka(&["run", "--json", "--date", "2026-11-26"]);
    let text = String::from_utf8(output.stdout).unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    let view = json::read(&text).unwrap_or_else(|error| panic!("{error}: {text} {told}"));
    (output.status.code(), view)
}

fn check_whole(manner: Manner, files: &[&[usize]]) {
    let (status, view) = run(manner, files);
    let told: Vec<_> = view.files.iter().map(|it| &it.explanation).collect();
    assert_eq!(status, Some(0), "{files:?}: {:?} {told:?}", view.verdict.doubts);
    assert_eq!(view.proof[0].theirs.to_string(), "83.00", "{files:?}");
}

fn check_missing(files: &[&[usize]], says: &str) {
    let (status, view) = run(USUAL, files);
    assert_eq!(status, Some(3), "{files:?}");
    let doubts: Vec<_> = view.verdict.doubts.iter().map(|it| it.text.as_str()).collect();
    assert!(doubts.iter().any(|it| it.contains(says)), "{files:?}: {doubts:?}");
}

#[test]
fn pages_are_one_statement_however_they_are_filed() {
    for files in [
        &[&[1, 2, 3][..]][..],
        &[&[1], &[2], &[3]],
        &[&[3], &[1], &[2]],
        &[&[1, 2], &[3]],
        &[&[2], &[1, 3]],
    ] {
        check_whole(USUAL, files);
        check_whole(Manner { numbered: false, ..USUAL }, files);
        check_whole(Manner { inner: ["OPBD", "CLBD"], ..USUAL }, files);
        let all = [["100.00", "83.00"]; 3];
        check_whole(Manner { inner: ["OPBD", "CLBD"], balances: all, ..USUAL }, files);
    }
    for files in [[&[1][..], &[2], &[3]], [&[2], &[3], &[1]]] {
        check_whole(Manner { element: "MsgPgntn", ..USUAL }, &files);
    }
}

#[test]
fn a_page_that_is_missing_is_named() {
    check_missing(&[&[2], &[3]], "page 1 of statement `camt.053/DE1/S1/2026` is missing");
    check_missing(&[&[1], &[3]], "page 2 of statement `camt.053/DE1/S1/2026` is missing");
    check_missing(&[&[1, 3]], "page 2 of statement `camt.053/DE1/S1/2026` is missing");
    check_missing(&[&[1], &[2]], "what follows page 2 of statement `camt.053/DE1/S1/2026`");
}

#[test]
fn a_page_that_comes_later_completes_its_statement() {
    let desk = Desk::new(LEDGER, "");
    desk.put("sverka.toml", CONFIG);
    assert_eq!(run_at(&desk, USUAL, &[&[1], &[3]]).0, Some(3));
    let (status, view) = run_at(&desk, USUAL, &[&[1], &[3], &[2]]);
    assert_eq!(status, Some(0), "{:?}", view.verdict.doubts);
    assert_eq!(run_at(&desk, USUAL, &[]).0, Some(0));
}
