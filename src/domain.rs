//! The words of the house as types: plain values, no outside world.

pub mod calendar;
pub mod correction;
pub mod discrepancy;
pub mod entry;
pub mod id;
pub mod key;
pub mod language;
pub mod money;
pub mod page;
pub mod proof;
pub mod reason;
pub mod reason_text;
pub mod repair;
pub mod run;
pub mod side;
pub mod statement;
