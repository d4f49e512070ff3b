//! The faults themselves, one for each reason.

use std::borrow::Cow;

use chrono::{DateTime, Days, NaiveDate, Utc};
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
            Reason::KeyCollision
            | Reason::Ambiguous
            | Reason::GroupIncomplete
            | Reason::SplitDiffers
            | Reason::GroupSumDiffers
            | Reason::Residual => self.group_fault(reason),
            Reason::AmountByRate
            | Reason::CurrencyDiffers
            | Reason::WithinTolerance
            | Reason::AmountShifted
            | Reason::AmountNetOfFee
            | Reason::AmountByRounding
            | Reason::AmountPartial
            | Reason::AmountOver
            | Reason::AmountUnder => self.amount_fault(reason),
            Reason::RepeatedBoth
            | Reason::DirectionDiffers
            | Reason::KindDiffers
            | Reason::StateDiffers
            | Reason::PartyDiffers
            | Reason::AccountDiffers
            | Reason::FeeDiffers
            | Reason::PeriodDiffers
            | Reason::DateDiffers
            | Reason::KeyRepaired => self.field_fault(reason),
            Reason::UncoveredOurs
            | Reason::DoneDespiteRefusal
            | Reason::OutcomeUnknown
            | Reason::RepeatedTheirs
            | Reason::ReturnUnbooked
            | Reason::ChargebackUnbooked
            | Reason::ChargebackReversalUnbooked
            | Reason::RefundUnbooked
            | Reason::ReversalUnbooked
            | Reason::FeeUnbooked
            | Reason::AdjustmentUnbooked
            | Reason::PayoutUnbooked
            | Reason::LateOurs
            | Reason::Unattributed
            | Reason::MissingOurs => self.theirs_fault(reason),
            Reason::RefusedTheirs
            | Reason::PendingTheirs
            | Reason::RepeatedOurs
            | Reason::InTransit
            | Reason::Uncovered
            | Reason::NotExecuted
            | Reason::MissingTheirs => self.ours_fault(reason),
        }
    }

    fn group_fault(&self, reason: Reason) -> Option<Sides> {
        let name = reason.code();
        match reason {
            Reason::KeyCollision => {
                let rule = self.single?;
                self.settled()?;
                let pair = self.entry(rule, name, 700);
                Some((vec![pair.clone(), self.entry(rule, &format!("{name} "), 700)], vec![pair]))
            }
            Reason::Ambiguous => {
                let rule = self.single?;
                let ours = [61, 67].map(|it| self.entry(rule, name, it * 1000));
                Some((ours.to_vec(), vec![self.entry(rule, name, 201_000)]))
                    .filter(|_| rule.single_use)
            }
            Reason::GroupIncomplete => {
                let rule = self.group?;
                let mut payout = self.entry(rule, name, 90_000);
                payout.group_size = Some(3);
                let parts = [20_000, 30_000].map(|it| self.entry(rule, name, it));
                Some((parts.to_vec(), vec![payout]))
            }
            Reason::SplitDiffers => {
                let rule = self.split?;
                let parts = [20_000, 30_000].map(|it| self.entry(rule, name, it));
                Some((parts.to_vec(), vec![self.entry(rule, name, 77_000)]))
            }
            Reason::GroupSumDiffers => {
                let rule = self.group?;
                let parts = [20_000, 30_000].map(|it| self.entry(rule, name, it));
                Some((parts.to_vec(), vec![self.entry(rule, name, 77_000)]))
            }
            _ => {
                let mut rest = self.entry(self.single?, name, 900);
                rest.is_residue = true;
                Some((Vec::new(), vec![rest]))
            }
        }
    }

    fn amount_fault(&self, reason: Reason) -> Option<Sides> {
        let rule = self.single?;
        let name = reason.code();
        let tolerance = self.terms.tolerance.minor(self.currency);
        let pair = |ours, theirs| (self.entry(rule, name, ours), self.entry(rule, name, theirs));
        let (ours, mut theirs) = match reason {
            Reason::AmountByRate => pair(1_250_000, 1_000_000),
            Reason::CurrencyDiffers => pair(100_000, 100_000),
            Reason::WithinTolerance if tolerance > 0 => pair(100_000, 100_000 + tolerance),
            Reason::AmountShifted => pair(1_000_000, 100_000_000),
            Reason::AmountNetOfFee => pair(10_000_000, 9_750_000),
            Reason::AmountPartial => pair(10_000_000, 7_000_000),
            Reason::AmountOver => pair(10_000_000, 13_000_000),
            Reason::AmountUnder => pair(10_000_000, 6_000_000),
            Reason::AmountByRounding => return self.rounding(name, tolerance),
            _ => return None,
        };
        match reason {
            Reason::AmountByRate => theirs.rate = Some(Decimal::new(125, 2)),
            Reason::CurrencyDiffers => {
                let other = if self.currency.code() == "EUR" { "USD" } else { "EUR" };
                theirs.amount = Money::new(theirs.amount.minor(), Currency::iso(other)?);
            }
            Reason::AmountNetOfFee => theirs.fee = Some(self.money(250_000)),
            Reason::AmountPartial => theirs.rest = Some(self.money(3_000_000)),
            _ => {}
        }
        Some((vec![ours], vec![theirs]))
    }

    /// Three parts that miss their sum by one minor unit.
    fn rounding(&self, name: &str, tolerance: i64) -> Option<Sides> {
        let rule = self.split.or(self.group).filter(|_| tolerance < 1)?;
        let parts = [331, 332, 333].map(|it| self.entry(rule, name, it * 1000));
        Some((parts.to_vec(), vec![self.entry(rule, name, 996_001)]))
    }

    fn field_fault(&self, reason: Reason) -> Option<Sides> {
        let rule = self.single?;
        let name = reason.code();
        let mut ours = self.entry(rule, name, 400_000);
        let mut theirs = ours.clone();
        match reason {
            Reason::RepeatedBoth => {
                if !rule.single_use {
                    ours.intent = Some(Cow::Owned(text(name)));
                }
                return Some((vec![ours.clone(), ours], vec![theirs.clone(), theirs]));
            }
            Reason::DirectionDiffers => theirs.amount = self.money(-400_000),
            Reason::KindDiffers => theirs.kind = Kind::Refund,
            Reason::StateDiffers => ours.status = Status::Pending,
            Reason::PartyDiffers => {
                (ours.party, theirs.party) = (Cow::Borrowed("One"), Cow::Borrowed("Other"));
            }
            Reason::AccountDiffers => {
                (ours.account, theirs.account) = (Cow::Borrowed("one"), Cow::Borrowed("other"));
            }
            Reason::FeeDiffers => {
                (ours.fee, theirs.fee) = (Some(self.money(100)), Some(self.money(200)));
            }
            Reason::PeriodDiffers => {
                (ours.period, theirs.period) = (Some("one".into()), Some("other".into()));
            }
            Reason::DateDiffers => {
                let days = Days::new(u64::from(rule.date_window_days) + 1);
                theirs.booking_date = self.day.checked_sub_days(days)?;
            }
            _ => theirs = self.entry(rule, &format!(" {name}"), 400_000),
        }
        Some((vec![ours], vec![theirs]))
    }

    fn theirs_fault(&self, reason: Reason) -> Option<Sides> {
        let rule = self.single?;
        let name = reason.code();
        let mut theirs = self.entry(rule, name, 500_000);
        let mut ours = theirs.clone();
        if reason == Reason::UncoveredOurs {
            theirs.booking_date = self.days.uncovered_ours?;
            return Some((Vec::new(), vec![theirs]));
        }
        self.days.covered_ours?;
        match reason {
            Reason::DoneDespiteRefusal => ours.status = Status::Refused,
            Reason::OutcomeUnknown => ours.status = Status::Unknown,
            Reason::RepeatedTheirs => return Some((vec![ours], vec![theirs.clone(), theirs])),
            Reason::LateOurs => {
                self.is_late().then_some(())?;
                return Some((Vec::new(), vec![theirs]));
            }
            Reason::Unattributed => {
                (theirs.keys, theirs.intent) = (Vec::new(), None);
                theirs.text = Cow::Owned(text(name));
                (!self.is_late()).then_some(())?;
                return Some((Vec::new(), vec![theirs]));
            }
            Reason::MissingOurs => {
                (!self.is_late()).then_some(())?;
                return Some((Vec::new(), vec![theirs]));
            }
            _ => {
                theirs.kind = unbooked_kind(reason)?;
                return Some((Vec::new(), vec![theirs]));
            }
        }
        Some((vec![ours], vec![theirs]))
    }

    /// Whether an inflow on the planted day would still wait for our books.
    fn is_late(&self) -> bool {
        let days = self.terms.ours_inflow_days;
        days > 0 && self.terms.calendar.after(self.day, days) > self.terms.as_of
    }

    fn ours_fault(&self, reason: Reason) -> Option<Sides> {
        let rule = self.single?;
        let name = reason.code();
        let mut ours = self.entry(rule, name, -600_000);
        let mut theirs = ours.clone();
        match reason {
            Reason::RefusedTheirs => theirs.status = Status::Refused,
            Reason::PendingTheirs => {
                ours.booking_date = self.waiting()?;
                theirs.status = Status::Pending;
            }
            Reason::RepeatedOurs => {
                self.settled()?;
                ours.intent = Some(Cow::Owned(text(name)));
                ours.event_at = Some(DateTime::<Utc>::UNIX_EPOCH);
                return Some((vec![ours.clone(), ours], vec![theirs]));
            }
            Reason::InTransit => {
                ours.booking_date = self.waiting()?;
                return Some((vec![ours], Vec::new()));
            }
            Reason::Uncovered => {
                ours.booking_date = self.days.uncovered_theirs?;
                return Some((vec![ours], Vec::new()));
            }
            Reason::NotExecuted => {
                ours.booking_date = self.settled()?;
                ours.status = Status::Unknown;
                return Some((vec![ours], Vec::new()));
            }
            _ => {
                ours.booking_date = self.settled()?;
                return Some((vec![ours], Vec::new()));
            }
        }
        Some((vec![ours], vec![theirs]))
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

fn unbooked_kind(reason: Reason) -> Option<Kind> {
    let kinds = [
        (Reason::ReturnUnbooked, Kind::Return),
        (Reason::ChargebackUnbooked, Kind::Chargeback),
        (Reason::ChargebackReversalUnbooked, Kind::ChargebackReversal),
        (Reason::RefundUnbooked, Kind::Refund),
        (Reason::ReversalUnbooked, Kind::Reversal),
        (Reason::FeeUnbooked, Kind::Fee),
        (Reason::AdjustmentUnbooked, Kind::Adjustment),
        (Reason::PayoutUnbooked, Kind::Payout),
    ];
    kinds.into_iter().find(|(it, _)| *it == reason).map(|(_, kind)| kind)
}
