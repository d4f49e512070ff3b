//! What a person or a program gets to see of a run: HTML, JSON, and the short verdict.
//!
//! Everything is made from [`view::ResultView`], so that a stored result can be rendered again.

pub mod amount;
pub mod code;
pub mod html;
pub mod json;
mod phrase;
pub mod print;
mod speech;
mod svg;
mod totals;
pub mod view;
mod visible;
mod words;

pub use visible::{visible, visible_line};

/// Why a result cannot be shown.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The amounts of a currency add up to more than 128 bits hold.
    #[error("the amounts in {currency} add up to more than 128 bits of minor units")]
    Beyond {
        /// The currency.
        currency: String,
    },
    /// The page cannot be written.
    #[error("the report cannot be written: {0}")]
    Page(#[from] askama::Error),
    /// The result is no JSON of this shape, or cannot be written as such.
    #[error("the result is not of the shape of this program's results: {0}")]
    Json(#[from] serde_json::Error),
}
