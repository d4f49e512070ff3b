//! Reasons: why the sides disagree, exactly one for each discrepancy.

use std::{fmt, str::FromStr};

/// The classes of reasons, in order of precedence (DESIGN §7).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ReasonClass {
    /// What happened in our own books over time.
    Books,
    /// Entries that only make sense together.
    Groups,
    /// Seen from both sides.
    Both,
    /// They have it, we don't.
    TheirsOnly,
    /// We have it, they don't.
    OursOnly,
}

/// The reasons of DESIGN §7 in order of precedence: the first that applies hides the rest.
///
/// Codes are stable; names and sentences for people are in [`crate::domain::reason_text`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// The original entry came after its correction.
    CorrectionOvertaken,
    /// A posted correction did not bring the sides together.
    CorrectionNotEffective,
    /// Something agreed earlier reads otherwise today.
    ChangedAfterAgreement,
    /// An entry was written into a period already closed.
    Backdated,
    /// A key equals another only after repair, and the exact pair exists too.
    KeyCollision,
    /// Several pairings explain the entries equally well; none is chosen.
    Ambiguous,
    /// Fewer members of a group have come than it states to have.
    GroupIncomplete,
    /// One operation stands split on the other side, and the parts do not sum to it.
    SplitDiffers,
    /// The sums of a group differ.
    GroupSumDiffers,
    /// The rest of a group that no member explains.
    Residual,
    /// Posted more than once and executed more than once: the books agree, somebody paid twice.
    RepeatedBoth,
    /// Money in on one side, out on the other.
    DirectionDiffers,
    /// The amounts differ by exactly the stated rate.
    AmountByRate,
    /// The currencies differ and no stated rate explains it.
    CurrencyDiffers,
    /// The amounts differ by no more than the tolerance.
    WithinTolerance,
    /// The amounts differ by a power of ten.
    AmountShifted,
    /// The amounts differ by exactly the stated fees.
    AmountNetOfFee,
    /// The amounts differ by at most half a minor unit per component.
    AmountByRounding,
    /// The amounts differ by exactly a stated rest outstanding.
    AmountPartial,
    /// Theirs is larger than ours.
    AmountOver,
    /// Theirs is smaller than ours.
    AmountUnder,
    /// The sides call it different kinds.
    KindDiffers,
    /// The sides hold it in different states.
    StateDiffers,
    /// The sides name different parties.
    PartyDiffers,
    /// The sides name different accounts.
    AccountDiffers,
    /// The sides state different fees.
    FeeDiffers,
    /// The sides put it in different accounting periods.
    PeriodDiffers,
    /// The booking dates lie outside the rule's window.
    DateDiffers,
    /// The keys are equal only after a named repair.
    KeyRepaired,
    /// Booked on a day that our ledger extract does not cover.
    UncoveredOurs,
    /// Our books hold it under another account or reconciliation.
    ElsewhereOurs,
    /// Our books say refused, theirs say booked.
    DoneDespiteRefusal,
    /// Our books never learned the outcome, theirs say booked.
    OutcomeUnknown,
    /// The counterparty booked one operation more than once.
    RepeatedTheirs,
    /// A return that our books lack.
    ReturnUnbooked,
    /// A chargeback that our books lack.
    ChargebackUnbooked,
    /// A chargeback reversal that our books lack.
    ChargebackReversalUnbooked,
    /// A refund that our books lack.
    RefundUnbooked,
    /// A reversal that our books lack.
    ReversalUnbooked,
    /// A fee that our books lack.
    FeeUnbooked,
    /// An adjustment that our books lack.
    AdjustmentUnbooked,
    /// A payout that our books lack.
    PayoutUnbooked,
    /// An inflow that our books may still bring: waiting.
    LateOurs,
    /// They have it, we don't, and it names no usable key.
    Unattributed,
    /// They have it, we don't.
    MissingOurs,
    /// Our books say booked, theirs say refused.
    RefusedTheirs,
    /// Theirs is announced and not yet booked: waiting.
    PendingTheirs,
    /// Their books hold it under another account or reconciliation.
    ElsewhereTheirs,
    /// Their side let it expire.
    ExpiredTheirs,
    /// Our books hold one operation more than once.
    RepeatedOurs,
    /// Not due yet: waiting.
    InTransit,
    /// Due, and their statement of that time is absent, gapped or out of balance.
    Uncovered,
    /// Their side showed it before and no longer does.
    Vanished,
    /// Our outcome was unknown, and a complete statement past the due day lacks it.
    NotExecuted,
    /// We have it, they don't.
    MissingTheirs,
}

