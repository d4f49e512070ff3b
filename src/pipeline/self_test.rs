//! The self-test: one known fault per reason is planted in every run and must come out with exactly
//! that reason (DESIGN §7).

mod plants;

use std::collections::{BTreeMap, BTreeSet};

use chrono::{Days, NaiveDate};

use crate::classification::Terms;
use crate::domain::{
    discrepancy::Discrepancy,
    entry::{Entry, EntrySink, Place},
    money::Currency,
    reason::Reason,
    run::SelfTest,
    side::Side,
};
use crate::frames::SELF_TEST_FILE;

/// The file id that only planted entries have.
pub(super) const FILE: u16 = SELF_TEST_FILE;

/// A fault with the entries that make it.
#[derive(Debug, Clone)]
pub(super) struct Plant {
    /// The reason it must come out with.
    pub(super) reason: Reason,
    /// Our entries, booked and evidence.
    pub(super) ours: Vec<Entry<'static>>,
    /// Their entries, booked and evidence.
    pub(super) theirs: Vec<Entry<'static>>,
}

/// Everything planted in one run.
#[derive(Debug, Default)]
pub(super) struct Planted {
    plants: Vec<Plant>,
    undecidable: Vec<Reason>,
}

/// The days on which a fault can be decided, given what is covered.
#[derive(Debug, Clone, Copy)]
struct DecisiveDays {
    /// A day whose due day has passed and is covered by both sides.
    settled: Option<NaiveDate>,
    /// A day that our side covers, up to the as-of day.
    covered_ours: Option<NaiveDate>,
    /// A day long past that their side does not cover.
    uncovered_theirs: Option<NaiveDate>,
    /// A day long past that our side does not cover.
    uncovered_ours: Option<NaiveDate>,
}

impl Planted {
    /// Plants a fault for every reason that the terms make decidable.
    pub(super) fn of(terms: &Terms<'_>, currency: Currency) -> Self {
        let days = days(terms);
        let field = plants::Field::of(terms, currency, days);
        let mut planted = Self::default();
        for reason in Reason::ALL {
            match field.plant(reason) {
                None => planted.undecidable.push(reason),
                Some((ours, theirs)) => planted.plants.push(Plant { reason, ours, theirs }),
            }
        }
        planted.place();
        planted
    }

    /// The planted entries of a side, in order.
    pub(super) fn entries(&self, side: Side) -> impl Iterator<Item = &Entry<'static>> {
        self.plants.iter().flat_map(move |it| match side {
            Side::Ours => &it.ours,
            Side::Theirs => &it.theirs,
        })
    }

    /// Puts the planted entries among those that were read.
    pub(super) fn sow(&self, ours: &mut dyn EntrySink, theirs: &mut dyn EntrySink) {
        self.entries(Side::Ours).for_each(|it| ours.entry(it));
        self.entries(Side::Theirs).for_each(|it| theirs.entry(it));
    }

    /// Gives every entry its record number under the reserved file id.
    fn place(&mut self) {
        let mut record = 0;
        for plant in &mut self.plants {
            for entry in plant.ours.iter_mut().chain(&mut plant.theirs) {
                record += 1;
                entry.place = Place { file: FILE, record, ..Place::default() };
            }
        }
    }

    /// Takes the planted faults out of the discrepancies and tells which of them were found.
    pub(super) fn harvest(&self, discrepancies: &mut Vec<Discrepancy>) -> SelfTest {
        let mut found: BTreeMap<Place, BTreeSet<Reason>> = BTreeMap::new();
        discrepancies.retain(|it| {
            let places = it.ours.iter().chain(&it.theirs).map(|it| it.place);
            let planted: Vec<_> = places.filter(|it| it.file == FILE).collect();
            for place in &planted {
                found.entry(*place).or_default().insert(it.reason);
            }
            planted.is_empty()
        });
        let missed = |plant: &&Plant| {
            let entries = plant.ours.iter().chain(&plant.theirs);
            let reasons = entries.filter_map(|it| found.get(&it.place)).flatten();
            reasons.copied().collect::<BTreeSet<_>>() != BTreeSet::from([plant.reason])
        };
        SelfTest {
            planted: self.plants.iter().map(|it| it.reason).collect(),
            missed: self.plants.iter().filter(missed).map(|it| it.reason).collect(),
            undecidable: self.undecidable.clone(),
        }
    }
}

/// How far back a day is looked for.
const DAYS_BACK: u64 = 40;

/// How far back a day surely lies outside what is covered.
const LONG_PAST: u64 = 3660;

fn days(terms: &Terms<'_>) -> DecisiveDays {
    let back = |days: u64| terms.as_of.checked_sub_days(Days::new(days));
    let recent = || (0..DAYS_BACK).filter_map(back);
    let ours = |day: &NaiveDate| terms.covered.holds(Side::Ours, "", *day);
    let settled = |day: &NaiveDate| {
        let due = terms.calendar.after(*day, terms.due_days);
        let covered = terms.covered.holds_all(Side::Theirs, "", (*day, due), terms.calendar);
        terms.calendar.is_business(*day) && due <= terms.as_of && covered
    };
    let past = back(LONG_PAST).map(|day| terms.calendar.after(day, 1));
    DecisiveDays {
        settled: recent().find(settled),
        covered_ours: recent().find(ours),
        uncovered_theirs: past.filter(|day| !terms.covered.holds(Side::Theirs, "", *day)),
        uncovered_ours: past.filter(|day| !ours(day)),
    }
}
