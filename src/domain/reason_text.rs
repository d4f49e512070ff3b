//! What the codes of the house mean, in words for people: a short name and one sentence each.
//!
//! Codes are stable and stand in SQL and JSON; these words may be improved at any time.

mod en;
mod ru;

use crate::domain::{
    correction::State,
    discrepancy::Pairing,
    entry::{Kind, RejectReason, Status},
    language::Language,
    reason::{Cause, Reason},
    run::{Doubt, Independence},
    statement::FileVerdict,
};

/// A short name, and one sentence that says what it means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Text {
    /// A few words, as a heading or label.
    pub name: &'static str,
    /// One sentence for a reader who has never seen the code.
    pub meaning: &'static str,
}

const fn text(name: &'static str, meaning: &'static str) -> Text {
    Text { name, meaning }
}

macro_rules! spoken {
    ($($code:ty => $words:ident),+ $(,)?) => {$(
        impl $code {
            /// What it means, in a language.
            pub fn text(self, language: Language) -> Text {
                match language {
                    Language::English => en::$words(self),
                    Language::Russian => ru::$words(self),
                }
            }
        }
    )+};
}

spoken! {
    Reason => reason,
    Cause => cause,
    FileVerdict => file_verdict,
    Doubt => doubt,
    RejectReason => reject_reason,
    Pairing => pairing,
    Independence => independence,
    Kind => kind,
    Status => status,
    State => state,
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Names tell the codes apart, and meanings are whole sentences in the language's own letters.
    fn check(language: Language, texts: &[Text]) {
        let names: BTreeSet<_> = texts.iter().map(|it| it.name).collect();
        assert_eq!(names.len(), texts.len(), "two codes share a name: {texts:?}");
        for Text { name, meaning } in texts {
            assert!(name.chars().count() <= 48, "`{name}` is no short name");
            assert!(meaning.ends_with('.'), "`{meaning}` is no sentence");
            assert!(meaning.chars().next().is_some_and(char::is_uppercase), "{meaning}");
            let cyrillic = |it: &str| it.chars().any(|c| ('а'..='я').contains(&c));
            let russian = language == Language::Russian;
            assert_eq!((cyrillic(name), cyrillic(meaning)), (russian, russian), "{name}");
        }
    }

    #[test]
    fn every_code_has_its_own_name_and_a_sentence_in_both_languages() {
        for language in Language::ALL {
            check(language, &Reason::ALL.map(|it| it.text(language)));
            check(language, &Cause::ALL.map(|it| it.text(language)));
            check(language, &FileVerdict::ALL.map(|it| it.text(language)));
            check(language, &Doubt::ALL.map(|it| it.text(language)));
            check(language, &RejectReason::ALL.map(|it| it.text(language)));
            check(language, &Pairing::ALL.map(|it| it.text(language)));
            check(language, &Independence::ALL.map(|it| it.text(language)));
            check(language, &Kind::ALL.map(|it| it.text(language)));
            check(language, &Status::ALL.map(|it| it.text(language)));
            check(language, &State::ALL.map(|it| it.text(language)));
        }
    }
}
