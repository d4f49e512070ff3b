//! Which cell of a row stands for what.

use crate::config::{Column, Source};
use crate::sources::StatementError;

/// Where the amount stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Amounts {
    /// In one column, with its sign.
    Signed(usize),
    /// In one column, with a mark for its direction in another.
    Marked {
        /// The amount.
        amount: usize,
        /// The mark.
        mark: usize,
    },
    /// In one of two columns.
    Split {
        /// What goes out.
        debit: usize,
        /// What comes in.
        credit: usize,
    },
}

/// The columns of a file, found by their names.
#[derive(Debug)]
pub(super) struct Layout {
    /// The names, in the order of the file.
    pub names: Vec<String>,
    /// The amount.
    pub amounts: Amounts,
    /// The booking date.
    pub booking_date: usize,
    /// The currency.
    pub currency: Option<usize>,
    /// The account.
    pub account: Option<usize>,
    /// The currency before an exchange.
    pub original_currency: Option<usize>,
    /// Every other column that is mapped, in the order of the file.
    pub others: Vec<(Column, usize)>,
}

/// Why a row is no header of a profile.
#[derive(Debug)]
pub(super) struct Misfit {
    missing: Vec<String>,
    found: Vec<String>,
}

impl Misfit {
    /// The error, where no row fits better.
    pub(super) fn into_error(self) -> StatementError {
        let found: Vec<String> = self.found.iter().map(|it| format!("`{it}`")).collect();
        StatementError::Profile(format!(
            "no header has column {}; the nearest has {}",
            self.missing.join(", "),
            found.join(", ")
        ))
    }

    /// Whether this row is nearer to a header than another.
    pub(super) fn is_nearer(&self, than: &Self) -> bool {
        self.missing.len() < than.missing.len()
    }
}

impl Layout {
    /// The layout that a header gives, `Err` where columns are missing in it.
    pub(super) fn by_names(source: &Source, names: Vec<String>) -> Result<Self, Misfit> {
        let missing: Vec<String> = source
            .columns
            .iter()
            .filter(|(_, name)| place(name, &names).is_none())
            .map(|(column, name)| format!("`{name}` (`{}`)", column.name()))
            .collect();
        if !missing.is_empty() {
            return Err(Misfit { missing, found: names });
        }
        let at = |column| source.columns.get(&column).and_then(|name| place(name, &names));
        let amounts = match (at(Column::Amount), at(Column::Mark)) {
            (Some(amount), Some(mark)) => Some(Amounts::Marked { amount, mark }),
            (Some(amount), None) => Some(Amounts::Signed(amount)),
            (None, _) => at(Column::Debit)
                .zip(at(Column::Credit))
                .map(|(debit, credit)| Amounts::Split { debit, credit }),
        };
        let (Some(amounts), Some(booking_date)) = (amounts, at(Column::BookingDate)) else {
            let missing = vec!["`amount` or `booking_date`".to_owned()];
            return Err(Misfit { missing, found: names });
        };
        let mut others: Vec<(Column, usize)> = source
            .columns
            .iter()
            .filter(|(column, _)| !is_read_first(**column))
            .filter_map(|(column, name)| Some((*column, place(name, &names)?)))
            .collect();
        others.sort_by_key(|(column, at)| (*at, *column));
        Ok(Self {
            amounts,
            booking_date,
            currency: at(Column::Currency),
            account: at(Column::Account),
            original_currency: at(Column::OriginalCurrency),
            others,
            names,
        })
    }

    /// The layout of a file without a header, whose rows have this many cells.
    pub(super) fn by_places(source: &Source, width: usize) -> Result<Self, Misfit> {
        Self::by_names(source, (1..=width).map(|at| format!("#{at}")).collect())
    }

    /// An error where a mapped name stands twice in the header, so that none is meant.
    pub(super) fn check_unique(&self, source: &Source) -> Result<(), StatementError> {
        let twice = |name: &&String| self.names.iter().filter(|it| it == name).count() > 1;
        let Some(name) = source.columns.values().find(twice) else { return Ok(()) };
        let named = self.names.iter().enumerate().filter(|(_, it)| *it == name);
        let places: Vec<String> = named.map(|(at, _)| format!("`#{}`", at + 1)).collect();
        Err(StatementError::Profile(format!(
            "the header has column `{name}` more than once: name one by its place, {}",
            places.join(" or ")
        )))
    }

    /// The name of a column by its place.
    pub(super) fn name(&self, at: usize) -> &str {
        self.names.get(at).map_or("", String::as_str)
    }
}

/// Whether the column is read before the others, by its own place in [`Layout`].
fn is_read_first(column: Column) -> bool {
    matches!(
        column,
        Column::Amount
            | Column::Debit
            | Column::Credit
            | Column::Mark
            | Column::Currency
            | Column::Account
            | Column::BookingDate
            | Column::OriginalCurrency
    )
}

/// The place of a column by its name, or by `#` and its number.
fn place(name: &str, names: &[String]) -> Option<usize> {
    if let Some(at) = names.iter().position(|it| it == name) {
        return Some(at);
    }
    let number: usize = name.strip_prefix('#')?.parse().ok()?;
    (1..=names.len()).contains(&number).then(|| number - 1)
}
