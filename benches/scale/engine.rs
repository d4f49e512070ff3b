//! Columns and cancelling alone: entries are made in memory and appended as a reader would.

use std::{collections::BTreeSet, sync::Arc, time::Instant};

use chrono::NaiveDate;
use sverka::{
    config::{Accept, Rule, RuleField},
    domain::{
        entry::{Entry, EntrySink, Place},
        key::{KeyScheme, NaturalKey},
        money::{Currency, Money},
        side::Side,
    },
    frames::{HashKey, Layout, SideColumns, SideFrame},
    matching::cancel::cancel,
};

use crate::{
    generate::{Day, Fault, Told},
    process::peak_kib_of,
};

/// Prints how long reading into columns and cancelling take, and whether what is left is exactly
/// what has a fault.
pub(crate) fn measure(day: Day) {
    let rule = Rule {
        name: "end-to-end".to_owned(),
        on: vec![RuleField::Key(KeyScheme::EndToEndId)],
        single_use: true,
        group: false,
        date_window_days: 2,
        accept: Accept::Confirmed,
    };
    let layout = Arc::new(Layout::new(&[rule], &[], HashKey::new([9; 16])));
    let begun = Instant::now();
    let ours = read(Side::Ours, &layout, day.in_order().map(|it| (it.number, it.ours())));
    let theirs =
        read(Side::Theirs, &layout, day.in_their_order().map(|it| (it.number, it.theirs())));
    let rows = ours.len() + theirs.len();
    println!("{rows} rows appended in {:.2?}, {} MiB", begun.elapsed(), peak_kib_of("self") / 1024);
    let begun = Instant::now();
    let cancelled = cancel(&ours, &theirs, Some(900)).unwrap();
    println!("cancelled in {:.2?}, peak {} MiB", begun.elapsed(), peak_kib_of("self") / 1024);
    println!("{:?}, {} suspected", cancelled.work, cancelled.suspected.len());

    let faulty = |it: &&Fault| **it != Fault::None;
    let faults: Vec<_> = day.in_order().map(|it| it.fault).collect();
    let expected = faults.iter().filter(faulty).count();
    let left: BTreeSet<u32> =
        cancelled.left_ours.iter().chain(&cancelled.left_theirs).map(|it| it.1).collect();
    let is_faulty = |it: &&u32| faults[usize::try_from(**it).unwrap()] != Fault::None;
    let right = left.iter().filter(is_faulty).count();
    println!("left {right} of {expected} planted, {} invented", left.len() - right);
}

/// One side, appended as a reader would.
fn read(side: Side, layout: &Arc<Layout>, told: impl Iterator<Item = (u32, Told)>) -> SideFrame {
    let mut columns = SideColumns::new(side, Arc::clone(layout), None);
    for (number, told) in told {
        let currency = Currency::iso(told.currency).unwrap();
        let date = NaiveDate::from_ymd_opt(2026, 11, told.day).unwrap();
        let place = Place { record: number, ..Place::default() };
        let mut entry = Entry::new(place, Money::new(told.minor, currency), date);
        entry.account = "51-01".into();
        entry.party = format!("Client {}", told.party).into();
        entry.intent = (side == Side::Ours).then(|| format!("pay-{number}").into());
        entry.keys.extend(NaturalKey::given(KeyScheme::EndToEndId, told.key));
        for part in 0..told.times {
            entry.place.part = u16::try_from(part).unwrap();
            columns.entry(&entry);
        }
    }
    columns.finish()
}
