//! Whole files, read by a profile.

use std::fmt::Write as _;

use chrono_tz::Tz;
use proptest::prelude::*;

use crate::config::Source;
use crate::domain::entry::{Entry, EntrySink, Kept, Place, Reject};
use crate::domain::statement::Stated;
use crate::sources::{ReadContext, StatementError};

use super::read;

/// The columns of most files here.
const PLAIN: &str = r#"
    currency = "EUR"
    columns = { booking_date = "date", amount = "amount", end_to_end_id = "e2e" }
"#;

fn source(profile: &str) -> Source {
    let source: Source =
        toml::from_str(&format!("format = \"csv\"\npath = \"x\"\n{profile}")).unwrap();
    source.check().unwrap();
    source
}

fn run(profile: &str, file: &[u8]) -> Result<(Stated, Kept), StatementError> {
    let source = source(profile);
    let context = ReadContext { timezone: Tz::Europe__Moscow, ..ReadContext::new(&source) };
    let mut kept = Kept::default();
    let stated = read(&mut &*file, &context, &mut kept)?;
    Ok((stated, kept))
}

/// Reads a file and prints one line for each entry, reject and fault.
fn check(profile: &str, file: &str, expected: &[&str]) {
    check_bytes(profile, file.as_bytes(), expected);
}

fn check_bytes(profile: &str, file: &[u8], expected: &[&str]) {
    let lines = match run(profile, file) {
        Err(error) => vec![format!("error: {error}")],
        Ok((stated, kept)) => {
            let total = kept.entries.len() + kept.rejects.len();
            assert_eq!(stated.records, u64::try_from(total).unwrap());
            kept.entries.iter().for_each(|it| check_found_again(profile, file, it));
            let mut lines: Vec<(u32, String)> = Vec::new();
            lines.extend(kept.entries.iter().map(|it| (it.place.record, told(it))));
            lines.extend(kept.rejects.iter().map(|it| (it.place.record, refused(it))));
            lines.sort();
            let faults = stated.faults.iter().map(|it| format!("{}: {}", it.verdict, it.what));
            lines.into_iter().map(|(_, line)| line).chain(faults).collect()
        }
    };
    assert_eq!(lines, expected);
}

/// Wants one record and keeps what comes of it.
struct One {
    record: u32,
    entries: Vec<Entry<'static>>,
}

impl EntrySink for One {
    fn entry(&mut self, entry: &Entry<'_>) {
        if entry.place.record == self.record {
            self.entries.push(entry.clone().into_owned());
        }
    }

    fn reject(&mut self, _: Reject) {}

    fn wants(&mut self, place: Place) -> bool {
        place.record == self.record
    }
}

/// That a record is found again by its number where all others are passed over.
fn check_found_again(profile: &str, file: &[u8], entry: &Entry<'static>) {
    let source = source(profile);
    let context = ReadContext { timezone: Tz::Europe__Moscow, ..ReadContext::new(&source) };
    let mut one = One { record: entry.place.record, entries: Vec::new() };
    read(&mut &*file, &context, &mut one).unwrap();
    assert_eq!(one.entries, std::slice::from_ref(entry));
}

fn told(entry: &Entry<'_>) -> String {
    let mut line = format!("{} {:?}", entry.booking_date, entry.amount);
    for key in &entry.keys {
        write!(line, " {}", key.text).unwrap();
    }
    for text in [&entry.account, &entry.party, &entry.text] {
        if !text.is_empty() {
            write!(line, " {text}").unwrap();
        }
    }
    line
}

fn refused(reject: &Reject) -> String {
    format!("{} {} `{}`: {}", reject.reason.code(), reject.field, reject.text, reject.expected)
}

#[test]
fn a_plain_file_is_read() {
    check(
        PLAIN,
        "date,amount,e2e\n2026-11-30,-20.00,E1\r\n2026-11-30,5,E2",
        &["2026-11-30 -20.00 EUR E1", "2026-11-30 5.00 EUR E2"],
    );
}

