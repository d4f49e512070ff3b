//! The choice within one key group: which single pairs and which sums explain it best (DESIGN §6).
//!
//! Of the pairings that leave leftovers on one side only, those win that have the fewest blocks
//! differing in amount, then the fewest leftovers, then the fewest blocks differing in anything
//! else. Interchangeable entries are interchangeable: the earlier ones pair and the latest is the
//! surplus. Any other tie is ambiguous, and nothing is chosen.

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;

use crate::config::Rule;
use crate::domain::{entry::Entry, repair::fold_party};

/// How many entries of a group are weighed exhaustively; beyond it equal single pairs go first.
const EXHAUSTIVE: usize = 10;

/// How many steps one group's search may take before equal single pairs go first.
const STEPS: usize = 10_000;

/// Entries of both sides that explain each other; positions in the group's lists.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Block {
    /// Ours, ascending.
    pub ours: Vec<usize>,
    /// Theirs, ascending.
    pub theirs: Vec<usize>,
}

/// What was chosen for a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Choice {
    /// These blocks; whatever is in none of them is left over.
    Blocks(Vec<Block>),
    /// Several pairings are equally good, and they are not the same up to interchangeable entries.
    Ambiguous,
}

/// Which sums a rule allows besides single pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sums {
    /// None: a single-use key names one operation.
    No,
    /// One against several.
    Split,
    /// Several against several too.
    Group,
}

/// Chooses among the pairings of one key group. Both lists are in canonical order.
pub fn weigh(ours: &[&Entry<'_>], theirs: &[&Entry<'_>], rule: &Rule) -> Choice {
    let sums = match (rule.single_use, rule.group) {
        (true, _) => Sums::No,
        (false, true) => Sums::Group,
        (false, false) => Sums::Split,
    };
    let group = Group { ours, theirs, window: i64::from(rule.date_window_days), sums };
    if ours.is_empty() || theirs.is_empty() {
        return Choice::Blocks(Vec::new());
    }
    if let Some(whole) = group.whole_if_exact() {
        return Choice::Blocks(vec![whole]);
    }
    if ours.len() + theirs.len() <= EXHAUSTIVE {
        let mut search = Search::new(&group);
        search.step(0);
        if search.steps <= STEPS {
            return search.choice();
        }
    }
    group.equal_singles_first()
}

struct Group<'a> {
    ours: &'a [&'a Entry<'a>],
    theirs: &'a [&'a Entry<'a>],
    window: i64,
    sums: Sums,
}

/// (blocks that differ in amount, leftovers, blocks that differ in anything else).
type Cost = (usize, usize, usize);

