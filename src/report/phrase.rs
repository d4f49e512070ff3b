//! Half-sentences that other modules write into a result in English, said in Russian.
//!
//! A result is stored once and read in either language, so the texts in it are translated where
//! they are shown: what stands between backticks, and every number, is kept.

/// A text for a reader; `foreign` where it stays in English inside a Russian report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Phrase {
    /// The text.
    pub(super) text: String,
    /// Whether it is in another language than the report.
    pub(super) foreign: bool,
}

/// Patterns in English and in Russian; `{}` stands for any text and keeps its place in the order.
const PHRASES: &[(&str, &str)] = &[];

/// A text in Russian, or as it is where no pattern knows it.
pub(super) fn in_russian(text: &str) -> Phrase {
    let found = PHRASES.iter().find_map(|(english, russian)| {
        let values = values(english, text)?;
        Some(crate::report::speech::fill(russian, &values))
    });
    let has_words = text.chars().any(|it| it.is_ascii_alphabetic());
    found.map_or_else(
        || Phrase { text: text.to_owned(), foreign: has_words },
        |text| Phrase { text, foreign: false },
    )
}

/// What stands in the places of a pattern, or `None` where the text does not follow it.
fn values<'a>(pattern: &str, text: &'a str) -> Option<Vec<&'a str>> {
    let mut parts = pattern.split("{}").peekable();
    let mut rest = text.strip_prefix(parts.next()?)?;
    let mut values = Vec::new();
    while let Some(part) = parts.next() {
        let last = parts.peek().is_none();
        let at = if last { rest.len().checked_sub(part.len())? } else { rest.find(part)? };
        let (value, tail) = rest.split_at_checked(at)?;
        values.push(value);
        rest = tail.strip_prefix(part)?;
    }
    rest.is_empty().then_some(values)
}