#[test]
fn a_record_is_found_again_behind_rows_that_are_none() {
    let file = "date,amount,e2e\n\
                2026-11-30,1,E1\n\
                date,amount,e2e\n\
                ,,\n\
                not a date,1,E2\n\
                2026-11-30,3,E3\n";
    let refused = "field_unreadable date `not a date`: a date as `2026-01-31`, or a declared `date` form, \
             of the years 1900 to 2200";
    let expected = ["2026-11-30 1.00 EUR E1", refused, "2026-11-30 3.00 EUR E3"];
    check(PLAIN, file, &expected);
    check(
        &format!("{PLAIN}\n[stated]\ncount = \"Count\"\n"),
        "date,amount,e2e\n2026-11-30,1,E1\npage 1,Count,3\n2026-11-30,3,E3\n2026-11-30,4,E4\n",
        &["2026-11-30 1.00 EUR E1", "2026-11-30 3.00 EUR E3", "2026-11-30 4.00 EUR E4"],
    );
    let russian = file.replace("date,amount", "Дата,amount").replace("not a date", "не дата");
    let (cp1251, _, _) = encoding_rs::WINDOWS_1251.encode(&russian);
    let profile = PLAIN.replace("\"date\"", "\"Дата\"");
    let refused = refused.replace("able date `not a date`", "able Дата `не дата`");
    let expected = [expected[0], &refused, expected[2]];
    check_bytes(&format!("{profile}\nencoding = \"windows-1251\""), &cp1251, &expected);
}

#[test]
fn a_label_does_not_hide_a_record() {
    let profile = r#"
        currency = "EUR"
        skip = ["Total", "Итого"]
        stated = { closing = "Closing" }
        columns = { party = "party", booking_date = "date", amount = "amount", end_to_end_id = "e2e" }
    "#;
    let file = "party,date,e2e,amount\n\
        Total Energies SE,2026-11-30,k1,1.00\n\
        Total,2026-11-30,k2,2.00\n\
        Total-Fina,,k3,3.00\n\
        Total Energies SE,2026-11-30,,4.00\n\
        Closing,2026-11-30,k5,5.0.0\n\
        Total,2026-11-30,,15.00\n\
        Итого за день,,,15.00\n\
        Total,,2,15.00\n\
        Closing,,,7.00\n";
    let (stated, kept) = run(profile, file.as_bytes()).unwrap();
    let keys: Vec<_> = kept.entries.iter().map(|it| it.keys.first().map(|it| &*it.text)).collect();
    assert_eq!(keys, [Some("k1"), Some("k2"), None]);
    let refused: Vec<_> = kept.rejects.iter().map(|it| (&*it.field, &*it.text)).collect();
    assert_eq!(refused, [("date", ""), ("amount", "5.0.0")]);
    assert_eq!(stated.statements[0].closing.unwrap().minor(), 700);
}

#[test]
fn a_number_is_never_guessed() {
    let file = "date,amount,e2e\n2026-11-30,\"-1.000\",E1\n";
    check(&format!("{PLAIN}\ndecimal = \",\""), file, &["2026-11-30 -1000.00 EUR E1"]);
    check(
        PLAIN,
        file,
        &[
            "number_ambiguous amount `-1.000`: a number that can mean only one thing, or a declared `decimal` mark",
        ],
    );
}

#[test]
fn every_unreadable_record_is_one_reject_with_its_field() {
    check(
        &format!("{PLAIN}\ndecimal = \".\""),
        "date,amount,e2e\n\
         2026-11-30,,E1\n\
         2026-11-30,\"12,34.56\",E2\n\
         30.11.2026,1,E3\n\
         2026-11-30,1.005,E4\n\
         2026-11-30,12345678901234567890,E5\n\
         2026-11-30,1,1.2302025304E+022\n\
         2026-11-30,1\n\
         2026-11-30,1,a,b\n\
         2026-11-30,1,NOTPROVIDED,\n",
        &[
            "field_unreadable amount ``: a number with `.` as decimal mark",
            "field_unreadable amount `12,34.56`: a number with `.` as decimal mark",
            "field_unreadable date `30.11.2026`: a date as `2026-01-31`, or a declared `date` form, \
             of the years 1900 to 2200",
            "decimals_beyond_currency amount `1.005`: at most 2 decimals, or a declared `scale`",
            "field_unreadable amount `12345678901234567890`: at most 64 bits of minor units",
            "key_mangled e2e `1.2302025304E+022`: the key as issued; a spreadsheet has made it a number",
            "field_unreadable row `2026-11-30,1`: 3 cells, and not 2",
            "field_unreadable row `2026-11-30,1,a,b`: 3 cells, and not 4",
            "2026-11-30 1.00 EUR",
        ],
    );
}