impl Group<'_> {
    /// One against several with exactly their sum leaves nothing to weigh, at any size.
    fn whole_if_exact(&self) -> Option<Block> {
        let one_sided = self.ours.len() == 1 || self.theirs.len() == 1;
        let several = self.ours.len() + self.theirs.len() > 2;
        if !one_sided || !several || self.sums == Sums::No {
            return None;
        }
        let block =
            self.whole(&(0..self.ours.len()).collect(), &(0..self.theirs.len()).collect())?;
        (!self.differs_in_amount(&block)).then_some(block)
    }

    fn whole(&self, ours: &BTreeSet<usize>, theirs: &BTreeSet<usize>) -> Option<Block> {
        let block = Block {
            ours: ours.iter().copied().collect(),
            theirs: theirs.iter().copied().collect(),
        };
        self.may_sum(&block).then_some(block)
    }

    /// Whether the entries of a block may stand for one operation: one currency, on no side the
    /// same intent twice, for that is a repeat and no part, and outside declared groups all in one
    /// direction, for a payment and its return are two operations and no split.
    fn may_sum(&self, block: &Block) -> bool {
        let ours = block.ours.iter().map(|at| self.ours[*at]);
        let theirs = block.theirs.iter().map(|at| self.theirs[*at]);
        let currencies: BTreeSet<_> =
            ours.clone().chain(theirs).map(|it| it.amount.currency()).collect();
        let mut intents = BTreeSet::new();
        let mut distinct = true;
        for entry in ours {
            if let Some(intent) = &entry.intent {
                distinct &= intents.insert((intent, entry.compared_kind(), entry.amount));
            }
        }
        let both = block.ours.iter().map(|at| self.ours[*at]);
        let both = both.chain(block.theirs.iter().map(|at| self.theirs[*at]));
        let directions: BTreeSet<bool> = both.map(|it| it.amount.is_outflow()).collect();
        let one_way = directions.len() == 1 || self.sums == Sums::Group;
        currencies.len() == 1 && distinct && one_way
    }

    fn differs_in_amount(&self, block: &Block) -> bool {
        let total = |all: &[&Entry<'_>], of: &[usize]| {
            let mut sums = BTreeMap::new();
            for at in of {
                let amount = all[*at].amount;
                *sums.entry(amount.currency()).or_insert(0_i128) += i128::from(amount.minor());
            }
            sums
        };
        total(self.ours, &block.ours) != total(self.theirs, &block.theirs)
    }

    /// Whether two entries may be one operation: not where both kind and direction differ.
    fn may_pair(&self, ours: usize, theirs: usize) -> bool {
        let (ours, theirs) = (self.ours[ours], self.theirs[theirs]);
        ours.compared_kind() == theirs.compared_kind()
            || ours.amount.is_outflow() == theirs.amount.is_outflow()
    }

    fn differs_otherwise(&self, block: &Block) -> bool {
        let ours: Vec<_> = block.ours.iter().map(|at| self.ours[*at]).collect();
        let theirs: Vec<_> = block.theirs.iter().map(|at| self.theirs[*at]).collect();
        let single = ours.len() == 1 && theirs.len() == 1;
        !in_window(&ours, &theirs, self.window) || single && !equal_otherwise(ours[0], theirs[0])
    }

    fn cost(&self, blocks: &[Block]) -> Cost {
        let paired: usize = blocks.iter().map(|it| it.ours.len() + it.theirs.len()).sum();
        (
            blocks.iter().filter(|it| self.differs_in_amount(it)).count(),
            self.ours.len() + self.theirs.len() - paired,
            blocks.iter().filter(|it| self.differs_otherwise(it)).count(),
        )
    }

    /// For groups too large to weigh: equal pairs first, in order; then what is left as one block
    /// where the rule is a group's, or as one pair where only one is left on both sides.
    fn equal_singles_first(&self) -> Choice {
        let mut waiting: BTreeMap<_, Vec<usize>> = BTreeMap::new();
        for (at, entry) in self.theirs.iter().enumerate().rev() {
            waiting.entry(Likeness::of(entry)).or_default().push(at);
        }
        let mut blocks = Vec::new();
        let mut ours: BTreeSet<usize> = (0..self.ours.len()).collect();
        let mut theirs: BTreeSet<usize> = (0..self.theirs.len()).collect();
        for (at, entry) in self.ours.iter().enumerate() {
            let twin = waiting.get_mut(&Likeness::of(entry)).and_then(Vec::pop);
            if let Some(twin) = twin {
                ours.remove(&at);
                theirs.remove(&twin);
                blocks.push(Block { ours: vec![at], theirs: vec![twin] });
            }
        }
        if ours.is_empty() || theirs.is_empty() {
            return Choice::Blocks(blocks);
        }
        let one_sided = ours.len() == 1 || theirs.len() == 1;
        let rest = self.whole(&ours, &theirs).filter(|it| {
            let pair = it.ours.len() == 1 && it.theirs.len() == 1;
            match self.sums {
                Sums::No => pair,
                Sums::Split => pair || one_sided,
                Sums::Group => true,
            }
        });
        let Some(rest) = rest else { return Choice::Ambiguous };
        blocks.push(rest);
        Choice::Blocks(blocks)
    }
}

/// Whether the booking dates of two sets lie within a window of days, at both ends.
pub fn in_window(ours: &[&Entry<'_>], theirs: &[&Entry<'_>], days: i64) -> bool {
    let ends = |of: &[&Entry<'_>]| -> Option<(NaiveDate, NaiveDate)> {
        let dates = of.iter().map(|it| it.booking_date);
        Some((dates.clone().min()?, dates.max()?))
    };
    let (Some(ours), Some(theirs)) = (ends(ours), ends(theirs)) else { return true };
    let near = |one: NaiveDate, other: NaiveDate| (one - other).num_days().abs() <= days;
    near(ours.0, theirs.0) && near(ours.1, theirs.1)
}

/// Whether two entries are equal in all that is compared besides amount and date: kind, and
/// account, party and fee where both state them.
pub fn equal_otherwise(ours: &Entry<'_>, theirs: &Entry<'_>) -> bool {
    let both = |one: &str, other: &str| one.is_empty() || other.is_empty() || one == other;
    ours.compared_kind() == theirs.compared_kind()
        && both(ours.account.trim(), theirs.account.trim())
        && both(&fold_party(&ours.party), &fold_party(&theirs.party))
        && (ours.fee.is_none() || theirs.fee.is_none() || ours.fee == theirs.fee)
}

/// What makes entries interchangeable: everything compared but their dates.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Likeness {
    amount: crate::domain::money::Money,
    kind: crate::domain::entry::Kind,
    account: String,
    party: String,
    fee: Option<crate::domain::money::Money>,
}

impl Likeness {
    fn of(entry: &Entry<'_>) -> Self {
        Self {
            amount: entry.amount,
            kind: entry.compared_kind(),
            account: entry.account.trim().to_owned(),
            party: fold_party(&entry.party),
            fee: entry.fee,
        }
    }
}

/// A pairing with entries replaced by what makes them interchangeable.
type Shape = Vec<(Vec<Likeness>, Vec<Likeness>)>;

struct Search<'a, 'b> {
    group: &'a Group<'b>,
    free_ours: BTreeSet<usize>,
    free_theirs: BTreeSet<usize>,
    blocks: Vec<Block>,
    best: Option<(Cost, Vec<Block>)>,
    shapes: BTreeSet<Shape>,
    steps: usize,
}

