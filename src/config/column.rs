//! What a column of a tabular source may stand for.

use serde::Deserialize;

use crate::domain::key::KeyScheme;

/// What a column of a source stands for; the key of `columns = { amount = "Betrag", … }`.
///
/// Every natural key goes by the name of its scheme: `end_to_end_id`, `provider_reference`, ….
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(try_from = "String")]
pub enum Column {
    /// The amount: signed, or unsigned beside a mark.
    Amount,
    /// Amounts that go out, in a column of their own.
    Debit,
    /// Amounts that come in, in a column of their own.
    Credit,
    /// The mark that tells the direction of an amount: `D`, `C`, ….
    Mark,
    /// The currency.
    Currency,
    /// The account.
    Account,
    /// The booking date.
    BookingDate,
    /// The value date.
    ValueDate,
    /// The kind, told by `kinds`.
    Kind,
    /// What a correction stands for, told by `kinds`.
    UnderlyingKind,
    /// The status, told by `statuses`.
    Status,
    /// The other party.
    Party,
    /// Free text.
    Text,
    /// The intent key.
    IntentKey,
    /// A natural key.
    Key(KeyScheme),
    /// A fee contained in the amount.
    Fee,
    /// The rate of an exchange.
    Rate,
    /// The amount before an exchange.
    OriginalAmount,
    /// The currency of the amount before an exchange.
    OriginalCurrency,
    /// A rest still outstanding.
    Rest,
    /// The accounting period.
    Period,
    /// The key of the entry that this one takes back.
    Reverses,
    /// How many entries its group has.
    GroupSize,
    /// When it happened.
    EventAt,
    /// The road by which it came.
    Channel,
    /// The client's own key.
    ClientKey,
    /// The balance after the entry, which proves the amounts.
    Balance,
}

impl Column {
    /// Whether it names the operation.
    pub fn names_operation(self) -> bool {
        matches!(self, Self::Key(_) | Self::IntentKey)
    }

    /// All but the natural keys, with their names in the configuration.
    const NAMES: [(Self, &'static str); 26] = [
        (Self::Amount, "amount"),
        (Self::Debit, "debit"),
        (Self::Credit, "credit"),
        (Self::Mark, "mark"),
        (Self::Currency, "currency"),
        (Self::Account, "account"),
        (Self::BookingDate, "booking_date"),
        (Self::ValueDate, "value_date"),
        (Self::Kind, "kind"),
        (Self::UnderlyingKind, "underlying_kind"),
        (Self::Status, "status"),
        (Self::Party, "party"),
        (Self::Text, "text"),
        (Self::IntentKey, "intent_key"),
        (Self::Fee, "fee"),
        (Self::Rate, "rate"),
        (Self::OriginalAmount, "original_amount"),
        (Self::OriginalCurrency, "original_currency"),
        (Self::Rest, "rest"),
        (Self::Period, "period"),
        (Self::Reverses, "reverses"),
        (Self::GroupSize, "group_size"),
        (Self::EventAt, "event_at"),
        (Self::Channel, "channel"),
        (Self::ClientKey, "client_key"),
        (Self::Balance, "balance"),
    ];

    /// The name in the configuration.
    pub fn name(self) -> &'static str {
        if let Self::Key(scheme) = self {
            return scheme.name();
        }
        Self::NAMES.iter().find(|(column, _)| *column == self).map_or("", |(_, name)| name)
    }
}

impl TryFrom<String> for Column {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        if let Some((column, _)) = Self::NAMES.iter().find(|(_, name)| *name == text) {
            return Ok(*column);
        }
        match text.parse() {
            Ok(KeyScheme::FileRecord) => {
                Err("`file_record` is a record's place in its file, and no column".to_owned())
            }
            Ok(scheme) => Ok(Self::Key(scheme)),
            Err(_) => Err(format!("`{text}` is nothing that a column may stand for")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_column_is_read_back_from_its_name() {
        let keys = KeyScheme::ALL.into_iter().filter(|it| *it != KeyScheme::FileRecord);
        let all = Column::NAMES.into_iter().map(|(it, _)| it).chain(keys.map(Column::Key));
        for column in all {
            assert_eq!(Column::try_from(column.name().to_owned()), Ok(column));
        }
        assert!(Column::try_from("file_record".to_owned()).is_err());
        assert!(Column::try_from("amuont".to_owned()).is_err());
    }
}
