//! Bytes as text: byte order mark, then valid UTF-8, then what the profile declares; a
//! contradiction is an error, and nothing is guessed.

use std::borrow::Cow;

use encoding_rs::{Decoder, IBM866, UTF_16BE, UTF_16LE, WINDOWS_1251, WINDOWS_1252};

use crate::config::Encoding;
use crate::sources::StatementError;

/// The encoding of one file, and what its bytes have shown of it so far.
#[derive(Debug)]
pub(super) struct Charset {
    encoding: Encoding,
    declared: bool,
    /// Whether text beyond ASCII was seen that is valid UTF-8, and text that is not.
    seen_utf8: bool,
    seen_other: bool,
}

/// Byte order marks and what they say.
const MARKS: [(&[u8], Encoding); 3] = [
    (b"\xef\xbb\xbf", Encoding::Utf8),
    (b"\xff\xfe", Encoding::Utf16Le),
    (b"\xfe\xff", Encoding::Utf16Be),
];

impl Charset {
    /// The encoding of a file that starts with these bytes, and the length of its byte order mark.
    pub(super) fn settle(
        start: &[u8],
        declared: Option<Encoding>,
    ) -> Result<(Self, usize), StatementError> {
        let mark = MARKS.into_iter().find(|(mark, _)| start.starts_with(mark));
        let (encoding, length) = match (mark, declared) {
            (Some((_, marked)), Some(declared)) if marked != declared => {
                return Err(contradiction(
                    declared,
                    &format!("begins with the mark of {}", name(marked)),
                ));
            }
            (Some((mark, marked)), _) => (marked, mark.len()),
            (None, Some(declared)) => (declared, 0),
            (None, None) => (Encoding::Utf8, 0),
        };
        let wide = matches!(encoding, Encoding::Utf16Le | Encoding::Utf16Be);
        if !wide && start.contains(&0) {
            return Err(StatementError::Encoding(
                "has zero bytes and no byte order mark: it is no text, or `encoding` is `utf-16le`"
                    .to_owned(),
            ));
        }
        let charset =
            Self { encoding, declared: declared.is_some(), seen_utf8: false, seen_other: false };
        Ok((charset, length))
    }

    /// The bytes of a cell as text; `Ok(None)` where they are none in a declared encoding.
    pub(super) fn decode<'b>(
        &mut self,
        bytes: &'b [u8],
    ) -> Result<Option<Cow<'b, str>>, StatementError> {
        let utf8 = std::str::from_utf8(bytes).ok();
        if let Some(text) = utf8
            && text.is_ascii()
        {
            return Ok(Some(Cow::Borrowed(text)));
        }
        match self.encoding {
            Encoding::Utf8 | Encoding::Utf16Le | Encoding::Utf16Be => match utf8 {
                Some(text) => Ok(Some(Cow::Borrowed(text))),
                None if self.declared => Ok(None),
                None => Err(StatementError::Encoding(format!(
                    "`{}` is not UTF-8, and no `encoding` is declared, as `windows-1251`",
                    String::from_utf8_lossy(bytes)
                ))),
            },
            Encoding::Windows1251
            | Encoding::Windows1252
            | Encoding::Cp866
            | Encoding::Iso88591 => {
                self.seen_utf8 |= utf8.is_some();
                self.seen_other |= utf8.is_none();
                Ok(one_byte(self.encoding, bytes))
            }
        }
    }

    /// Whether all text beyond ASCII was valid UTF-8 although another encoding is declared: then
    /// the declaration is wrong, and every name read by it.
    pub(super) fn finish(&self) -> Result<(), StatementError> {
        if self.seen_utf8 && !self.seen_other {
            return Err(contradiction(self.encoding, "is UTF-8 throughout"));
        }
        Ok(())
    }

    /// What turns the bytes of the file into UTF-8, where cells cannot be told before that.
    pub(super) fn transcoder(&self) -> Option<Decoder> {
        match self.encoding {
            Encoding::Utf16Le => Some(UTF_16LE.new_decoder_without_bom_handling()),
            Encoding::Utf16Be => Some(UTF_16BE.new_decoder_without_bom_handling()),
            Encoding::Utf8
            | Encoding::Windows1251
            | Encoding::Windows1252
            | Encoding::Cp866
            | Encoding::Iso88591 => None,
        }
    }
}

