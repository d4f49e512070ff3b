//! The words in English.

use super::{Text, text};
use crate::domain::{
    correction::State,
    discrepancy::Pairing,
    entry::{Kind, RejectReason, Status},
    reason::{Cause, Reason},
    run::{Doubt, Independence},
    statement::FileVerdict,
};

#[expect(clippy::too_many_lines, reason = "one arm for each reason, none to be left out")]
pub(super) fn reason(reason: Reason) -> Text {
    match reason {
        Reason::CorrectionOvertaken => text(
            "Correction overtaken",
            "The original entry arrived after we had corrected for its absence, so our books now hold it twice.",
        ),
        Reason::CorrectionNotEffective => text(
            "Correction without effect",
            "A correction was posted, and the sides still do not meet.",
        ),
        Reason::ChangedAfterAgreement => text(
            "Changed after agreement",
            "An operation on which both sides agreed earlier reads otherwise today.",
        ),
        Reason::Backdated => {
            text("Backdated", "An entry was written into a period that was already closed.")
        }
        Reason::KeyCollision => text(
            "Two operations, one reference",
            "The reference equals another only after repair, and the exact pair exists as well.",
        ),
        Reason::Ambiguous => text(
            "More than one explanation",
            "Several pairings explain these entries equally well, so none was chosen.",
        ),
        Reason::GroupIncomplete => text(
            "Group incomplete",
            "Fewer members of the group have arrived than it states to have.",
        ),
        Reason::SplitDiffers => text(
            "Split does not add up",
            "One operation stands in several parts on the other side, and the parts do not add up to it.",
        ),
        Reason::GroupSumDiffers => {
            text("Group total differs", "Both sides hold the group, and its totals differ.")
        }
        Reason::Residual => text(
            "Rest of a group",
            "Part of the group's total is explained by none of its members.",
        ),
        Reason::RepeatedBoth => text(
            "Paid twice, booked twice",
            "One operation was booked more than once and executed more than once: the books agree, and somebody paid twice.",
        ),
        Reason::DirectionDiffers => {
            text("Opposite direction", "One side tells of money in, the other of money out.")
        }
        Reason::AmountByRate => text(
            "Differs by the exchange rate",
            "The amounts differ by exactly the exchange rate that is stated.",
        ),
        Reason::CurrencyDiffers => text(
            "Currency differs",
            "The sides name different currencies, and no stated rate explains it.",
        ),
        Reason::WithinTolerance => text(
            "Within tolerance",
            "The amounts differ by no more than the agreed tolerance; listed and summed, but not chased.",
        ),
        Reason::AmountShifted => text(
            "Decimal point shifted",
            "The amounts differ by a power of ten, as if a decimal point had slipped.",
        ),
        Reason::AmountNetOfFee => {
            text("Fee deducted", "The amounts differ by exactly the fees that are stated.")
        }
        Reason::AmountByRounding => text(
            "Rounding",
            "The amounts differ by at most half of the smallest unit for each component.",
        ),
        Reason::AmountPartial => text(
            "Partial amount",
            "Only a part has moved; the amount that differs is stated as still outstanding.",
        ),
        Reason::AmountOver => text(
            "Their amount is larger",
            "Both sides hold the operation, theirs for a larger amount.",
        ),
        Reason::AmountUnder => text(
            "Their amount is smaller",
            "Both sides hold the operation, theirs for a smaller amount.",
        ),
        Reason::KindDiffers => text(
            "Kind of operation differs",
            "The sides call the same operation different things, such as a payment and a refund.",
        ),
        Reason::StateDiffers => {
            text("State differs", "The sides hold the operation in different states.")
        }
        Reason::PartyDiffers => text(
            "Party differs",
            "The sides name different parties: the money may have gone to somebody else.",
        ),
        Reason::AccountDiffers => {
            text("Account differs", "The sides name different accounts for the same operation.")
        }
        Reason::FeeDiffers => {
            text("Fee differs", "The sides state different fees for the same operation.")
        }
        Reason::PeriodDiffers => text(
            "Accounting period differs",
            "The sides put the operation into different accounting periods.",
        ),
        Reason::DateDiffers => text(
            "Booking date differs",
            "The booking dates lie further apart than the pairing rule allows.",
        ),
        Reason::KeyRepaired => text(
            "Reference written differently",
            "The references are equal only after a known repair, such as of letter case or leading zeros.",
        ),
        Reason::UncoveredOurs => text(
            "Outside our ledger extract",
            "They booked it on a day that our ledger extract does not cover, so nobody can say that we lack it.",
        ),
        Reason::ElsewhereOurs => text(
            "In our books elsewhere",
            "Our books hold it, but under another account or reconciliation.",
        ),
        Reason::DoneDespiteRefusal => {
            text("Done although refused", "Our books say that it was refused; they booked it.")
        }
        Reason::OutcomeUnknown => {
            text("Outcome never learned", "We never learned how it ended; they booked it.")
        }
        Reason::RepeatedTheirs => text(
            "Repeated by the counterparty",
            "The counterparty booked one operation more than once.",
        ),
        Reason::ReturnUnbooked => text(
            "Return not in our books",
            "A payment was sent back, and our books do not show it.",
        ),
        Reason::ChargebackUnbooked => text(
            "Chargeback not in our books",
            "A card payment was charged back, and our books do not show it.",
        ),
        Reason::ChargebackReversalUnbooked => text(
            "Won chargeback not in our books",
            "A chargeback was decided in our favour, and our books do not show the money.",
        ),
        Reason::RefundUnbooked => {
            text("Refund not in our books", "They gave money back, and our books do not show it.")
        }
        Reason::ReversalUnbooked => text(
            "Reversal not in our books",
            "They undid an entry of theirs, and our books do not show it.",
        ),
        Reason::FeeUnbooked => {
            text("Fee not in our books", "They charged a fee, and our books do not show it.")
        }
        Reason::AdjustmentUnbooked => text(
            "Adjustment not in our books",
            "They adjusted the account, and our books do not show it.",
        ),
        Reason::PayoutUnbooked => text(
            "Payout not in our books",
            "They paid out a settlement, and our books do not show it.",
        ),
        Reason::LateOurs => text(
            "Our entry may still come",
            "Money came in that our books may still bring in the days allowed for it.",
        ),
        Reason::Unattributed => text(
            "Theirs, without a usable reference",
            "They have it, we do not, and it carries no reference by which to find the operation.",
        ),
        Reason::MissingOurs => text(
            "Missing in our books",
            "They have it, we do not: money moved that our books know nothing of.",
        ),
        Reason::RefusedTheirs => text(
            "Refused by the counterparty",
            "Our books say that it was booked; they refused it.",
        ),
        Reason::PendingTheirs => text(
            "Announced, not yet booked",
            "The counterparty has announced it and not booked it yet.",
        ),
        Reason::ElsewhereTheirs => text(
            "In their books elsewhere",
            "Their books hold it, but under another account or reconciliation.",
        ),
        Reason::ExpiredTheirs => text(
            "Expired at the counterparty",
            "The counterparty let the operation expire, so no money will move.",
        ),
        Reason::RepeatedOurs => {
            text("Repeated in our books", "Our books hold one operation more than once.")
        }
        Reason::InTransit => {
            text("In transit", "We have booked it, and it is not due at the counterparty yet.")
        }
        Reason::Uncovered => text(
            "No statement for its day",
            "It is due, and the statement that should show it is absent, has a gap or does not balance.",
        ),
        Reason::Vanished => text(
            "Vanished from their books",
            "The counterparty showed it before and shows it no longer.",
        ),
        Reason::NotExecuted => text(
            "Never executed",
            "We did not learn how it ended; their complete statement past the due date does not show it, so no money moved.",
        ),
        Reason::MissingTheirs => text(
            "Missing at the counterparty",
            "We have booked it and it is due, and their complete statement does not show it.",
        ),
    }
}

