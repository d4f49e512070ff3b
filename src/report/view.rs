//! The result as JSON carries it: what `--json` prints, what is stored, and all that a report
//! is rendered from. `samples/result.schema.json` describes it.

mod build;

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};

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
use crate::report::{amount::Amount, code::Code};

/// The whole result of one run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResultView {
    /// The run.
    pub run: RunView,
    /// The three answers.
    pub verdict: VerdictView,
    /// What became of every record and entry.
    pub counts: CountsView,
    /// The proof, by account and currency.
    pub proof: Vec<ProofView>,
    /// Coverage of both sides.
    pub coverage: Vec<CoverageView>,
    /// All files, ours first.
    pub files: Vec<FileView>,
    /// All rejects.
    pub rejects: Vec<RejectView>,
    /// Pairings with nothing to report, by rule.
    pub agreed: BTreeMap<String, u64>,
    /// Suspected repeats, which change no verdict.
    pub suspected_repeats: Vec<SuspectView>,
    /// Adjustments that are not proposed, for together they exceed the day's ceiling.
    pub withheld: Vec<WithheldView>,
    /// The self-test.
    pub self_test: SelfTestView,
    /// Discrepancies, waiting and tolerated items, in the order of the report.
    pub discrepancies: Vec<DiscrepancyView>,
}

/// The run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunView {
    /// Its id.
    pub id: String,
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
    /// The exit status that follows from the verdict: 0, 1, 3 or 2.
    pub status: u8,
    /// Program name and version.
    pub program: String,
    /// SHA-256 over the rules in force.
    pub rules_version: String,
    /// Head of the hash chain after this run; `None` where nothing is stored.
    pub chain_head: Option<String>,
}

/// The three answers, never merged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct VerdictView {
    /// Everything expected arrived and was read, and totals tie.
    pub complete: bool,
    /// No open discrepancy.
    pub agrees: bool,
    /// Whether the sides are independent.
    pub independent: Code<Independence>,
    /// The codes of the doubts.
    pub reasons: Vec<Code<Doubt>>,
    /// The doubts with a sentence each.
    pub doubts: Vec<DoubtView>,
}

/// Why nothing may be concluded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DoubtView {
    /// Which doubt.
    pub code: Code<Doubt>,
    /// What and where.
    pub text: String,
}

/// Counts of both sides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CountsView {
    /// Our side.
    pub ours: SideCountsView,
    /// Theirs.
    pub theirs: SideCountsView,
}

/// What became of one side's records and entries.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SideCountsView {
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
    /// Taken back on its own side.
    pub self_reversed: u64,
    /// Not due yet.
    pub waiting: u64,
    /// Within tolerance.
    pub tolerated: u64,
    /// In a discrepancy.
    pub discrepancies: u64,
    /// Not of this account, currency or time.
    pub out_of_scope: u64,
    /// Entries that another file told before, left out.
    pub told_before: u64,
    /// Entries of files that are not in force, left out.
    pub not_in_force: u64,
}

/// The adjustments of a currency that are not proposed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WithheldView {
    /// The currency.
    pub currency: String,
    /// Σ |amount|.
    pub amount: Amount,
    /// What they may be together.
    pub ceiling: Amount,
    /// How many.
    pub count: u64,
}

/// A share of the proof.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShareView {
    /// Net: Σ (ours − theirs).
    pub amount: Amount,
    /// Gross: Σ |ours − theirs|.
    pub gross: Amount,
    /// How many.
    pub count: u64,
}

/// The proof of one account and currency.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProofView {
    /// The account.
    pub account: String,
    /// The currency.
    pub currency: String,
    /// The day it speaks about.
    pub as_of: NaiveDate,
    /// What the totals rest on.
    pub basis: Code<Basis>,
    /// Our closing balance, or the sum of our movements.
    pub ours: Amount,
    /// Theirs.
    pub theirs: Amount,
    /// `ours − theirs`.
    pub difference: Amount,
    /// The difference of the openings.
    pub opening_difference: Amount,
    /// Who signed the opening difference off.
    pub opening_accepted_by: Option<String>,
    /// Everything open, by reason, waiting included.
    pub by_reason: BTreeMap<Code<Reason>, ShareView>,
    /// Pairs with one entry after the as-of day, net.
    pub timing: Amount,
    /// Within tolerance, net.
    pub tolerated: Amount,
    /// Corrections posted and not yet in the extract.
    pub undelivered: Amount,
    /// Rejected and out-of-scope money, net.
    pub rejected: Amount,
    /// What none of these explains.
    pub unexplained: Amount,
    /// `timing`, `tolerated` and `rejected` with gross and count.
    pub shares: SharesView,
}

