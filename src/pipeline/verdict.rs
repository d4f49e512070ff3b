//! The three answers of a run, never merged into one (DESIGN §1).

use chrono::NaiveDate;

use crate::domain::{
    discrepancy::Discrepancy,
    entry::Reject,
    proof::ProofLine,
    reason::Reason,
    run::{Doubt, FileResult, Independence, SelfTest, SideCounts, Verdict},
    side::Side,
    statement::FileVerdict,
};

/// What a verdict rests on.
#[derive(Debug)]
pub(super) struct Grounds<'a> {
    /// All files.
    pub(super) files: &'a [FileResult],
    /// Accounts whose stated balances do not tie with the entries, each in a sentence.
    pub(super) unrolled: &'a [String],
    /// Sides that an expected file is absent from, with what was looked for.
    pub(super) absent: &'a [(Side, String)],
    /// The day the run speaks about.
    pub(super) as_of: NaiveDate,
    /// The first day on which anything is booked.
    pub(super) first_booking: Option<NaiveDate>,
    /// Rejects of both sides.
    pub(super) rejects: &'a [(Side, Reject)],
    /// Discrepancies, the self-test's taken out.
    pub(super) discrepancies: &'a [Discrepancy],
    /// The proof.
    pub(super) proof: &'a [ProofLine],
    /// The self-test.
    pub(super) self_test: &'a SelfTest,
    /// Counts of our side.
    pub(super) counts_ours: SideCounts,
    /// Counts of their side.
    pub(super) counts_theirs: SideCounts,
    /// The declared origins of ours and theirs.
    pub(super) origins: (Option<&'a str>, Option<&'a str>),
}

