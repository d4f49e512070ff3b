//! Right answers, written as lines of entries and the reasons they must come out with.

use std::borrow::Cow;

use chrono::NaiveDate;

use super::{Classified, Evidence, Terms, classify};
use crate::config::{Reconciliation, RepeatWindow};
use crate::domain::{
    calendar::Calendar,
    entry::{Entry, Place, Status},
    key::{KeyScheme, NaturalKey},
    money::{Currency, Money},
    proof::Coverage,
    side::Side,
};
use crate::matching::{
    explain::{Sides, explain},
    order::canonical,
};

const RULES: &str = r#"
name = "acquirer"
ours = "ledger"
theirs = "bank"
repeat_window = "15m"
[[rule]]
name = "end-to-end"
on = ["end_to_end_id"]
[[rule]]
name = "order"
on = ["payment_order"]
single_use = true
[[rule]]
name = "batch"
on = ["batch_id"]
group = true
[tolerance]
GBP = "0.01"
"#;

fn reconciliation() -> Reconciliation {
    toml::from_str(RULES).unwrap()
}

/// `ours key=A amount=100.00`: a side and fields; what is left out is `EUR`, a booked payment of
/// Thursday 2026-11-26, whose due day has passed on the as-of day, Monday 2026-11-30.
fn parse(line: &str, at: usize) -> (Side, Entry<'static>) {
    let mut words = line.split_whitespace();
    let side = if words.next() == Some("ours") { Side::Ours } else { Side::Theirs };
    let fields: Vec<(&str, &str)> = words.map(|it| it.split_once('=').unwrap()).collect();
    let given = |name: &str| fields.iter().find(|it| it.0 == name).map(|it| it.1);
    let money = |name: &str| {
        let (number, code) = given(name)?.split_once(':').unwrap_or((given(name)?, "EUR"));
        let currency = Currency::iso(code).unwrap();
        Some(Money::from_decimal(number.parse().unwrap(), currency).unwrap())
    };
    let date = given("date").unwrap_or("2026-11-26").parse().unwrap();
    let place = Place { record: u32::try_from(at).unwrap(), ..Place::default() };
    let mut entry = Entry::new(place, money("amount").unwrap(), date);
    let owned = |name: &str| given(name).map(|it| Cow::Owned(it.replace('_', " ")));
    for (name, scheme) in [
        ("key", KeyScheme::EndToEndId),
        ("order", KeyScheme::PaymentOrder),
        ("batch", KeyScheme::BatchId),
    ] {
        entry.keys.extend(given(name).and_then(|it| NaturalKey::given(scheme, it.to_owned())));
    }
    entry.intent = owned("intent");
    entry.kind = given("kind").map_or(entry.kind, |it| it.parse().unwrap());
    entry.underlying_kind = given("underlying").map(|it| it.parse().unwrap());
    entry.status = given("status").map_or(Status::Booked, |it| it.parse().unwrap());
    entry.party = owned("party").unwrap_or_default();
    entry.account = owned("account").unwrap_or_default();
    entry.period = owned("period");
    entry.fee = money("fee");
    entry.rest = money("rest");
    entry.original = money("original");
    entry.rate = given("rate").map(|it| it.parse().unwrap());
    entry.group_size = given("size").map(|it| it.parse().unwrap());
    entry.is_residue = given("residue").is_some();
    entry.event_at = given("at").map(|it| format!("2026-11-26T{it}Z").parse().unwrap());
    (side, entry)
}

fn covers(side: Side, from: &str, to: &str) -> Coverage {
    let day = |it: &str| it.parse::<NaiveDate>().unwrap();
    Coverage { side, account: String::new(), from: day(from), to: day(to), inferred: false }
}

