//! Identities: derived by rule from what they name, so that a replay reproduces them (DESIGN §8).

use std::fmt;

use sha2::{Digest, Sha256};
use uuid::Uuid;

/// The name space of all ids of this program: version 5 of the DNS name `sverka.invalid`.
const NAMESPACE: Uuid = Uuid::from_u128(0x6a3c_61d1_3ff0_5d5e_9c0f_2b1b_7f5e_a901);

/// Parts joined so that no two lists of parts give the same bytes: each part is preceded by its
/// length, and an absent part differs from an empty one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Parts(Vec<u8>);

impl Parts {
    /// No parts yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// These parts and one more.
    #[must_use]
    pub fn with(mut self, part: &str) -> Self {
        self.push(Some(part));
        self
    }

    /// Adds a part; `None` is told from an empty text.
    pub fn push(&mut self, part: Option<&str>) {
        match part {
            None => self.0.push(0),
            Some(part) => {
                self.0.push(1);
                self.0.extend_from_slice(
                    &u64::try_from(part.len()).unwrap_or(u64::MAX).to_be_bytes(),
                );
                self.0.extend_from_slice(part.as_bytes());
            }
        }
    }

    /// The UUID v5 over the parts.
    pub fn uuid(&self) -> Uuid {
        Uuid::new_v5(&NAMESPACE, &self.0)
    }

    /// The SHA-256 over the parts.
    pub fn sha256(&self) -> Hash {
        Hash(Sha256::digest(&self.0).into())
    }
}

/// A SHA-256, printed as 64 lower-case hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hash([u8; 32]);

impl Hash {
    /// The hash that these bytes are.
    pub fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The hash of some bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// The hash that 64 hexadecimal digits print.
    pub fn from_hex(text: &str) -> Option<Self> {
        let mut bytes = [0; 32];
        hex::decode_to_slice(text, &mut bytes).ok()?;
        Some(Self(bytes))
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&hex::encode(self.0))
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Uuid);

        impl $name {
            /// The id over the parts that name it.
            pub fn over(parts: &Parts) -> Self {
                Self(parts.uuid())
            }

            /// The id that a text prints, or `None`.
            pub fn parse(text: &str) -> Option<Self> {
                Uuid::try_parse(text).ok().map(Self)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.0, out)
            }
        }
    };
}

id! {
    /// Names a discrepancy: the same tomorrow, one day older.
    DiscrepancyId
}
id! {
    /// Names a run: (tenant, reconciliation, as-of, attempt).
    RunId
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_lists_of_parts_share_an_id() {
        let split = Parts::new().with("ab").with("c");
        let other = Parts::new().with("a").with("bc");
        assert_ne!(split.uuid(), other.uuid());
        let (mut absent, mut empty) = (Parts::new(), Parts::new());
        absent.push(None);
        empty.push(Some(""));
        assert_ne!(absent.sha256(), empty.sha256());
    }

    #[test]
    fn an_id_is_the_same_for_ever() {
        let id = DiscrepancyId::over(&Parts::new().with("acme").with("acquirer"));
        assert_eq!(id, DiscrepancyId::over(&Parts::new().with("acme").with("acquirer")));
        assert_eq!(DiscrepancyId::parse(&id.to_string()), Some(id));
    }
}
