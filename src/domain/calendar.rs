//! Business days.

use std::collections::BTreeSet;

use chrono::{Datelike, Days, NaiveDate, Weekday};

/// The calendars that have a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum NamedCalendar {
    /// Monday to Friday, no holidays.
    Weekdays,
    /// Days on which T2, the Eurosystem's settlement system, is closed: New Year's Day, Good
    /// Friday, Easter Monday, 1 May, 25 and 26 December, as the European Central Bank has decided
    /// until further notice since 2002.
    Target2,
}

impl NamedCalendar {
    /// All, in order.
    pub const ALL: [Self; 2] = [Self::Weekdays, Self::Target2];

    /// The name in the configuration.
    pub fn name(self) -> &'static str {
        match self {
            Self::Weekdays => "weekdays",
            Self::Target2 => "target2",
        }
    }

    /// Its holidays in a year.
    fn holidays(self, year: i32) -> Vec<NaiveDate> {
        match self {
            Self::Weekdays => Vec::new(),
            Self::Target2 => {
                let fixed = [(1, 1), (5, 1), (12, 25), (12, 26)];
                let fixed = fixed
                    .into_iter()
                    .filter_map(|(month, day)| NaiveDate::from_ymd_opt(year, month, day));
                let easter = easter(year);
                let friday = easter.and_then(|it| it.checked_sub_days(Days::new(2)));
                let monday = easter.and_then(|it| it.checked_add_days(Days::new(1)));
                fixed.chain(friday).chain(monday).collect()
            }
        }
    }
}

/// Easter Sunday of the Gregorian calendar, by the method of Meeus, Jones and Butcher.
fn easter(year: i32) -> Option<NaiveDate> {
    let golden = year % 19;
    let (century, rest) = (year / 100, year % 100);
    let skipped = (century - (century + 8) / 25 + 1) / 3;
    let epact = (19 * golden + century - century / 4 - skipped + 15) % 30;
    let weekday = (32 + 2 * (century % 4) + 2 * (rest / 4) - epact - rest % 4) % 7;
    let shift = (golden + 11 * epact + 22 * weekday) / 451;
    let days = epact + weekday - 7 * shift + 114;
    let (month, day) = (days / 31, days % 31 + 1);
    NaiveDate::from_ymd_opt(year, u32::try_from(month).ok()?, u32::try_from(day).ok()?)
}

/// The years for which a named calendar knows its holidays.
const YEARS: std::ops::RangeInclusive<i32> = 2002..=2100;

/// Which days are business days: Monday to Friday but for its holidays.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Calendar {
    holidays: BTreeSet<NaiveDate>,
}

impl Calendar {
    /// Monday to Friday, no holidays.
    pub fn weekdays() -> Self {
        Self::default()
    }

    /// A named calendar, and more days on which no business is done.
    pub fn named(name: NamedCalendar, more: impl IntoIterator<Item = NaiveDate>) -> Self {
        let holidays = YEARS.flat_map(|year| name.holidays(year));
        Self::with_holidays(holidays.chain(more))
    }

    /// Monday to Friday but for these days.
    pub fn with_holidays(holidays: impl IntoIterator<Item = NaiveDate>) -> Self {
        Self { holidays: holidays.into_iter().collect() }
    }

    /// Whether business is done on a day.
    pub fn is_business(&self, day: NaiveDate) -> bool {
        !matches!(day.weekday(), Weekday::Sat | Weekday::Sun) && !self.holidays.contains(&day)
    }

    /// The day `count` business days after a day. A calendar that never does business for ten
    /// years running stops there.
    pub fn after(&self, day: NaiveDate, count: u32) -> NaiveDate {
        let mut left = count;
        let mut at = day;
        for next in following(day).take(3660) {
            if left == 0 {
                break;
            }
            at = next;
            left -= u32::from(self.is_business(next));
        }
        at
    }

    /// How many business days lie after `from`, up to and including `to`; zero if `to` is earlier.
    pub fn between(&self, from: NaiveDate, to: NaiveDate) -> u32 {
        let days = following(from).take_while(|day| *day <= to);
        u32::try_from(days.filter(|day| self.is_business(*day)).count()).unwrap_or(u32::MAX)
    }

    /// The business days from one day to another, both included.
    pub fn days(&self, from: NaiveDate, to: NaiveDate) -> impl Iterator<Item = NaiveDate> {
        let all = std::iter::once(from).chain(following(from));
        all.take_while(move |day| *day <= to).filter(|day| self.is_business(*day))
    }
}

fn following(day: NaiveDate) -> impl Iterator<Item = NaiveDate> {
    std::iter::successors(day.checked_add_days(Days::new(1)), |day| {
        day.checked_add_days(Days::new(1))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    #[test]
    fn target2_is_closed_on_its_six_days() {
        let calendar = Calendar::named(NamedCalendar::Target2, []);
        let closed = ["2026-01-01", "2026-04-03", "2026-04-06", "2026-05-01", "2026-12-25"];
        for it in closed.into_iter().chain(["2024-03-29", "2024-04-01", "2030-04-22"]) {
            assert!(!calendar.is_business(day(it)), "{it}");
        }
        assert!(calendar.is_business(day("2026-04-02")));
        assert_eq!(calendar.after(day("2026-04-02"), 1), day("2026-04-07"));
    }

    #[test]
    fn a_weekend_and_a_holiday_are_no_business_days() {
        let calendar = Calendar::with_holidays([day("2026-11-30")]);
        assert_eq!(calendar.after(day("2026-11-27"), 1), day("2026-12-01"));
        assert_eq!(Calendar::weekdays().after(day("2026-11-27"), 1), day("2026-11-30"));
        assert_eq!(Calendar::weekdays().after(day("2026-11-28"), 0), day("2026-11-28"));
        assert_eq!(calendar.between(day("2026-11-27"), day("2026-12-02")), 2);
        assert_eq!(calendar.between(day("2026-12-02"), day("2026-11-27")), 0);
    }
}
