//! Whether complete evidence of a side is held for a day.

use chrono::NaiveDate;

use crate::domain::{calendar::Calendar, proof::Coverage, side::Side};

/// The days covered, by side and account.
#[derive(Debug, Clone, Default)]
pub struct Covered(Vec<Coverage>);

impl Covered {
    /// These days, of trusted files only.
    pub fn new(coverage: &[Coverage]) -> Self {
        Self(coverage.to_vec())
    }

    /// Whether a side covers an account on a day. A blank account stands for the only one.
    pub fn holds(&self, side: Side, account: &str, day: NaiveDate) -> bool {
        self.of(side, account).any(|it| it.holds(day))
    }

    /// Whether a side states, and not only lets infer, that it covers an account on a day.
    pub fn states(&self, side: Side, account: &str, day: NaiveDate) -> bool {
        self.of(side, account).any(|it| it.holds(day) && !it.inferred)
    }

    /// Whether a side covers every business day from one day to another.
    pub fn holds_all(
        &self,
        side: Side,
        account: &str,
        (from, to): (NaiveDate, NaiveDate),
        calendar: &Calendar,
    ) -> bool {
        calendar.days(from, to).all(|day| self.holds(side, account, day))
    }

    fn of(&self, side: Side, account: &str) -> impl Iterator<Item = &Coverage> {
        let account = account.trim().to_owned();
        self.0.iter().filter(move |it| {
            it.side == side
                && (account.is_empty() || it.account.is_empty() || it.account == account)
        })
    }
}
