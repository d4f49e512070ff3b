//! Keys: what both sides call an operation, and what must happen once.

use std::{borrow::Cow, fmt, str::FromStr};

use crate::domain::id::Parts;

/// What kind of name a natural key is; the same text under two schemes is two keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum KeyScheme {
    /// ISO 20022 `EndToEndId`, given by the initiating party and carried unchanged.
    EndToEndId,
    /// ISO 20022 `UETR`, unique end-to-end transaction reference (RFC 4122 version 4).
    Uetr,
    /// ISO 20022 `InstrId`, from one party to the next.
    InstructionId,
    /// ISO 20022 `TxId`, given by the first bank.
    TransactionId,
    /// ISO 20022 `PmtInfId`, the payer's batch.
    PaymentInformationId,
    /// ISO 20022 `AcctSvcrRef`, given by the account's bank.
    AccountServicerReference,
    /// ISO 20022 `NtryRef`, or another reference of a line given by the account's bank.
    EntryReference,
    /// ISO 20022 `MndtId`, a direct debit's mandate; shared by all its collections.
    MandateId,
    /// Number of a payment order, with what makes it unique.
    PaymentOrder,
    /// A payment provider's own reference.
    ProviderReference,
    /// A merchant's or client's own reference.
    MerchantReference,
    /// A group of operations settled together: payout, batch, clearing file.
    BatchId,
    /// A card scheme's acquirer reference number.
    AcquirerReference,
    /// File identity and record number, where a file's position names the operation.
    FileRecord,
}

impl KeyScheme {
    /// All schemes, in order.
    pub const ALL: [Self; 14] = [
        Self::EndToEndId,
        Self::Uetr,
        Self::InstructionId,
        Self::TransactionId,
        Self::PaymentInformationId,
        Self::AccountServicerReference,
        Self::EntryReference,
        Self::MandateId,
        Self::PaymentOrder,
        Self::ProviderReference,
        Self::MerchantReference,
        Self::BatchId,
        Self::AcquirerReference,
        Self::FileRecord,
    ];

    /// The name in configuration, SQL and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::EndToEndId => "end_to_end_id",
            Self::Uetr => "uetr",
            Self::InstructionId => "instruction_id",
            Self::TransactionId => "transaction_id",
            Self::PaymentInformationId => "payment_information_id",
            Self::AccountServicerReference => "account_servicer_reference",
            Self::EntryReference => "entry_reference",
            Self::MandateId => "mandate_id",
            Self::PaymentOrder => "payment_order",
            Self::ProviderReference => "provider_reference",
            Self::MerchantReference => "merchant_reference",
            Self::BatchId => "batch_id",
            Self::AcquirerReference => "acquirer_reference",
            Self::FileRecord => "file_record",
        }
    }

    /// Whether a group of operations normally shares the key, so that it never names one of them.
    pub fn is_group(self) -> bool {
        matches!(self, Self::BatchId | Self::MandateId | Self::PaymentInformationId)
    }
}

impl fmt::Display for KeyScheme {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

impl FromStr for KeyScheme {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|it| it.name() == text);
        found.ok_or_else(|| format!("`{text}` is no key scheme"))
    }
}

/// A natural key: its scheme and the exact text received.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NaturalKey<'a> {
    /// The scheme.
    pub scheme: KeyScheme,
    /// The text as received, case and inner blanks kept.
    pub text: Cow<'a, str>,
}

impl<'a> NaturalKey<'a> {
    /// A key, or `None` where the text says that there is none (`key_absent`, DESIGN §5):
    /// blank, `NOTPROVIDED` and its kin, `NONREF`, `/`, only zeros.
    pub fn given(scheme: KeyScheme, text: impl Into<Cow<'a, str>>) -> Option<Self> {
        let text = text.into();
        (!is_absent(&text)).then_some(Self { scheme, text })
    }

    /// The key with its own text.
    pub fn into_owned(self) -> NaturalKey<'static> {
        NaturalKey { scheme: self.scheme, text: Cow::Owned(self.text.into_owned()) }
    }
}

/// Texts that banks write where a reference is missing.
const ABSENT: [&str; 6] =
    ["NOTPROVIDED", "NOT PROVIDED", "NOTAVAILABLE", "NOT AVAILABLE", "NONREF", "EREF"];

