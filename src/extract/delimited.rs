//! The canonical file of an extract: UTF-8, commas, a header, a trailer that states the count.

use std::io::Write;

use chrono::NaiveDate;

use crate::extract::ExtractError;
use crate::sources::{EXTRACT_COUNT, EXTRACT_CUT_OFF, delimited::write_line};

/// Rows being written.
pub(super) struct Delimited<'a> {
    out: &'a mut (dyn Write + Send),
    rows: u64,
}

impl<'a> Delimited<'a> {
    pub(super) fn new(out: &'a mut (dyn Write + Send)) -> Self {
        Self { out, rows: 0 }
    }

    /// The number of the row that comes next, from 1.
    pub(super) fn next_row(&self) -> u64 {
        self.rows + 1
    }

    /// Writes the names of the columns, once before the first row.
    pub(super) fn header<'t>(
        &mut self,
        columns: impl Iterator<Item = &'t str>,
    ) -> Result<(), ExtractError> {
        self.line(columns.map(Some))
    }

    /// Writes one row; what is null is an empty cell, an empty text a quoted one.
    pub(super) fn row<'t>(
        &mut self,
        cells: impl Iterator<Item = Option<&'t str>>,
    ) -> Result<(), ExtractError> {
        self.line(cells)?;
        self.rows += 1;
        Ok(())
    }

    /// Writes what the file states of itself, and gives the number of rows.
    pub(super) fn finish(mut self, cut_off: Option<NaiveDate>) -> Result<u64, ExtractError> {
        let rows = self.rows.to_string();
        self.line([Some(EXTRACT_COUNT), Some(rows.as_str())].into_iter())?;
        if let Some(day) = cut_off {
            let day = day.to_string();
            self.line([Some(EXTRACT_CUT_OFF), Some(day.as_str())].into_iter())?;
        }
        self.out.flush()?;
        Ok(self.rows)
    }

    fn line<'t>(
        &mut self,
        cells: impl Iterator<Item = Option<&'t str>>,
    ) -> Result<(), ExtractError> {
        write_line(&mut *self.out, cells)?;
        Ok(())
    }
}
