//! What values may be: names that are safe in keys and paths, numbers within their ranges.

use serde::{Deserialize, Deserializer, de::Error};

/// The longest name, in characters.
const NAME_LIMIT: usize = 64;

/// The most days that anything may be asked to wait or to lie apart.
const DAYS_LIMIT: u32 = 366;

/// Whether a text may be the name of something. Names stand in keys, ids and file names, where a
/// separator or a control character would make two things one, or one place another.
pub(super) fn name(key: &str, text: &str) -> Result<(), String> {
    let inside = |it: char| it.is_alphanumeric() || matches!(it, '-' | '_' | '.' | ' ');
    let good = text.starts_with(char::is_alphanumeric)
        && !text.ends_with(' ')
        && text.chars().all(inside)
        && text.chars().count() <= NAME_LIMIT;
    if good {
        return Ok(());
    }
    Err(format!(
        "`{key}` is {text:?}; allowed are up to {NAME_LIMIT} letters, digits, `-`, `_`, `.` and \
         blanks, with a letter or a digit first"
    ))
}

/// Whether a text that may be left out says something where it is given.
pub(super) fn filled(key: &str, text: Option<&str>) -> Result<(), String> {
    let Some(text) = text else { return Ok(()) };
    if text.trim().is_empty() || text.contains(char::is_control) {
        return Err(format!(
            "`{key}` is {text:?}; allowed is any text in one line that is not blank, or no `{key}`"
        ));
    }
    Ok(())
}

/// A number of days.
pub(super) fn days<'de, D: Deserializer<'de>>(input: D) -> Result<u32, D::Error> {
    let days = i64::deserialize(input)?;
    let allowed = u32::try_from(days).ok().filter(|it| *it <= DAYS_LIMIT);
    allowed.ok_or_else(|| {
        D::Error::custom(format!("`{days}` is no number of days; allowed are 0 to {DAYS_LIMIT}"))
    })
}

/// A number of decimals.
pub(super) fn scale<'de, D: Deserializer<'de>>(input: D) -> Result<Option<u8>, D::Error> {
    let scale = i64::deserialize(input)?;
    let allowed = u8::try_from(scale).ok().filter(|it| *it <= 9);
    let wrong = || format!("`{scale}` is no number of decimals; allowed are 0 to 9");
    allowed.map(Some).ok_or_else(|| D::Error::custom(wrong()))
}

/// How many things there may be at most, and so at least one.
pub(super) fn limit<'de, D: Deserializer<'de>>(input: D) -> Result<Option<u32>, D::Error> {
    let limit = i64::deserialize(input)?;
    let allowed = u32::try_from(limit).ok().filter(|it| *it > 0);
    let wrong = || format!("`{limit}` is no limit; allowed are 1 to {}", u32::MAX);
    allowed.map(Some).ok_or_else(|| D::Error::custom(wrong()))
}
