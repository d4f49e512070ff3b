//! The house as a whole, in one binary.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod architecture;
mod cluster;
mod database;
mod runs;
