//! The house as a whole, in one binary.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod architecture;
mod browser;
mod cluster;
mod daily;
mod database;
mod extract;
mod pages;
mod planter;
mod readme;
mod record;
mod report;
mod result;
mod runs;
mod samples;
mod unconfigured;
