//! Runs on two files and nothing else.

use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

use tempfile::TempDir;

/// A ledger in which everything of [`STATEMENT`] is booked.
const LEDGER: &str = "\
Booking Date,Amount,Currency,e2e,Note
2026-11-30,-20.00,EUR,E1,rent
2026-11-30,35.50,EUR,E2,sale
";

/// A statement in the words of a Russian bank.
const STATEMENT: &str = "\
Дата;Сумма;Валюта;Счет;e2e
30.11.2026;-20,00;EUR;DE02;E1
30.11.2026;35,50;EUR;DE02;E2
";

/// Two files in a folder of their own, in which the program runs.
struct Files(TempDir);

impl Files {
    fn new(ours: &[u8], theirs: &[u8]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("ours.txt"), ours).unwrap();
        fs::write(folder.path().join("theirs.txt"), theirs).unwrap();
        Self(folder)
    }

    fn run(&self, more: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_sverka"))
            .args(["run", "--ours", "ours.txt", "--theirs", "theirs.txt"])
            .args(more)
            .current_dir(self.0.path())
            .output()
            .unwrap()
    }

    fn has(&self, name: &str) -> bool {
        Path::new(self.0.path()).join(name).exists()
    }
}

/// Runs two files: the exit status, and a text in what is printed.
fn check(ours: &str, theirs: &str, more: &[&str], status: i32, expected: &str) {
    let output = Files::new(ours.as_bytes(), theirs.as_bytes()).run(more);
    let told = [output.stdout, output.stderr].concat();
    let told = String::from_utf8(told).unwrap();
    assert_eq!(output.status.code(), Some(status), "{told}");
    assert!(told.contains(expected), "no `{expected}` in:\n{told}");
}

/// A camt statement of two entries.
fn camt() -> String {
    let entry = |key: &str, amount: &str, mark: &str| {
        format!(
            "<Ntry><Amt Ccy=\"EUR\">{amount}</Amt><CdtDbtInd>{mark}</CdtDbtInd><Sts>BOOK</Sts>\
             <BookgDt><Dt>2026-11-30</Dt></BookgDt><NtryDtls><TxDtls><Refs>\
             <EndToEndId>{key}</EndToEndId></Refs></TxDtls></NtryDtls></Ntry>"
        )
    };
    let balance = |code: &str, amount: &str| {
        format!(
            "<Bal><Tp><CdOrPrtry><Cd>{code}</Cd></CdOrPrtry></Tp><Amt Ccy=\"EUR\">{amount}</Amt>\
             <CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-11-30</Dt></Dt></Bal>"
        )
    };
    format!(
        "<Document xmlns=\"urn:iso:std:iso:20022:tech:xsd:camt.053.001.08\"><BkToCstmrStmt>\
         <GrpHdr><MsgId>M</MsgId><CreDtTm>2026-12-01T05:00:00Z</CreDtTm></GrpHdr><Stmt><Id>S1</Id>\
         <CreDtTm>2026-12-01T05:00:00Z</CreDtTm>\
         <Acct><Id><IBAN>DE02120300000000202051</IBAN></Id><Ccy>EUR</Ccy></Acct>{}{}{}{}\
         </Stmt></BkToCstmrStmt></Document>",
        balance("OPBD", "100.00"),
        balance("CLBD", "115.50"),
        entry("E1", "20.00", "DBIT"),
        entry("E2", "35.50", "CRDT"),
    )
}

#[test]
fn two_files_that_agree_end_with_zero_and_leave_only_a_report() {
    let files = Files::new(LEDGER.as_bytes(), STATEMENT.as_bytes());
    let output = files.run(&[]);
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{told}");
    assert!(files.has("files-2026-11-30.html"), "{told}");
    assert!(!files.has("store"), "nothing is stored without a database");
    for line in [
        "ours: columns by name: `Amount` is amount",
        "theirs: columns by name: `Сумма` is amount",
        "ours: no account is named: taken to be `DE02` as well",
        "rules: end_to_end_id, exactly, within 2 days",
    ] {
        assert!(told.contains(line), "no `{line}` in:\n{told}");
    }
}