#[test]
fn a_declared_scale_allows_more_decimals() {
    check(
        &format!("{PLAIN}\nscale = 3\ndecimal = \".\""),
        "date,amount,e2e\n2026-11-30,1.005,E4\n",
        &["2026-11-30 1.005 EUR E4"],
    );
}

#[test]
fn every_encoding_is_read_with_the_bytes_of_the_file() {
    let profile = r#"
        delimiter = ";"
        currency = "RUB"
        columns = { booking_date = "Дата", amount = "Сумма", party = "Имя" }
    "#;
    let text = "Дата;Сумма;Имя\r\n2026-11-30;5;Попов\r\n2026-11-30;6;𝄞 \"x\"\r\n";
    let expected = ["2026-11-30 5.00 RUB Попов", "2026-11-30 6.00 RUB 𝄞 \"x\""];
    let wide = |order: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(order).collect::<Vec<u8>>();
    let little = wide(u16::to_le_bytes);
    check_bytes(profile, text.as_bytes(), &expected);
    check_bytes(profile, &[b"\xef\xbb\xbf", text.as_bytes()].concat(), &expected);
    check_bytes(profile, &[&b"\xff\xfe"[..], &little].concat(), &expected);
    check_bytes(&format!("encoding = \"utf-16be\"{profile}"), &wide(u16::to_be_bytes), &expected);
    let marked = [&b"\xff\xfe"[..], &little].concat();
    let (_, kept) = run(profile, &marked).unwrap();
    for (entry, line) in kept.entries.iter().zip(text.lines().skip(1)) {
        let start = usize::try_from(entry.place.start).unwrap();
        let length = usize::try_from(entry.place.length).unwrap();
        let bytes: Vec<u8> = line.encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(&marked[start..start + length], bytes);
    }
    let narrow = encoding_rs::WINDOWS_1251.encode("Дата;Сумма;Имя\n2026-11-30;5;Попов\n").0;
    check_bytes(&format!("encoding = \"windows-1251\"{profile}"), &narrow, &expected[..1]);
    check_bytes(
        profile,
        &narrow,
        &[
            "error: `\u{fffd}\u{fffd}\u{fffd}\u{fffd}` is not UTF-8, and no `encoding` is declared, as `windows-1251`",
        ],
    );
}

#[test]
fn a_place_names_the_bytes_of_its_record() {
    let file = "date,amount,e2e\r\n\r\n2026-11-30,1,\"a\r\nb\"\r\n2026-11-30,2,c";
    let (_, kept) = run(PLAIN, file.as_bytes()).unwrap();
    let bytes: Vec<&str> = kept
        .entries
        .iter()
        .map(|it| {
            let start = usize::try_from(it.place.start).unwrap();
            &file[start..start + usize::try_from(it.place.length).unwrap()]
        })
        .collect();
    assert_eq!(bytes, ["2026-11-30,1,\"a\r\nb\"", "2026-11-30,2,c"]);
    assert_eq!(kept.entries[1].place.record, 2);
}

#[test]
fn quotes_newlines_and_a_separator_line_are_read() {
    check(
        PLAIN,
        "sep=;\ndate;amount;e2e\n2026-11-30;1;\"a;\"\"b\"\"\nc\"\n2026-11-30;2;x \"y\" z\n",
        &["2026-11-30 1.00 EUR a;\"b\"\nc", "2026-11-30 2.00 EUR x \"y\" z"],
    );
    check(
        &format!("{PLAIN}\ndelimiter = \",\""),
        "sep=;\ndate;amount;e2e\n",
        &["error: the first line says `sep=;`, and `delimiter` is declared as `,`"],
    );
    check(
        PLAIN,
        "date,amount,e2e\n2026-11-30,1,\"a\n2026-11-30,2,b\n",
        &["error: byte 16: a quote opens here and never closes"],
    );
}

#[test]
fn a_missing_column_is_named_with_the_columns_found() {
    check(
        PLAIN,
        "Report\n\ndate,sum,e2e\n",
        &["error: no header has column `amount` (`amount`); the nearest has `date`, `sum`, `e2e`"],
    );
    check(
        PLAIN,
        "date,amount,amount,e2e\n",
        &[
            "error: the header has column `amount` more than once: name one by its place, `#2` or `#3`",
        ],
    );
}

#[test]
fn a_file_without_a_header_has_its_columns_by_place() {
    let profile = r##"
        header = false
        columns = { booking_date = "#1", amount = "#3", currency = "#2" }
    "##;
    check(profile, "2026-11-30,USD,1\n", &["2026-11-30 1.00 USD"]);
}

