//! Random days: the engine must leave what the oracle leaves, in whatever order rows come.

use std::{collections::BTreeSet, sync::Arc};

use chrono::{DateTime, Days, NaiveDate};
use proptest::{collection::vec, prelude::*};

use super::{BATCH, E2E, ORDER, frame, oracle, rule};
use crate::config::{Accept, Rule, RuleField};
use crate::domain::{
    entry::{Entry, EntrySink, Kind, Place, Status},
    key::{KeyScheme, NaturalKey},
    money::{Currency, Money},
    side::Side,
};
use crate::frames::{HashKey, Layout, RowPlace, SELF_TEST_FILE, SideColumns};
use crate::matching::cancel::{Cancelled, Limits, cancel_within};

/// Choices of which an operation is made; each is taken modulo what there is to choose from.
type Choices = [u8; 14];

const KEYS: [&str; 13] = [
    "",
    "A1",
    "a1",
    "A1 ",
    "00A1",
    "B2",
    "INV-2026-11-30-0001",
    "INV-2026-11-30-0002",
    "INV-2026-11-30-0",
    "inv-2026-11-30-0",
    "INV-2026-11-30- 0",
    "REF-2026-11-30-ACQUIRER-000001-PART-1",
    "REF-2026-11-30-ACQUIRER-000001-PART",
];

fn pick<T: Copy, const N: usize>(from: [T; N], choice: u8) -> T {
    from[usize::from(choice) % N]
}

/// An operation as it should be seen from both sides; most have keys of their own.
fn operation(number: u32, of: Choices) -> Entry<'static> {
    let day = NaiveDate::from_ymd_opt(2026, 11, 27).unwrap() + Days::new(u64::from(of[1] % 4));
    let currency = Currency::iso(pick(["EUR", "EUR", "EUR", "USD"], of[2])).unwrap();
    let mut it = Entry::new(Place::default(), Money::new(i64::from(of[3] % 4) - 1, currency), day);
    let pool = |choice: u8, own: String, some: [&str; 6]| match choice {
        0..40 => pick(some, choice).to_owned(),
        40..90 => String::new(),
        90.. => own,
    };
    let key = if of[0] < 60 { pick(KEYS, of[0]).to_owned() } else { format!("own-{number}") };
    let order = pool(of[4], format!("order-{number}"), ["P1", "P2", "P3", "p3", "0P1", "P 2"]);
    let batch = pool(of[5], String::new(), ["B1", "B2", "b2", "B3", "B4", "B5"]);
    it.keys.extend(NaturalKey::given(KeyScheme::EndToEndId, key));
    it.keys.extend(NaturalKey::given(KeyScheme::PaymentOrder, order));
    it.keys.extend(NaturalKey::given(KeyScheme::BatchId, batch));
    let corrections = ["p-1:compensate", "i-3:book:2", "own-2:adjust:1"];
    let intent = match of[6] {
        0..30 => Some(pick(["p-1", "p-2", "P-2", " "], of[7]).to_owned()),
        30..33 => Some(pick(corrections, of[7]).to_owned()),
        33..80 => None,
        80.. => Some(format!("i-{number}")),
    };
    it.intent = intent.map(Into::into);
    it.party = pick(["", "Acme", "ACME!", "Bolt"], of[8] / 64).into();
    it.account = pick(["", "DE02", "DE02", "DE02", "DE03"], of[9]).into();
    it.fee = pick([None, None, Some(1), Some(2)], of[10]).map(|it| Money::new(it, currency));
    it.event_at =
        DateTime::from_timestamp(600 + i64::from(of[10]) * 600, 0).filter(|_| of[10] < 60);
    it
}

/// The operation as the two sides tell it, with what went wrong on the way.
fn told(number: u32, of: Choices) -> [Vec<Entry<'static>>; 2] {
    let ours = operation(number, of);
    let mut theirs = ours.clone();
    theirs.intent = None;
    let both = |ours: Entry<'static>, theirs: Entry<'static>| [vec![ours], vec![theirs]];
    let again = |it: &Entry<'static>| vec![it.clone(), it.clone()];
    let mut changed = ours.clone();
    match of[11] % 72 {
        0 => return [vec![ours], vec![]],
        1 => return [vec![], vec![theirs]],
        2 => return [again(&ours), vec![theirs]],
        3 => return [vec![ours], again(&theirs)],
        4 => return [again(&ours), again(&theirs)],
        5 => theirs.amount = Money::new(theirs.amount.minor() + 1, theirs.amount.currency()),
        6 => theirs.booking_date = theirs.booking_date + Days::new(u64::from(of[12] % 5)),
        7 => theirs.party = pick(["", "Zed"], of[12]).into(),
        8 => theirs.account = pick(["", "DE09"], of[12]).into(),
        9 => theirs.fee = Some(Money::new(9, theirs.amount.currency())),
        10 => theirs.kind = Kind::Refund,
        11 => theirs.keys = theirs.keys.split_off(1.min(theirs.keys.len())),
        12 => changed.group_size = Some(u32::from(of[12] % 3)),
        13 => changed.reverses = Some(pick(["i-2", "own-3", "a1", "P1"], of[12]).into()),
        14 => {
            changed.kind = Kind::Correction;
            changed.underlying_kind = pick([None, Some(Kind::Payment)], of[12]);
        }
        15 => theirs.place.file = SELF_TEST_FILE,
        16 => {
            changed.place.file = SELF_TEST_FILE;
            theirs.place.file = SELF_TEST_FILE;
        }
        17 => changed.keys.extend(NaturalKey::given(KeyScheme::EndToEndId, pick(KEYS, of[12]))),
        18 => {
            theirs.keys.retain(|it| it.scheme != KeyScheme::EndToEndId);
            theirs.keys.extend(NaturalKey::given(KeyScheme::EndToEndId, pick(KEYS, of[12])));
        }
        19 => {
            let fine = theirs.amount.currency().with_decimals(3);
            theirs.amount = Money::new(theirs.amount.minor(), fine);
        }
        20 => {
            let other = format!("order-{}", number + 1);
            theirs.keys.retain(|it| it.scheme != KeyScheme::PaymentOrder);
            theirs.keys.extend(NaturalKey::given(KeyScheme::PaymentOrder, other));
        }
        21 => changed.status = Status::Unknown,
        22 => {
            let mut pending = theirs.clone();
            pending.status = Status::Pending;
            return [vec![ours], vec![theirs, pending]];
        }
        _ => {}
    }
    both(changed, theirs)
}

