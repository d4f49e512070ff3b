//! What may happen in a day: operations that agree and faults, alone and on top of each other, each
//! with the reasons that it must come out with, written down as they are.

use super::seed::Seed;

/// A row as `name=value` words.
pub(super) type Row = String;

/// One thing that happened, as either side tells it.
#[derive(Debug, Default)]
pub(super) struct Happening {
    pub(super) ours: Vec<Row>,
    pub(super) theirs: Vec<Row>,
    /// What is to be found of it: `reason difference`.
    pub(super) expected: Vec<String>,
    /// Whether it reads the same from the other side.
    pub(super) is_symmetric: bool,
}

/// An amount in cents as text.
fn text(cents: i64) -> String {
    let sign = if cents < 0 { "-" } else { "" };
    format!("{sign}{}.{:02}", cents.abs() / 100, cents.abs() % 100)
}

/// What a happening is made of: a key of its own, an amount, a settled day.
pub(super) struct Stuff {
    /// Number of the happening; names everything, and stands for `#` in a row.
    n: u64,
    /// Cents, positive or negative.
    cents: i64,
    day: u64,
}

impl Stuff {
    pub(super) fn new(n: u64, seed: &mut Seed) -> Self {
        let cents = i64::try_from(1_000 + seed.below(90_000)).unwrap();
        let cents = if seed.below(3) == 0 { -cents } else { cents };
        Self { n, cents, day: 16 + seed.below(4) }
    }

    fn row(&self, cents: i64, more: &str) -> Row {
        let Self { n, day, .. } = self;
        let more = more.replace('#', &n.to_string());
        format!("k=K{n}x i=intent-{n} p=Party-{n} a={} d=2026-11-{day} {more}", text(cents))
    }

    /// A row of theirs: it names no intent.
    fn seen(&self, cents: i64, more: &str) -> Row {
        let Self { n, day, .. } = self;
        let more = more.replace('#', &n.to_string());
        format!("k=K{n}x p=Party-{n} a={} d=2026-11-{day} {more}", text(cents))
    }

    fn of(
        &self,
        ours: &[(i64, &str)],
        theirs: &[(i64, &str)],
        expected: &[(&str, i64)],
    ) -> Happening {
        Happening {
            ours: ours.iter().map(|(cents, more)| self.row(*cents, more)).collect(),
            theirs: theirs.iter().map(|(cents, more)| self.seen(*cents, more)).collect(),
            expected: expected
                .iter()
                .map(|(reason, cents)| format!("{reason} {}", text(*cents)))
                .collect(),
            is_symmetric: true,
        }
    }

    /// An operation on which both sides agree.
    pub(super) fn agreed(&self, seed: &mut Seed) -> Happening {
        let a = self.cents;
        match seed.below(5) {
            0 => self.of(&[(a, ""), (-a, "kind=refund")], &[(a, ""), (-a, "kind=refund")], &[]),
            1 => self.of(
                &[(a, "t=10:00"), (a - 500, "i=second-# t=11:00")],
                &[(2 * a - 500, "")],
                &[],
            ),
            2 => self.of(&[(a, "")], &[(a, "fee=1.00 d=2026-11-20")], &[]).on("2026-11-19"),
            _ => self.of(&[(a, "")], &[(a, "")], &[]),
        }
    }

    /// A fault of the numbered kind.
    pub(super) fn fault(&self, kind: u64) -> Happening {
        match kind {
            0..=7 => self.repeat(kind),
            8..=15 => self.one_side(kind),
            16..=23 => self.evidence(kind),
            24..=32 => self.amount(kind),
            33..=40 => self.field(kind),
            _ => self.group(kind),
        }
    }

