//! Matching: which entries of the two sides are one operation (DESIGN §6).
//!
//! The cancel step removes what plainly agrees from columns of numbers; what it leaves comes back
//! whole, and plain Rust explains it.

pub mod cancel;
pub mod explain;
pub mod order;
mod repaired;
pub mod rule_key;
pub mod self_reversed;
mod suggest;
pub mod weigh;
