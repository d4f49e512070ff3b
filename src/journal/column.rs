//! Columns of rows on their way out of the database, as the types of the house.

use std::str::FromStr;

use sqlx::{
    Row as _, TypeInfo as _, ValueRef as _,
    any::{AnyRow, AnyTypeInfoKind},
};

use crate::domain::money::{Currency, Money};
use crate::journal::{
    JournalError,
    row::{Value, parse_currency},
    table::Table,
};

/// A column of any type, as it is hashed.
pub(super) fn value(row: &AnyRow, column: &str) -> Result<Value, JournalError> {
    let raw = row.try_get_raw(column)?;
    let info = raw.type_info();
    if raw.is_null() || info.is_null() {
        return Ok(Value::Text(None));
    }
    if info.kind() == AnyTypeInfoKind::Text {
        return Ok(Value::Text(row.try_get(column)?));
    }
    Ok(Value::Int(row.try_get(column)?))
}

/// A text.
pub(super) fn get(row: &AnyRow, column: &str) -> Result<String, JournalError> {
    Ok(row.try_get(column)?)
}

/// A text that may be null.
pub(super) fn get_if(row: &AnyRow, column: &str) -> Result<Option<String>, JournalError> {
    Ok(row.try_get(column)?)
}

/// A number.
pub(super) fn number(row: &AnyRow, column: &str) -> Result<i64, JournalError> {
    Ok(row.try_get(column)?)
}

/// A number that may be null.
pub(super) fn number_if(row: &AnyRow, column: &str) -> Result<Option<i64>, JournalError> {
    Ok(row.try_get(column)?)
}

/// The columns of one row, with the table it is of, for the words of an error.
#[derive(Clone, Copy)]
pub(super) struct Columns<'a> {
    table: &'static Table,
    row: &'a AnyRow,
}

impl<'a> Columns<'a> {
    /// The columns of a row of a table.
    pub(super) fn of(table: &'static Table, row: &'a AnyRow) -> Self {
        Self { table, row }
    }

    /// A text that `read` understands.
    pub(super) fn read<T>(
        self,
        column: &'static str,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, JournalError> {
        let text = get(self.row, column)?;
        read(&text).ok_or_else(|| self.unreadable(column, &text))
    }

    /// A text that `read` understands, where it is not null.
    pub(super) fn read_if<T>(
        self,
        column: &'static str,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Result<Option<T>, JournalError> {
        let text = get_if(self.row, column)?;
        text.map(|text| read(&text).ok_or_else(|| self.unreadable(column, &text))).transpose()
    }

    /// A text that parses.
    pub(super) fn parse<T: FromStr>(self, column: &'static str) -> Result<T, JournalError> {
        self.read(column, |text| text.parse().ok())
    }

    /// A text that parses, where it is not null.
    pub(super) fn parse_if<T: FromStr>(
        self,
        column: &'static str,
    ) -> Result<Option<T>, JournalError> {
        self.read_if(column, |text| text.parse().ok())
    }

    /// A number that fits.
    pub(super) fn fit<T: TryFrom<i64>>(self, column: &'static str) -> Result<T, JournalError> {
        let number = number(self.row, column)?;
        T::try_from(number).map_err(|_| self.unreadable(column, &number.to_string()))
    }

    /// A number that fits, where it is not null.
    pub(super) fn fit_if<T: TryFrom<i64>>(
        self,
        column: &'static str,
    ) -> Result<Option<T>, JournalError> {
        let Some(number) = number_if(self.row, column)? else { return Ok(None) };
        T::try_from(number).map(Some).map_err(|_| self.unreadable(column, &number.to_string()))
    }

    /// A currency, where it is not null.
    pub(super) fn currency_if(
        self,
        column: &'static str,
    ) -> Result<Option<Currency>, JournalError> {
        self.read_if(column, parse_currency)
    }

    /// An amount: a column of minor units and one of their currency.
    pub(super) fn money(
        self,
        minor: &'static str,
        currency: &'static str,
    ) -> Result<Money, JournalError> {
        Ok(Money::new(number(self.row, minor)?, self.read(currency, parse_currency)?))
    }

    /// A text.
    pub(super) fn text(self, column: &str) -> Result<String, JournalError> {
        get(self.row, column)
    }

    /// A text that may be null.
    pub(super) fn text_if(self, column: &str) -> Result<Option<String>, JournalError> {
        get_if(self.row, column)
    }

    /// That a column says what no version of this program writes.
    pub(super) fn unreadable(self, column: &'static str, text: &str) -> JournalError {
        JournalError::Unreadable { table: self.table.name, what: column, text: text.to_owned() }
    }
}