/// The shares that are no reasons, with gross and count.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SharesView {
    /// Pairs with one entry after the as-of day.
    pub timing: ShareView,
    /// Within tolerance.
    pub tolerated: ShareView,
    /// Rejected and out-of-scope money.
    pub rejected: ShareView,
}

/// Days for which complete, balanced evidence of a side is held.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CoverageView {
    /// Whose.
    pub side: Code<Side>,
    /// The account.
    pub account: String,
    /// First day.
    pub from: NaiveDate,
    /// Last day.
    pub to: NaiveDate,
    /// Taken from booking dates because nothing was stated.
    pub inferred: bool,
}

/// A file, with the verdict on it. The figures are those of its only statement; where it holds
/// several, each stands in `statements`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileView {
    /// Whose.
    pub side: Code<Side>,
    /// Its name.
    pub name: String,
    /// Its bytes' hash.
    pub sha256: String,
    /// Its format.
    pub format: String,
    /// The verdict.
    pub verdict: Code<FileVerdict>,
    /// The verdict in words; blank where there is nothing to say.
    pub explanation: String,
    /// Records in it.
    pub records: u64,
    /// Entries read, evidence included.
    pub entries: u64,
    /// Entries among them that take part in the run.
    pub taken: u64,
    /// Entries among them that another file told before, left out.
    pub told_before: u64,
    /// Records refused.
    pub rejects: u64,
    /// Opening balance stated.
    pub opening: Option<Amount>,
    /// Closing balance stated.
    pub closing: Option<Amount>,
    /// Opening + Σ − closing.
    pub difference: Option<Amount>,
    /// The statement's identity.
    pub statement: Option<String>,
    /// Whether it had been taken before this run.
    pub seen_before: bool,
    /// Remarks that change nothing.
    pub remarks: Vec<String>,
    /// All its statements.
    pub statements: Vec<StatementView>,
}

/// What one statement states of itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatementView {
    /// Its identity; `None` where it has none.
    pub identity: Option<String>,
    /// The account; `None` where it names none.
    pub account: Option<String>,
    /// The currency.
    pub currency: Option<String>,
    /// First day it speaks about.
    pub from: Option<NaiveDate>,
    /// Last day it speaks about.
    pub to: Option<NaiveDate>,
    /// Opening balance.
    pub opening: Option<Amount>,
    /// Closing balance.
    pub closing: Option<Amount>,
    /// Opening + Σ − closing.
    pub difference: Option<Amount>,
    /// The count it states.
    pub count: Option<u64>,
    /// The count read.
    pub counted: u64,
    /// The control total it states.
    pub total: Option<Amount>,
    /// The total read.
    pub totalled: Option<Amount>,
}

/// A record that became no entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RejectView {
    /// Whose.
    pub side: Code<Side>,
    /// The file's name.
    pub file: String,
    /// The record's number.
    pub record: u32,
    /// Why.
    pub reason: Code<RejectReason>,
    /// The field.
    pub field: String,
    /// Its text.
    pub text: String,
    /// What was expected.
    pub expected: String,
    /// The currency of `amount`.
    pub currency: Option<String>,
    /// The amount, where it alone could be read.
    pub amount: Option<Amount>,
}

impl RejectView {
    /// What it was about, where that alone could be read.
    pub(super) fn money(&self) -> Option<(&str, Amount)> {
        self.currency.as_deref().zip(self.amount)
    }
}

/// Entries of ours that may be one operation posted twice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SuspectView {
    /// The account.
    pub account: String,
    /// The party.
    pub party: String,
    /// The currency.
    pub currency: String,
    /// The amount each.
    pub amount: Amount,
    /// The entries, in order of time.
    pub entries: Vec<EntryView>,
}