impl Reason {
    /// All reasons, in order of precedence.
    pub const ALL: [Self; 55] = [
        Self::CorrectionOvertaken,
        Self::CorrectionNotEffective,
        Self::ChangedAfterAgreement,
        Self::Backdated,
        Self::KeyCollision,
        Self::Ambiguous,
        Self::GroupIncomplete,
        Self::SplitDiffers,
        Self::GroupSumDiffers,
        Self::Residual,
        Self::RepeatedBoth,
        Self::DirectionDiffers,
        Self::AmountByRate,
        Self::CurrencyDiffers,
        Self::WithinTolerance,
        Self::AmountShifted,
        Self::AmountNetOfFee,
        Self::AmountByRounding,
        Self::AmountPartial,
        Self::AmountOver,
        Self::AmountUnder,
        Self::KindDiffers,
        Self::StateDiffers,
        Self::PartyDiffers,
        Self::AccountDiffers,
        Self::FeeDiffers,
        Self::PeriodDiffers,
        Self::DateDiffers,
        Self::KeyRepaired,
        Self::UncoveredOurs,
        Self::ElsewhereOurs,
        Self::DoneDespiteRefusal,
        Self::OutcomeUnknown,
        Self::RepeatedTheirs,
        Self::ReturnUnbooked,
        Self::ChargebackUnbooked,
        Self::ChargebackReversalUnbooked,
        Self::RefundUnbooked,
        Self::ReversalUnbooked,
        Self::FeeUnbooked,
        Self::AdjustmentUnbooked,
        Self::PayoutUnbooked,
        Self::LateOurs,
        Self::Unattributed,
        Self::MissingOurs,
        Self::RefusedTheirs,
        Self::PendingTheirs,
        Self::ElsewhereTheirs,
        Self::ExpiredTheirs,
        Self::RepeatedOurs,
        Self::InTransit,
        Self::Uncovered,
        Self::Vanished,
        Self::NotExecuted,
        Self::MissingTheirs,
    ];

