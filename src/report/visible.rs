//! Text that came out of files, made unable to act where it is shown.

use std::{borrow::Cow, fmt::Write as _};

/// Text with everything that could act on page or terminal made visible: control characters, but
/// for the ends of lines, and marks that turn or break what follows.
pub fn visible(text: &str) -> Cow<'_, str> {
    shown(text, |it| it != '\n' && acts(it))
}

/// Like [`visible`], for text that is to stay on its line: what holds the end of one could pass
/// for a line of ours.
pub fn visible_line(text: &str) -> Cow<'_, str> {
    shown(text, acts)
}

/// Part of a string in JSON, in which such characters are escaped too.
pub(super) fn escaped(fragment: &str) -> Cow<'_, str> {
    replaced(fragment, acts, |out, it| write!(out, "\\u{:04x}", u32::from(it)))
}

fn shown(text: &str, acts: impl Fn(char) -> bool) -> Cow<'_, str> {
    replaced(text, acts, |out, it| write!(out, "⟨U+{:04X}⟩", u32::from(it)))
}

fn replaced(
    text: &str,
    acts: impl FnMut(char) -> bool,
    told: impl Fn(&mut String, char) -> std::fmt::Result,
) -> Cow<'_, str> {
    // Most texts are nothing but this, and megabytes of it are told at once.
    if text.bytes().fold(true, |all, it| all & matches!(it, b' '..=b'~')) {
        return Cow::Borrowed(text);
    }
    let (mut out, mut done) = (String::new(), 0);
    for (at, it) in text.match_indices(acts) {
        out.push_str(&text[done..at]);
        done = at + it.len();
        // Nothing fails that is written to a string; what did would be seen as it is.
        if it.chars().any(|it| told(&mut out, it).is_err()) {
            out.push_str(it);
        }
    }
    if done == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[done..]);
    Cow::Owned(out)
}

/// Control characters, marks of direction, separators that break a line, and what takes no place at
/// all, by which two keys would differ that look the same.
fn acts(it: char) -> bool {
    it.is_control()
        || matches!(
            it,
            '\u{ad}'
                | '\u{61c}'
                | '\u{200b}'
                | '\u{2060}'
                | '\u{feff}'
                | '\u{200e}'
                | '\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2066}'..='\u{2069}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_act_is_made_visible() {
        assert_eq!(visible("a\u{1b}[31m\u{202e}b\u{0}"), "a⟨U+001B⟩[31m⟨U+202E⟩b⟨U+0000⟩");
        assert_eq!(
            visible("\u{9b}\u{7f}\u{200f}\u{2067}\r"),
            "⟨U+009B⟩⟨U+007F⟩⟨U+200F⟩⟨U+2067⟩⟨U+000D⟩"
        );
        assert_eq!(visible("שלום 🙂 ё\n"), "שלום 🙂 ё\n");
        assert_eq!(visible("E\u{200b}1\u{ad}\u{feff}"), "E⟨U+200B⟩1⟨U+00AD⟩⟨U+FEFF⟩");
        assert_eq!(visible_line("x\nAgrees? Yes."), "x⟨U+000A⟩Agrees? Yes.");
    }

    #[test]
    fn a_fragment_of_json_keeps_its_content() {
        assert_eq!(
            escaped("a\u{202e}\u{9b}\u{7f}\u{2028}שלום 🙂"),
            r"a\u202e\u009b\u007f\u2028שלום 🙂"
        );
    }
}
