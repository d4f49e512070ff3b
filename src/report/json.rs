//! The result as JSON: the same result gives the same bytes.

use std::io::{self, Write};

use serde::{Serialize, ser};
use serde_json::ser::{Formatter, Serializer};

use crate::report::ReportError;
use crate::report::view::ResultView;
use crate::report::visible::escaped;

/// The result as one line of JSON, in which no character acts on a terminal.
pub fn to_string(view: &ResultView) -> Result<String, ReportError> {
    Ok(harmless(view)?)
}

fn harmless(value: &impl Serialize) -> serde_json::Result<String> {
    let mut json = Vec::new();
    value.serialize(&mut Serializer::with_formatter(&mut json, Harmless))?;
    String::from_utf8(json).map_err(ser::Error::custom)
}

/// Compact JSON that escapes, beside what JSON must, what could act.
struct Harmless;

impl Formatter for Harmless {
    fn write_string_fragment<W>(&mut self, out: &mut W, fragment: &str) -> io::Result<()>
    where
        W: ?Sized + Write,
    {
        out.write_all(escaped(fragment).as_bytes())
    }
}

/// The result that a text of JSON holds.
pub fn read(text: &str) -> Result<ResultView, ReportError> {
    Ok(serde_json::from_str(text)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_keeps_its_content() {
        let text = "a\u{1b}\u{202e}\u{9b}\u{7f}\n\u{2028}שלום 🙂";
        let json = harmless(&text).unwrap();
        assert_eq!(json, r#""a\u001b\u202e\u009b\u007f\n\u2028שלום 🙂""#);
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
    }
}
