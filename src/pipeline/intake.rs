//! Intake: files become columns, with a verdict each, before any matching.

mod overlap;

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::Context as _;
use chrono::NaiveDate;
use chrono_tz::Tz;

use crate::config::Source;
use crate::domain::{
    entry::{Entry, EntrySink, Reject},
    run::FileResult,
    side::Side,
    statement::{FileFault, FileVerdict, Stated, Statement},
};
use crate::frames::{HashKey, Layout, SideColumns};
use crate::inbox::{
    self, Arrival, Arriving, Decision, Expected, Known, KnownFile, Revision, may_overlap,
};
use crate::sources::{self, ReadContext};
use crate::store::{Held, Store, StoreError};
use overlap::{Fresh, Told};

/// What one side is read by.
#[derive(Debug, Clone)]
pub(super) struct SidePlan<'a> {
    /// Whose.
    pub(super) side: Side,
    /// The profile.
    pub(super) source: &'a Source,
    /// The files.
    pub(super) files: Vec<PathBuf>,
    /// The index of its first file in the run's list.
    pub(super) first_file: u16,
    /// The zone of the reconciliation.
    pub(super) timezone: Tz,
    /// The day of the run, where it is known before reading.
    pub(super) as_of: Option<NaiveDate>,
    /// The finest scale of both sides.
    pub(super) scale: Option<u8>,
    /// The columns of both sides.
    pub(super) layout: Arc<Layout>,
    /// The key of record identities.
    pub(super) identity_key: HashKey,
}

/// A file that was read.
#[derive(Debug)]
struct ReadFile {
    /// Its bytes.
    pub(super) held: Held,
    /// Its index in the run's list.
    pub(super) index: u16,
    /// What it states; a fault `unreadable` where its reader gave up.
    pub(super) stated: Stated,
    /// Its entries.
    pub(super) columns: SideColumns,
    /// Records that became entries.
    pub(super) read: u64,
    /// Entries, evidence included.
    pub(super) entries: u64,
    /// Records that became none.
    pub(super) rejects: u64,
}

impl ReadFile {
    /// Whether its reader gave up.
    fn faulty(&self) -> bool {
        self.stated.faults.iter().any(|it| it.verdict == FileVerdict::Unreadable)
    }
}

impl SidePlan<'_> {
    /// Reads every file of the side while the store takes it.
    fn read(&self, store: Option<&Arc<Store>>) -> anyhow::Result<Vec<ReadFile>> {
        let mut files = Vec::new();
        for (at, path) in self.files.iter().enumerate() {
            let at = u16::try_from(at).context("more files than a run may have")?;
            let read = self.read_one(store, path, self.first_file + at);
            files.push(read.with_context(|| format!("cannot take `{}`", path.display()))?);
        }
        Ok(files)
    }

    fn read_one(
        &self,
        store: Option<&Arc<Store>>,
        path: &Path,
        index: u16,
    ) -> Result<ReadFile, StoreError> {
        let mut columns =
            SideColumns::new(self.side, Arc::clone(&self.layout), Some(self.identity_key));
        let mut counted = Counted::new(&mut columns);
        let (held, stated) = Held::take(store, path, |input, length| {
            counted.length = length;
            sources::read(input, &self.context(index), &mut counted)
        })?;
        let stated = stated.unwrap_or_else(|error| Stated {
            format: format!("{:?}", self.source.format).to_lowercase(),
            faults: vec![FileFault { verdict: FileVerdict::Unreadable, what: error.to_string() }],
            ..Stated::default()
        });
        let Counted { read, entries, rejects, .. } = counted;
        Ok(ReadFile { held, index, stated, columns, read, entries, rejects })
    }

    /// Reads a file again without the records that it tells again.
    fn read_fresh(
        &self,
        held: &Held,
        index: u16,
        again: &BTreeSet<u128>,
    ) -> anyhow::Result<SideColumns> {
        let mut columns = SideColumns::new(self.side, Arc::clone(&self.layout), None);
        let mut fresh = Fresh::new(&mut columns, again, self.identity_key);
        let mut input = held.open()?;
        sources::read(&mut *input, &self.context(index), &mut fresh)?;
        Ok(columns)
    }

    /// Reads a file again for what it tells of each day.
    fn read_told(&self, held: &Held, index: u16) -> anyhow::Result<Told> {
        let mut told = Told::new(self.identity_key);
        let mut input = held.open()?;
        sources::read(&mut *input, &self.context(index), &mut told)?;
        Ok(told)
    }

    /// What its readers must know of a file.
    pub(super) fn context(&self, file: u16) -> ReadContext<'_> {
        ReadContext {
            source: self.source,
            file,
            timezone: self.timezone,
            as_of: self.as_of,
            scale: self.scale,
        }
    }
}

