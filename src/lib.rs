//! Two-sided reconciliation: our ledger against an independent statement.

pub mod clock;
pub mod config;
pub mod domain;
pub mod inbox;
pub mod journal;
pub mod store;