impl<'a, 'b> Search<'a, 'b> {
    fn new(group: &'a Group<'b>) -> Self {
        Self {
            group,
            free_ours: (0..group.ours.len()).collect(),
            free_theirs: (0..group.theirs.len()).collect(),
            blocks: Vec::new(),
            best: None,
            shapes: BTreeSet::new(),
            steps: 0,
        }
    }

    /// Decides about our entries from `at` on, each way in turn.
    fn step(&mut self, at: usize) {
        self.steps += 1;
        if self.steps > STEPS || self.is_worse() {
            return;
        }
        let Some(next) = self.free_ours.range(at..).next().copied() else {
            self.finish();
            return;
        };
        for block in self.options(next) {
            self.take(&block);
            self.step(next + 1);
            self.give_back(&block);
        }
        self.step(next + 1);
    }

    /// Every block that our entry `at` may open: single pairs, then sums.
    fn options(&self, at: usize) -> Vec<Block> {
        let mut options: Vec<Block> = self
            .free_theirs
            .iter()
            .filter(|it| self.group.may_pair(at, **it))
            .map(|it| Block { ours: vec![at], theirs: vec![*it] })
            .collect();
        if self.group.sums == Sums::No {
            return options;
        }
        let theirs: Vec<usize> = self.free_theirs.iter().copied().collect();
        let ours: Vec<usize> = self.free_ours.range(at + 1..).copied().collect();
        for subset in subsets(&theirs, 2) {
            options.push(Block { ours: vec![at], theirs: subset });
        }
        for mut subset in subsets(&ours, 1) {
            subset.insert(0, at);
            options
                .extend(theirs.iter().map(|it| Block { ours: subset.clone(), theirs: vec![*it] }));
        }
        let everything = self.free_ours.len() > 1 && self.free_theirs.len() > 1;
        if self.group.sums == Sums::Group && everything {
            options.extend(self.group.whole(&self.free_ours, &self.free_theirs));
        }
        options.retain(|it| {
            it.ours.len() + it.theirs.len() == 2 || self.group.may_sum(it) && self.is_sum(it)
        });
        options
    }

    /// A sum is an option where it is exact, or where it takes in everything that is free.
    fn is_sum(&self, block: &Block) -> bool {
        let everything = block.ours.len() == self.free_ours.len()
            && block.theirs.len() == self.free_theirs.len();
        everything || !self.group.differs_in_amount(block)
    }

    fn take(&mut self, block: &Block) {
        self.free_ours.retain(|it| !block.ours.contains(it));
        self.free_theirs.retain(|it| !block.theirs.contains(it));
        self.blocks.push(block.clone());
    }

    fn give_back(&mut self, block: &Block) {
        self.free_ours.extend(&block.ours);
        self.free_theirs.extend(&block.theirs);
        self.blocks.pop();
    }

    fn is_worse(&self) -> bool {
        let differing = self.group.cost(&self.blocks).0;
        self.best.as_ref().is_some_and(|(best, _)| differing > best.0)
    }

    fn finish(&mut self) {
        let possible = self
            .free_ours
            .iter()
            .any(|ours| self.free_theirs.iter().any(|theirs| self.group.may_pair(*ours, *theirs)));
        if possible {
            return;
        }
        let cost = self.group.cost(&self.blocks);
        match &self.best {
            Some((best, _)) if *best < cost => return,
            Some((best, _)) if *best == cost => {}
            Some(_) | None => {
                self.shapes.clear();
                self.best = Some((cost, self.blocks.clone()));
            }
        }
        let shape = self.shape();
        self.shapes.insert(shape);
    }

    fn shape(&self) -> Shape {
        let like = |all: &[&Entry<'_>], of: &[usize]| {
            let mut like: Vec<_> = of.iter().map(|at| Likeness::of(all[*at])).collect();
            like.sort();
            like
        };
        let mut shape: Shape = self
            .blocks
            .iter()
            .map(|it| (like(self.group.ours, &it.ours), like(self.group.theirs, &it.theirs)))
            .collect();
        shape.sort();
        shape
    }

    fn choice(self) -> Choice {
        match self.best {
            Some((_, blocks)) if self.shapes.len() == 1 => Choice::Blocks(blocks),
            Some(_) => Choice::Ambiguous,
            None => Choice::Blocks(Vec::new()),
        }
    }
}

/// All subsets of at least `least` members, small ones first, in a fixed order.
fn subsets(of: &[usize], least: usize) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = vec![Vec::new()];
    for member in of {
        let grown: Vec<_> = all
            .iter()
            .map(|it| it.iter().copied().chain(std::iter::once(*member)).collect())
            .collect();
        all.extend(grown);
    }
    all.retain(|it| it.len() >= least);
    all.sort_by(|one, other| one.len().cmp(&other.len()).then_with(|| one.cmp(other)));
    all
}