/// Counts what passes to the columns of a side, and makes room for all of it when enough has come
/// to tell by how long its records are.
struct Counted<'a> {
    columns: &'a mut SideColumns,
    /// How long the file is.
    length: u64,
    read: u64,
    entries: u64,
    rejects: u64,
    last: u32,
}

/// After how many entries the rest is estimated.
const ENOUGH: u64 = 1_000;

impl<'a> Counted<'a> {
    fn new(columns: &'a mut SideColumns) -> Self {
        Self { columns, length: 0, read: 0, entries: 0, rejects: 0, last: 0 }
    }

    /// How many entries a file may have of which so many bytes hold [`ENOUGH`], and some more.
    fn estimate(&self, bytes: u64) -> usize {
        let all = self.length.saturating_mul(ENOUGH) / bytes.max(ENOUGH);
        usize::try_from(all + all / 16).unwrap_or(0)
    }
}

impl EntrySink for Counted<'_> {
    fn entry(&mut self, entry: &Entry<'_>) {
        self.entries += 1;
        if entry.place.record != self.last {
            self.last = entry.place.record;
            self.read += 1;
        }
        self.columns.entry(entry);
        if self.entries == ENOUGH && entry.place.start > 0 {
            self.columns.reserve(self.estimate(entry.place.start));
        }
    }

    fn reject(&mut self, reject: Reject) {
        self.rejects += 1;
        self.columns.reject(reject);
    }
}

/// What the inbox decided of a side's files.
#[derive(Debug)]
pub(super) struct Judged {
    /// The entries of all files that are paired.
    pub(super) columns: SideColumns,
    /// The files whose entries those are.
    pub(super) paired: Vec<(u16, Held)>,
    /// Every file with its verdict.
    pub(super) results: Vec<FileResult>,
    /// Every arrival.
    pub(super) arrivals: Vec<Arrival>,
    /// The record identities of the paired files, sorted, by the file's index.
    pub(super) identities: BTreeMap<u16, Vec<u128>>,
}

/// What of the store a side is taken in with.
#[derive(Clone, Copy)]
pub(super) struct Rooms<'a> {
    /// Where files are kept; none where the run is not.
    pub(super) takes: Option<&'a Arc<Store>>,
    /// Where those of earlier runs are.
    pub(super) held: Option<&'a Store>,
}

/// Reads every file of a side, asks the inbox about each in order, and keeps the entries of those
/// that are paired. A record that an earlier file of the run holds is taken once.
pub(super) fn take_in(
    plan: &SidePlan<'_>,
    known: &Known,
    rooms: Rooms<'_>,
) -> anyhow::Result<Judged> {
    let files = plan.read(rooms.takes)?;
    let mut judged = Judged {
        columns: SideColumns::new(plan.side, Arc::clone(&plan.layout), None),
        paired: Vec::new(),
        results: Vec::new(),
        arrivals: Vec::new(),
        identities: BTreeMap::new(),
    };
    let statements: Vec<_> = files.iter().map(|it| it.stated.statements.clone()).collect();
    let mut bench = Bench { plan, known: known.clone(), held: rooms.held };
    for (at, mut file) in files.into_iter().enumerate() {
        let others = statements.iter().enumerate().filter(|(other, _)| *other != at);
        let companions: Vec<_> = others.flat_map(|(_, it)| it.clone()).collect();
        let identities = file.columns.take_identities().remove(&file.index);
        let sorted = identities.map_or_else(Vec::new, |it| it.occurrences(plan.identity_key));
        let again = bench.told_again(&file, &sorted, &judged)?;
        let decision = bench.decide(&file, &sorted, (&again, &companions), &judged)?;
        judged.add(&file, &decision, again.len());
        if !decision.verdict.is_paired() {
            continue;
        }
        let columns = if again.is_empty() {
            file.columns
        } else {
            plan.read_fresh(&file.held, file.index, &again)?
        };
        judged.columns.append(columns);
        judged.identities.insert(file.index, sorted);
        judged.paired.push((file.index, file.held));
    }
    Ok(judged)
}

impl Judged {
    fn add(&mut self, file: &ReadFile, decision: &Decision, again: usize) {
        let side = self.columns.side();
        self.arrivals.push(Arrival {
            side,
            name: file.held.name().to_owned(),
            sha256: file.held.hash(),
            decision: decision.clone(),
        });
        self.results.push(FileResult {
            side,
            name: file.held.name().to_owned(),
            sha256: file.held.hash(),
            verdict: decision.verdict,
            explanation: decision.explanation.clone(),
            entries: file.entries,
            told_before: told_before(file, decision, again),
            rejects: file.rejects,
            identities: None,
            seen_before: decision.seen_before,
            stated: file.stated.clone(),
        });
    }
}