/// What the self-test planted and found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SelfTestView {
    /// How many faults were planted.
    pub planted: u64,
    /// How many came out with their id and reason.
    pub found: u64,
    /// Those that did not.
    pub missed: Vec<Code<Reason>>,
    /// Reasons that this configuration or these files cannot decide.
    pub undecidable: Vec<Code<Reason>>,
}

/// An operation on which the sides disagree, or that waits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiscrepancyView {
    /// Its identity, the same on every day.
    pub id: String,
    /// Seen from where.
    pub pairing: Code<Pairing>,
    /// Why.
    pub reason: Code<Reason>,
    /// Not due yet.
    pub waiting: bool,
    /// The account.
    pub account: String,
    /// The key it is known by.
    pub natural_key: Option<KeyView>,
    /// The intent, stated or derived.
    pub intent_key: String,
    /// The leg.
    pub leg: String,
    /// The currency of `amount_ours` and `difference`.
    pub currency: String,
    /// Our booked money.
    pub amount_ours: Option<Amount>,
    /// The currency of `amount_theirs`.
    pub currency_theirs: Option<String>,
    /// Their booked money.
    pub amount_theirs: Option<Amount>,
    /// `ours − theirs`; where the currencies differ, our amount alone.
    pub difference: Amount,
    /// Every field that differs.
    pub differs: Vec<DiffersView>,
    /// How a repeat came about.
    pub cause: Option<Code<Cause>>,
    /// The rule that paired it.
    pub rule: Option<String>,
    /// The rule that almost paired it.
    pub nearest: Option<NearestView>,
    /// The day of the first run that saw it.
    pub first_seen: NaiveDate,
    /// When it becomes or became due.
    pub due_on: Option<NaiveDate>,
    /// Business days since it was first seen.
    pub age_days: u32,
    /// Our entries.
    pub ours: Vec<EntryView>,
    /// Their entries.
    pub theirs: Vec<EntryView>,
    /// What is proposed to repair our books.
    pub corrections: Vec<CorrectionView>,
    /// What is claimed from the counterparty.
    pub claim: Option<ClaimView>,
}

/// A natural key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyView {
    /// Its scheme.
    pub scheme: Code<KeyScheme>,
    /// Its text as received.
    pub text: String,
}

/// A field that differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiffersView {
    /// The field.
    pub field: String,
    /// Our value.
    pub ours: Option<String>,
    /// Their value.
    pub theirs: Option<String>,
}

/// The rule that almost paired an entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NearestView {
    /// The rule.
    pub rule: String,
    /// What failed.
    pub failed: String,
}

/// An entry, by its source record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntryView {
    /// The file's name.
    pub file: String,
    /// The record's number.
    pub record: u32,
    /// The currency.
    pub currency: String,
    /// The amount.
    pub amount: Amount,
    /// When it was written down.
    pub booking_date: NaiveDate,
    /// What it is.
    pub kind: Code<Kind>,
    /// How far it has come.
    pub status: Code<Status>,
    /// The other party, blank where none is named.
    pub party: String,
    /// Free text, blank where there is none.
    pub text: String,
}

/// A correction with its key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CorrectionView {
    /// Its key.
    pub key: String,
    /// Technical correction or refund.
    pub class: Code<Class>,
    /// What the posting stands for.
    pub underlying_kind: Code<Kind>,
    /// The currency.
    pub currency: String,
    /// Its effect on our side of the comparison.
    pub amount: Amount,
    /// How far it has come.
    pub state: Code<State>,
    /// The digest of what it rests on.
    pub evidence: String,
    /// Words for the client's statement.
    pub narrative: String,
    /// Balanced legs.
    pub legs: Vec<LegView>,
    /// Whether its money waits on the suspense account.
    pub suspense: bool,
}

/// One leg of a double entry; debit is positive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LegView {
    /// The account.
    pub account: String,
    /// Debit positive, credit negative.
    pub amount: Amount,
}

/// A claim to the counterparty.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClaimView {
    /// The currency.
    pub currency: String,
    /// What is claimed, positive towards us.
    pub amount: Amount,
    /// Why.
    pub text: String,
}