    /// Something booked more than once.
    fn repeat(&self, kind: u64) -> Happening {
        let a = self.cents;
        match kind {
            0 => self.of(&[(a, "")], &[(a, ""), (a, "")], &[("repeated_theirs", -a)]),
            1 => {
                self.of(&[], &[(a, ""), (a, "")], &[("missing_ours", -a), ("repeated_theirs", -a)])
            }
            2 => self.of(
                &[(a, "t=10:00"), (a, "t=10:01"), (a, "t=10:02")],
                &[(a, "")],
                &[("repeated_ours", a), ("repeated_ours", a)],
            ),
            3 => self.of(
                &[(a, "t=10:00"), (a, "t=10:05 i=new-# k=NEW-#")],
                &[(a, "")],
                &[("repeated_ours", a)],
            ),
            4 => self.of(
                &[(a, "t=10:00"), (a, "t=10:01")],
                &[(a, ""), (a, "")],
                &[("repeated_both", 0)],
            ),
            5 => self.of(
                &[(a, "t=10:00"), (a, "t=10:01")],
                &[(a, ""), (a, ""), (a, "")],
                &[("repeated_both", 0), ("repeated_theirs", -a)],
            ),
            6 => self.of(
                &[(a, ""), (a, ""), (a, "")],
                &[(a, ""), (a, "")],
                &[("repeated_both", 0), ("repeated_ours", a)],
            ),
            _ => self.of(
                &[(a, "")],
                &[(a, ""), (-a, "kind=return"), (a, "")],
                &[("missing_ours", -a), ("return_unbooked", a)],
            ),
        }
    }

    /// Something that one side lacks.
    fn one_side(&self, kind: u64) -> Happening {
        let a = self.cents;
        match kind {
            8 => self.of(&[], &[(a, "")], &[("missing_ours", -a)]),
            9 => self.of(&[(a, "")], &[], &[("missing_theirs", a)]),
            10 => self.of(&[], &[(a, "k=NOTPROVIDED")], &[("unattributed", -a)]),
            11 => self.of(&[], &[(a, "kind=fee")], &[("fee_unbooked", -a)]),
            12 => self.of(&[], &[(a, "kind=chargeback")], &[("chargeback_unbooked", -a)]),
            13 => self.of(&[(a, ""), (-a, "kind=refund")], &[(a, "")], &[("missing_theirs", -a)]),
            14 => self.of(&[(a, "")], &[(a, ""), (-a, "kind=refund")], &[("refund_unbooked", a)]),
            _ => self.of(&[(a, "d=2026-11-30")], &[], &[("in_transit", a)]),
        }
    }

    /// Something that one side holds as evidence.
    fn evidence(&self, kind: u64) -> Happening {
        let a = self.cents;
        match kind {
            16 => self.of(&[(a, "s=unknown")], &[(a, "")], &[("outcome_unknown", -a)]),
            17 => self.of(
                &[(a, "s=unknown")],
                &[(a, ""), (a, "")],
                &[("outcome_unknown", -a), ("repeated_theirs", -a)],
            ),
            18 => self.of(&[(a, "s=unknown")], &[], &[("not_executed", 0)]),
            19 => self.of(&[(a, "s=refused")], &[(a, "")], &[("done_despite_refusal", -a)]),
            20 => self.of(&[(a, "")], &[(a, "s=refused")], &[("refused_theirs", a)]),
            21 => self.of(
                &[(a, "d=2026-11-30")],
                &[(a, "d=2026-11-30 s=pending")],
                &[("pending_theirs", a)],
            ),
            22 => self.of(&[(a, "s=unknown"), (a, "")], &[(a, "")], &[]),
            _ => self.of(&[(a, "s=pending")], &[(a, "")], &[("state_differs", -a)]).one_sided(),
        }
    }

