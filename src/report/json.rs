//! The result as JSON: the same result gives the same bytes.

use std::io::Write;

use crate::report::ReportError;
use crate::report::view::ResultView;
use crate::report::visible::escaped;

/// The result as one line of JSON, in which no character acts on a terminal.
pub fn to_string(view: &ResultView) -> Result<String, ReportError> {
    Ok(escaped(serde_json::to_string(view)?))
}

/// Writes the result as one line of JSON, ended, without holding its text in memory.
pub fn write(view: &ResultView, out: &mut impl Write) -> Result<(), ReportError> {
    serde_json::to_writer(&mut *out, view)?;
    writeln!(out).map_err(serde_json::Error::io)?;
    Ok(())
}

/// The result that a text of JSON holds.
pub fn read(text: &str) -> Result<ResultView, ReportError> {
    Ok(serde_json::from_str(text)?)
}