fn classified(lines: &str) -> Classified {
    let coverage = [
        covers(Side::Ours, "2026-11-02", "2026-11-30"),
        covers(Side::Theirs, "2026-11-02", "2026-11-30"),
    ];
    let (mut sides, mut evidence) = (Sides::default(), Evidence::default());
    for (at, line) in lines.lines().filter(|it| !it.trim().is_empty()).enumerate() {
        let (side, entry) = parse(line, at);
        match (side, entry.status) {
            (Side::Ours, Status::Booked) => sides.ours.push(entry),
            (Side::Theirs, Status::Booked) => sides.theirs.push(entry),
            (Side::Ours, _) => evidence.ours.push(entry),
            (Side::Theirs, _) => evidence.theirs.push(entry),
        }
    }
    for list in [&mut sides.ours, &mut sides.theirs, &mut evidence.ours, &mut evidence.theirs] {
        list.sort_by(canonical);
    }
    let reconciliation = reconciliation();
    assert_eq!(reconciliation.repeat_window, Some(RepeatWindow { seconds: 900 }));
    let calendar = Calendar::weekdays();
    let as_of = "2026-11-30".parse().unwrap();
    let terms = Terms::of("acme", &reconciliation, &calendar, as_of, &coverage);
    let explained = explain(&sides, terms.rules);
    assert_eq!(explained.counts(), (sides.ours.len(), sides.theirs.len()), "{lines}");
    classify(&sides, &evidence, &[], &explained, &terms)
}

/// Checks the reasons of some lines, each as `reason difference`, in alphabetical order.
fn check(lines: &str, expected: &[&str]) {
    let found = classified(lines);
    let mut shown: Vec<String> =
        found.discrepancies.iter().map(|it| format!("{} {}", it.reason, it.difference())).collect();
    shown.sort();
    assert_eq!(shown, expected, "{lines}");
    let ids: std::collections::BTreeSet<_> = found.discrepancies.iter().map(|it| it.id).collect();
    assert_eq!(ids.len(), found.discrepancies.len(), "ids are told apart: {lines}");
}

#[test]
fn what_is_equal_agrees() {
    check("ours key=A amount=100\n theirs key=A amount=100", &[]);
    check(
        "ours key=A amount=500 intent=p1\n ours key=B amount=500 intent=p2\n
         theirs key=A amount=500\n theirs key=B amount=500",
        &[],
    );
    check("ours key=A amount=100\n theirs key=A amount=100 date=2026-11-27", &[]);
}

#[test]
fn one_operation_executed_again_is_their_repeat() {
    check(
        "ours key=A amount=100\n theirs key=A amount=100\n theirs key=A amount=100",
        &["repeated_theirs -100.00"],
    );
    check(
        "theirs key=A amount=100\n theirs key=A amount=100",
        &["missing_ours -100.00", "repeated_theirs -100.00"],
    );
    check(
        "ours key=A amount=-100\n theirs key=A amount=-100\n theirs key=A amount=100 kind=return\n
         theirs key=A amount=-100",
        &["missing_ours 100.00", "return_unbooked -100.00"],
    );
}

#[test]
fn one_intent_posted_again_is_our_repeat() {
    check(
        "ours intent=p key=A amount=-50 at=10:00:00\n ours intent=p key=A amount=-50 at=10:00:05\n
         ours intent=p key=A amount=-50 at=10:00:09\n theirs key=A amount=-50",
        &["repeated_ours -50.00", "repeated_ours -50.00"],
    );
}

#[test]
fn one_intent_posted_and_executed_twice_agrees_and_took_money() {
    check(
        "ours intent=p key=A amount=-50\n ours intent=p key=A amount=-50\n
         theirs key=A amount=-50\n theirs key=A amount=-50",
        &["repeated_both 0.00"],
    );
    check(
        "ours order=7 amount=-50\n ours order=7 amount=-50\n
         theirs order=7 amount=-50\n theirs order=7 amount=-50",
        &["repeated_both 0.00"],
    );
    check(
        "ours intent=p key=A amount=-50\n ours intent=p key=B amount=-50\n
         theirs key=A amount=-50\n theirs key=B amount=-50",
        &["repeated_both 0.00"],
    );
}

