//! The faults themselves, one for each reason.

use std::borrow::Cow;

use chrono::{Days, NaiveDate};
use rust_decimal::Decimal;

use super::DecisiveDays;
use crate::classification::Terms;
use crate::config::{Accept, Rule, RuleField};
use crate::domain::{
    entry::{Entry, Kind, Place, Status},
    key::NaturalKey,
    money::{Currency, Money},
    reason::Reason,
};

/// Entries of both sides.
type Sides = (Vec<Entry<'static>>, Vec<Entry<'static>>);

/// What faults are made of under given terms.
pub(super) struct Field<'a> {
    terms: &'a Terms<'a>,
    currency: Currency,
    days: DecisiveDays,
    day: NaiveDate,
    single: Option<&'a Rule>,
    split: Option<&'a Rule>,
    group: Option<&'a Rule>,
}

impl<'a> Field<'a> {
    pub(super) fn of(terms: &'a Terms<'a>, currency: Currency, days: DecisiveDays) -> Self {
        let keyed = || {
            let confirmed = |it: &&Rule| it.is_keyed() && it.accept == Accept::Confirmed;
            let keys_only = |it: &&Rule| {
                it.on.iter().all(|field| matches!(field, RuleField::Key(_) | RuleField::Intent))
            };
            terms.rules.iter().filter(confirmed).filter(keys_only)
        };
        Self {
            terms,
            currency,
            days,
            day: days.covered_ours.unwrap_or(terms.as_of),
            single: keyed().find(|it| !it.group),
            split: keyed().find(|it| !it.group && !it.single_use),
            group: keyed().find(|it| it.group),
        }
    }

    /// The entries of a fault; `None` where these terms cannot decide its reason.
    #[expect(clippy::too_many_lines, reason = "one line a reason")]
    pub(super) fn plant(&self, reason: Reason) -> Option<Sides> {
        match reason {
            Reason::CorrectionOvertaken
            | Reason::CorrectionNotEffective
            | Reason::ChangedAfterAgreement
            | Reason::Backdated
            | Reason::ElsewhereOurs
            | Reason::ElsewhereTheirs
            | Reason::ExpiredTheirs
            | Reason::Vanished => None,
            Reason::KeyCollision => self.collision(reason),
            Reason::Ambiguous => self.ambiguous(reason),
            Reason::GroupIncomplete => {
                self.parts(reason, self.group, |payout| payout.group_size = Some(3))
            }
            Reason::SplitDiffers => self.parts(reason, self.split, |_| {}),
            Reason::GroupSumDiffers => self.parts(reason, self.group, |_| {}),
            Reason::Residual => self.theirs(reason, |it| it.is_residue = true),
            Reason::RepeatedBoth => self.repeated_both(reason),
            Reason::DirectionDiffers => self.pair(reason, 400_000, -400_000, |_, _| {}),
            Reason::AmountByRate => self.pair(reason, 1_250_000, 1_000_000, |_, theirs| {
                theirs.rate = Some(Decimal::new(125, 2));
            }),
            Reason::CurrencyDiffers => self.currency_differs(reason),
            Reason::WithinTolerance => self.within_tolerance(reason),
            Reason::AmountShifted => self.pair(reason, 1_000_000, 100_000_000, |_, _| {}),
            Reason::AmountNetOfFee => self.pair(reason, 10_000_000, 9_750_000, |_, theirs| {
                theirs.fee = Some(self.money(250_000));
            }),
            Reason::AmountByRounding => self.rounding(reason),
            Reason::AmountPartial => self.pair(reason, 10_000_000, 7_000_000, |_, theirs| {
                theirs.rest = Some(self.money(3_000_000));
            }),
            Reason::AmountOver => self.pair(reason, 10_000_000, 13_000_000, |_, _| {}),
            Reason::AmountUnder => self.pair(reason, 10_000_000, 6_000_000, |_, _| {}),
            Reason::KindDiffers => self.equal(reason, |_, theirs| theirs.kind = Kind::Refund),
            Reason::StateDiffers => self.equal(reason, |ours, _| ours.status = Status::Pending),
            Reason::PartyDiffers => self.equal(reason, |ours, theirs| {
                (ours.party, theirs.party) = ("One".into(), "Other".into());
            }),
            Reason::AccountDiffers => self.equal(reason, |ours, theirs| {
                (ours.account, theirs.account) = ("one".into(), "other".into());
            }),
            Reason::FeeDiffers => self.equal(reason, |ours, theirs| {
                (ours.fee, theirs.fee) = (Some(self.money(100)), Some(self.money(200)));
            }),
            Reason::PeriodDiffers => self.equal(reason, |ours, theirs| {
                (ours.period, theirs.period) = (Some("one".into()), Some("other".into()));
            }),
            Reason::DateDiffers => self.date_differs(reason),
            Reason::KeyRepaired => self.key_repaired(reason),
            Reason::UncoveredOurs => {
                let day = self.days.uncovered_ours?;
                self.theirs_alone(reason, |it| it.booking_date = day)
            }
            Reason::DoneDespiteRefusal => self.answered(reason, Status::Refused),
            Reason::OutcomeUnknown => self.answered(reason, Status::Unknown),
            Reason::RepeatedTheirs => self.repeated_theirs(reason),
            Reason::ReturnUnbooked => self.theirs(reason, |it| it.kind = Kind::Return),
            Reason::ChargebackUnbooked => self.theirs(reason, |it| it.kind = Kind::Chargeback),
            Reason::ChargebackReversalUnbooked => {
                self.theirs(reason, |it| it.kind = Kind::ChargebackReversal)
            }
            Reason::RefundUnbooked => self.theirs(reason, |it| it.kind = Kind::Refund),
            Reason::ReversalUnbooked => self.theirs(reason, |it| it.kind = Kind::Reversal),
            Reason::FeeUnbooked => self.theirs(reason, |it| it.kind = Kind::Fee),
            Reason::AdjustmentUnbooked => self.theirs(reason, |it| it.kind = Kind::Adjustment),
            Reason::PayoutUnbooked => self.theirs(reason, |it| it.kind = Kind::Payout),
            Reason::LateOurs => self.theirs(reason, |_| {}).filter(|_| self.is_late()),
            Reason::Unattributed => self
                .theirs(reason, |it| {
                    (it.keys, it.intent) = (Vec::new(), None);
                    it.text = Cow::Owned(text(reason.code()));
                })
                .filter(|_| !self.is_late()),
            Reason::MissingOurs => self.theirs(reason, |_| {}).filter(|_| !self.is_late()),
            Reason::RefusedTheirs => {
                self.equal(reason, |_, theirs| theirs.status = Status::Refused)
            }
            Reason::PendingTheirs => {
                let day = self.waiting()?;
                self.equal(reason, |ours, theirs| {
                    ours.booking_date = day;
                    theirs.status = Status::Pending;
                })
            }
            Reason::RepeatedOurs => self.repeated_ours(reason),
            Reason::InTransit => self.ours(reason, self.waiting(), |_| {}),
            Reason::Uncovered => self.ours(reason, self.days.uncovered_theirs, |_| {}),
            Reason::NotExecuted => {
                self.ours(reason, self.settled(), |it| it.status = Status::Unknown)
            }
            Reason::MissingTheirs => self.ours(reason, self.settled(), |_| {}),
        }
    }

