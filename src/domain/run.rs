//! The whole result of one run, as report, JSON and journal take it.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, Utc};

use crate::domain::{
    correction::Withheld,
    discrepancy::Discrepancy,
    entry::{Entry, Reject},
    id::{Hash, RunId},
    money::Money,
    proof::{Coverage, ProofLine},
    reason::Reason,
    side::Side,
    statement::{FileVerdict, Stated},
};

/// What a run is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunFacts {
    /// v5 of (tenant, reconciliation, as-of, attempt).
    pub id: RunId,
    /// Whose books.
    pub tenant: String,
    /// The reconciliation's name.
    pub reconciliation: String,
    /// The day it speaks about.
    pub as_of: NaiveDate,
    /// Which attempt at that day, from 1.
    pub attempt: u32,
    /// When it began.
    pub started_at: DateTime<Utc>,
    /// Program name and version.
    pub program: String,
    /// SHA-256 over the rules in force.
    pub rules_version: Hash,
    /// Head of the tenant's hash chain after this run; `None` where nothing is stored.
    pub chain_head: Option<Hash>,
}

/// Whether the sides are independent of each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Independence {
    /// Declared to have separate origins, and none was found shared.
    Yes,
    /// Shared provenance was found.
    No,
    /// Nothing is declared.
    NotEstablished,
}

impl Independence {
    /// All, in order.
    pub const ALL: [Self; 3] = [Self::Yes, Self::No, Self::NotEstablished];

    /// The word in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::No => "no",
            Self::NotEstablished => "not_established",
        }
    }
}

/// Why a run may conclude nothing, or what it says beside its verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Doubt {
    /// An expected file is absent.
    FileAbsent,
    /// A file that came cannot be read: trouble, whatever else was found.
    FileUnreadable,
    /// A file could not be used: foreign, incomplete, out of balance, totals, gap.
    FileUnfit,
    /// Items lie outside the coverage of the other side.
    Uncovered,
    /// Money was rejected.
    RejectedMoney,
    /// The proof leaves something unexplained.
    Unexplained,
    /// An opening difference is not signed off.
    OpeningNotAccepted,
    /// The self-test missed a planted fault.
    SelfTestMissed,
    /// The sides share their provenance.
    NotIndependent,
    /// Nothing was compared.
    NothingCompared,
    /// A statement was restated and nobody has decided.
    Restated,
}

impl Doubt {
    /// All, in order.
    pub const ALL: [Self; 11] = [
        Self::FileAbsent,
        Self::FileUnreadable,
        Self::FileUnfit,
        Self::Uncovered,
        Self::RejectedMoney,
        Self::Unexplained,
        Self::OpeningNotAccepted,
        Self::SelfTestMissed,
        Self::NotIndependent,
        Self::NothingCompared,
        Self::Restated,
    ];

    /// The stable code in JSON.
    pub fn code(self) -> &'static str {
        match self {
            Self::FileAbsent => "file_absent",
            Self::FileUnreadable => "file_unreadable",
            Self::FileUnfit => "file_unfit",
            Self::Uncovered => "uncovered",
            Self::RejectedMoney => "rejected_money",
            Self::Unexplained => "unexplained",
            Self::OpeningNotAccepted => "opening_not_accepted",
            Self::SelfTestMissed => "self_test_missed",
            Self::NotIndependent => "not_independent",
            Self::NothingCompared => "nothing_compared",
            Self::Restated => "restated",
        }
    }
}

/// The three answers of a run, never merged (DESIGN §1).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// Everything expected from both sides arrived and was read, and totals tie.
    pub complete: bool,
    /// No open discrepancy.
    pub agrees: bool,
    /// Whether the sides are independent.
    pub independent: Independence,
    /// Why nothing may be concluded, with a sentence each naming what and where.
    pub doubts: Vec<(Doubt, String)>,
}

impl Verdict {
    /// The exit status of DESIGN §10: 2 a file cannot be read, 3 nothing may be concluded,
    /// 1 discrepancies, 0 agrees.
    pub fn status(&self) -> u8 {
        if self.doubts.iter().any(|(doubt, _)| *doubt == Doubt::FileUnreadable) {
            return 2;
        }
        if !self.doubts.is_empty() {
            return 3;
        }
        u8::from(!self.agrees)
    }
}

