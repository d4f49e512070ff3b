//! Two-sided reconciliation: our ledger against an independent statement.

pub mod classification;
pub mod cli;
pub mod clock;
pub mod config;
pub mod corrections;
pub mod domain;
pub mod frames;
pub mod inbox;
pub mod journal;
pub mod matching;
pub mod pipeline;
pub mod report;
pub mod sources;
pub mod store;
