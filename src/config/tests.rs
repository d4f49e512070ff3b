//! What a configuration may not say, and what the error says of it.

use std::path::Path;

use super::Config;

/// A configuration in which nothing is wrong.
const GOOD: &str = r#"
tenant = "acme"
[[reconciliation]]
name = "acquirer"
ours = "ledger"
theirs = "bank"
due_days = 1
repeat_window = "15m"
[[reconciliation.rule]]
name = "end-to-end"
on = ["end_to_end_id"]
date_window_days = 2
[reconciliation.tolerance]
EUR = "0.01"
[reconciliation.accounts]
settlement = "51-01"
[reconciliation.approval]
batch_limit = 200
second_checker_above = "10000.00 EUR"
[source.ledger]
format = "csv"
path = "ledger.csv"
scale = 3
decimal = "."
columns = { booking_date = "date", amount = "amount" }
[source.bank]
format = "camt"
path = "bank.xml"
"#;

/// Replaces one text of a good configuration; the error begins with the file and has the parts.
fn check(good: &str, wrong: &str, parts: &[&str]) {
    assert!(GOOD.contains(good), "{good}");
    let text = GOOD.replace(good, wrong);
    let told = Config::parse(&text, Path::new("sverka.toml")).unwrap_err().to_string();
    assert!(told.starts_with("`sverka.toml`: "), "{told}");
    for part in parts {
        assert!(told.contains(part), "no `{part}` in: {told}");
    }
}

#[test]
fn a_name_has_nothing_that_separates_or_controls() {
    Config::parse(GOOD, Path::new("sverka.toml")).unwrap();
    let allowed = "allowed are up to 64 letters";
    for wrong in ["", " ", "a/b", "../a", "a:b", ".a", "a\\n", "a ", "a\\u202e", &"a".repeat(65)] {
        check("\"acme\"", &format!("\"{wrong}\""), &["`tenant` is ", allowed]);
        check("\"acquirer\"", &format!("\"{wrong}\""), &["`name` is ", allowed]);
        check("\"end-to-end\"", &format!("\"{wrong}\""), &["rule: `name` is ", allowed]);
    }
    check("[source.ledger]", "[source.\"a/b\"]", &["no `[source.ledger]` is given"]);
    check(
        "[source.bank]",
        "[source.\"a/b\"]\nformat = \"camt\"\npath = \"x\"\n[source.bank]",
        &["`source` is \"a/b\"", allowed],
    );
    for good in ["Банк 2", "a.b_c-d", "1"] {
        let text = GOOD.replace("\"acme\"", &format!("\"{good}\""));
        Config::parse(&text, Path::new("sverka.toml")).unwrap();
    }
}

#[test]
fn a_number_is_within_its_range() {
    let days = "is no number of days; allowed are 0 to 366";
    check("due_days = 1", "due_days = -1", &["due_days", "`-1`", days]);
    check("due_days = 1", "ours_inflow_days = 367", &["ours_inflow_days", "`367`", days]);
    check("window_days = 2", "window_days = -2", &["date_window_days", "`-2`", days]);
    check("\"15m\"", "\"0m\"", &["repeat_window", "`0m` is no time", "above zero"]);
    check("\"15m\"", "\"-5m\"", &["`-5m` is no time"]);
    check("scale = 3", "scale = 10", &["scale", "allowed are 0 to 9"]);
    check("= 200", "= 0", &["batch_limit", "`0` is no limit; allowed are 1 to"]);
}

#[test]
fn an_amount_is_one_of_its_currency() {
    check("\"0.01\"", "\"1%\"", &["tolerance", "`EUR` is `1%`", "as `0.01`"]);
    check("\"0.01\"", "\"-0.01\"", &["`-0.01`: expected is zero or more"]);
    check("\"0.01\"", "\"0.0001\"", &["tolerance of `EUR` is `0.0001`: more than 3 decimals"]);
    check("EUR = ", "QQQ = ", &["tolerance", "`QQQ`: no currency of ISO 4217"]);
    check("10000.00 EUR", "10000.00", &["`second_checker_above` is `10000.00`; expected is as"]);
}

#[test]
fn what_is_given_is_not_blank() {
    check("\"51-01\"", "\"\"", &["`accounts.settlement` is \"\"; allowed is any text"]);
    check("\"ledger.csv\"", "\" \"", &["source `ledger`: `path` is \" \""]);
    check("\"date\"", "\"\"", &["source `ledger`: `columns.booking_date` is \"\""]);
    check("decimal = \".\"", "decimal = \"x\"", &["`decimal` is \"x\"; allowed is `.` and `,`"]);
}