#[test]
fn a_database_that_is_named_keeps_the_run() {
    let files = Files::new(LEDGER.as_bytes(), STATEMENT.as_bytes());
    let output = files.run(&["--database", "sqlite://kept.db", "--report", "day.html"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(files.has("kept.db") && files.has("store") && files.has("day.html"));
    assert!(!files.has("files-2026-11-30.html"));
}

#[test]
fn a_ledger_and_a_camt_statement_agree() {
    check(LEDGER, &camt(), &[], 0, "taken to be `DE02120300000000202051`");
}

#[test]
fn what_one_side_lacks_is_told() {
    let more = format!("{LEDGER}2026-11-30,-7.00,EUR,E3,x\n");
    check(&more, STATEMENT, &[], 0, "no discrepancy:\n      1  In transit");
    let more = format!("{STATEMENT}30.11.2026;-7,00;EUR;DE02;E3\n");
    check(LEDGER, &more, &[], 1, "Missing in our books");
}

#[test]
fn the_help_says_what_every_option_and_status_means() {
    let help = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_sverka")).args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        String::from_utf8(output.stdout).unwrap()
    };
    let run = help(&["run", "--help"]);
    assert!(run.contains("The currency of their statement, where no column names it"), "{run}");
    for line in run.lines().filter(|it| it.trim().starts_with("--")) {
        assert!(line.split_whitespace().count() > 4, "no word about {line}");
    }
    for text in [run, help(&["--help"]), help(&["report", "--help"])] {
        for status in ["0  the sides agree", "1  discrepancies", "3  nothing may", "2  trouble"] {
            assert!(text.contains(status), "no `{status}` in:\n{text}");
        }
    }
    assert!(help(&["--help"]).contains("sverka run --ours ledger.csv --theirs statement.xml"));
}

#[test]
fn rejected_records_are_named() {
    let bad = |key: u8| format!("2026-11-{},-7.00,EUR,R{key},x\n", 30 + key);
    let one = format!("{LEDGER}{}", bad(1));
    let told =
        "Records rejected: 1, of −7.00 EUR net, 7.00 EUR gross\n  Ours: ours.txt, record 3: ";
    check(&one, STATEMENT, &[], 3, told);
    check(&one, STATEMENT, &[], 3, "Booking Date `2026-11-31`; expected: a date as `2026-01-31`");
    check(&one, STATEMENT, &[], 3, "ours: 1 record rejected\n");
    let many: String = (1..=5).map(bad).collect();
    check(&format!("{LEDGER}{many}"), STATEMENT, &[], 3, "ours: 5 records rejected\n");
    check(&format!("{LEDGER}{many}"), STATEMENT, &[], 3, "record 5: ");
    check(&format!("{LEDGER}{many}"), STATEMENT, &[], 3, "  and 2 more\n");
    let money = "2026-11-30,x,EUR,R1,x\n";
    let told = "Records rejected: 1, none with a readable amount\n";
    check(&format!("{LEDGER}{money}"), STATEMENT, &[], 3, told);
    let told = "Records rejected: 2, of −7.00 EUR net, 7.00 EUR gross where an amount could be read; \
                1 without one\n";
    check(&format!("{one}{money}"), STATEMENT, &[], 3, told);
}

#[test]
fn text_of_a_file_neither_acts_on_a_terminal_nor_passes_for_a_line() {
    let hostile = "\"x\u{1b}[2J\u{202e}\u{9b}\nAgrees? Yes.\"";
    let shown = "x⟨U+001B⟩[2J⟨U+202E⟩⟨U+009B⟩⟨U+000A⟩Agrees? Yes.";
    let record = format!("{LEDGER}2026-11-30,{hostile},EUR,E3,x\n");
    check(&record, STATEMENT, &[], 3, shown);
    let header = LEDGER.replace("Note", hostile);
    check(&header, STATEMENT, &["--ours-column", "text=#5"], 0, shown);
    let headless = format!("Amount,{hostile}\n1,2\n");
    check(&headless, STATEMENT, &[], 2, "x⟨U+001B⟩[2J⟨U+202E⟩⟨U+009B⟩\n    Agrees? Yes.");
    let files = Files::new(record.as_bytes(), STATEMENT.as_bytes());
    let json = String::from_utf8(files.run(&["--json"]).stdout).unwrap();
    assert!(json.contains(r"x\u001b[2J\u202e\u009b\nAgrees? Yes."), "{json}");
}

#[test]
fn a_missing_currency_names_the_option() {
    let bare = "date;amount;e2e\n2026-11-30;-20,00;E1\n2026-11-30;35,50;E2\n";
    check(bare, STATEMENT, &[], 2, "give `--ours-currency EUR`");
    check(bare, STATEMENT, &["--ours-currency", "EUR"], 0, "");
    let blank = LEDGER.replace("35.50,EUR", "35.50,");
    check(&blank, STATEMENT, &[], 2, "record 2 names no currency: give `--ours-currency EUR`");
}

#[test]
fn an_ambiguous_number_names_the_option_wherever_it_stands() {
    let theirs = "date;amount;currency;e2e\n2026-11-30;-20,000;EUR;E1\n";
    check(LEDGER, theirs, &[], 2, "give `--theirs-decimal .` or `--theirs-decimal ,`");
    check(LEDGER, theirs, &["--theirs-decimal", ","], 0, "In transit");
    let plain = "2026-11-30,1,EUR,E9,x\n".repeat(200);
    let late = format!("date,amount,currency,e2e,note\n{plain}2026-11-30,\"1,000\",EUR,E8,x\n");
    check(&late, STATEMENT, &[], 2, "`1,000` may mean two numbers: give `--ours-decimal");
}

#[test]
fn a_form_that_is_not_certain_names_the_option() {
    let dates = "date,amount,currency,e2e\n01/02/2026,-20.00,EUR,E1\n";
    check(dates, STATEMENT, &[], 2, "`01/02/2026` may mean two dates: give `--ours-date %d/%m/%Y`");
    let files =
        Files::new(b"date,amount,currency,\xf1\n2026-11-30,1,EUR,x\n", STATEMENT.as_bytes());
    let told = String::from_utf8(files.run(&[]).stderr).unwrap();
    assert!(told.contains("give `--ours-encoding windows-1251`"), "{told}");
}

#[test]
fn columns_that_may_be_one_name_the_option() {
    let two = LEDGER.replace("Note", "Date");
    check(&two, STATEMENT, &[], 2, "may each be booking_date: give `--ours-column booking_date=");
    let given = "booking_date=Booking Date";
    let two = two.replace("rent", "x");
    check(&two, STATEMENT, &["--ours-column", given], 0, "not read: `Date`");
    let twice = STATEMENT.replace("Счет", "Сумма").replace("DE02", "1,00");
    check(LEDGER, &twice, &[], 2, "give `--theirs-column amount=#2`");
    check(LEDGER, &twice, &["--theirs-column", "amount=#2"], 0, "");
    check(
        LEDGER,
        STATEMENT,
        &["--ours-column", "sum=Amount"],
        2,
        "nothing that a column may stand",
    );
}

#[test]
fn a_date_that_cannot_be_read_refuses_its_record_alone() {
    for wrong in ["30.11.26", "30.11.0026", "31.02.2026"] {
        let theirs = format!("{STATEMENT}{wrong};-7,00;EUR;DE02;E3\n");
        check(LEDGER, &theirs, &[], 3, "Their records read: 2 of 3");
    }
}

#[test]
fn a_sign_told_the_other_way_round_is_suggested_and_never_applied() {
    let turned = LEDGER.replace("-20.00", "20.00").replace("35.50", "-35.50");
    check(&turned, STATEMENT, &[], 1, "2 of 2 pairs of equal keys differ in direction");
    check(&turned, STATEMENT, &[], 1, "give `--ours-sign inverted`");
    check(&turned, &camt(), &[], 1, "give `--ours-sign inverted`");
    check(&turned, STATEMENT, &["--ours-sign", "inverted"], 0, "");
}

#[test]
fn a_row_with_a_day_is_no_total_unless_somebody_says_so() {
    let ours = "e2e,amount,currency,date\nE1,-20.00,EUR,2026-11-30\nE2,35.50,EUR,2026-11-30\n";
    check(&format!("{ours}Total,15.50,EUR,\n"), STATEMENT, &[], 0, "records read: 2 of 2");
    let dated = format!("{ours}Total,30.00,EUR,2026-11-30\n");
    check(&dated, STATEMENT, &[], 0, "In transit: 30.00 EUR");
}

#[test]
fn a_group_key_compares_the_sums_of_its_groups() {
    let ours = "date,amount,currency,batch\n2026-11-30,40.00,EUR,B1\n2026-11-30,60.00,EUR,B1\n";
    let theirs = "date,amount,currency,batch\n2026-11-30,100.00,EUR,B1\n";
    check(ours, theirs, &[], 0, "rules: batch_id");
}

#[test]
fn trouble_is_named_and_ends_with_two() {
    check(LEDGER, "date,amount,currency,ref\n2026-11-30,1,EUR,R\n", &[], 2, "share no key");
    check(LEDGER, "<a></a>", &[], 2, "`theirs.txt` is neither delimited text");
    check(LEDGER, "<html>a,b</html>", &[], 2, "cannot read `theirs.txt`: it is a web page");
    check("", STATEMENT, &[], 2, "cannot read `ours.txt`: it is empty");
    check(LEDGER, "PK\u{3}\u{4}a,b", &[], 2, "cannot read `theirs.txt`: it is a ZIP archive");
    let dateless = "Amount,Currency,e2e\n1,EUR,E1\n";
    let missing = "no header names a date; the nearest has `Amount`, `Currency`, `e2e`: give \
                   `--ours-column booking_date=NAME`\n";
    check(dateless, STATEMENT, &[], 2, missing);
    check(LEDGER, &camt(), &["--theirs-decimal", "."], 2, "means nothing to a camt statement");
    check(LEDGER, STATEMENT, &["--config", "x.toml"], 2, "cannot be used with");
    let output = Command::new(env!("CARGO_BIN_EXE_sverka"))
        .args(["run", "--ours", "nowhere.csv", "--theirs", "nowhere.xml"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("cannot read `nowhere.csv`"));
}

#[test]
fn the_day_may_be_given() {
    let more = format!("{LEDGER}2026-11-27,-7.00,EUR,E3,x\n");
    let from = STATEMENT.replace("30.11.2026;-20", "27.11.2026;-20");
    check(&more, &from, &["--date", "2026-12-01"], 1, "2026-12-01");
}

/// Runs two files with a report at a path where it may not go: the run ends before anything is kept,
/// and every file stays as it was.
fn check_report_refused(path: &str, what: &str) {
    let files = Files::new(LEDGER.as_bytes(), STATEMENT.as_bytes());
    let folder = files.0.path();
    fs::write(folder.join("notes.html"), "<!doctype html><title>mine</title>").unwrap();
    fs::write(folder.join("empty.html"), "").unwrap();
    fs::create_dir(folder.join("folder")).unwrap();
    std::os::unix::fs::symlink("ours.txt", folder.join("link.html")).unwrap();
    std::os::unix::fs::symlink(".", folder.join("here")).unwrap();
    let output = files.run(&["--database", "sqlite://kept.db", "--report", path]);
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{path}: {told}");
    assert!(told.contains(&format!("`{path}`")) && told.contains(what), "{path}: {told}");
    assert_eq!(fs::read_to_string(folder.join("ours.txt")).unwrap(), LEDGER);
    assert_eq!(fs::read_to_string(folder.join("theirs.txt")).unwrap(), STATEMENT);
    assert!(fs::read_to_string(folder.join("notes.html")).unwrap().contains("mine"));
    assert!(!files.has("kept.db") && !files.has("store"), "{path}: nothing is kept");
}

#[test]
fn a_report_replaces_nothing_but_a_report() {
    for path in ["ours.txt", "./theirs.txt", "here/ours.txt", "link.html"] {
        check_report_refused(path, "that is an input of the run");
    }
    for path in ["kept.db", "here/kept.db-wal", "kept.db-journal"] {
        check_report_refused(path, "that is the database");
    }
    for path in ["store", "store/raw/day.html", "here/store/day.html"] {
        check_report_refused(path, "that is the store");
    }
    check_report_refused("nowhere/../store/day.html", "steps back");
    check_report_refused("folder", "that is a folder");
    for path in ["notes.html", "empty.html", "/dev/null"] {
        check_report_refused(path, "is no report of sverka");
    }
}

#[test]
fn a_report_replaces_an_earlier_report_and_leaves_no_draft() {
    let files = Files::new(LEDGER.as_bytes(), STATEMENT.as_bytes());
    for _ in 0..2 {
        let output = files.run(&["--report", "out/day.html"]);
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(0), "{told}");
    }
    let left: Vec<_> = fs::read_dir(files.0.path().join("out")).unwrap().collect();
    assert_eq!(left.len(), 1, "{left:?}");
    fs::write(files.0.path().join("files-2026-11-30.html"), "mine").unwrap();
    let output = files.run(&[]);
    assert_eq!(output.status.code(), Some(2), "the usual place is as careful as a named one");
}
