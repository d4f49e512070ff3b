//! Named repairs: the ways in which one key comes to be written twice (DESIGN §6).
//!
//! A repaired key never pairs where an exact one could; it pairs only when unique, and the repair
//! is named in the result.

use std::fmt;

/// A named repair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Repair {
    /// Letters in another case.
    Case,
    /// Blanks added or lost.
    Blanks,
    /// Zeros in front added or lost.
    LeadingZeros,
    /// Cut at 16 characters, as SWIFT MT `:61:` references are.
    Cut16,
    /// Cut at 35 characters, as ISO 20022 `Max35Text` is.
    Cut35,
}

impl fmt::Display for Repair {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Case => "case",
            Self::Blanks => "blanks",
            Self::LeadingZeros => "leading zeros",
            Self::Cut16 => "cut at 16",
            Self::Cut35 => "cut at 35",
        })
    }
}

/// The lengths at which systems cut keys, with the repair each is named by.
pub const CUTS: [(usize, Repair); 2] = [(16, Repair::Cut16), (35, Repair::Cut35)];

/// A key without what the repairs of case, blanks and leading zeros forgive. Two keys are equal
/// after those repairs exactly when they fold to the same text.
pub fn fold(key: &str) -> String {
    let mut folded = String::new();
    fold_into(key, &mut folded);
    folded
}

/// Writes the [`fold`] of a key over what `folded` held, for millions of keys in one buffer.
pub fn fold_into(key: &str, folded: &mut String) {
    folded.clear();
    if key.bytes().fold(true, |all, it| all & it.is_ascii_graphic()) {
        folded.push_str(key.trim_start_matches('0'));
        return folded.make_ascii_uppercase();
    }
    let plain = key.chars().filter(|it| !it.is_whitespace()).flat_map(char::to_uppercase);
    folded.extend(plain.skip_while(|it| *it == '0'));
}

/// The fold of what a cut at `length` characters would have left of a key; `None` where the key
/// is not longer. A key of exactly `length` characters may be another one cut: its [`fold`] then
/// equals this.
pub fn fold_cut(key: &str, length: usize) -> Option<String> {
    cut(key, length).map(fold)
}

/// What a cut at `length` characters would have left of a key; `None` where it is not longer.
pub fn cut(key: &str, length: usize) -> Option<&str> {
    if key.is_ascii() {
        return key.get(..length).filter(|it| it.len() < key.len());
    }
    key.char_indices().nth(length).map(|(end, _)| &key[..end])
}

/// Whether a key may have been cut at `length` characters.
pub fn may_be_cut(key: &str, length: usize) -> bool {
    // Shorter in bytes is shorter in characters, and most keys need no counting.
    key.len() >= length && key.chars().count() == length
}

/// The repairs after which two different keys are equal, or `None`.
pub fn between(one: &str, other: &str) -> Option<Vec<Repair>> {
    if fold(one) == fold(other) {
        return (one != other).then(|| forgiven(one, other));
    }
    CUTS.into_iter().find_map(|(length, repair)| {
        let is_cut = |long: &str, short: &str| {
            may_be_cut(short, length) && fold_cut(long, length).is_some_and(|it| it == fold(short))
        };
        (is_cut(one, other) || is_cut(other, one)).then(|| vec![repair])
    })
}

fn forgiven(one: &str, other: &str) -> Vec<Repair> {
    let blanks = |it: &str| it.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    let (plain_one, plain_other) = (blanks(one), blanks(other));
    let (upper_one, upper_other) = (plain_one.to_uppercase(), plain_other.to_uppercase());
    let zeros = |it: &str| it.len() - it.trim_start_matches('0').len();
    let mut repairs = Vec::new();
    if plain_one.trim_start_matches('0') != plain_other.trim_start_matches('0') {
        repairs.push(Repair::Case);
    }
    if one.len() != plain_one.len() || other.len() != plain_other.len() {
        repairs.push(Repair::Blanks);
    }
    if zeros(&upper_one) != zeros(&upper_other) {
        repairs.push(Repair::LeadingZeros);
    }
    repairs
}

/// A party's name as it is compared: letters and digits in upper case.
pub fn fold_party(name: &str) -> String {
    let mut folded = String::new();
    fold_party_into(name, &mut folded);
    folded
}

/// Writes the [`fold_party`] of a name over what `folded` held.
pub fn fold_party_into(name: &str, folded: &mut String) {
    folded.clear();
    if name.is_ascii() {
        let plain = name.split(|it: char| !it.is_ascii_alphanumeric());
        plain.for_each(|it| folded.push_str(it));
        return folded.make_ascii_uppercase();
    }
    folded.extend(name.chars().filter(|it| it.is_alphanumeric()).flat_map(char::to_uppercase));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(one: &str, other: &str, expected: Option<&[Repair]>) {
        assert_eq!(between(one, other).as_deref(), expected, "`{one}` and `{other}`");
        assert_eq!(between(other, one).as_deref(), expected, "`{other}` and `{one}`");
    }

    #[test]
    fn each_repair_is_named() {
        check("A1", "a1", Some(&[Repair::Case]));
        check("A1", "A1 ", Some(&[Repair::Blanks]));
        check("A1", "00A1", Some(&[Repair::LeadingZeros]));
        check("ab 1", "00AB1", Some(&[Repair::Case, Repair::Blanks, Repair::LeadingZeros]));
        check("INV-2026-11-30-0001", "INV-2026-11-30-0", Some(&[Repair::Cut16]));
        check("INV-2026-11-30-0001", "INV-2026-11-30-", None);
        check("A1", "A1", None);
        check("A1", "A2", None);
    }

    #[test]
    fn a_key_folds_alike_whatever_letters_stand_beside_it() {
        for byte in 0..128 {
            let key = format!("x{}0a", char::from(byte));
            assert_eq!(fold(&format!("{key}ж")), format!("{}Ж", fold(&key)), "{key:?}");
            let party = format!("{}Ж", fold_party(&key));
            assert_eq!(fold_party(&format!("{key}ж")), party, "{key:?}");
        }
        assert_eq!((fold(" 0 0a"), fold("00ж")), ("A".to_owned(), "Ж".to_owned()));
    }
}