#[test]
fn a_retry_under_a_new_key_is_told_by_its_twin() {
    let lines = "ours intent=p key=A amount=-50 party=Bob at=10:00:00\n
         ours intent=q key=B amount=-50 party=bob at=10:05:00\n theirs key=A amount=-50";
    check(lines, &["repeated_ours -50.00"]);
    assert_eq!(
        classified(lines).discrepancies[0].cause,
        Some(crate::domain::reason::Cause::RetryNewKey)
    );
    check(
        "ours intent=p key=A amount=-50 party=Bob at=10:00:00\n
         ours intent=q key=B amount=-50 party=Bob at=10:25:00\n theirs key=A amount=-50",
        &["missing_theirs -50.00"],
    );
}

#[test]
fn other_keys_are_other_operations() {
    check(
        "ours key=A amount=100\n theirs key=B amount=120",
        &["missing_ours -120.00", "missing_theirs 100.00"],
    );
    check(
        "ours key=A amount=100\n ours key=A amount=-100 kind=refund\n
         theirs key=A amount=100\n theirs key=A amount=-100 kind=refund",
        &[],
    );
}

#[test]
fn every_reason_of_the_amount() {
    check(
        "ours key=A amount=110:USD original=100:EUR rate=1.10\n theirs key=A amount=100",
        &["amount_by_rate 110.00"],
    );
    check("ours key=A amount=100:USD\n theirs key=A amount=100", &["currency_differs 100.00"]);
    check(
        "ours key=A amount=1000:JPY\n theirs key=A amount=100000:JPY",
        &["amount_shifted -99000"],
    );
    check(
        "ours key=A amount=90071992547409.92\n theirs key=A amount=90071992547409.93",
        &["amount_over -0.01"],
    );
    check(
        "ours key=A amount=1.10:GBP\n theirs key=A amount=1.11:GBP\n
         ours key=B amount=100.00:GBP\n theirs key=B amount=100.01:GBP",
        &["within_tolerance -0.01", "within_tolerance -0.01"],
    );
    check(
        "ours key=A amount=100.00\n theirs key=A amount=97.55 fee=2.45",
        &["amount_net_of_fee 2.45"],
    );
    check(
        "ours key=A amount=100.00\n theirs key=A amount=60.00 rest=40.00",
        &["amount_partial 40.00"],
    );
    check("ours key=A amount=100\n theirs key=A amount=90", &["amount_under 10.00"]);
    check("ours key=A amount=-100\n theirs key=A amount=100", &["direction_differs -200.00"]);
}

#[test]
fn every_reason_of_another_field() {
    check("ours key=A amount=100\n theirs key=A amount=100 kind=payout", &["kind_differs 0.00"]);
    check(
        "ours key=A amount=100 party=Ann\n theirs key=A amount=100 party=Bob",
        &["party_differs 0.00"],
    );
    check(
        "ours key=A amount=100 account=1\n theirs key=A amount=100 account=2",
        &["account_differs 0.00"],
    );
    check("ours key=A amount=100 fee=1\n theirs key=A amount=100 fee=2", &["fee_differs 0.00"]);
    check(
        "ours key=A amount=100 period=10\n theirs key=A amount=100 period=11",
        &["period_differs 0.00"],
    );
    check(
        "ours key=A amount=100\n theirs key=A amount=100 date=2026-11-30",
        &["date_differs 0.00"],
    );
    check(
        "ours key=ab1 amount=100\n theirs key=00AB_1 amount=100",
        &["missing_ours -100.00", "missing_theirs 100.00"],
    );
    check("ours key=ab1 amount=100\n theirs key=00AB1 amount=100", &["key_repaired 0.00"]);
    check(
        "ours key=INV-2026-11-30-0001 amount=100\n theirs key=INV-2026-11-30-0 amount=100",
        &["key_repaired 0.00"],
    );
}

#[test]
fn a_key_that_needs_a_repair_beside_the_exact_pair_collides() {
    check(
        "ours key=A1 amount=100\n ours key=a1 amount=100\n theirs key=A1 amount=100",
        &["key_collision 100.00"],
    );
}

