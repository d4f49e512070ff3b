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
    let made = day.in_order().map(|it| make(it.number, &it.ours()).keys.len()).sum::<usize>();
    println!("of which making {made} of the entries took {:.2?}", begun.elapsed());
    let begun = Instant::now();
    let cancelled = cancel(&ours, &theirs, Some(900)).unwrap();
    println!("cancelled in {:.2?}, peak {} MiB", begun.elapsed(), peak_kib_of("self") / 1024);
    println!("{:?}, {} suspected", cancelled.work, cancelled.suspected.len());

    let planted: Vec<_> = day.in_order().map(|it| it.fault != Fault::None).collect();
    let expected = planted.iter().filter(|it| **it).count();
    let left: BTreeSet<u32> =
        cancelled.left_ours.iter().chain(&cancelled.left_theirs).map(|it| it.1).collect();
    let right = left.iter().filter(|it| planted[usize::try_from(**it).unwrap()]).count();
    println!("left {right} of {expected} planted, {} invented", left.len() - right);
}

/// One side, appended as a reader would.
fn read(side: Side, layout: &Arc<Layout>, told: impl Iterator<Item = (u32, Told)>) -> SideFrame {
    let mut columns = SideColumns::new(side, Arc::clone(layout), None);
    for (number, told) in told {
        let mut entry = make(number, &told);
        if side == Side::Theirs {
            entry.intent = None;
        }
        for part in 0..told.times {
            entry.place.part = u16::try_from(part).unwrap();
            columns.entry(&entry);
        }
    }
    columns.finish()
}

fn make(number: u32, told: &Told) -> Entry<'_> {
    let currency = Currency::iso(told.currency).unwrap();
    let date = NaiveDate::from_ymd_opt(2026, 11, told.day).unwrap();
    let place = Place { record: number, ..Place::default() };
    let mut entry = Entry::new(place, Money::new(told.minor, currency), date);
    entry.account = "51-01".into();
    entry.party = format!("Client {}", told.party).into();
    entry.intent = Some(format!("pay-{number}").into());
    entry.keys.extend(NaturalKey::given(KeyScheme::EndToEndId, told.key.as_str()));
    entry
}