#[test]
fn an_amount_is_never_read_in_another_currency_than_it_is_written_in() {
    let columns = r#"columns = { booking_date = "date", amount = "amount", currency = "ccy",
        balance = "balance" }"#;
    let file = "date,amount,ccy,balance\n\
        2026-11-30,1,,\n\
        2026-11-30,$1,,\n\
        2026-11-30,€1,,\n\
        2026-11-30,$1,CAD,$1\n\
        2026-11-30,$1,EUR,\n\
        2026-11-30,1 USD,EUR,\n\
        2026-11-30,1,eur,$1\n";
    let shared = [
        "field_unreadable amount `$1`: an amount in EUR",
        "field_unreadable amount `1 USD`: an amount in EUR",
        "field_unreadable balance `$1`: an amount in EUR",
    ];
    let undeclared = [
        "field_unreadable ccy ``: a currency, or a declared `currency`",
        "field_unreadable ccy ``: a currency, or a declared `currency`",
        "2026-11-30 1.00 EUR",
        "2026-11-30 1.00 CAD",
    ];
    check(columns, file, &[&undeclared[..], &shared].concat());
    let declared = [
        "2026-11-30 1.00 GBP",
        "field_unreadable amount `$1`: an amount in GBP",
        "field_unreadable amount `€1`: an amount in GBP",
        "2026-11-30 1.00 CAD",
    ];
    check(&format!("currency = \"GBP\"\n{columns}"), file, &[&declared[..], &shared].concat());
}

#[test]
fn the_direction_is_told_by_sign_columns_or_mark() {
    let header = "date,debit,credit,mark\n";
    let split = |more: &str| {
        format!(
            "currency = \"EUR\"\ncolumns = {{ booking_date = \"date\", debit = \"debit\", credit = \"credit\" }}\n{more}"
        )
    };
    let file = format!("{header}2026-11-30,5,,\n2026-11-30,,7,\n2026-11-30,0.00,8,\n");
    check(
        &split(""),
        &file,
        &["2026-11-30 -5.00 EUR", "2026-11-30 7.00 EUR", "2026-11-30 8.00 EUR"],
    );
    check(
        &split("sign = \"inverted\""),
        &file,
        &["2026-11-30 5.00 EUR", "2026-11-30 -7.00 EUR", "2026-11-30 -8.00 EUR"],
    );
    check(
        &split(""),
        &format!("{header}2026-11-30,5,6,\n2026-11-30,,,\n2026-11-30,-5,,\n"),
        &[
            "field_unreadable credit `6`: a debit or a credit, and not both",
            "field_unreadable credit ``: a debit or a credit",
            "field_unreadable debit `-5`: an amount without a sign, or `sign = \"ignored\"`",
        ],
    );
    let marked = "currency = \"EUR\"\nsign = \"ignored\"\ncolumns = { booking_date = \"date\", amount = \"debit\", mark = \"mark\" }";
    check(
        marked,
        &format!("{header}2026-11-30,33.50,,D\n2026-11-30,\"-1,533.50\",,C\n2026-11-30,1,,X\n"),
        &[
            "2026-11-30 -33.50 EUR",
            "2026-11-30 1533.50 EUR",
            "kind_unknown mark `X`: a mark that `marks` names",
        ],
    );
    let file = "date,amount,e2e\n2026-11-30,5,\n";
    check(&format!("{PLAIN}\nsign = \"inverted\""), file, &["2026-11-30 -5.00 EUR"]);
    check(&format!("{PLAIN}\nmirror = true"), file, &["2026-11-30 -5.00 EUR"]);
    check(&format!("{PLAIN}\nmirror = true\nsign = \"inverted\""), file, &["2026-11-30 5.00 EUR"]);
}