fn day(all: &[Choices]) -> [Vec<Entry<'static>>; 2] {
    let mut sides = [Vec::new(), Vec::new()];
    for (number, of) in (0..).zip(all) {
        for (side, entries) in sides.iter_mut().zip(told(number, *of)) {
            side.extend(entries);
        }
    }
    for side in &mut sides {
        for (record, entry) in (1..).zip(side.iter_mut()) {
            entry.place.record = record;
            entry.place.part = u16::from(record % 3 == 0);
        }
    }
    sides
}

fn rules(choice: u8) -> Vec<Rule> {
    let amount = [RuleField::Amount, RuleField::Currency];
    let mut suggested = rule("order", &[ORDER]);
    suggested.accept = Accept::Suggested;
    match choice % 7 {
        0 => vec![rule("e2e", &[E2E])],
        1 => vec![rule("e2e", &[E2E]), rule("order", &[ORDER])],
        2 => vec![rule("batch", &[BATCH]), rule("e2e", &[E2E])],
        3 => vec![rule("e2e", &[E2E, RuleField::Amount]), rule("intent", &[RuleField::Intent])],
        4 => vec![suggested, rule("e2e", &[E2E])],
        5 => {
            vec![rule("order", &[ORDER, RuleField::Party, RuleField::Account]), rule("e2e", &[E2E])]
        }
        _ => vec![rule("e2e", &[E2E]), rule("batch", &[BATCH]), rule("amount", &amount)],
    }
}

/// The sides read in two parts, the second part first.
fn in_parts(side: Side, layout: &Arc<Layout>, entries: &[Entry<'static>]) -> SideColumns {
    let (head, tail) = entries.split_at(entries.len() / 2);
    let mut parts = [tail, head].map(|part| {
        let mut columns = SideColumns::new(side, Arc::clone(layout), None);
        for entry in part {
            columns.entry(entry);
        }
        columns
    });
    let [first, second] = &mut parts;
    let empty = SideColumns::new(side, Arc::clone(layout), None);
    first.append(std::mem::replace(second, empty));
    let [first, _] = parts;
    first
}

fn check(found: &Cancelled, expected: &oracle::Answer) {
    let set = |it: &[RowPlace]| it.iter().copied().collect::<BTreeSet<_>>();
    assert_eq!(set(&found.left_ours), expected.left[0], "left of ours");
    assert_eq!(set(&found.left_theirs), expected.left[1], "left of theirs");
    assert_eq!(found.agreed, expected.agreed);
    assert!(found.left_ours.is_sorted() && found.left_theirs.is_sorted());
    let pairs: u64 = found.totals.iter().map(|it| it.count).sum();
    assert_eq!(pairs, expected.agreed.values().sum::<u64>());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn the_engine_leaves_what_the_oracle_leaves(
        all in vec(any::<Choices>(), 0..40),
        which in any::<u8>(),
        turn in any::<u8>(),
        key in any::<[u8; 16]>(),
    ) {
        let (mut sides, rules) = (day(&all), rules(which));
        let expected = oracle::answer([&sides[0], &sides[1]], &rules);
        let layout = Arc::new(Layout::new(&rules, &[], HashKey::new([1; 16])));
        let [ours, theirs] = [(Side::Ours, 0), (Side::Theirs, 1)]
            .map(|(side, at)| frame(side, &layout, &sides[at]));
        let plain = cancel_within(&ours, &theirs, Some(oracle::WINDOW), Limits::default()).unwrap();
        check(&plain, &expected);

        for side in &mut sides {
            let by = usize::from(turn) % side.len().max(1);
            side.rotate_left(by);
            side.reverse();
        }
        let layout = Arc::new(Layout::new(&rules, &[], HashKey::new(key)));
        let [ours, theirs] = [(Side::Ours, 0), (Side::Theirs, 1)]
            .map(|(side, at)| in_parts(side, &layout, &sides[at]).finish());
        let limits = Limits { rows_in_pass: 20, waves: 1 + usize::from(turn % 3) };
        let turned = cancel_within(&ours, &theirs, Some(oracle::WINDOW), limits).unwrap();
        prop_assert_eq!(
            Cancelled { work: plain.work, ..turned },
            plain
        );
    }
}
