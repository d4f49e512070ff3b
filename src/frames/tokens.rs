//! By which names, and names cut or repaired, a row is found again.

use crate::domain::repair::{self, CUTS};
use crate::frames::{layout::Link, lazy::Lazy};

/// What a key is with regard to one length at which systems cut keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cut {
    /// Shorter, or never cut.
    None,
    /// Exactly as long: it may be another key, cut.
    Exact,
    /// Longer: the hash of the fold of what a cut would have left.
    Longer(u64),
}

/// The hashes of one key of a row. Two keys are equal, exactly or after a named repair, exactly
/// when their folds are, or the fold of an exact one is what a cut leaves of a longer one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Token {
    /// The fold's hash.
    pub(crate) fold: u64,
    /// By length, in the order of [`CUTS`].
    pub(crate) cuts: [Cut; CUTS.len()],
}

impl Token {
    /// The token of a key; `buffer` is scratch memory.
    pub(crate) fn of(link: &Link, text: &str, buffer: &mut String) -> Self {
        let mut hash = |text: &str| {
            repair::fold_into(text, buffer);
            link.hasher.hash(buffer.as_bytes())
        };
        let fold = hash(text);
        let cuts = CUTS.map(|(length, _)| match repair::cut(text, length) {
            _ if !link.joins => Cut::None,
            Some(left) => Cut::Longer(hash(left)),
            None if repair::may_be_cut(text, length) => Cut::Exact,
            None => Cut::None,
        });
        Self { fold, cuts }
    }
}

/// The value that stands for [`Cut::Exact`] in a column; no hash is 0 or 1.
const EXACT: u64 = 1;

/// The tokens of one link by row. Columns of cuts are held only when keys are long enough.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tokens {
    folds: Lazy<u64>,
    cuts: [Lazy<u64>; CUTS.len()],
}

impl Tokens {
    pub(crate) fn set(&mut self, row: usize, token: Token) {
        self.folds.set(row, token.fold);
        for (column, cut) in self.cuts.iter_mut().zip(token.cuts) {
            let value = match cut {
                Cut::None => 0,
                Cut::Exact => EXACT,
                Cut::Longer(hash) => hash,
            };
            column.set(row, value);
        }
    }

    /// The hash of a row's fold; 0 where it has no such key.
    pub(crate) fn fold(&self, row: usize) -> u64 {
        self.folds.get(row)
    }

    /// The token of a row, if it has such a key.
    pub(crate) fn get(&self, row: usize) -> Option<Token> {
        let fold = self.folds.get(row);
        let cuts = || {
            [0, 1].map(|at: usize| match self.cuts[at].get(row) {
                0 => Cut::None,
                EXACT => Cut::Exact,
                hash => Cut::Longer(hash),
            })
        };
        (fold != 0).then(|| Token { fold, cuts: cuts() })
    }

    /// Makes room for so many rows.
    pub(crate) fn reserve(&mut self, rows: usize) {
        self.folds.reserve(rows);
        self.cuts.iter_mut().for_each(|it| it.reserve(rows));
    }

    pub(crate) fn append(&mut self, rows: usize, other: Self) {
        self.folds.append(rows, other.folds);
        for (column, more) in self.cuts.iter_mut().zip(other.cuts) {
            column.append(rows, more);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::RuleField;
    use crate::domain::key::KeyScheme;
    use crate::frames::HashKey;

    /// Whether tokens find each other, as the rows of one would bring back the rows of the other.
    fn meet(one: Token, other: Token) -> bool {
        let cut = |long: Token, short: Token| {
            long.cuts.iter().zip(short.cuts).any(|(long, short_cut)| {
                short_cut == Cut::Exact && *long == Cut::Longer(short.fold)
            })
        };
        one.fold == other.fold || cut(one, other) || cut(other, one)
    }

    fn check(one: &str, other: &str) {
        let field = RuleField::Key(KeyScheme::EndToEndId);
        let hasher = HashKey::new([3; 16]).named(field.name());
        let link = Link { field, joins: true, hasher };
        let token = |text| Token::of(&link, text, &mut String::new());
        let expected = one == other || repair::between(one, other).is_some();
        assert_eq!(meet(token(one), token(other)), expected, "`{one}` and `{other}`");
    }

    #[test]
    fn tokens_meet_exactly_where_a_named_repair_makes_keys_equal() {
        let long = "INV-2026-11-30-0001-and-more-of-the-same-kind";
        let keys = [
            "A1",
            "a1",
            " A1",
            "00a1",
            "A2",
            "0A",
            "INV-2026-11-30-0001",
            "INV-2026-11-30-0002",
            "INV-2026-11-30-0",
            "inv-2026-11-30-0",
            "INV-2026-11-30-",
            long,
            &long[..35],
            &long[..34],
            &long[..16],
            "0000000000000ж12",
            "0000000000000ж1234",
        ];
        for one in keys {
            for other in keys {
                check(one, other);
            }
        }
    }
}