fn is_absent(text: &str) -> bool {
    let text = text.trim();
    text.bytes().all(|byte| matches!(byte, b'0' | b'/' | b'-' | b'+'))
        || ABSENT.iter().any(|it| text.eq_ignore_ascii_case(it))
}

/// Whether a spreadsheet has damaged the key beyond knowing (`key_mangled`, DESIGN §5):
/// `1.2302025304E+022` or digits with a trailing `.0`.
pub fn is_mangled(text: &str) -> bool {
    let text = text.trim();
    let digits = |it: &str| !it.is_empty() && it.bytes().all(|byte| byte.is_ascii_digit());
    if let Some(whole) = text.strip_suffix(".0") {
        return digits(whole);
    }
    let Some((mantissa, exponent)) = text.split_once(['E', 'e']) else { return false };
    let exponent = exponent.strip_prefix(['+', '-']);
    let whole = mantissa.split_once(['.', ',']);
    exponent.is_some_and(digits) && whole.is_some_and(|(whole, rest)| digits(whole) && digits(rest))
}

/// Names what must happen once (DESIGN §8). Stated by our ledger, or derived by rule; opaque to
/// everyone outside.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IntentKey(String);

impl IntentKey {
    /// An intent key as our ledger states it, or `None` for a blank.
    pub fn stated(text: &str) -> Option<Self> {
        let text = text.trim();
        (!text.is_empty()).then(|| Self(text.to_owned()))
    }

    /// The key of an intent that our ledger does not state, derived from what names it.
    pub fn derived(parts: &Parts) -> Self {
        Self(parts.uuid().to_string())
    }

    /// The intent whose operation this key's correction repairs: `p-1` of `p-1:compensate:2`.
    pub fn corrected(&self) -> Option<Self> {
        let forms = [":compensate", ":adjust", ":book"];
        let at = forms.iter().filter_map(|form| self.0.rfind(form)).max()?;
        let tail = self.0[at + 1..].split_once(':');
        let numbered =
            tail.is_none_or(|(_, n)| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()));
        (at > 0 && numbered).then(|| Self(self.0[..at].to_owned()))
    }

    /// `<intent>:compensate`, `<intent>:compensate:2`, …: the k-th surplus posting taken back.
    #[must_use]
    pub fn compensate(&self, k: u32) -> Self {
        if k == 1 {
            return Self(format!("{}:compensate", self.0));
        }
        Self(format!("{}:compensate:{k}", self.0))
    }

    /// `<intent>:adjust:<n>`.
    #[must_use]
    pub fn adjust(&self, n: u32) -> Self {
        Self(format!("{}:adjust:{n}", self.0))
    }

    /// `<intent>:book`, `<intent>:book:2`, ….
    #[must_use]
    pub fn book(&self, n: u32) -> Self {
        if n == 1 {
            return Self(format!("{}:book", self.0));
        }
        Self(format!("{}:book:{n}", self.0))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for IntentKey {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_says_none_is_no_key() {
        for text in
            ["", "  ", "NOTPROVIDED", "notprovided", "NONREF", "/", "000000", "not provided"]
        {
            assert_eq!(NaturalKey::given(KeyScheme::EndToEndId, text), None, "{text}");
        }
        assert!(NaturalKey::given(KeyScheme::EndToEndId, "0001").is_some());
    }

    #[test]
    fn a_key_that_a_spreadsheet_damaged_is_told() {
        for (text, mangled) in [
            ("1.2302025304E+022", true),
            ("33992337.0", true),
            ("1,23E+5", true),
            ("INV-1.0", false),
            ("1E10", false),
            ("2444.1", false),
            ("3.E+1", false),
        ] {
            assert_eq!(is_mangled(text), mangled, "{text}");
        }
    }

    #[test]
    fn every_replay_derives_the_same_key() {
        let intent = IntentKey::stated("p-1").unwrap();
        assert_eq!(intent.compensate(1).as_str(), "p-1:compensate");
        assert_eq!(intent.compensate(2).as_str(), "p-1:compensate:2");
        assert_eq!(intent.adjust(1).as_str(), "p-1:adjust:1");
        assert_eq!(intent.book(1).as_str(), "p-1:book");
        for key in [intent.compensate(1), intent.compensate(2), intent.adjust(3), intent.book(1)] {
            assert_eq!(key.corrected(), Some(intent.clone()), "{key}");
        }
        assert_eq!(intent.corrected(), None);
        assert_eq!(intent.book(1).compensate(1).corrected(), Some(intent.book(1)));
    }
}
