//! Corrections: what each reason proposes to repair our books (DESIGN §8).
//!
//! A proposal is a balanced double entry between configured accounts, keyed by its intent and bound
//! to the evidence it rests on. What is not proposed here, a person decides.

mod ceiling;
mod digest;
mod number;

use crate::config::{Accounts, Rule};
use crate::domain::{
    correction::{Draft, Form, Leg},
    discrepancy::Discrepancy,
    entry::{Entry, Kind},
    money::Money,
    reason::Reason,
};

pub use ceiling::under_ceiling;
pub use digest::evidence;
pub use number::number;

/// What a run may propose at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trust {
    /// Everything, where coverage allows it.
    Full,
    /// Nothing: the run is untrusted or incomplete, or something is unexplained.
    None,
}

/// Whether our books are stated, not only inferred, to be complete for what they lack. A posting is
/// proposed for their entries only under stated coverage of ours (DESIGN §5).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stated {
    /// Stated.
    Yes,
    /// Inferred from booking dates, or not covered.
    No,
}

/// The proposals of one discrepancy; empty where a person decides or the run may not propose.
pub fn propose(
    discrepancy: &Discrepancy,
    rules: &[Rule],
    accounts: Option<&Accounts>,
    trust: Trust,
    coverage_ours: Stated,
) -> Vec<Draft> {
    let Some(accounts) = accounts else { return Vec::new() };
    if trust == Trust::None || discrepancy.is_waiting() {
        return Vec::new();
    }
    let drafted = match discrepancy.reason {
        Reason::RepeatedOurs | Reason::CorrectionOvertaken => compensate(discrepancy, accounts),
        Reason::MissingOurs | Reason::Unattributed => {
            let inflow = discrepancy.theirs.first().is_some_and(|it| !it.amount.is_outflow());
            let suspense = accounts.suspense.as_deref().filter(|_| inflow);
            book(discrepancy, accounts, suspense, coverage_ours)
        }
        Reason::FeeUnbooked => book(discrepancy, accounts, accounts.fee.as_deref(), coverage_ours),
        Reason::ReturnUnbooked
        | Reason::ChargebackUnbooked
        | Reason::ChargebackReversalUnbooked
        | Reason::RefundUnbooked
        | Reason::ReversalUnbooked
        | Reason::AdjustmentUnbooked
        | Reason::PayoutUnbooked => {
            book(discrepancy, accounts, account_of_kind(discrepancy, accounts), coverage_ours)
        }
        Reason::AmountNetOfFee => adjust(discrepancy, accounts, accounts.fee.as_deref(), Kind::Fee),
        Reason::AmountByRate => adjust(discrepancy, accounts, accounts.fx.as_deref(), Kind::Fx),
        Reason::AmountByRounding => {
            adjust(discrepancy, accounts, accounts.rounding.as_deref(), Kind::Adjustment)
        }
        Reason::CorrectionNotEffective
        | Reason::ChangedAfterAgreement
        | Reason::Backdated
        | Reason::KeyCollision
        | Reason::Ambiguous
        | Reason::GroupIncomplete
        | Reason::SplitDiffers
        | Reason::GroupSumDiffers
        | Reason::Residual
        | Reason::RepeatedBoth
        | Reason::DirectionDiffers
        | Reason::CurrencyDiffers
        | Reason::WithinTolerance
        | Reason::AmountShifted
        | Reason::AmountPartial
        | Reason::AmountOver
        | Reason::AmountUnder
        | Reason::KindDiffers
        | Reason::StateDiffers
        | Reason::PartyDiffers
        | Reason::AccountDiffers
        | Reason::FeeDiffers
        | Reason::PeriodDiffers
        | Reason::DateDiffers
        | Reason::KeyRepaired
        | Reason::UncoveredOurs
        | Reason::ElsewhereOurs
        | Reason::DoneDespiteRefusal
        | Reason::OutcomeUnknown
        | Reason::RepeatedTheirs
        | Reason::LateOurs
        | Reason::RefusedTheirs
        | Reason::PendingTheirs
        | Reason::ElsewhereTheirs
        | Reason::ExpiredTheirs
        | Reason::InTransit
        | Reason::Uncovered
        | Reason::Vanished
        | Reason::NotExecuted
        | Reason::MissingTheirs => None,
    };
    drafted.map(|it| sealed(it, discrepancy, rules)).into_iter().collect()
}