#[test]
fn kinds_and_statuses_are_mapped_and_an_unknown_one_is_named() {
    let profile = r#"
        currency = "EUR"
        kinds = { PAY = "payment", REF = "refund" }
        columns = { booking_date = "d", amount = "a", kind = "k", status = "s", original_amount = "o",
            original_currency = "oc", fee = "f", rate = "r", event_at = "at", intent_key = "i" }
    "#;
    let file = "d,a,k,s,o,oc,f,r,at,i\n\
                2026-11-30,-100,REF,booked,110.00,USD,-2.45,1.10,2026-11-30T22:00:00Z,p-1\n\
                2026-11-30,1,XXX,booked,,,,,,\n\
                2026-11-30,1,PAY,gone,,,,,,\n";
    let (_, kept) = run(profile, file.as_bytes()).unwrap();
    let entry = &kept.entries[0];
    assert_eq!(entry.kind, crate::domain::entry::Kind::Refund);
    assert_eq!(format!("{:?}", entry.original.unwrap()), "-110.00 USD");
    assert_eq!(format!("{:?}", entry.fee.unwrap()), "2.45 EUR");
    assert_eq!(entry.rate.unwrap().to_string(), "1.10");
    assert_eq!(entry.event_at.unwrap().to_rfc3339(), "2026-11-30T22:00:00+00:00");
    assert_eq!(entry.intent.as_deref(), Some("p-1"));
    let refusals: Vec<String> = kept.rejects.iter().map(refused).collect();
    assert_eq!(
        refusals,
        [
            "kind_unknown k `XXX`: a value that `kinds` names, and not `XXX`",
            "kind_unknown s `gone`: a value that `statuses` names, and not `gone`",
        ]
    );
    assert_eq!(format!("{:?}", kept.rejects[0].amount.unwrap()), "1.00 EUR");
}

#[test]
fn what_the_file_states_is_held_against_what_it_has() {
    let profile = format!(
        "decimal = \",\"\ndelimiter = \";\"\n{PLAIN}\n[stated]\nopening = \"Opening balance\"\nclosing = \"Closing balance\"\ncount = \"Count\"\ntotal = \"Total\"\ncut_off = \"To\"\n"
    );
    let file = |closing: &str, count: u32, total: &str| {
        format!(
            "My Bank\nTo: 2026-11-30\nOpening balance;;1.000,00 EUR\n\ndate;amount;e2e\n2026-11-30;-50,00;A\ndate;amount;e2e\n2026-11-30;20,01;B\n;;\nTotal;{total}\nCount;{count};\n;;Closing balance;{closing}\n"
        )
    };
    let entries = ["2026-11-30 -50.00 EUR A", "2026-11-30 20.01 EUR B"];
    check(&profile, &file("970,01", 2, "-29,99"), &entries);
    check(
        &profile,
        &file("970,00", 3, "-30,00"),
        &[
            entries[0],
            entries[1],
            "out_of_balance: opening 1000.00 and -29.99 moved make 970.01, and closing 970.00 is stated: 0.01",
            "incomplete: records stated: 3, found: 2",
            "totals_differ: control total -30.00 is stated, and -29.99 is read: -0.01",
        ],
    );
    let (stated, _) = run(&profile, file("970,01", 2, "-29,99").as_bytes()).unwrap();
    assert_eq!(
        stated.remarks,
        [
            "3 rows before the header",
            "4 rows among or after the records that are none",
            "1 row repeating the header",
        ]
    );
    let statement = &stated.statements[0];
    assert_eq!(statement.to, "2026-11-30".parse().ok());
    assert_eq!(statement.imbalance().unwrap().minor(), 0);
    assert_eq!((statement.count, statement.counted), (Some(2), 2));
    assert_eq!(statement.movement.unwrap().to_string(), "-29.99");
    check(
        &profile,
        "date;amount;e2e\n",
        &[
            "incomplete: the row `Opening balance`, which the profile declares, is missing",
            "incomplete: the row `Closing balance`, which the profile declares, is missing",
            "incomplete: the row `Count`, which the profile declares, is missing",
            "incomplete: the row `Total`, which the profile declares, is missing",
            "incomplete: the row `To`, which the profile declares, is missing",
        ],
    );
}

#[test]
fn a_running_balance_proves_the_amounts() {
    let profile = r#"
        currency = "EUR"
        columns = { booking_date = "date", amount = "amount", balance = "balance" }
    "#;
    let good = "date,amount,balance\n2026-11-29,5,105\n2026-11-30,-3,102\n";
    let (stated, _) = run(profile, good.as_bytes()).unwrap();
    let statement = &stated.statements[0];
    assert_eq!(statement.opening.unwrap().to_string(), "100.00");
    assert_eq!(statement.closing.unwrap().to_string(), "102.00");
    assert!(stated.faults.is_empty());
    check(
        profile,
        "date,amount,balance\n2026-11-29,5,105\n2026-11-30,-3,102.01\n2026-11-30,1,103.01\n",
        &[
            "2026-11-29 5.00 EUR",
            "2026-11-30 -3.00 EUR",
            "2026-11-30 1.00 EUR",
            "out_of_balance: record 2: balance 102.01 is stated, and 102.00 follows from the one before: 0.01",
        ],
    );
}