/// How many bytes of UTF-16 the characters of a UTF-8 text take.
pub(super) fn utf16_length(text: &[u8]) -> usize {
    // Two for each character, told by its first byte, and two more for one that takes four bytes.
    let first = text.iter().filter(|byte| (**byte & 0xc0) != 0x80).count();
    let long = text.iter().filter(|byte| **byte >= 0xf0).count();
    2 * (first + long)
}

fn one_byte(encoding: Encoding, bytes: &[u8]) -> Option<Cow<'_, str>> {
    let table = match encoding {
        Encoding::Windows1251 => WINDOWS_1251,
        Encoding::Windows1252 => WINDOWS_1252,
        Encoding::Cp866 => IBM866,
        Encoding::Iso88591 => return Some(encoding_rs::mem::decode_latin1(bytes)),
        Encoding::Utf8 | Encoding::Utf16Le | Encoding::Utf16Be => return None,
    };
    table.decode_without_bom_handling_and_without_replacement(bytes)
}

fn contradiction(declared: Encoding, what: &str) -> StatementError {
    StatementError::Encoding(format!(
        "`encoding` is declared as {}, and the file {what}",
        name(declared)
    ))
}

/// The name in the configuration.
fn name(encoding: Encoding) -> &'static str {
    match encoding {
        Encoding::Utf8 => "`utf-8`",
        Encoding::Utf16Le => "`utf-16le`",
        Encoding::Utf16Be => "`utf-16be`",
        Encoding::Windows1251 => "`windows-1251`",
        Encoding::Windows1252 => "`windows-1252`",
        Encoding::Cp866 => "`cp866`",
        Encoding::Iso88591 => "`iso-8859-1`",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Decodes one cell of a file that starts with it.
    fn check(bytes: &[u8], declared: Option<Encoding>, expected: Result<&str, &str>) {
        let decoded = Charset::settle(bytes, declared).and_then(|(mut charset, mark)| {
            let text = charset.decode(&bytes[mark..])?.map(Cow::into_owned);
            charset.finish()?;
            Ok(text.unwrap_or_else(|| "unreadable".to_owned()))
        });
        match expected {
            Ok(text) => assert_eq!(decoded.unwrap(), text),
            Err(part) => {
                let error = decoded.unwrap_err().to_string();
                assert!(error.contains(part), "{error}");
            }
        }
    }

    #[test]
    fn a_declared_encoding_is_read() {
        check(b"\xcf\xee\xef\xee\xe2", Some(Encoding::Windows1251), Ok("Попов"));
        check(b"\x8f\xae\xaf\xae\xa2", Some(Encoding::Cp866), Ok("Попов"));
        check(b"M\xfcller \x80", Some(Encoding::Windows1252), Ok("Müller €"));
        check(b"M\xfcller", Some(Encoding::Iso88591), Ok("Müller"));
        check("Попов".as_bytes(), Some(Encoding::Utf8), Ok("Попов"));
        check(b"\xcf\xee", Some(Encoding::Utf8), Ok("unreadable"));
    }

    #[test]
    fn without_a_declared_encoding_only_utf8_is_read() {
        check("Попов".as_bytes(), None, Ok("Попов"));
        check("\u{feff}Попов".as_bytes(), None, Ok("Попов"));
        check(b"\xcf\xee\xef\xee\xe2", None, Err("no `encoding` is declared"));
        check(b"a\0b\0", None, Err("utf-16le"));
    }

    #[test]
    fn a_declaration_that_the_bytes_contradict_is_refused() {
        check("Попов".as_bytes(), Some(Encoding::Windows1251), Err("UTF-8 throughout"));
        check(b"\xef\xbb\xbfPopov", Some(Encoding::Windows1251), Err("mark of `utf-8`"));
        check(b"\xff\xfeP\0", Some(Encoding::Utf16Be), Err("mark of `utf-16le`"));
    }

    #[test]
    fn the_length_in_utf16_is_that_of_the_file() {
        for text in ["abc", "Попов", "€𝄞x", ""] {
            assert_eq!(utf16_length(text.as_bytes()), 2 * text.encode_utf16().count());
        }
    }
}