#[test]
fn a_group_is_weighed_as_a_whole() {
    check(
        "ours batch=V amount=111.95\n ours batch=V amount=50\n theirs batch=V amount=161.95\n
         theirs batch=V amount=50",
        &["missing_ours -50.00"],
    );
    check("ours key=A amount=60\n ours key=A amount=40\n theirs key=A amount=100", &[]);
    check(
        "ours key=A amount=60\n ours key=A amount=40\n theirs key=A amount=90",
        &["split_differs 10.00"],
    );
    check(
        "ours batch=V amount=60\n ours batch=V amount=40\n theirs batch=V amount=90",
        &["group_sum_differs 10.00"],
    );
    check(
        "ours batch=V amount=60\n ours batch=V amount=40\n theirs batch=V amount=130 size=3",
        &["group_incomplete -30.00"],
    );
    check(
        "ours batch=V amount=0.33\n ours batch=V amount=0.33\n ours batch=V amount=0.33\n
         theirs batch=V amount=1.00",
        &["amount_by_rounding -0.01"],
    );
    check(
        "ours order=7 amount=60\n ours order=7 amount=40\n theirs order=7 amount=101",
        &["ambiguous -1.00"],
    );
    check("theirs key=A amount=0.07 residue=yes", &["residual -0.07"]);
}

#[test]
fn evidence_answers_one_for_one() {
    check(
        "ours key=A amount=-20 status=unknown\n theirs key=A amount=-20",
        &["outcome_unknown 20.00"],
    );
    check("ours key=A amount=-20 status=unknown", &["not_executed 0.00"]);
    check("ours key=A amount=-20 status=unknown date=2026-11-30", &["in_transit 0.00"]);
    check(
        "ours key=A amount=-20 status=refused\n theirs key=A amount=-20",
        &["done_despite_refusal 20.00"],
    );
    check(
        "ours key=A amount=-20 status=pending\n theirs key=A amount=-20",
        &["state_differs 20.00"],
    );
    check(
        "ours key=A amount=-20\n theirs key=A amount=-20 status=refused",
        &["refused_theirs -20.00"],
    );
    check(
        "ours key=A amount=-20 date=2026-11-30\n theirs key=A amount=-20 status=pending",
        &["pending_theirs -20.00"],
    );
    check(
        "ours key=A amount=-20\n ours key=A amount=-20 status=unknown\n theirs key=A amount=-20",
        &[],
    );
}

#[test]
fn what_one_side_lacks() {
    check("theirs key=A amount=10", &["missing_ours -10.00"]);
    check("theirs amount=10", &["unattributed -10.00"]);
    check("theirs key=A amount=10 date=2026-10-30", &["uncovered_ours -10.00"]);
    for kind in ["return", "chargeback", "chargeback_reversal", "refund", "reversal", "fee"] {
        let expected = format!("{kind}_unbooked -10.00");
        check(&format!("theirs key=A amount=10 kind={kind}"), &[&expected]);
    }
    check("ours key=A amount=10", &["missing_theirs 10.00"]);
    check("ours key=A amount=10 date=2026-11-30", &["in_transit 10.00"]);
    check("ours key=A amount=10 date=2026-10-29", &["uncovered 10.00"]);
    check("ours key=A amount=10 date=2026-12-01", &[]);
}

#[test]
fn a_correction_and_its_target_cancel_on_our_own_side() {
    check(
        "ours intent=p key=A amount=-50\n ours intent=p key=A amount=-50\n
         ours intent=p:compensate key=A amount=50 kind=correction underlying=payment\n
         theirs key=A amount=-50",
        &[],
    );
}

#[test]
fn the_same_entries_in_any_order_give_the_same_discrepancies() {
    let lines = "ours key=A amount=100\nours key=B amount=7\nours key=B amount=8\n\
         theirs key=A amount=90\ntheirs key=C amount=5\ntheirs key=C amount=5";
    let mut turned: Vec<&str> = lines.lines().collect();
    turned.reverse();
    let told = |it: Classified| -> Vec<_> {
        it.discrepancies.into_iter().map(|it| (it.id, it.reason, it.difference())).collect()
    };
    assert_eq!(told(classified(lines)), told(classified(&turned.join("\n"))));
}