pub(super) fn cause(cause: Cause) -> Text {
    match cause {
        Cause::RetrySameIntent => {
            text("Request repeated", "The same intent was posted again within seconds.")
        }
        Cause::RetryNewKey => text(
            "Request repeated under a new key",
            "The same money, party and account came again under another key, inside the repeat window.",
        ),
        Cause::RedeliveredEvent => {
            text("Event delivered again", "A notification came a second time, hours apart.")
        }
        Cause::ReplayedFile => text("File processed again", "A file was taken a second time."),
        Cause::OperatorRepeat => {
            text("Done again by a person", "A person did it again, days or weeks apart.")
        }
        Cause::WindowExpired => text(
            "Protection had expired",
            "It came again after the time for which repeats are recognised.",
        ),
        Cause::Undetermined => {
            text("Cause not established", "The evidence does not tell how the repeat came about.")
        }
    }
}

pub(super) fn file_verdict(verdict: FileVerdict) -> Text {
    match verdict {
        FileVerdict::Unreadable => text(
            "Unreadable",
            "The file is of no known format or broken inside; nothing of it was used.",
        ),
        FileVerdict::Foreign => text(
            "Foreign",
            "The file is of another account, currency or environment than expected; nothing of it was used.",
        ),
        FileVerdict::Repeated => text(
            "Taken before",
            "The same file or statement was taken before; nothing of it was counted again.",
        ),
        FileVerdict::Restated => text(
            "Restated",
            "The same statement came with other content; the earlier version stays in force until a person decides.",
        ),
        FileVerdict::Incomplete => {
            text("Incomplete", "A trailer, a page or part of the stated count is missing.")
        }
        FileVerdict::OutOfBalance => {
            text("Out of balance", "Opening balance and movements do not give the closing balance.")
        }
        FileVerdict::TotalsDiffer => {
            text("Totals differ", "A stated total differs from the sum of what was read.")
        }
        FileVerdict::Gap => text(
            "Gap",
            "A statement or day between this file and the one before it was never seen.",
        ),
        FileVerdict::Overlapping => {
            text("Overlapping", "The file covers days already covered; only its new records count.")
        }
        FileVerdict::Overdue => text("Overdue", "The file was expected and has not come."),
        FileVerdict::NotIndependent => {
            text("Not independent", "The file shares its origin with the other side.")
        }
        FileVerdict::Empty => text("Empty", "The file is in order and holds no entry."),
        FileVerdict::Accepted => text("Accepted", "The file is in order."),
    }
}

