//! What the report says in HTML, in JSON and on the terminal.

use serde_json::Value;
use sverka::domain::{
    language::Language,
    reason::Reason,
    run::{Doubt, RunResult},
};
use sverka::report::html::{self, Options};
use sverka::report::view::ResultView;
use sverka::report::{json, print};

use crate::result;

const SCHEMA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/samples/result.schema.json");

/// What the schema has against a value; `None` where it is valid.
fn complaint(value: &Value) -> Option<String> {
    let mut schemas = boon::Schemas::new();
    let mut compiler = boon::Compiler::new();
    compiler.enable_format_assertions();
    let schema = compiler.compile(SCHEMA, &mut schemas).unwrap();
    schemas.validate(value, schema).err().map(|it| it.to_string())
}

fn value(result: &RunResult) -> Value {
    serde_json::from_str(&json::to_string(&ResultView::from(result)).unwrap()).unwrap()
}

fn page(result: &RunResult, language: Language) -> String {
    html::render(&ResultView::from(result), Options::new(language)).unwrap()
}

/// The page's text as a reader sees it: no markup, entities read, blanks plain.
fn text_of(page: &str) -> String {
    let body = &page[page.find("<body>").unwrap()..];
    let mut text = String::new();
    for piece in body.split('<') {
        text.push_str(piece.split_once('>').map_or(piece, |(_, text)| text));
        text.push(' ');
    }
    let text = text.replace("&#60;", "<").replace("&#62;", ">").replace("&#38;", "&");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Each of the texts stands on the page.
fn check(page: &str, expected: &[&str]) {
    let text = text_of(page);
    for it in expected {
        assert!(text.contains(it), "`{it}` is not on the page: {text}");
    }
}

#[test]
fn every_result_follows_the_schema() {
    for result in [result::rich(), result::clear()] {
        assert_eq!(complaint(&value(&result)), None);
    }
    let mut every_reason = result::rich();
    every_reason.discrepancies =
        Reason::ALL.map(|it| result::discrepancy(it, 1, "1.00", "2.00", "EUR")).into();
    every_reason.verdict.doubts = Doubt::ALL.map(|it| (it, "why".to_owned())).into();
    assert_eq!(complaint(&value(&every_reason)), None);
}

/// A key left out, a key too many and a wrong type are each refused, so the schema says something.
#[test]
fn the_schema_misses_no_key_of_any_object() {
    fn objects(value: &Value, at: &str, found: &mut Vec<String>) {
        match value {
            Value::Object(fields) => {
                found.push(at.to_owned());
                for (name, it) in fields {
                    objects(it, &format!("{at}/{}", name.replace('/', "~1")), found);
                }
            }
            Value::Array(items) => {
                if let Some(first) = items.first() {
                    objects(first, &format!("{at}/0"), found);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    let whole = value(&result::rich());
    let mut places = Vec::new();
    objects(&whole, "", &mut places);
    for place in places.iter().filter(|it| !it.ends_with("agreed") && !it.ends_with("by_reason")) {
        for name in whole.pointer(place).unwrap().as_object().unwrap().keys() {
            let mut broken = whole.clone();
            broken.pointer_mut(place).unwrap().as_object_mut().unwrap().remove(name);
            assert!(complaint(&broken).is_some(), "`{place}` without `{name}`");
        }
        let mut broken = whole.clone();
        let fields = broken.pointer_mut(place).unwrap().as_object_mut().unwrap();
        fields.insert("more".to_owned(), Value::Null);
        assert!(complaint(&broken).is_some(), "`{place}` with a key too many");
    }
}

#[test]
fn a_stored_result_reads_back_and_gives_the_same_bytes() {
    let view = ResultView::from(&result::rich());
    let text = json::to_string(&view).unwrap();
    let again = json::read(&text).unwrap();
    assert_eq!(again, view);
    assert_eq!(json::to_string(&again).unwrap(), text);
    for language in Language::ALL {
        let options = Options::new(language);
        assert_eq!(html::render(&again, options).unwrap(), html::render(&view, options).unwrap());
    }
}

#[test]
fn json_carries_amounts_as_decimal_strings() {
    let whole = value(&result::rich());
    let at = |path: &str| whole.pointer(path).unwrap().clone();
    assert_eq!(at("/proof/0/unexplained"), "0.00");
    assert_eq!(at("/proof/0/timing"), "0.00");
    assert_eq!(at("/proof/0/by_reason/missing_ours/gross"), "12580.40");
    assert_eq!(at("/discrepancies/0/difference"), "-1250.00");
    assert_eq!(at("/discrepancies/0/amount_theirs"), Value::Null);
    assert_eq!(at("/discrepancies/0/corrections/0/key"), "pay-07001:compensate");
    assert_eq!(at("/verdict/reasons/0"), "rejected_money");
    assert_eq!(at("/run/status"), 3);
    assert_eq!(at("/files/1/difference"), "0.00");
}

#[test]
fn nothing_out_of_a_file_acts_on_the_page() {
    for language in Language::ALL {
        let page = page(&result::rich(), language);
        assert!(!page.contains("<script"), "a script came through");
        assert!(!page.contains('\u{202e}') && !page.contains('\u{1b}'), "a control came through");
        assert!(!page.contains("http://") && !page.contains("https://"), "it asks for something");
        check(
            &page,
            &["<script>alert('x')</script>", "⟨U+202E⟩gpj.exe", "שלום"].map(|it| {
                // Quotes are written as entities too; only the part without them is compared.
                it.split('\'').next().unwrap()
            }),
        );
        assert!(page.contains(&"x".repeat(2_000)), "a long text was cut");
    }
}

#[test]
fn the_report_says_everything_that_a_reader_must_know() {
    check(
        &page(&result::rich(), Language::English),
        &[
            "Nothing may be concluded yet",
            "Complete? ✕ No Files usable: 2 of 3",
            "Our booked entries agreed: 395 of 412",
            "Independent? ? Not established",
            "signed off by Anna Petrova",
            "Difference to explain (ours − theirs) −16,418.46",
            "Sum explained −16,418.46",
            "Unexplained 0.00",
            "Missing in our books 2 12,580.40 −12,380.60",
            "They have it, we do not: money moved that our books know nothing of.",
            "E2E-2026-048003",
            "amount-and-date the booking dates are 4 days apart",
            "statement-0231.xml, record 13",
            "Technical correction – not a refund Proposed 12,480.50 EUR",
            "pay-07003:book",
            "Claim to the counterparty; nothing is posted 480.00 EUR",
            "A person decides; nothing is proposed for posting.",
            "Nothing to do yet: waits until 30 Nov 2026.",
            "Request repeated under a new key",
            "Left to explain 0.00 EUR",
            "31 of 31 planted faults found",
            "Fee differs · Accounting period differs",
            "STMT-2026-11-30/0231",
            "inferred from booking dates",
            "Taken before this run.",
            "a number with `,` as decimal mark",
            "Prepared by",
        ],
    );
}

#[test]
fn an_all_clear_prints_its_denominators() {
    check(
        &page(&result::clear(), Language::English),
        &[
            "No open discrepancy among 1,204 entries of ours and 1,204 of theirs",
            "Our booked entries agreed: 1,204 of 1,204",
            "Our records read: 1,204 of 1,204",
            "No open discrepancy, out of 1,204 booked entries of ours and 1,204 of theirs.",
            "None of 2,408 records was rejected.",
        ],
    );
}

#[test]
fn a_list_cut_short_says_what_it_leaves_out() {
    let view = ResultView::from(&result::rich());
    let options = Options { rows: 3, ..Options::new(Language::English) };
    let page = html::render(&view, options).unwrap();
    check(
        &page,
        &[
            "3 of 11 rows are shown, gross sum 1,270.00 EUR of 14,603.15 EUR · 99,000 JPY · 110.00 USD.",
            "The whole list is in the JSON result: sverka report",
            "0 of 2 rows, gross sum 0 of 12,580.40 EUR.",
        ],
    );
}

/// Words that are names in every language: of fields, files, standards, currencies and the program.
const NAMES: &[&str] = &["EndToEndId", "SHA", "UTC", "sverka", "csv", "camt", "xml", "EUR"];

#[test]
fn a_russian_report_is_russian_throughout() {
    let mut plain = result::rich();
    plain.discrepancies = Vec::new();
    plain.rejects.truncate(1);
    let text = text_of(&page(&plain, Language::Russian));
    for word in text.split(|it: char| !it.is_alphabetic()) {
        let english = word.chars().count() > 2 && word.chars().all(|it| it.is_ascii_lowercase());
        let data = ["acme", "acquirer", "ledger", "statement", "copy", "end", "payout"];
        let hash = word.chars().all(|it| it.is_ascii_hexdigit());
        assert!(!english || hash || data.contains(&word) || NAMES.contains(&word), "`{word}`");
    }
    let full = page(&result::rich(), Language::Russian);
    assert!(!full.contains("lang=\"en\""), "a phrase of the sample has no Russian");
    assert!(full.starts_with("<!doctype html>\n<html lang=\"ru\">"));
}

#[test]
fn an_attached_evidence_is_no_booked_refund_and_is_shown() {
    let mut result = result::rich();
    let item = result::discrepancy(Reason::OutcomeUnknown, 8, "", "-20.00", "EUR");
    result.discrepancies = vec![result::with_evidence(item)];
    check(&page(&result, Language::English), &["ledger-2026-11-30.csv, record 99"]);
}

#[test]
fn the_short_verdict_fits_a_terminal_and_holds_no_control_character() {
    let mut result = result::rich();
    result.run.reconciliation = result::HOSTILE.to_owned();
    for language in Language::ALL {
        let view = ResultView::from(&result);
        let text = print::verdict(&view, language, Some("out/report.html")).unwrap();
        assert!(text.lines().count() <= 26, "{text}");
        assert!(text.chars().all(|it| it == '\n' || !it.is_control()), "{text:?}");
        assert!(text.contains("395") && text.contains("out/report.html"), "{text}");
    }
}
