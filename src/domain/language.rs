//! The languages in which the house speaks to people.

use serde::Deserialize;

/// The language of report and messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
pub enum Language {
    /// English.
    #[default]
    #[serde(rename = "en")]
    English,
    /// Russian.
    #[serde(rename = "ru")]
    Russian,
}

impl Language {
    /// Both.
    pub const ALL: [Self; 2] = [Self::English, Self::Russian];

    /// The tag of BCP 47, as `<html lang>` takes it.
    pub fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Russian => "ru",
        }
    }
}