pub(super) fn doubt(doubt: Doubt) -> Text {
    match doubt {
        Doubt::FileAbsent => text("A file is absent", "A file that was expected has not come."),
        Doubt::FileUnreadable => text(
            "A file cannot be read",
            "A file that came cannot be read: see why under evidence.",
        ),
        Doubt::FileUnfit => text(
            "A file is unfit",
            "A file could not be relied on: see its verdict under evidence.",
        ),
        Doubt::Uncovered => text(
            "Days without evidence",
            "Some items lie on days for which the other side's evidence is not complete.",
        ),
        Doubt::RejectedMoney => {
            text("Money was rejected", "Records that may carry money could not be read.")
        }
        Doubt::Unexplained => text(
            "Something is unexplained",
            "The proof leaves an amount that nothing listed explains.",
        ),
        Doubt::OpeningNotAccepted => text(
            "Opening not signed off",
            "The sides began with a difference that nobody has signed off.",
        ),
        Doubt::SelfTestMissed => text(
            "The self-test failed",
            "A fault planted on purpose was not found, so this run cannot be trusted.",
        ),
        Doubt::NotIndependent => text(
            "Not independent",
            "Both sides come from one origin, so their agreement proves nothing.",
        ),
        Doubt::NothingCompared => {
            text("Nothing was compared", "No entry was compared with another.")
        }
        Doubt::Restated => text(
            "A statement was restated",
            "A statement came again with other content, and nobody has decided which one holds.",
        ),
    }
}