    /// Amounts that differ, alone and with other faults.
    fn amount(&self, kind: u64) -> Happening {
        let a = self.cents;
        match kind {
            24 => self.of(&[(a, "")], &[(a / 3, "")], &[("amount_under", a - a / 3)]),
            25 => self.of(&[(a, "")], &[(a * 3, "")], &[("amount_over", -2 * a)]),
            26 => self.of(&[(a, "")], &[(a * 100, "")], &[("amount_shifted", -99 * a)]),
            27 => self.of(&[(a, "")], &[(a - 245, "fee=2.45")], &[("amount_net_of_fee", 245)]),
            28 => self.of(&[(a, "")], &[(a + 2, "")], &[("within_tolerance", -2)]),
            29 => self.of(&[(a, "")], &[(a - 700, "rest=7.00")], &[("amount_partial", 700)]),
            30 => self.of(
                &[(a, "")],
                &[(a / 3, ""), (a / 3, "")],
                // Their two sum nearer to ours, and leave nothing over: one split operation.
                &[("split_differs", a - 2 * (a / 3))],
            ),
            31 => self.of(
                &[(a, "per=10 p=One")],
                &[(a / 3, "per=11 p=Other d=2026-11-26")],
                &[("amount_under", a - a / 3)],
            ),
            _ => self
                .of(
                    &[(a, "t=10:00"), (a, "t=10:01")],
                    &[(a - 245, "fee=2.45")],
                    &[("amount_net_of_fee", 245), ("repeated_ours", a)],
                )
                .one_sided(),
        }
    }

    /// Equal amounts, and another field that differs.
    fn field(&self, kind: u64) -> Happening {
        let a = self.cents;
        // Outside the window of the rules.
        let far = "d=2026-11-26";
        match kind {
            33 => self.of(&[(a, "")], &[(-a, "")], &[("direction_differs", 2 * a)]),
            34 => self.of(&[(a, "")], &[(a, "kind=payout p=Other")], &[("kind_differs", 0)]),
            35 => self.of(&[(a, "")], &[(a, &format!("p=Other {far}"))], &[("party_differs", 0)]),
            36 => self.of(&[(a, "fee=1.00")], &[(a, "fee=1.10")], &[("fee_differs", 0)]),
            37 => self.of(&[(a, "per=10")], &[(a, "per=11")], &[("period_differs", 0)]),
            38 => self.of(&[(a, "")], &[(a, far)], &[("date_differs", 0)]),
            39 => self.of(&[(a, "")], &[(a, "k=k#X")], &[("key_repaired", 0)]),
            _ => self.of(&[(a, ""), (a, "k=k#X i=other-#")], &[(a, "")], &[("key_collision", a)]),
        }
    }

    /// Several entries that make sense together, and a repeat taken back.
    fn group(&self, kind: u64) -> Happening {
        let a = self.cents;
        match kind {
            41 => {
                let (ours, theirs) =
                    ([(a, "k= b=B#"), (a, "k= b=B# i=second-#")], [(2 * a - 900, "k= b=B#")]);
                self.of(&ours, &theirs, &[("group_sum_differs", 900)])
            }
            42 => {
                let (ours, theirs) =
                    ([(a, "k= b=B#"), (a, "k= b=B# i=second-#")], [(3 * a, "k= b=B# n=3")]);
                self.of(&ours, &theirs, &[("group_incomplete", -a)])
            }
            43 => self.of(
                &[(a, ""), (a, "i=second-# t=10:00")],
                &[(2 * a - 900, "")],
                &[("split_differs", 900)],
            ),
            44 => {
                let (ours, theirs) =
                    ([(a, "k= o=O#"), (a + 777, "k= o=O# i=second-#")], [(2 * a + 555, "k= o=O#")]);
                self.of(&ours, &theirs, &[("ambiguous", 222)])
            }
            _ => {
                let back = "i=intent-#:compensate r=intent-# kind=correction u=payment";
                self.of(&[(a, ""), (a, ""), (-a, back)], &[(a, "")], &[]).one_sided()
            }
        }
    }
}

/// How many kinds of fault there are.
pub(super) const KINDS: u64 = 46;

impl Happening {
    fn one_sided(mut self) -> Self {
        self.is_symmetric = false;
        self
    }

    /// The same with our rows on another day.
    fn on(mut self, day: &str) -> Self {
        for row in &mut self.ours {
            row.extend([" d=", day]);
        }
        self
    }
}