    /// A pair of one key with these amounts, changed.
    fn pair(
        &self,
        reason: Reason,
        ours: i64,
        theirs: i64,
        change: impl FnOnce(&mut Entry<'static>, &mut Entry<'static>),
    ) -> Option<Sides> {
        let rule = self.single?;
        let mut ours = self.entry(rule, reason.code(), ours);
        let mut theirs = self.entry(rule, reason.code(), theirs);
        change(&mut ours, &mut theirs);
        Some((vec![ours], vec![theirs]))
    }

    /// A pair of equal amounts, changed.
    fn equal(
        &self,
        reason: Reason,
        change: impl FnOnce(&mut Entry<'static>, &mut Entry<'static>),
    ) -> Option<Sides> {
        self.pair(reason, 400_000, 400_000, change)
    }

    /// An entry of theirs alone, whatever our side covers.
    fn theirs_alone(
        &self,
        reason: Reason,
        change: impl FnOnce(&mut Entry<'static>),
    ) -> Option<Sides> {
        let mut theirs = self.entry(self.single?, reason.code(), 500_000);
        change(&mut theirs);
        Some((Vec::new(), vec![theirs]))
    }

    /// An entry of theirs alone on a day that our side covers.
    fn theirs(&self, reason: Reason, change: impl FnOnce(&mut Entry<'static>)) -> Option<Sides> {
        self.days.covered_ours?;
        self.theirs_alone(reason, change)
    }

    /// An entry of ours alone on a day.
    fn ours(
        &self,
        reason: Reason,
        day: Option<NaiveDate>,
        change: impl FnOnce(&mut Entry<'static>),
    ) -> Option<Sides> {
        let mut ours = self.entry(self.single?, reason.code(), -600_000);
        ours.booking_date = day?;
        change(&mut ours);
        Some((vec![ours], Vec::new()))
    }

    /// An entry of theirs with our evidence of it, on a day that our side covers.
    fn answered(&self, reason: Reason, status: Status) -> Option<Sides> {
        self.days.covered_ours?;
        self.equal(reason, |ours, _| ours.status = status)
    }

    fn collision(&self, reason: Reason) -> Option<Sides> {
        let rule = self.single?;
        let pair = self.entry(rule, reason.code(), 700);
        let other = self.entry(rule, &format!("{} ", reason.code()), 700);
        Some((vec![pair.clone(), other], vec![pair]))
    }

    /// Two of ours, of which either may be theirs.
    fn ambiguous(&self, reason: Reason) -> Option<Sides> {
        let rule = self.single.filter(|it| it.single_use)?;
        let ours = [61_000, 67_000].map(|it| self.entry(rule, reason.code(), it));
        Some((ours.to_vec(), vec![self.entry(rule, reason.code(), 201_000)]))
    }

    /// Two parts of ours that miss the sum of theirs.
    fn parts(
        &self,
        reason: Reason,
        rule: Option<&Rule>,
        change: impl FnOnce(&mut Entry<'static>),
    ) -> Option<Sides> {
        let rule = rule?;
        let parts = [20_000, 30_000].map(|it| self.entry(rule, reason.code(), it));
        let mut whole = self.entry(rule, reason.code(), 77_000);
        change(&mut whole);
        Some((parts.to_vec(), vec![whole]))
    }

    /// Three parts that miss their sum by one minor unit.
    fn rounding(&self, reason: Reason) -> Option<Sides> {
        let rule = self.split.or(self.group).filter(|_| self.tolerance() < 1)?;
        let parts = [331_000, 332_000, 333_000].map(|it| self.entry(rule, reason.code(), it));
        Some((parts.to_vec(), vec![self.entry(rule, reason.code(), 996_001)]))
    }

    fn repeated_both(&self, reason: Reason) -> Option<Sides> {
        let rule = self.single?;
        let theirs = self.entry(rule, reason.code(), 400_000);
        let mut ours = theirs.clone();
        if !rule.single_use {
            ours.intent = Some(Cow::Owned(text(reason.code())));
        }
        Some((vec![ours.clone(), ours], vec![theirs.clone(), theirs]))
    }

    fn repeated_theirs(&self, reason: Reason) -> Option<Sides> {
        self.days.covered_ours?;
        let theirs = self.entry(self.single?, reason.code(), 500_000);
        Some((vec![theirs.clone()], vec![theirs.clone(), theirs]))
    }

    fn repeated_ours(&self, reason: Reason) -> Option<Sides> {
        let theirs = self.entry(self.single?, reason.code(), -600_000);
        let mut ours = theirs.clone();
        ours.intent = Some(Cow::Owned(text(reason.code())));
        Some((vec![ours.clone(), ours], vec![theirs]))
    }

    fn currency_differs(&self, reason: Reason) -> Option<Sides> {
        let code = if self.currency.code() == "EUR" { "USD" } else { "EUR" };
        let other = Currency::iso(code)?;
        self.pair(reason, 100_000, 100_000, |_, theirs| {
            theirs.amount = Money::new(theirs.amount.minor(), other);
        })
    }

    fn within_tolerance(&self, reason: Reason) -> Option<Sides> {
        let tolerance = Some(self.tolerance()).filter(|it| *it > 0)?;
        self.pair(reason, 100_000, 100_000 + tolerance, |_, _| {})
    }

    fn date_differs(&self, reason: Reason) -> Option<Sides> {
        let days = Days::new(u64::from(self.single?.date_window_days) + 1);
        let day = self.day.checked_sub_days(days)?;
        self.equal(reason, |_, theirs| theirs.booking_date = day)
    }

    fn key_repaired(&self, reason: Reason) -> Option<Sides> {
        let rule = self.single?;
        let ours = self.entry(rule, reason.code(), 400_000);
        Some((vec![ours], vec![self.entry(rule, &format!(" {}", reason.code()), 400_000)]))
    }

    /// The tolerance of the currency, in minor units.
    fn tolerance(&self) -> i64 {
        self.terms.tolerance.minor(self.currency)
    }

    /// Whether an inflow on the planted day would still wait for our books.
    fn is_late(&self) -> bool {
        let days = self.terms.ours_inflow_days;
        days > 0 && self.terms.calendar.after(self.day, days) > self.terms.as_of
    }

    fn settled(&self) -> Option<NaiveDate> {
        self.days.settled
    }

    /// The as-of day, where what is booked on it is not due yet.
    fn waiting(&self) -> Option<NaiveDate> {
        let due = self.terms.calendar.after(self.terms.as_of, self.terms.due_days);
        (due > self.terms.as_of).then_some(self.terms.as_of)
    }

    fn money(&self, minor: i64) -> Money {
        Money::new(minor, self.currency)
    }

    /// A booked payment with a key of its own under a rule.
    fn entry(&self, rule: &Rule, name: &str, minor: i64) -> Entry<'static> {
        let mut entry = Entry::new(Place::default(), self.money(minor), self.day);
        for field in &rule.on {
            match field {
                RuleField::Key(scheme) => entry.keys.extend(NaturalKey::given(*scheme, text(name))),
                RuleField::Intent => entry.intent = Some(Cow::Owned(text(name))),
                RuleField::Amount | RuleField::Currency | RuleField::Account | RuleField::Party => {
                }
            }
        }
        entry
    }
}

/// A text that no real key has.
fn text(name: &str) -> String {
    format!("{name} sverka self-test")
}
