//! The two sides of every comparison.

use std::fmt;

/// Whose books tell it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// Our ledger.
    Ours,
    /// The counterparty's statement.
    Theirs,
}

impl Side {
    /// Both, ours first.
    pub const ALL: [Self; 2] = [Self::Ours, Self::Theirs];

    /// The name in SQL and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ours => "ours",
            Self::Theirs => "theirs",
        }
    }

    /// The other one.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Ours => Self::Theirs,
            Self::Theirs => Self::Ours,
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}