pub(super) fn reject_reason(reason: RejectReason) -> Text {
    match reason {
        RejectReason::FieldUnreadable => {
            text("Field unreadable", "A field that must be read cannot be read.")
        }
        RejectReason::NumberAmbiguous => {
            text("Number ambiguous", "The number may mean two different amounts.")
        }
        RejectReason::DecimalsBeyondCurrency => {
            text("Too many decimals", "The amount has more decimals than its currency allows.")
        }
        RejectReason::KindUnknown => text(
            "Code unknown",
            "The kind, status or mark is not known to the profile of this source.",
        ),
        RejectReason::KeyMangled => {
            text("Reference damaged", "A spreadsheet has damaged the reference beyond knowing.")
        }
    }
}

pub(super) fn pairing(pairing: Pairing) -> Text {
    match pairing {
        Pairing::Both => text("Both sides", "Both sides hold it."),
        Pairing::OursOnly => text("Ours only", "Only our books hold it."),
        Pairing::TheirsOnly => text("Theirs only", "Only the counterparty's books hold it."),
    }
}

pub(super) fn independence(independence: Independence) -> Text {
    match independence {
        Independence::Yes => text(
            "Yes",
            "The sides are declared to have separate origins, and none was found shared.",
        ),
        Independence::No => text(
            "No",
            "Both sides were found to share an origin, so their agreement proves nothing.",
        ),
        Independence::NotEstablished => text(
            "Not established",
            "The origins of the two sides are not declared, so the agreement may be one source compared with itself.",
        ),
    }
}

pub(super) fn kind(kind: Kind) -> Text {
    match kind {
        Kind::Payment => text("Payment", "Money paid, in or out."),
        Kind::Refund => text("Refund", "Money given back by a business decision."),
        Kind::Chargeback => {
            text("Chargeback", "A card payment taken back through the card scheme.")
        }
        Kind::ChargebackReversal => {
            text("Chargeback reversal", "A chargeback decided in our favour.")
        }
        Kind::Return => text("Return", "A payment sent back by a bank."),
        Kind::Reversal => text("Reversal", "An entry undone by whoever made it."),
        Kind::Fee => text("Fee", "A fee or commission."),
        Kind::Interest => text("Interest", "Interest received or paid."),
        Kind::Payout => text("Payout", "A provider's settlement of many operations."),
        Kind::Fx => text("Currency exchange", "One currency exchanged for another."),
        Kind::Adjustment => text("Adjustment", "An adjustment made by the counterparty."),
        Kind::Transfer => text("Transfer", "A transfer between accounts of one owner."),
        Kind::Correction => text(
            "Technical correction",
            "A technical entry that repairs our books; never a refund.",
        ),
        Kind::Other => text("Other", "None of the named kinds."),
    }
}

pub(super) fn status(status: Status) -> Text {
    match status {
        Status::Booked => text("Booked", "Money moved."),
        Status::Pending => text("Pending", "Announced and not booked."),
        Status::Refused => text("Refused", "No money will move."),
        Status::Unknown => text("Unknown", "The outcome was never learned."),
    }
}

pub(super) fn state(state: State) -> Text {
    match state {
        State::Proposed => text("Proposed", "Prepared; nobody has decided."),
        State::Approved => text("Approved", "Approved by another person than its maker."),
        State::Posted => text("Posted", "Written into the journal."),
        State::Delivered => text("Delivered", "Taken by the ledger."),
        State::Verified => text("Verified", "Seen in the ledger extract, with nothing left open."),
        State::Rejected => text("Rejected", "Refused by a person."),
        State::Withdrawn => text("Withdrawn", "Taken back by its maker."),
        State::Void => text("Void", "Overtaken by other evidence."),
        State::Expired => text("Expired", "Not decided in time."),
    }
}
