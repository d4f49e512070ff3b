//! What a bank transaction code says an entry is.
//!
//! The codes are those of the ISO 20022 external code list for bank transaction codes (domain,
//! family, sub-family), which iso20022.org publishes among its external code sets.

use crate::domain::entry::Kind;
use crate::sources::camt::tree::Element;

/// Sub-families that say what an entry is, whatever its domain and family.
const SUB_FAMILIES: [(&str, Kind); 37] = [
    ("RRTN", Kind::Return),     // reversal due to payment return
    ("XRTN", Kind::Return),     // the same across borders
    ("ARET", Kind::Return),     // ACH return
    ("UPDD", Kind::Return),     // reversal due to return, unpaid direct debit
    ("UPCQ", Kind::Return),     // unpaid cheque
    ("UDFT", Kind::Return),     // dishonoured or unpaid draft
    ("RPCR", Kind::Reversal),   // reversal due to payment cancellation request
    ("RCDD", Kind::Reversal),   // the same of a direct debit
    ("PRDD", Kind::Reversal),   // reversal due to payment reversal
    ("AREV", Kind::Reversal),   // ACH reversal
    ("CQRV", Kind::Reversal),   // cheque reversal
    ("RIMB", Kind::Reversal),   // reimbursement of an erroneous transaction
    ("UPCT", Kind::Chargeback), // unpaid card transaction
    ("FEES", Kind::Fee),        // fees
    ("CHRG", Kind::Fee),        // charges
    ("CHAR", Kind::Fee),        // overall charge for an account
    ("BKFE", Kind::Fee),        // bank fees for custody
    ("BROK", Kind::Fee),        // brokerage
    ("COMM", Kind::Fee),        // commission
    ("COME", Kind::Fee),        // commission excluding taxes
    ("COMI", Kind::Fee),        // commission including taxes
    ("COMT", Kind::Fee),        // commission not taxed
    ("TAXE", Kind::Fee),        // taxes on what is charged
    ("INTR", Kind::Interest),   // interest
    ("ADJT", Kind::Adjustment), // adjustments
    ("CAJT", Kind::Adjustment), // credit adjustments
    ("DAJT", Kind::Adjustment), // debit adjustments
    ("CSHA", Kind::Adjustment), // adjustment of a cash letter
    ("BCKV", Kind::Adjustment), // back value
    ("ERTA", Kind::Adjustment), // adjustment of an exchange rate
    ("FLTA", Kind::Adjustment), // adjustment of float
    ("COAT", Kind::Transfer),   // between own accounts of a company
    ("ACON", Kind::Transfer),   // ACH concentration
    ("BACT", Kind::Transfer),   // between branches
    ("ZABA", Kind::Transfer),   // zero balancing
    ("SWEP", Kind::Transfer),   // sweeping
    ("TOPG", Kind::Transfer),   // topping
];

/// Domains and families that say it where the sub-family does not; `*` stands for any family.
const FAMILIES: [(&str, &str, Kind); 7] = [
    ("PMNT", "RCCN", Kind::Transfer), // received cash concentration
    ("PMNT", "ICCN", Kind::Transfer), // issued cash concentration
    ("PMNT", "MCRD", Kind::Payout),   // a merchant's card transactions, settled
    ("PMNT", "*", Kind::Payment),
    ("CAMT", "ACCB", Kind::Transfer), // account balancing
    ("CAMT", "CAPL", Kind::Transfer), // cash pooling
    ("FORX", "*", Kind::Fx),
];

/// What the standard's code (`Domn`) of a record or detail says. A domain that is not known here is
/// [`Kind::Other`]. Where a bank states only its own code, and the profile does not tell what that
/// means, an entry is a payment, as every entry is of which nothing else is stated.
pub(super) fn kind(domain: Element<'_>) -> Kind {
    let sub_family = domain.text_at("Fmly/SubFmlyCd");
    if let Some((_, kind)) = SUB_FAMILIES.iter().find(|(code, _)| *code == sub_family) {
        return *kind;
    }
    let (name, family) = (domain.text_at("Cd"), domain.text_at("Fmly/Cd"));
    let known = FAMILIES.iter().find(|(it, of, _)| *it == name && (*of == "*" || *of == family));
    known.map_or(Kind::Other, |(_, _, kind)| *kind)
}
