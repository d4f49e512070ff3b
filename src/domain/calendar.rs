//! Business days.

use std::collections::BTreeSet;

use chrono::{Datelike, Days, NaiveDate, Weekday};

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
    fn a_weekend_and_a_holiday_are_no_business_days() {
        let calendar = Calendar::with_holidays([day("2026-11-30")]);
        assert_eq!(calendar.after(day("2026-11-27"), 1), day("2026-12-01"));
        assert_eq!(Calendar::weekdays().after(day("2026-11-27"), 1), day("2026-11-30"));
        assert_eq!(Calendar::weekdays().after(day("2026-11-28"), 0), day("2026-11-28"));
        assert_eq!(calendar.between(day("2026-11-27"), day("2026-12-02")), 2);
        assert_eq!(calendar.between(day("2026-12-02"), day("2026-11-27")), 0);
    }
}
