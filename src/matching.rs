//! Matching: which entries of the two sides are one operation (DESIGN §6).

pub mod explain;
pub mod order;
mod repaired;
pub mod rule_key;
pub mod self_reversed;
mod suggest;
pub mod weigh;
