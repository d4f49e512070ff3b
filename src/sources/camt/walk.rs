//! Walking through the XML, one element at a time.

use std::io::{self, BufRead};

use quick_xml::{
    Error, Reader,
    events::{BytesRef, BytesStart, Event},
};

use crate::sources::{
    StatementError,
    camt::{
        feed::Feed,
        tree::{NODE_LIMIT, Tree},
    },
};

/// The deepest that elements may lie inside each other; ISO 20022 needs about 15.
const DEPTH_LIMIT: usize = 64;

/// The longest record in bytes.
const RECORD_LIMIT: u64 = 256 << 20;

/// What a file is that goes on behind its document.
const TWO: &str = "two files in one, or one that was overwritten in part";

/// What comes next in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// An element begins; [`Walk::name`] tells which.
    Open {
        /// Its first byte in the file.
        start: u64,
    },
    /// The element that is open ends.
    Close,
    /// Text of the element that is open, in [`Walk::text`].
    Text,
    /// The file ends.
    End,
}

/// Where the walk is, and what it saw last.
pub(super) struct Walk<'a> {
    reader: Reader<Feed<'a>>,
    buffer: Vec<u8>,
    tag: Tag,
    text: String,
}

/// The element that began last, and how deep the walk is.
#[derive(Default)]
struct Tag {
    depth: usize,
    name: String,
    prefix: String,
    /// Whether the one element that holds all others has begun.
    rooted: bool,
    currency: String,
    /// Namespaces declared by open elements: depth, prefix, name.
    bindings: Vec<(usize, String, String)>,
}

impl Tag {
    fn begin(&mut self, start: u64, tag: &BytesStart<'_>) -> Result<(), StatementError> {
        if self.depth == 0 && self.rooted {
            return broken(start, format!("something follows the end of the document: {TWO}"));
        }
        self.rooted = true;
        self.depth += 1;
        if self.depth > DEPTH_LIMIT {
            return broken(start, format!("elements lie deeper than {DEPTH_LIMIT}"));
        }
        self.name.clear();
        self.name.push_str(tag.local_name().into_inner());
        self.prefix.clear();
        self.prefix.push_str(tag.name().prefix().map_or("", |it| it.into_inner()));
        self.currency.clear();
        if tag.attributes_raw().trim().is_empty() {
            return Ok(());
        }
        for attribute in tag.attributes() {
            let broken = |what: String| StatementError::Malformed { at: start, what };
            let attribute = attribute.map_err(|error| broken(error.to_string()))?;
            let value = attribute.value.trim();
            let key = attribute.key.into_inner();
            if key == "Ccy" {
                self.currency.push_str(value);
            } else if key == "xmlns" {
                self.bindings.push((self.depth, String::new(), value.to_owned()));
            } else if let Some(prefix) = key.strip_prefix("xmlns:") {
                self.bindings.push((self.depth, prefix.to_owned(), value.to_owned()));
            }
        }
        Ok(())
    }

    /// That text stands inside the document.
    fn hold(&self, start: u64, text: &str) -> Result<(), StatementError> {
        if self.depth > 0 || text.chars().all(char::is_whitespace) {
            return Ok(());
        }
        if self.rooted {
            return broken(start, format!("something follows the end of the document: {TWO}"));
        }
        broken(start, "it is no XML: text stands before its first element".to_owned())
    }

    fn end(&mut self) {
        while self.bindings.last().is_some_and(|(depth, ..)| *depth >= self.depth) {
            self.bindings.pop();
        }
        self.depth -= 1;
    }
}

impl<'a> Walk<'a> {
    /// Stands before the first element.
    pub(super) fn new(input: &'a mut dyn BufRead) -> Result<Self, StatementError> {
        let feed = Feed::new(input).map_err(|error| trouble(0, error))?;
        let mut reader = Reader::from_reader(feed);
        reader.config_mut().expand_empty_elements = true;
        Ok(Self { reader, buffer: Vec::new(), tag: Tag::default(), text: String::new() })
    }

    /// The name, without prefix, of the element that began last.
    pub(super) fn name(&self) -> &str {
        &self.tag.name
    }