    /// The stable code, in SQL and JSON.
    pub fn code(self) -> &'static str {
        match self {
            Self::CorrectionOvertaken => "correction_overtaken",
            Self::CorrectionNotEffective => "correction_not_effective",
            Self::ChangedAfterAgreement => "changed_after_agreement",
            Self::Backdated => "backdated",
            Self::KeyCollision => "key_collision",
            Self::Ambiguous => "ambiguous",
            Self::GroupIncomplete => "group_incomplete",
            Self::SplitDiffers => "split_differs",
            Self::GroupSumDiffers => "group_sum_differs",
            Self::Residual => "residual",
            Self::RepeatedBoth => "repeated_both",
            Self::DirectionDiffers => "direction_differs",
            Self::AmountByRate => "amount_by_rate",
            Self::CurrencyDiffers => "currency_differs",
            Self::WithinTolerance => "within_tolerance",
            Self::AmountShifted => "amount_shifted",
            Self::AmountNetOfFee => "amount_net_of_fee",
            Self::AmountByRounding => "amount_by_rounding",
            Self::AmountPartial => "amount_partial",
            Self::AmountOver => "amount_over",
            Self::AmountUnder => "amount_under",
            Self::KindDiffers => "kind_differs",
            Self::StateDiffers => "state_differs",
            Self::PartyDiffers => "party_differs",
            Self::AccountDiffers => "account_differs",
            Self::FeeDiffers => "fee_differs",
            Self::PeriodDiffers => "period_differs",
            Self::DateDiffers => "date_differs",
            Self::KeyRepaired => "key_repaired",
            Self::UncoveredOurs => "uncovered_ours",
            Self::ElsewhereOurs => "elsewhere_ours",
            Self::DoneDespiteRefusal => "done_despite_refusal",
            Self::OutcomeUnknown => "outcome_unknown",
            Self::RepeatedTheirs => "repeated_theirs",
            Self::ReturnUnbooked => "return_unbooked",
            Self::ChargebackUnbooked => "chargeback_unbooked",
            Self::ChargebackReversalUnbooked => "chargeback_reversal_unbooked",
            Self::RefundUnbooked => "refund_unbooked",
            Self::ReversalUnbooked => "reversal_unbooked",
            Self::FeeUnbooked => "fee_unbooked",
            Self::AdjustmentUnbooked => "adjustment_unbooked",
            Self::PayoutUnbooked => "payout_unbooked",
            Self::LateOurs => "late_ours",
            Self::Unattributed => "unattributed",
            Self::MissingOurs => "missing_ours",
            Self::RefusedTheirs => "refused_theirs",
            Self::PendingTheirs => "pending_theirs",
            Self::ElsewhereTheirs => "elsewhere_theirs",
            Self::ExpiredTheirs => "expired_theirs",
            Self::RepeatedOurs => "repeated_ours",
            Self::InTransit => "in_transit",
            Self::Uncovered => "uncovered",
            Self::Vanished => "vanished",
            Self::NotExecuted => "not_executed",
            Self::MissingTheirs => "missing_theirs",
        }
    }

    /// Its class.
    pub fn class(self) -> ReasonClass {
        match self {
            Self::CorrectionOvertaken
            | Self::CorrectionNotEffective
            | Self::ChangedAfterAgreement
            | Self::Backdated => ReasonClass::Books,
            Self::KeyCollision
            | Self::Ambiguous
            | Self::GroupIncomplete
            | Self::SplitDiffers
            | Self::GroupSumDiffers
            | Self::Residual => ReasonClass::Groups,
            Self::RepeatedBoth
            | Self::DirectionDiffers
            | Self::AmountByRate
            | Self::CurrencyDiffers
            | Self::WithinTolerance
            | Self::AmountShifted
            | Self::AmountNetOfFee
            | Self::AmountByRounding
            | Self::AmountPartial
            | Self::AmountOver
            | Self::AmountUnder
            | Self::KindDiffers
            | Self::StateDiffers
            | Self::PartyDiffers
            | Self::AccountDiffers
            | Self::FeeDiffers
            | Self::PeriodDiffers
            | Self::DateDiffers
            | Self::KeyRepaired => ReasonClass::Both,
            Self::UncoveredOurs
            | Self::ElsewhereOurs
            | Self::DoneDespiteRefusal
            | Self::OutcomeUnknown
            | Self::RepeatedTheirs
            | Self::ReturnUnbooked
            | Self::ChargebackUnbooked
            | Self::ChargebackReversalUnbooked
            | Self::RefundUnbooked
            | Self::ReversalUnbooked
            | Self::FeeUnbooked
            | Self::AdjustmentUnbooked
            | Self::PayoutUnbooked
            | Self::LateOurs
            | Self::Unattributed
            | Self::MissingOurs => ReasonClass::TheirsOnly,
            Self::RefusedTheirs
            | Self::PendingTheirs
            | Self::ElsewhereTheirs
            | Self::ExpiredTheirs
            | Self::RepeatedOurs
            | Self::InTransit
            | Self::Uncovered
            | Self::Vanished
            | Self::NotExecuted
            | Self::MissingTheirs => ReasonClass::OursOnly,
        }
    }

    /// Whether it says to wait: not a discrepancy, but summed and printed beside the verdict.
    pub fn is_waiting(self) -> bool {
        matches!(self, Self::InTransit | Self::PendingTheirs | Self::LateOurs)
    }

    /// Whether it is tolerated: listed and in the proof, but no open discrepancy.
    pub fn is_tolerated(self) -> bool {
        matches!(self, Self::WithinTolerance)
    }

    /// Rank in the report, by danger: theirs-only and repeats first (DESIGN §7).
    pub fn danger(self) -> u8 {
        if matches!(self, Self::RepeatedBoth | Self::RepeatedOurs | Self::RepeatedTheirs) {
            return 0;
        }
        if matches!(self, Self::DoneDespiteRefusal | Self::OutcomeUnknown | Self::MissingOurs) {
            return 1;
        }
        match self.class() {
            ReasonClass::TheirsOnly => 2,
            ReasonClass::Books => 3,
            ReasonClass::OursOnly => 4,
            ReasonClass::Groups => 5,
            ReasonClass::Both => 6,
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.code())
    }
}

impl FromStr for Reason {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|it| it.code() == text);
        found.ok_or_else(|| format!("`{text}` is no reason"))
    }
}

/// How a repeat came about (DESIGN §7).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cause {
    /// One intent posted again, seconds apart.
    RetrySameIntent,
    /// The same money, party and account under another key, inside the repeat window.
    RetryNewKey,
    /// An event delivered again, hours apart.
    RedeliveredEvent,
    /// A file taken again.
    ReplayedFile,
    /// A person did it again, days to weeks apart.
    OperatorRepeat,
    /// The key's window had expired.
    WindowExpired,
    /// The evidence does not tell.
    Undetermined,
}

impl Cause {
    /// All, in order.
    pub const ALL: [Self; 7] = [
        Self::RetrySameIntent,
        Self::RetryNewKey,
        Self::RedeliveredEvent,
        Self::ReplayedFile,
        Self::OperatorRepeat,
        Self::WindowExpired,
        Self::Undetermined,
    ];

    /// The stable code, in SQL and JSON.
    pub fn code(self) -> &'static str {
        match self {
            Self::RetrySameIntent => "retry_same_intent",
            Self::RetryNewKey => "retry_new_key",
            Self::RedeliveredEvent => "redelivered_event",
            Self::ReplayedFile => "replayed_file",
            Self::OperatorRepeat => "operator_repeat",
            Self::WindowExpired => "window_expired",
            Self::Undetermined => "undetermined",
        }
    }
}