impl Grounds<'_> {
    /// The verdict, with every doubt in its own sentence.
    pub(super) fn verdict(&self) -> Verdict {
        let independent = self.independence();
        let mut doubts = Vec::new();
        self.doubt_files(&mut doubts);
        self.doubt_items(&mut doubts);
        self.doubt_proof(&mut doubts);
        let incomplete = doubts.iter().any(|(doubt, _)| is_of_completeness(*doubt));
        if !self.self_test.missed.is_empty() {
            let missed: Vec<_> = self.self_test.missed.iter().map(|it| it.code()).collect();
            doubts.push((
                Doubt::SelfTestMissed,
                format!("the self-test missed {}", missed.join(", ")),
            ));
        }
        if independent == Independence::No {
            doubts.push((Doubt::NotIndependent, "both sides share their provenance".to_owned()));
        }
        let open = |it: &Discrepancy| !it.is_waiting() && !it.reason.is_tolerated();
        let agrees = !self.discrepancies.iter().any(open);
        Verdict { complete: !incomplete, agrees, independent, doubts }
    }

    fn doubt_files(&self, doubts: &mut Vec<(Doubt, String)>) {
        for (side, what) in self.absent {
            doubts.push((Doubt::FileAbsent, format!("{side}: no file `{what}`")));
        }
        for file in self.files {
            let says = format!("{}: `{}` is {}", file.side, file.name, file.verdict);
            let says = match file.explanation.as_str() {
                "" => says,
                why => format!("{says}: {why}"),
            };
            match file.verdict {
                FileVerdict::Restated => doubts.push((Doubt::Restated, says)),
                FileVerdict::NotIndependent => doubts.push((Doubt::NotIndependent, says)),
                FileVerdict::Overdue => doubts.push((Doubt::FileAbsent, says)),
                FileVerdict::Unreadable => doubts.push((Doubt::FileUnreadable, says)),
                FileVerdict::Foreign
                | FileVerdict::Incomplete
                | FileVerdict::OutOfBalance
                | FileVerdict::TotalsDiffer
                | FileVerdict::Gap => doubts.push((Doubt::FileUnfit, says)),
                FileVerdict::Repeated
                | FileVerdict::Overlapping
                | FileVerdict::Empty
                | FileVerdict::Accepted => {}
            }
        }
    }

    fn doubt_items(&self, doubts: &mut Vec<(Doubt, String)>) {
        for side in Side::ALL {
            let rejects = self.rejects.iter().filter(|it| it.0 == side).count();
            if rejects > 0 {
                let what = counted(rejects, "record rejected", "records rejected");
                doubts.push((Doubt::RejectedMoney, format!("{side}: {what}")));
            }
        }
        for (reason, side) in
            [(Reason::UncoveredOurs, Side::Ours), (Reason::Uncovered, Side::Theirs)]
        {
            let count = self.discrepancies.iter().filter(|it| it.reason == reason).count();
            if count > 0 {
                let one = "item lies outside the days covered";
                let says = counted(count, one, "items lie outside the days covered");
                doubts.push((Doubt::Uncovered, format!("{side}: {says}")));
            }
        }
        if self.counts_ours.entries + self.counts_theirs.entries == 0 {
            doubts.push((Doubt::NothingCompared, "no booked entry on either side".to_owned()));
        }
        if self.first_booking.is_some_and(|it| it > self.as_of) {
            let says = format!("every entry is booked after {}", self.as_of);
            doubts.push((Doubt::NothingCompared, says));
        }
        self.doubt_blank_sides(doubts);
    }

    /// A side without a single entry is believed only where its files state that they have none:
    /// an extract that was cut off behind its header looks the same.
    fn doubt_blank_sides(&self, doubts: &mut Vec<(Doubt, String)>) {
        for (side, counts) in [(Side::Ours, self.counts_ours), (Side::Theirs, self.counts_theirs)] {
            let mut files = self.files.iter().filter(|it| it.side == side).peekable();
            let blank = counts.entries + counts.evidence + counts.rejects == 0;
            if blank && files.peek().is_some() && !files.any(states_something) {
                let what = "no entry, and no balance, count, total or last day is stated";
                doubts.push((Doubt::NothingCompared, format!("{side}: {what}")));
            }
        }
    }

    fn doubt_proof(&self, doubts: &mut Vec<(Doubt, String)>) {
        doubts.extend(self.unrolled.iter().map(|it| (Doubt::Unexplained, it.clone())));
        for line in self.proof {
            // The account is blank where neither side names one.
            let of = format!("{} {}", line.account, line.currency);
            let of = of.trim_start();
            if line.unexplained.minor() != 0 {
                let says = format!("{of}: {} unexplained", line.unexplained);
                doubts.push((Doubt::Unexplained, says));
            }
            if line.opening_difference.minor() != 0 && line.opening_accepted_by.is_none() {
                let says = format!(
                    "{of}: opening difference {} is not signed off",
                    line.opening_difference
                );
                doubts.push((Doubt::OpeningNotAccepted, says));
            }
        }
    }

    /// Yes only where separate origins are declared and none is found shared.
    fn independence(&self) -> Independence {
        let of = |side: Side| self.files.iter().filter(move |it| it.side == side);
        let shared = of(Side::Ours).any(|ours| of(Side::Theirs).any(|it| it.sha256 == ours.sha256));
        match self.origins {
            _ if shared => Independence::No,
            (Some(ours), Some(theirs)) if ours == theirs => Independence::No,
            (Some(_), Some(_)) => Independence::Yes,
            (Some(_) | None, None) | (None, Some(_)) => Independence::NotEstablished,
        }
    }
}

/// Whether a file states anything by which it can be known to hold no entry.
fn states_something(file: &FileResult) -> bool {
    file.stated.statements.iter().any(|it| {
        it.opening.zip(it.closing).is_some()
            || it.count.is_some()
            || it.total.is_some()
            || it.to.is_some()
    })
}

/// Whether a doubt means that not everything expected arrived and was read, or totals do not tie.
fn is_of_completeness(doubt: Doubt) -> bool {
    match doubt {
        Doubt::FileAbsent
        | Doubt::FileUnreadable
        | Doubt::FileUnfit
        | Doubt::Uncovered
        | Doubt::RejectedMoney
        | Doubt::Unexplained
        | Doubt::NothingCompared
        | Doubt::Restated => true,
        Doubt::OpeningNotAccepted | Doubt::SelfTestMissed | Doubt::NotIndependent => false,
    }
}

fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