    /// The namespace of the element that began last, blank if it has none.
    pub(super) fn namespace(&self) -> &str {
        let mut bindings = self.tag.bindings.iter().rev();
        let bound = bindings.find(|(_, prefix, _)| *prefix == self.tag.prefix);
        bound.map_or("", |(_, _, name)| name)
    }

    /// The next byte of the file, as received.
    pub(super) fn position(&self) -> u64 {
        self.reader.get_ref().position()
    }

    /// Goes one step.
    pub(super) fn step(&mut self) -> Result<Step, StatementError> {
        loop {
            self.buffer.clear();
            let start = self.position();
            self.reader.get_mut().begin_token().map_err(|error| trouble(start, error))?;
            let event = self.reader.read_event_into(&mut self.buffer);
            let at = self.reader.get_ref().position();
            self.text.clear();
            match event.map_err(|error| parse_trouble(at, error))? {
                Event::Start(tag) => {
                    self.tag.begin(start, &tag)?;
                    return Ok(Step::Open { start });
                }
                Event::End(_) => {
                    self.tag.end();
                    return Ok(Step::Close);
                }
                Event::Text(text) => {
                    self.text.push_str(&text.xml10_content());
                    self.tag.hold(start, &self.text)?;
                }
                Event::CData(text) => {
                    self.text.push_str(&text.xml10_content());
                    self.tag.hold(start, &self.text)?;
                }
                Event::GeneralRef(name) => {
                    self.text.push(resolve(start, &name)?);
                    self.tag.hold(start, &self.text)?;
                }
                Event::DocType(_) => {
                    return broken(start, "a document type declaration is refused".to_owned());
                }
                Event::Eof if self.tag.depth > 0 => {
                    let open = self.tag.depth;
                    return broken(
                        at,
                        format!("the file ends inside its document; elements still open: {open}"),
                    );
                }
                Event::Eof => return Ok(Step::End),
                Event::Decl(_) | Event::PI(_) | Event::Comment(_) | Event::Empty(_) => continue,
            }
            return Ok(Step::Text);
        }
    }

    /// Takes the element that just began, with everything in it, into a tree.
    pub(super) fn load(&mut self, start: u64, tree: &mut Tree) -> Result<(), StatementError> {
        tree.clear();
        tree.open(&self.tag.name, &self.tag.currency);
        loop {
            match self.step()? {
                Step::Open { .. } => tree.open(&self.tag.name, &self.tag.currency),
                Step::Text => tree.push(&self.text),
                Step::Close if tree.close() => return Ok(()),
                Step::Close | Step::End => {}
            }
            if self.position() - start > RECORD_LIMIT || tree.len() > NODE_LIMIT {
                return broken(start, "a record is too large to be read".to_owned());
            }
        }
    }

    /// Goes past the element that just began, with everything in it.
    pub(super) fn skip(&mut self) -> Result<(), StatementError> {
        let outside = self.tag.depth - 1;
        while self.tag.depth > outside {
            self.step()?;
        }
        Ok(())
    }
}

/// The character that a reference stands for: a number, or one of the five names that XML knows
/// without a declaration.
fn resolve(at: u64, reference: &BytesRef<'_>) -> Result<char, StatementError> {
    let number = reference.resolve_char_ref().ok().flatten();
    let character = number.or(match &**reference {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => None,
    });
    let what = || format!("entity `&{};` is not defined", &**reference);
    character.ok_or_else(|| StatementError::Malformed { at, what: what() })
}

fn broken<T>(at: u64, what: String) -> Result<T, StatementError> {
    Err(StatementError::Malformed { at, what })
}

fn parse_trouble(at: u64, error: Error) -> StatementError {
    if let Error::Io(error) = error {
        return trouble(at, io::Error::new(error.kind(), error.to_string()));
    }
    StatementError::Malformed { at, what: error.to_string() }
}

/// The feed tells by the kind of its error whether bytes do not come or are no text.
fn trouble(at: u64, error: io::Error) -> StatementError {
    if error.kind() == io::ErrorKind::InvalidData {
        return StatementError::Malformed { at, what: error.to_string() };
    }
    StatementError::Io(error)
}
