//! Two-sided reconciliation: our ledger against an independent statement.
//!
//! A scheduled job reads both sides' files ([`sources`]), decides what each file is worth
//! ([`inbox`]), lays booked entries out as columns ([`frames`]), removes what agrees and pairs the
//! rest ([`matching`]), gives every discrepancy one reason and proves that nothing else is open
//! ([`classification`]), proposes keyed corrections ([`corrections`]), keeps it all ([`store`],
//! [`journal`]) and shows it ([`report`]). [`pipeline::run`] is that sentence as code.
//!
//! Data flows one way: a module may use what stands before it in that list, and [`domain`] and
//! [`config`] below them all. Everything up to [`corrections`] is plain functions from values to
//! values, so that a run can be replayed from its files years later.

pub mod classification;
pub mod cli;
pub mod clock;
pub mod config;
pub mod corrections;
pub mod domain;
pub mod extract;
pub mod frames;
pub mod inbox;
pub mod journal;
pub mod matching;
pub mod pipeline;
pub mod report;
pub mod sources;
pub mod store;
