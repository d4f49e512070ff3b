//! A file's bytes as UTF-8 text, with every position counted in bytes as received.

use std::io::{self, BufRead, Chain, Cursor, Read};

use encoding_rs::{Decoder, DecoderResult, Encoding, UTF_8, UTF_16BE, UTF_16LE};

/// The longest tag, text or comment. ISO 20022 texts have at most a few hundred characters.
const TOKEN_LIMIT: usize = 1 << 20;

/// How much of the beginning is looked at for the XML declaration.
const PROLOG_LIMIT: usize = 1024;

/// How much text is decoded at once.
const CHUNK: usize = 1 << 14;

/// A file as UTF-8. What it cannot give as text is an [`io::ErrorKind::InvalidData`].
pub(super) struct Feed<'a> {
    input: Chain<Cursor<Vec<u8>>, &'a mut dyn BufRead>,
    decoding: Option<Decoding>,
    position: u64,
    token: usize,
}

/// The state of decoding from an encoding other than UTF-8.
struct Decoding {
    encoding: &'static Encoding,
    decoder: Decoder,
    text: String,
    at: usize,
    ended: bool,
}

impl<'a> Feed<'a> {
    /// Looks at the byte order mark and the XML declaration to learn the encoding.
    pub(super) fn new(input: &'a mut dyn BufRead) -> io::Result<Self> {
        let head = prolog(input)?;
        let (encoding, mark) = encoding_of(&head)?;
        let decoding = (encoding != UTF_8).then(|| Decoding {
            encoding,
            decoder: encoding.new_decoder_without_bom_handling(),
            text: String::with_capacity(CHUNK),
            at: 0,
            ended: false,
        });
        let position = u64::try_from(mark).unwrap_or(0);
        let input = Cursor::new(head[mark..].to_vec()).chain(input);
        Ok(Self { input, decoding, position, token: 0 })
    }

    /// How many bytes of the file, as received, have been consumed.
    pub(super) fn position(&self) -> u64 {
        self.position
    }

    /// Starts to measure the next token; the one before may have come in one piece.
    pub(super) fn begin_token(&mut self) -> io::Result<()> {
        self.check_token()?;
        self.token = 0;
        Ok(())
    }

    fn check_token(&self) -> io::Result<()> {
        if self.token > TOKEN_LIMIT {
            return Err(invalid(format!("a tag or text is longer than {TOKEN_LIMIT} bytes")));
        }
        Ok(())
    }
}

impl Read for Feed<'_> {
    fn read(&mut self, target: &mut [u8]) -> io::Result<usize> {
        let taken = self.fill_buf()?.read(target)?;
        self.consume(taken);
        Ok(taken)
    }
}

impl BufRead for Feed<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.check_token()?;
        match &mut self.decoding {
            None => self.input.fill_buf(),
            Some(decoding) => decoding.fill(&mut self.input),
        }
    }

    fn consume(&mut self, amount: usize) {
        self.token += amount;
        let received = match &mut self.decoding {
            None => {
                self.input.consume(amount);
                amount
            }
            Some(decoding) => decoding.consume(amount),
        };
        self.position += u64::try_from(received).unwrap_or(0);
    }
}

impl Decoding {
    fn fill(&mut self, input: &mut impl BufRead) -> io::Result<&[u8]> {
        while self.at == self.text.len() && !self.ended {
            self.text.clear();
            self.at = 0;
            let raw = input.fill_buf()?;
            let last = raw.is_empty();
            let (result, read) =
                self.decoder.decode_to_string_without_replacement(raw, &mut self.text, last);
            input.consume(read);
            match result {
                DecoderResult::InputEmpty => self.ended = last,
                DecoderResult::OutputFull => {}
                DecoderResult::Malformed(..) => {
                    return Err(invalid(format!("bytes that are no {}", self.encoding.name())));
                }
            }
        }
        Ok(&self.text.as_bytes()[self.at..])
    }

    /// Consumes decoded bytes and tells how many bytes of the file they were. Every character is
    /// one byte there, or in UTF-16 one or two pairs of bytes.
    fn consume(&mut self, amount: usize) -> usize {
        let taken = &self.text.as_bytes()[self.at..self.at + amount];
        self.at += amount;
        let characters = taken.iter().filter(|byte| **byte & 0xC0 != 0x80).count();
        if self.encoding.is_single_byte() {
            return characters;
        }
        let surrogates = taken.iter().filter(|byte| **byte >= 0xF0).count();
        2 * (characters + surrogates)
    }
}

/// The beginning of the file up to the end of its first tag.
fn prolog(input: &mut dyn BufRead) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    while head.len() < PROLOG_LIMIT {
        let more = input.fill_buf()?;
        if more.is_empty() {
            break;
        }
        let room = PROLOG_LIMIT - head.len();
        let end = more.iter().position(|byte| *byte == b'>').map(|at| at + 1);
        let taken = end.unwrap_or(more.len()).min(room);
        head.extend_from_slice(&more[..taken]);
        input.consume(taken);
        if end.is_some_and(|end| end <= taken) {
            break;
        }
    }
    Ok(head)
}

/// The encoding and the length of the byte order mark.
fn encoding_of(head: &[u8]) -> io::Result<(&'static Encoding, usize)> {
    if let Some((encoding, length)) = Encoding::for_bom(head) {
        return Ok((encoding, length));
    }
    match head {
        [b'<', 0, ..] => return Ok((UTF_16LE, 0)),
        [0, b'<', ..] => return Ok((UTF_16BE, 0)),
        _ => {}
    }
    let Some(label) = declared(head) else { return Ok((UTF_8, 0)) };
    let readable = |it: &&'static Encoding| *it == UTF_8 || it.is_single_byte();
    let encoding = Encoding::for_label(label).filter(readable);
    encoding.map(|it| (it, 0)).ok_or_else(|| {
        let label = String::from_utf8_lossy(label);
        invalid(format!("encoding `{label}` is not read, only UTF-8, UTF-16 and single-byte ones"))
    })
}

/// What stands in `encoding="…"` of the XML declaration.
fn declared(head: &[u8]) -> Option<&[u8]> {
    let rest = head.strip_prefix(b"<?xml")?;
    let at = rest.windows(8).position(|it| it == b"encoding")?;
    let rest = rest[at + 8..].trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let (quote, rest) = rest.split_first().filter(|(it, _)| matches!(it, b'"' | b'\''))?;
    let end = rest.iter().position(|byte| byte == quote)?;
    Some(&rest[..end])
}

fn invalid(what: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}