/// How many entries of a file other files told before.
fn told_before(file: &ReadFile, decision: &Decision, again: usize) -> u64 {
    if decision.verdict == FileVerdict::Repeated {
        file.entries
    } else if decision.verdict.is_paired() {
        u64::try_from(again).unwrap_or(u64::MAX)
    } else {
        0
    }
}

/// What the inbox is asked with: what was known before the run, and what the run took so far.
struct Bench<'a> {
    plan: &'a SidePlan<'a>,
    known: Known,
    held: Option<&'a Store>,
}

impl Bench<'_> {
    /// The records of a file that earlier files of the run told of days which it tells whole again.
    fn told_again(
        &self,
        file: &ReadFile,
        sorted: &[u128],
        judged: &Judged,
    ) -> anyhow::Result<BTreeSet<u128>> {
        let shares = |held: &[u128]| sorted.iter().any(|it| held.binary_search(it).is_ok());
        let overlaps = |held: &Held| {
            let mut results = judged.results.iter().filter(|it| it.sha256 == held.hash());
            results.any(|it| may_overlap(&it.stated.statements, &file.stated.statements))
        };
        let beside: Vec<_> = judged.paired.iter().filter(|(_, held)| overlaps(held)).collect();
        let mut identities = beside.iter().filter_map(|(index, _)| judged.identities.get(index));
        if file.faulty() || !identities.any(|it| shares(it)) {
            return Ok(BTreeSet::new());
        }
        let mut earlier = Told::new(self.plan.identity_key);
        for (index, held) in beside {
            earlier.add(self.plan.read_told(held, *index)?);
        }
        Ok(earlier.again(&self.plan.read_told(&file.held, file.index)?))
    }

    fn decide(
        &mut self,
        file: &ReadFile,
        sorted: &[u128],
        (again, companions): (&BTreeSet<u128>, &[Statement]),
        judged: &Judged,
    ) -> anyhow::Result<Decision> {
        if let Some(same) = judged.results.iter().find(|it| it.sha256 == file.held.hash()) {
            return Ok(came_twice(file, &same.name));
        }
        let plan = self.plan;
        let arriving = Arriving {
            side: plan.side,
            sha256: file.held.hash(),
            stated: &file.stated,
            read: file.read,
            rejects: file.rejects,
            entries: file.entries,
            held: u64::try_from(again.len()).unwrap_or(u64::MAX),
            revision: self.revision(file, sorted, judged)?,
            companions,
        };
        let expected =
            Expected { account: plan.source.account.clone(), currency: plan.source.currency };
        let decision = inbox::decide(&arriving, &self.known, &expected);
        if !decision.seen_before {
            self.known.files.push(KnownFile {
                side: plan.side,
                sha256: file.held.hash(),
                name: file.held.name().to_owned(),
                verdict: decision.verdict,
                explanation: decision.explanation.clone(),
                identities: None,
                statements: file.stated.statements.clone(),
            });
        }
        Ok(decision)
    }

    /// How the records of a file relate to those of an earlier version of its statement, in this
    /// run or before it.
    fn revision(
        &self,
        file: &ReadFile,
        sorted: &[u128],
        judged: &Judged,
    ) -> anyhow::Result<Option<Revision>> {
        let Some(earlier) = self.known.earlier_version(self.plan.side, &file.stated) else {
            return Ok(None);
        };
        let same = judged.paired.iter().find(|(_, held)| held.hash() == earlier.sha256);
        if let Some(held) = same.and_then(|(index, _)| judged.identities.get(index)) {
            let added = missing(sorted, held);
            return Ok(Some(Revision { added, vanished: missing(held, sorted) }));
        }
        let Some(store) = self.held else { return Ok(None) };
        let Some(identities) = earlier.identities else { return Ok(None) };
        let Some(mut held) = store.identities(identities)? else { return Ok(None) };
        let compared = held.compare(sorted)?;
        Ok(Some(Revision { added: compared.added, vanished: compared.vanished }))
    }
}

/// How many of some identities another sorted list lacks.
fn missing(of: &[u128], from: &[u128]) -> u64 {
    let lacking = of.iter().filter(|it| from.binary_search(it).is_err()).count();
    u64::try_from(lacking).unwrap_or(u64::MAX)
}

/// The same bytes under two names in one run: the second gives nothing.
fn came_twice(file: &ReadFile, first: &str) -> Decision {
    let what = format!("the same bytes came as `{first}` in this run");
    Decision {
        verdict: FileVerdict::Repeated,
        explanation: what.clone(),
        seen_before: true,
        arrival: FileVerdict::Repeated,
        taken: 0,
        left_out: file.entries,
        why: what,
    }
}