/// How many records and entries one side brought, and what became of them.
///
/// Booked entries are in exactly one of `agreed`, `self_reversed`, `waiting`, `tolerated`,
/// `discrepancies`, `out_of_scope`; their sum is `entries`, checked on every run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SideCounts {
    /// Records in its files.
    pub records: u64,
    /// Booked entries.
    pub entries: u64,
    /// Entries that carry no booked money.
    pub evidence: u64,
    /// Records that became no entry.
    pub rejects: u64,
    /// Paired with nothing to report.
    pub agreed: u64,
    /// Taken back by a correction on its own side.
    pub self_reversed: u64,
    /// Not due yet.
    pub waiting: u64,
    /// Within tolerance.
    pub tolerated: u64,
    /// In a discrepancy.
    pub discrepancies: u64,
    /// Not of this account, currency or time.
    pub out_of_scope: u64,
    /// Entries of its files that another file told before; taken once, and not among `entries` and
    /// `evidence`.
    pub told_before: u64,
    /// Entries of its files that are not in force, as their verdict says.
    pub not_in_force: u64,
}

impl SideCounts {
    /// Whether every booked entry is in exactly one of the six classes.
    pub fn add_up(&self) -> bool {
        let classed = self.agreed
            + self.self_reversed
            + self.waiting
            + self.tolerated
            + self.discrepancies
            + self.out_of_scope;
        classed == self.entries
    }

    /// Whether every entry read from a side's files is taken, told before, or not in force.
    pub fn holds_all_of(&self, files: &[FileResult], side: Side) -> bool {
        let read: u64 = files.iter().filter(|it| it.side == side).map(|it| it.entries).sum();
        read == self.entries + self.evidence + self.told_before + self.not_in_force
    }
}

/// A file of a run, with what it states and the verdict on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileResult {
    /// Whose.
    pub side: Side,
    /// Its name as given, without directories.
    pub name: String,
    /// Its bytes' hash.
    pub sha256: Hash,
    /// The verdict, the first that was ever given.
    pub verdict: FileVerdict,
    /// The verdict in words, naming exact differences; blank for `accepted`.
    pub explanation: String,
    /// Entries read, evidence included.
    pub entries: u64,
    /// Entries among them that another file told before; they are taken once.
    pub told_before: u64,
    /// Records refused.
    pub rejects: u64,
    /// The hash under which the store keeps the identities of its records; `None` where it does not.
    pub identities: Option<Hash>,
    /// Whether it had been taken before this run.
    pub seen_before: bool,
    /// What it states of itself.
    pub stated: Stated,
}

impl FileResult {
    /// Entries that no other file told before, and that its verdict keeps out of the run.
    pub fn not_in_force(&self) -> u64 {
        if self.verdict.is_paired() { 0 } else { self.entries - self.told_before }
    }

    /// Entries that take part in the run.
    pub fn taken(&self) -> u64 {
        self.entries - self.told_before - self.not_in_force()
    }
}

/// Entries of ours that may be one operation posted twice, without evidence that it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SuspectedRepeat {
    /// The account.
    pub account: String,
    /// The party.
    pub party: String,
    /// The amount each.
    pub amount: Money,
    /// The entries, in order of time.
    pub entries: Vec<Entry<'static>>,
}

/// What the self-test planted and found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SelfTest {
    /// The reasons planted, one fault each.
    pub planted: Vec<Reason>,
    /// Those whose fault came out with another id or reason, or not at all.
    pub missed: Vec<Reason>,
    /// Reasons that this configuration, or these files, cannot decide.
    pub undecidable: Vec<Reason>,
}

/// Everything one run found out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunResult {
    /// The run.
    pub run: RunFacts,
    /// The three answers.
    pub verdict: Verdict,
    /// Counts of our side.
    pub counts_ours: SideCounts,
    /// Counts of their side.
    pub counts_theirs: SideCounts,
    /// The proof, by account and currency.
    pub proof: Vec<ProofLine>,
    /// Coverage of both sides.
    pub coverage: Vec<Coverage>,
    /// All files, ours first.
    pub files: Vec<FileResult>,
    /// All rejects, in order of file and record.
    pub rejects: Vec<Reject>,
    /// Pairings with nothing to report, by rule.
    pub agreed: BTreeMap<String, u64>,
    /// Suspected repeats, which change no verdict.
    pub suspected_repeats: Vec<SuspectedRepeat>,
    /// Adjustments that are not proposed, by currency.
    pub withheld: Vec<Withheld>,
    /// The self-test.
    pub self_test: SelfTest,
    /// Discrepancies, waiting and tolerated items, in the order of the report.
    pub discrepancies: Vec<Discrepancy>,
}
