//! Writes a line of canonical delimited text, as [`crate::sources::read`] takes it.

use std::io::{self, Write};

/// One line: commas between cells, quotes only where they are needed. What is absent is an empty
/// cell, an empty text a quoted one.
pub fn write_line<'t>(
    out: &mut dyn Write,
    cells: impl Iterator<Item = Option<&'t str>>,
) -> io::Result<()> {
    for (at, cell) in cells.enumerate() {
        if at > 0 {
            out.write_all(b",")?;
        }
        let Some(cell) = cell else { continue };
        if cell.is_empty() || cell.contains([',', '"', '\n', '\r']) {
            write!(out, "\"{}\"", cell.replace('"', "\"\""))?;
        } else {
            out.write_all(cell.as_bytes())?;
        }
    }
    out.write_all(b"\n")
}
