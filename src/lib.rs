//! Two-sided reconciliation: our ledger against an independent statement.

pub mod config;
pub mod domain;
pub mod report;