#[test]
fn an_inverted_card_statement_closes_with_its_balances_inverted() {
    let profile = format!(
        "sign = \"inverted\"\n{PLAIN}\n[stated]\nopening = \"From\"\nclosing = \"To\"\ntotal = \"Sum\"\n"
    );
    let file = "From,100\ndate,amount,e2e\n2026-11-30,20,A\nSum,20\nTo,120\n";
    check(&profile, file, &["2026-11-30 -20.00 EUR A"]);
}

#[test]
fn amounts_that_other_programs_misread_are_right() {
    let file = "date,amount,e2e\n2026-11-30,(33.52),A\n2026-11-30,€(63.12),B\n2026-11-30,-110.7 €,C\n2026-11-30,7 000,D\n";
    check(
        PLAIN,
        file,
        &[
            "2026-11-30 -33.52 EUR A",
            "2026-11-30 -63.12 EUR B",
            "2026-11-30 -110.70 EUR C",
            "2026-11-30 7000.00 EUR D",
        ],
    );
    check(
        PLAIN,
        "date,amount,e2e\n2026-11-30,5.00 USD,A\n",
        &["field_unreadable amount `5.00 USD`: an amount in EUR"],
    );
}

#[test]
fn a_file_that_covers_its_day_says_so() {
    let source = source(&format!("covers = \"date\"\n{PLAIN}"));
    let as_of = "2026-11-30".parse().ok();
    let context = ReadContext { as_of, ..ReadContext::new(&source) };
    let stated = read(&mut "date,amount,e2e\n".as_bytes(), &context, &mut Kept::default()).unwrap();
    assert_eq!((stated.statements[0].from, stated.statements[0].to), (as_of, as_of));
}

proptest! {
    #[test]
    fn mutated_bytes_never_panic_and_no_record_is_lost(
        changes in prop::collection::vec((0_usize..400, any::<u8>()), 0..12),
        declared in prop::sample::select(vec!["utf-8", "windows-1251", "utf-16le", "cp866"]),
    ) {
        let mut file = "Total,9\ndate,amount,e2e,k,balance\n2026-11-30,\"1,234.56\",A,PAY,5\n2026-11-30,-1,\"B\nb\",PAY,4\n\
            2026-11-30,(3),Ц,PAY,1\nTotal,1\n".repeat(3).into_bytes();
        for (at, byte) in changes {
            let length = file.len();
            file[at % length] = byte;
        }
        let profile = format!("encoding = \"{declared}\"\ncurrency = \"EUR\"\nkinds = {{ PAY = \"payment\" }}\n\
            columns = {{ booking_date = \"date\", amount = \"amount\", end_to_end_id = \"e2e\", kind = \"k\", balance = \"balance\" }}\n\
            [stated]\ntotal = \"Total\"\n");
        if let Ok((stated, kept)) = run(&profile, &file) {
            let given = kept.entries.len() + kept.rejects.len();
            prop_assert_eq!(stated.records, u64::try_from(given).unwrap());
            let mut last = 0;
            for entry in &kept.entries {
                prop_assert!(entry.place.start >= last);
                last = entry.place.start + u64::from(entry.place.length);
                prop_assert!(last <= u64::try_from(file.len()).unwrap());
            }
        }
    }

    #[test]
    fn cells_are_split_as_the_csv_crate_splits_them(
        cells in prop::collection::vec(prop::collection::vec("[a-zЯ ,;\"\n\r0-9]{0,6}", 3), 1..6),
    ) {
        let mut writer = ::csv::Writer::from_writer(Vec::new());
        writer.write_record(["date", "amount", "text"]).unwrap();
        for row in &cells {
            writer.write_record(["2026-11-30", "1", &row.concat()]).unwrap();
        }
        let file = writer.into_inner().unwrap();
        let profile = "currency = \"EUR\"\ncolumns = { booking_date = \"date\", amount = \"amount\", text = \"text\" }";
        let (_, kept) = run(profile, &file).unwrap();
        let texts: Vec<String> = kept.entries.iter().map(|it| it.text.to_string()).collect();
        let expected: Vec<String> = cells.iter().map(|it| it.concat().trim().to_owned()).collect();
        prop_assert_eq!(texts, expected);
    }
}