/// Takes the surplus posting back: the opposite amount on our account, against where operations
/// are cleared.
fn compensate(discrepancy: &Discrepancy, accounts: &Accounts) -> Option<Draft> {
    let surplus = discrepancy.ours.first()?;
    let against = accounts.clearing.as_deref().or(accounts.suspense.as_deref())?;
    let amount = surplus.amount.checked_neg()?;
    let mut draft = draft(discrepancy, Form::Compensate, surplus.compared_kind(), amount);
    draft.legs = legs(accounts, against, amount)?;
    draft.repairs = Some(digest::entry_identity(surplus));
    Some(draft)
}

/// Books what only they have.
fn book(
    discrepancy: &Discrepancy,
    accounts: &Accounts,
    against: Option<&str>,
    coverage_ours: Stated,
) -> Option<Draft> {
    if coverage_ours == Stated::No {
        return None;
    }
    let theirs = discrepancy.theirs.first()?;
    let mut draft = draft(discrepancy, Form::Book, theirs.compared_kind(), theirs.amount);
    draft.legs = legs(accounts, against?, theirs.amount)?;
    Some(draft)
}

/// Moves the explained difference to its account; across currencies a person decides.
fn adjust(
    discrepancy: &Discrepancy,
    accounts: &Accounts,
    against: Option<&str>,
    kind: Kind,
) -> Option<Draft> {
    let theirs = discrepancy.amount_theirs?;
    if theirs.currency() != discrepancy.currency {
        return None;
    }
    let amount = discrepancy.difference().to_money()?.checked_neg()?;
    let mut draft = draft(discrepancy, Form::Adjust, kind, amount);
    draft.legs = legs(accounts, against?, amount)?;
    Some(draft)
}

fn draft(discrepancy: &Discrepancy, form: Form, kind: Kind, amount: Money) -> Draft {
    Draft {
        discrepancy: discrepancy.id,
        intent: discrepancy.intent.clone(),
        form,
        underlying_kind: kind,
        amount,
        legs: Vec::new(),
        evidence: crate::domain::id::Hash::new([0; 32]),
        repairs: None,
        narrative: narrative(discrepancy),
    }
}

/// The draft with the digest of the evidence and of its own legs.
fn sealed(draft: Draft, discrepancy: &Discrepancy, rules: &[Rule]) -> Draft {
    let rule = rules.iter().find(|it| discrepancy.rule.as_ref() == Some(&it.name));
    let evidence = evidence(discrepancy, rule.map(Rule::version), &draft.legs);
    Draft { evidence, ..draft }
}

/// Debit is positive: what comes in on the reconciled account goes out of the other.
fn legs(accounts: &Accounts, against: &str, amount: Money) -> Option<Vec<Leg>> {
    let settlement = Leg { account: accounts.settlement.clone(), amount };
    let other = Leg { account: against.to_owned(), amount: amount.checked_neg()? };
    Some(vec![settlement, other])
}

fn account_of_kind<'a>(discrepancy: &Discrepancy, accounts: &'a Accounts) -> Option<&'a str> {
    let kind = discrepancy.theirs.first()?.compared_kind();
    accounts.kinds.get(kind.name()).map(String::as_str)
}

/// Words for the client's statement, with the original reference.
fn narrative(discrepancy: &Discrepancy) -> String {
    let key = discrepancy.natural_key.as_ref();
    let reference = key.map(|it| it.text.as_ref()).or(first_text(&discrepancy.theirs));
    let reference = reference.unwrap_or(discrepancy.intent.as_str());
    format!("technical correction ({}), original reference {reference}", discrepancy.reason)
}

fn first_text<'a>(entries: &'a [Entry<'static>]) -> Option<&'a str> {
    entries.iter().map(|it| it.text.as_ref()).find(|it| !it.is_empty())
}
