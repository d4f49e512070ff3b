//! Two-sided reconciliation: our ledger against an independent statement.

pub mod classification;
pub mod config;
pub mod corrections;
pub mod domain;
pub mod frames;
pub mod matching;
pub mod sources;
