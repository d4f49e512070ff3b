mod oracle;
mod random;

use std::{collections::BTreeSet, sync::Arc};

use chrono::{DateTime, Days};

use super::*;
use crate::config::{Accept, Rule, RuleField};
use crate::domain::{
    entry::{Entry, EntrySink, Kind, Place, Status},
    key::{KeyScheme, NaturalKey},
    money::Money,
};
use crate::frames::{HashKey, Layout, SELF_TEST_FILE, SideColumns};

const E2E: RuleField = RuleField::Key(KeyScheme::EndToEndId);
const ORDER: RuleField = RuleField::Key(KeyScheme::PaymentOrder);
const BATCH: RuleField = RuleField::Key(KeyScheme::BatchId);

fn rule(name: &str, on: &[RuleField]) -> Rule {
    Rule {
        name: name.to_owned(),
        on: on.to_vec(),
        single_use: false,
        group: on.contains(&BATCH),
        date_window_days: 2,
        accept: Accept::Confirmed,
    }
}

fn entry(record: u32, keys: &[(KeyScheme, &'static str)], minor: i64) -> Entry<'static> {
    let day = NaiveDate::from_ymd_opt(2026, 11, 30).unwrap();
    let money = Money::new(minor, Currency::iso("EUR").unwrap());
    let mut entry = Entry::new(Place { record, ..Place::default() }, money, day);
    entry.keys = keys.iter().filter_map(|(s, t)| NaturalKey::given(*s, *t)).collect();
    entry
}

fn e2e(record: u32, key: &'static str, minor: i64) -> Entry<'static> {
    entry(record, &[(KeyScheme::EndToEndId, key)], minor)
}

fn frame(side: Side, layout: &Arc<Layout>, entries: &[Entry<'static>]) -> SideFrame {
    let mut columns = SideColumns::new(side, Arc::clone(layout), None);
    for entry in entries {
        columns.entry(entry);
    }
    columns.finish()
}

fn run(
    ours: &[Entry<'static>],
    theirs: &[Entry<'static>],
    rules: &[Rule],
    limits: Limits,
) -> Cancelled {
    let layout = Arc::new(Layout::new(rules, &[], HashKey::new([5; 16])));
    let ours = frame(Side::Ours, &layout, ours);
    let theirs = frame(Side::Theirs, &layout, theirs);
    cancel_within(&ours, &theirs, Some(oracle::WINDOW), limits).unwrap()
}

/// Checks which records are left on either side, by the rule on `end_to_end_id`; the oracle must
/// say the same.
fn check(ours: &[Entry<'static>], theirs: &[Entry<'static>], left: [&[u32]; 2]) {
    check_by(&[rule("e2e", &[E2E])], ours, theirs, left);
}

fn check_by(rules: &[Rule], ours: &[Entry<'static>], theirs: &[Entry<'static>], left: [&[u32]; 2]) {
    let found = run(ours, theirs, rules, Limits::default());
    let indexed = run(ours, theirs, rules, Limits { waves: 1, ..Limits::default() });
    assert_eq!(Cancelled { work: found.work, ..indexed }, found, "through the index");
    let records = |it: &[RowPlace]| it.iter().map(|it| it.1).collect::<Vec<_>>();
    assert_eq!([records(&found.left_ours), records(&found.left_theirs)], left);
    let oracle = oracle::answer([ours, theirs], rules);
    let set = |it: &[RowPlace]| it.iter().copied().collect::<BTreeSet<_>>();
    assert_eq!([set(&found.left_ours), set(&found.left_theirs)], oracle.left);
    assert_eq!(found.agreed, oracle.agreed);
}

/// An equal pair changed on our side: whether it is still removed.
fn check_change(change: impl FnOnce(&mut Entry<'static>), removed: bool) {
    let mut theirs = e2e(1, "A1", 100);
    theirs.account = "DE02".into();
    theirs.party = "Acme Ltd".into();
    theirs.fee = Some(Money::new(3, theirs.amount.currency()));
    theirs.period = Some("2026-11".into());
    let mut ours = theirs.clone();
    change(&mut ours);
    let left: &[u32] = if removed { &[] } else { &[1] };
    check(&[ours], &[theirs], [left, left]);
}

#[test]
fn a_pair_cancels_only_when_everything_compared_is_equal() {
    let money = |minor, code| Money::new(minor, Currency::iso(code).unwrap());
    let later = |it: &mut Entry<'_>, days| it.booking_date = it.booking_date + Days::new(days);
    check_change(|_| {}, true);
    check_change(|it| it.amount = money(101, "EUR"), false);
    check_change(|it| it.amount = money(-100, "EUR"), false);
    check_change(|it| it.amount = money(100, "USD"), false);
    check_change(|it| it.amount = Money::new(100, it.amount.currency().with_decimals(3)), false);
    check_change(|it| it.account = "DE03".into(), false);
    check_change(|it| it.account = "".into(), true);
    check_change(|it| it.kind = Kind::Refund, false);
    check_change(|it| it.party = "Bolt".into(), false);
    check_change(|it| it.party = "ACME, LTD".into(), true);
    check_change(|it| it.party = "".into(), true);
    check_change(|it| it.fee = Some(money(4, "EUR")), false);
    check_change(|it| it.fee = Some(money(3, "USD")), false);
    check_change(|it| it.fee = None, true);
    check_change(|it| it.period = Some("2026-12".into()), false);
    check_change(|it| it.period = None, true);
    check_change(|it| later(it, 2), true);
    check_change(|it| later(it, 3), false);
}

#[test]
fn keyless_entries_never_cancel() {
    let keyless = [entry(1, &[], 5), e2e(2, " ", 5), e2e(3, "NOTPROVIDED", 5)];
    check(&keyless[..1], &keyless[1..2], [&[1], &[2]]);
    check(&keyless, &keyless, [&[1, 2, 3], &[1, 2, 3]]);
}

#[test]
fn a_doubled_key_comes_back_whole() {
    let (one, two) = (e2e(1, "A1", 5), e2e(2, "A1", 5));
    check(&[one.clone(), two.clone()], std::slice::from_ref(&one), [&[1, 2], &[1]]);
    check(&[one.clone(), two.clone()], &[one.clone(), two], [&[1, 2], &[1, 2]]);
    check(&[one.clone(), e2e(3, "B1", 5)], &[one, e2e(3, "B1", 5)], [&[], &[]]);
}

#[test]
fn what_shares_a_repaired_key_with_something_left_comes_back() {
    for left in ["A1 ", "a1", "00A1", "A 1"] {
        check(&[e2e(1, "A1", 5), e2e(2, left, 5)], &[e2e(1, "A1", 5)], [&[1, 2], &[1]]);
        check(&[e2e(1, left, 5)], &[e2e(1, left, 5), e2e(2, "A1", 5)], [&[1], &[1, 2]]);
    }
    let (long, cut, other) = ("INV-2026-11-30-0001", "INV-2026-11-30-0", "INV-2026-11-30-0002");
    check(&[e2e(1, long, 5), e2e(2, cut, 5)], &[e2e(1, long, 5)], [&[1, 2], &[1]]);
    check(&[e2e(1, cut, 5), e2e(2, long, 5)], &[e2e(1, cut, 5)], [&[1, 2], &[1]]);
    check(&[e2e(1, long, 5), e2e(2, other, 5)], &[e2e(1, long, 5)], [&[2], &[]]);
    let blanks = "INV-2026-11-30- 0";
    check(&[e2e(1, long, 5), e2e(2, blanks, 5)], &[e2e(1, long, 5)], [&[2], &[]]);
}

#[test]
fn an_intent_posted_twice_comes_back_with_its_partners() {
    let with_intent = |mut it: Entry<'static>, intent: &'static str| {
        it.intent = Some(intent.into());
        it
    };
    let ours = [
        with_intent(e2e(1, "A1", 5), "p-1"),
        with_intent(e2e(2, "A2", 5), "p-1"),
        with_intent(e2e(3, "A3", 5), "p-2"),
    ];
    let theirs = [e2e(1, "A1", 5), e2e(2, "A2", 5), e2e(3, "A3", 5)];
    check(&ours, &theirs, [&[1, 2], &[1, 2]]);
}

#[test]
fn what_a_correction_takes_back_comes_back_with_it() {
    let theirs = [e2e(1, "A1", 5), e2e(2, "A2", 5)];
    let mut original = e2e(1, "A1", 5);
    original.intent = Some("p-1".into());
    let other = e2e(2, "A2", 5);
    let mut by_intent = entry(3, &[], -5);
    by_intent.kind = Kind::Correction;
    by_intent.intent = Some("p-1:compensate".into());
    check(&[original.clone(), other.clone(), by_intent], &theirs, [&[1, 3], &[1]]);
    for text in ["p-1", "A1"] {
        let mut by_text = entry(3, &[], -5);
        by_text.reverses = Some(text.into());
        check(&[original.clone(), other.clone(), by_text], &theirs, [&[1, 3], &[1]]);
    }
    let mut reversal = e2e(2, "A2", 5);
    reversal.kind = Kind::Reversal;
    check(&[reversal.clone()], &[reversal], [&[2], &[2]]);
}

#[test]
fn what_answers_to_evidence_comes_back() {
    let mut unknown = e2e(2, "a1", 5);
    unknown.status = Status::Unknown;
    let (one, other) = (e2e(1, "A1", 5), e2e(3, "B1", 5));
    let theirs = [one.clone(), other.clone()];
    check(&[one.clone(), unknown.clone(), other.clone()], &theirs, [&[1], &[1]]);
    check(&theirs, &[one, unknown, other], [&[1], &[1]]);
}

#[test]
fn the_possible_original_of_a_repeat_comes_back() {
    let timed = |mut it: Entry<'static>, minutes: i64| {
        it.party = "Acme".into();
        it.event_at = DateTime::from_timestamp(1_796_000_000 + minutes * 60, 0);
        it
    };
    let ours = [timed(e2e(1, "A1", 5), 0), timed(e2e(2, "A2", 5), 10), timed(e2e(3, "A3", 5), 60)];
    check(&ours, &[e2e(1, "A1", 5), e2e(3, "A3", 5)], [&[1, 2], &[1]]);
    let theirs = [e2e(1, "A1", 5), e2e(2, "A2", 5), e2e(3, "A3", 5)];
    check(&ours, &theirs, [&[], &[]]);
}

#[test]
fn a_key_doubled_under_one_rule_is_not_removed_by_the_next() {
    let of = |record, order| {
        let keys = [(KeyScheme::EndToEndId, "A1"), (KeyScheme::PaymentOrder, order)];
        entry(record, &keys, 5)
    };
    let without = |record, order| entry(record, &[(KeyScheme::PaymentOrder, order)], 5);
    let rules = [rule("e2e", &[E2E]), rule("order", &[ORDER])];
    let ours = [of(1, "7"), of(2, "8")];
    check_by(&rules, &ours, &[without(1, "7"), without(2, "8")], [&[1, 2], &[1, 2]]);
}

#[test]
fn a_later_rule_sees_only_what_no_earlier_rule_decided_about() {
    let (key, order) = (KeyScheme::EndToEndId, KeyScheme::PaymentOrder);
    let rules = [rule("e2e", &[E2E]), rule("order", &[ORDER])];
    let ours = [entry(1, &[(key, "A1")], 5), entry(2, &[(order, "7")], 6)];
    check_by(&rules, &ours, &ours, [&[], &[]]);
    let crossed =
        [entry(1, &[(key, "A1"), (order, "7")], 5), entry(2, &[(key, "A2"), (order, "8")], 6)];
    let theirs =
        [entry(1, &[(key, "A1"), (order, "8")], 6), entry(2, &[(key, "A2"), (order, "7")], 5)];
    check_by(&rules, &crossed, &theirs, [&[1, 2], &[1, 2]]);
}

#[test]
fn a_group_of_one_cancels_unless_its_side_says_that_it_is_larger() {
    let rules = [rule("payout", &[BATCH])];
    let payout = |record| entry(record, &[(KeyScheme::BatchId, "B1")], 5);
    check_by(&rules, &[payout(1)], &[payout(1)], [&[], &[]]);
    check_by(&rules, &[payout(1), payout(2)], &[payout(1)], [&[1, 2], &[1]]);
    let mut one_of_two = payout(1);
    one_of_two.group_size = Some(2);
    check_by(&rules, &[one_of_two], &[payout(1)], [&[1], &[1]]);
}

#[test]
fn planted_entries_cancel_and_are_counted_nowhere() {
    let planted = |mut it: Entry<'static>| {
        it.place.file = SELF_TEST_FILE;
        it
    };
    let ours = [e2e(1, "A1", 5), planted(e2e(2, "T1", 7))];
    let found = run(&ours, &ours, &[rule("e2e", &[E2E])], Limits::default());
    assert_eq!((found.left_ours, found.left_theirs), (vec![], vec![]));
    assert_eq!(found.agreed, BTreeMap::from([("e2e".to_owned(), 1)]));
    assert_eq!(found.totals.iter().map(|it| (it.minor, it.count)).collect::<Vec<_>>(), [(5, 1)]);
    check(&[planted(e2e(1, "A1", 5))], &[e2e(1, "A1", 5)], [&[1], &[1]]);
}

#[test]
fn removed_money_is_told_by_account_currency_and_both_days() {
    let mut late = e2e(2, "A2", 7);
    late.booking_date = late.booking_date + Days::new(1);
    let ours = [e2e(1, "A1", i64::MAX), e2e(2, "A2", 7), e2e(3, "A3", i64::MAX)];
    let theirs = [ours[0].clone(), late, ours[2].clone()];
    let found = run(&ours, &theirs, &[rule("e2e", &[E2E])], Limits::default());
    let told: Vec<_> = found
        .totals
        .iter()
        .map(|it| ((it.day_theirs - it.day_ours).num_days(), it.minor, it.count))
        .collect();
    assert_eq!(told, [(0, 2 * i128::from(i64::MAX), 2), (1, 7, 1)]);
}

/// Our entries of one party and amount at these minutes: the groups of records suspected.
fn check_suspected(minutes: &[Option<i64>], party: &'static str, expected: &[&[u32]]) {
    let ours: Vec<_> = (1..)
        .zip(minutes)
        .map(|(record, at)| {
            let mut it = entry(record, &[], 5);
            it.party = party.into();
            it.event_at = at.and_then(|at| DateTime::from_timestamp(1_796_000_000 + at * 60, 0));
            it
        })
        .collect();
    let found = run(&ours, &[], &[rule("e2e", &[E2E])], Limits::default());
    let groups: Vec<Vec<u32>> =
        found.suspected.groups().map(|it| it.iter().map(|it| it.1).collect()).collect();
    assert_eq!(groups, expected);
}

#[test]
fn equal_entries_close_in_time_are_suspected() {
    check_suspected(&[Some(0), Some(15), Some(31), Some(30)], "Acme", &[&[1, 2, 3, 4]]);
    check_suspected(&[Some(0), Some(16), Some(60), Some(61)], "Acme", &[&[3, 4]]);
    check_suspected(&[None, None], "Acme", &[]);
    check_suspected(&[Some(0), Some(0)], "", &[]);
    check_suspected(&[Some(0)], "Acme", &[]);
}

/// A chain: entry k shares its order with k + 1 and its key, repaired, with k - 1. Only the first
/// is left by itself.
fn chain(length: u32) -> (Vec<Entry<'static>>, Vec<Entry<'static>>) {
    let link = |record: u32| {
        let key = format!("{}{}", if record.is_multiple_of(2) { "K" } else { "k" }, record / 2);
        let mut it = entry(record, &[], 5);
        it.keys.extend(NaturalKey::given(KeyScheme::EndToEndId, key));
        it.keys
            .extend(NaturalKey::given(KeyScheme::PaymentOrder, format!("P{}", record.div_ceil(2))));
        it
    };
    let theirs: Vec<_> = (1..=length).map(link).collect();
    let mut ours = theirs.clone();
    ours[0].amount = Money::new(6, ours[0].amount.currency());
    (ours, theirs)
}

/// Records 1 and 2 agree by these keys, and record 1 shares its order with record 3, which is
/// left: whether record 2 comes back because of record 1.
fn check_second_link(one: &'static str, two: &'static str, comes_back: bool) {
    let rules = [rule("e2e", &[E2E]), rule("order", &[ORDER])];
    let order = [(KeyScheme::PaymentOrder, "7")];
    let both = |key| [order[0], (KeyScheme::EndToEndId, key)];
    let ours = [entry(1, &both(one), 5), e2e(2, two, 6), entry(3, &order, 7)];
    let (left_ours, left_theirs): (&[u32], &[u32]) =
        if comes_back { (&[1, 2, 3], &[1, 2]) } else { (&[1, 3], &[1]) };
    check_by(&rules, &ours, &ours[..2], [left_ours, left_theirs]);
}

#[test]
fn what_comes_back_brings_back_what_it_shares_a_key_with() {
    let (long, cut, blanks) = ("INV-2026-11-30-0001", "INV-2026-11-30-0", "INV-2026-11-30- 0");
    check_second_link("A1", "a1", true);
    check_second_link("A1", "A2", false);
    check_second_link(long, cut, true);
    check_second_link(cut, long, true);
    check_second_link(long, blanks, false);
    check_second_link(blanks, long, false);
    check_second_link(cut, blanks, true);
}

#[test]
fn of_many_possible_originals_only_the_nearest_come_back() {
    let keys = ["A1", "A2", "A3", "A4", "A5", "A6", "A7", "A8"];
    let timed = |(record, key): (u32, &'static str)| {
        let mut it = e2e(record, key, 5);
        it.party = "Acme".into();
        it.event_at = DateTime::from_timestamp(1_796_000_000 + i64::from(record), 0);
        it
    };
    let ours: Vec<_> = (1..).zip(keys).map(timed).collect();
    let mut theirs = ours.clone();
    theirs.remove(3);
    check(&ours, &theirs, [&[2, 3, 4, 5, 6], &[2, 3, 5, 6]]);
}

#[test]
fn a_long_chain_is_searched_a_bounded_number_of_times() {
    let (ours, theirs) = chain(101);
    let rules = [rule("e2e", &[E2E]), rule("order", &[ORDER])];
    for waves in [1, 8, 1000] {
        let found = run(&ours, &theirs, &rules, Limits { waves, ..Limits::default() });
        assert_eq!((found.left_ours.len(), found.left_theirs.len()), (101, 101), "{waves} waves");
        assert!(found.work.waves <= waves);
    }
    let whole = run(&ours[1..], &theirs[1..], &rules, Limits::default());
    assert_eq!((whole.left_ours.len(), whole.work.waves), (0, 1));
}

#[test]
fn a_part_holds_about_as_many_rows_as_it_may() {
    let keys: Vec<_> = (0..1000).map(|it| format!("key {it}")).collect();
    let entries: Vec<_> = (1..)
        .zip(&keys)
        .map(|(record, key)| {
            let mut it = entry(record, &[], 5);
            it.keys.extend(NaturalKey::given(KeyScheme::EndToEndId, key.clone()));
            it
        })
        .collect();
    let rules = [rule("e2e", &[E2E])];
    let limits = Limits { rows_in_pass: 250, ..Limits::default() };
    let found = run(&entries, &entries, &rules, limits);
    assert_eq!((found.left_ours.len(), found.work.passes), (0, 8));
    assert!(found.work.rows_in_pass < 400, "{:?}", found.work);
}

#[test]
fn sides_of_two_layouts_are_refused() {
    let layout = |key| Arc::new(Layout::new(&[rule("e2e", &[E2E])], &[], HashKey::new([key; 16])));
    let ours = frame(Side::Ours, &layout(1), &[]);
    let theirs = frame(Side::Theirs, &layout(2), &[]);
    assert!(matches!(cancel(&ours, &theirs, None), Err(CancelError::LayoutsDiffer)));
}
