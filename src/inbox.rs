//! The inbox: what a file is worth, before any matching (DESIGN §5).
//!
//! It decides as a pure function of what the file states, how its records relate to those of
//! earlier files, and what is already known.

mod findings;

use crate::domain::{
    id::Hash,
    money::{Currency, Money},
    side::Side,
    statement::{FileVerdict, Stated, Statement},
};

/// A file taken before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownFile {
    /// Whose.
    pub side: Side,
    /// Its bytes' hash.
    pub sha256: Hash,
    /// Its name as it first came.
    pub name: String,
    /// The first verdict on it.
    pub verdict: FileVerdict,
    /// The verdict in words.
    pub explanation: String,
    /// The hash under which the store keeps the identities of its records, if it does.
    pub identities: Option<Hash>,
    /// The statements in it, in order.
    pub statements: Vec<Statement>,
}

/// An opening difference that a named person signed off.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpeningAccepted {
    /// The account.
    pub account: String,
    /// `ours − theirs` at the opening, as it was signed.
    pub difference: Money,
    /// Who signed.
    pub by: String,
    /// Why it is right.
    pub why: String,
}

/// What is known of a reconciliation before a run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Known {
    /// The files, in the order in which they were taken.
    pub files: Vec<KnownFile>,
    /// Opening differences signed off, the newest last; of an account the newest holds.
    pub openings: Vec<OpeningAccepted>,
    /// Head of the tenant's hash chain; `None` before its first row.
    pub chain_head: Option<Hash>,
}

impl Known {
    /// The file of some bytes on a side.
    pub fn file(&self, side: Side, sha256: Hash) -> Option<&KnownFile> {
        self.files.iter().find(|it| it.side == side && it.sha256 == sha256)
    }

    /// The files of a side that are in force: whose entries are paired.
    pub fn in_force(&self, side: Side) -> impl Iterator<Item = &KnownFile> {
        self.files.iter().filter(move |it| it.side == side && it.verdict.is_paired())
    }

    /// The file in force that told a statement of `stated` before, if any: with it the records
    /// must be compared.
    pub fn earlier_version(&self, side: Side, stated: &Stated) -> Option<&KnownFile> {
        let told = |file: &&KnownFile| {
            file.statements.iter().any(|old| stated.statements.iter().any(|new| is_same(old, new)))
        };
        self.in_force(side).find(told)
    }
}

/// What is expected of a side's files.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Expected {
    /// The account, where the configuration names one.
    pub account: Option<String>,
    /// The currency, where one is expected.
    pub currency: Option<Currency>,
}

/// How the records of a file relate to those of the earlier version of its statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Revision {
    /// Records that the earlier version does not have; a changed one is added and vanished.
    pub added: u64,
    /// Records that only the earlier version has.
    pub vanished: u64,
}

/// A file as it arrives.
#[derive(Debug, Clone)]
pub struct Arriving<'a> {
    /// Whose.
    pub side: Side,
    /// Its bytes' hash.
    pub sha256: Hash,
    /// What it states and what its reader found.
    pub stated: &'a Stated,
    /// Records that became entries.
    pub read: u64,
    /// Records that were refused.
    pub rejects: u64,
    /// Entries, evidence included.
    pub entries: u64,
    /// Entries among those that another file in force of the same source and account holds.
    pub held: u64,
    /// Against [`Known::earlier_version`]; `None` where there is none.
    pub revision: Option<Revision>,
    /// The statements of the other files of the same arrival: pages may come as files.
    pub companions: &'a [Statement],
}

/// What became of a file as it arrived.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// The verdict on the file: the first that was ever given, unless pages came since.
    pub verdict: FileVerdict,
    /// The verdict in words, with exact differences; blank for `accepted`.
    pub explanation: String,
    /// Whether the same bytes were taken before.
    pub seen_before: bool,
    /// What this arrival was: the verdict, or `repeated` for a file seen before.
    pub arrival: FileVerdict,
    /// Entries taken.
    pub taken: u64,
    /// Entries left out because they were taken before, or the file is not in force.
    pub left_out: u64,
    /// Why, in words; blank where everything was taken.
    pub why: String,
}

