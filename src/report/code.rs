//! The house's codes in JSON: written as their stable text, read back as the value.

use std::{fmt, marker::PhantomData};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::domain::{
    correction::{Class, State},
    discrepancy::Pairing,
    entry::{Kind, RejectReason, Status},
    key::KeyScheme,
    proof::Basis,
    reason::{Cause, Reason},
    run::{Doubt, Independence},
    side::Side,
    statement::FileVerdict,
};

/// An enum whose values have stable texts.
pub trait Coded: Copy + 'static {
    /// All values.
    const ALL: &'static [Self];

    /// The stable text of a value.
    fn text(self) -> &'static str;
}

macro_rules! coded {
    ($($type:ty => $text:ident),+ $(,)?) => {$(
        impl Coded for $type {
            const ALL: &'static [Self] = &<$type>::ALL;

            fn text(self) -> &'static str {
                self.$text()
            }
        }
    )+};
}

coded! {
    Reason => code,
    Cause => code,
    FileVerdict => code,
    Doubt => code,
    RejectReason => code,
    Pairing => name,
    Independence => name,
    Kind => name,
    Status => name,
    State => name,
    Class => name,
    Side => name,
    KeyScheme => name,
    Basis => name,
}

/// A coded value that serialises as its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Code<T>(pub T);

impl<T: Coded> Serialize for Code<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.text())
    }
}

impl<'de, T: Coded> Deserialize<'de> for Code<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(Texts(PhantomData))
    }
}

struct Texts<T>(PhantomData<T>);

impl<T: Coded> de::Visitor<'_> for Texts<T> {
    type Value = Code<T>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts: Vec<_> = T::ALL.iter().map(|it| it.text()).collect();
        write!(out, "one of {}", texts.join(", "))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
        let found = T::ALL.iter().find(|it| it.text() == text);
        found.map(|it| Code(*it)).ok_or_else(|| E::invalid_value(de::Unexpected::Str(text), &self))
    }
}
