//! The time, and the only place that asks the system for it.

use chrono::{DateTime, Utc};

/// What time it is. Whoever needs the time is given a clock, so that a run can be replayed.
pub trait Clock {
    /// The moment.
    fn now(&self) -> DateTime<Utc>;
}

/// The time of the machine.
#[derive(Debug, Clone, Copy, Default)]
pub struct System;

impl Clock for System {
    #[expect(clippy::disallowed_methods, reason = "the one place that asks the system")]
    fn now(&self) -> DateTime<Utc> {
        Utc::now()
    }
}

/// A clock that stands: the same files under it give identical bytes.
#[derive(Debug, Clone, Copy)]
pub struct Fixed(pub DateTime<Utc>);

impl Clock for Fixed {
    fn now(&self) -> DateTime<Utc> {
        self.0
    }
}