/// A file that came, as the journal keeps it: every arrival leaves a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arrival {
    /// Whose.
    pub side: Side,
    /// Its name as it came this time.
    pub name: String,
    /// Its bytes' hash.
    pub sha256: Hash,
    /// What became of it.
    pub decision: Decision,
}

/// What a file is worth (DESIGN §5): the first verdict, by precedence, that holds of it.
pub fn decide(arriving: &Arriving<'_>, known: &Known, expected: &Expected) -> Decision {
    if let Some(file) = known.file(arriving.side, arriving.sha256) {
        let found = judged_again(file, arriving, known, expected);
        return same_bytes(file, found, arriving.entries);
    }
    let (verdict, explanation) = judge(arriving, known, expected);
    let left_out = if verdict.is_paired() { arriving.held } else { arriving.entries };
    let why = match (verdict.is_paired(), arriving.held) {
        (false, _) => explanation.clone(),
        (true, 0) => String::new(),
        (true, held) => format!("entries taken before from another file: {held}"),
    };
    Decision {
        verdict,
        explanation,
        seen_before: false,
        arrival: verdict,
        taken: arriving.entries - left_out,
        left_out,
        why,
    }
}

/// The first verdict that holds, in words.
fn judge(arriving: &Arriving<'_>, known: &Known, expected: &Expected) -> (FileVerdict, String) {
    let found = findings::all(arriving, known, expected);
    let first = found.into_iter().min_by_key(|it| it.verdict);
    first.map_or((FileVerdict::Accepted, String::new()), |it| (it.verdict, it.what))
}

/// A file keeps its first verdict, but for one that was incomplete: pages that it lacked may have
/// come since.
fn judged_again(
    file: &KnownFile,
    arriving: &Arriving<'_>,
    known: &Known,
    expected: &Expected,
) -> (FileVerdict, String) {
    if file.verdict != FileVerdict::Incomplete {
        return (file.verdict, file.explanation.clone());
    }
    let mut others = known.clone();
    others.files.retain(|it| it != file);
    judge(arriving, &others, expected)
}

/// The same bytes again: nothing is taken twice.
fn same_bytes(
    file: &KnownFile,
    (verdict, explanation): (FileVerdict, String),
    entries: u64,
) -> Decision {
    Decision {
        verdict,
        explanation,
        seen_before: true,
        arrival: FileVerdict::Repeated,
        taken: 0,
        left_out: entries,
        why: format!("the same bytes were taken before as `{}`", file.name),
    }
}

/// Whether two statements are one at the counterparty: same identity, account and a page; or, where
/// neither has an identity or one says to be a copy, the same stated days from the same balance on.
fn is_same(one: &Statement, other: &Statement) -> bool {
    let named = !one.identity.is_empty() || !other.identity.is_empty();
    let by_name = named && one.identity == other.identity;
    let by_stretch = (!named || one.copy || other.copy) && is_same_stretch(one, other);
    one.account == other.account && one.shares_a_page(other) && (by_name || by_stretch)
}

/// Whether the statements of one file may tell records that those of another tell too.
pub fn may_overlap(one: &[Statement], other: &[Statement]) -> bool {
    one.is_empty() || one.iter().any(|it| other.iter().any(|that| !is_beside(it, that)))
}

/// Whether two statements surely tell different records: pages of one, or one goes on with the
/// balance that the other ended with. Where neither moves anything that shows only by their names.
fn is_beside(one: &Statement, other: &Statement) -> bool {
    if one.account != other.account {
        return true;
    }
    let named = !one.identity.is_empty() && !other.identity.is_empty();
    let same = named && one.identity == other.identity;
    let pages = same && !one.shares_a_page(other);
    let moves = one.opening != one.closing || other.opening != other.closing;
    let follows = |it: &Statement, that: &Statement| {
        it.opening.is_some() && it.opening == that.closing && that.opening.is_some()
    };
    pages || (moves || named && !same) && (follows(one, other) || follows(other, one))
}

fn is_same_stretch(one: &Statement, other: &Statement) -> bool {
    let stretch = |it: &Statement| Some((it.from?, it.to?, it.opening?));
    stretch(one).is_some() && stretch(one) == stretch(other)
}

#[cfg(test)]
mod tests;
