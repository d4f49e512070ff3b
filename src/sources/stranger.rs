//! Files that no reader reads, told by their first bytes, so that an error can say what came instead.

/// What an empty file is called.
pub(super) const EMPTY: &str = "it is empty";

/// How well-known files begin that are no statement, and what to say of each.
const KNOWN: [(&[u8], &str); 6] = [
    (b"PK\x03\x04", "it is a ZIP archive or a workbook such as XLSX; save its table as CSV"),
    (b"\xd0\xcf\x11\xe0", "it is an Office document such as XLS; save its table as CSV"),
    (b"%PDF", "it is a PDF document; ask for the statement as CSV or camt"),
    (b"\x1f\x8b", "it is compressed by gzip; unpack it first"),
    (b"<!doctype html", "it is a web page, perhaps of a log-in that failed"),
    (b"<html", "it is a web page, perhaps of a log-in that failed"),
];

/// What a file is that begins like this and is surely no statement, as half a sentence.
pub fn stranger(start: &[u8]) -> Option<&'static str> {
    if matches!(start, b"" | b"\xef\xbb\xbf" | b"\xff\xfe" | b"\xfe\xff") {
        return Some(EMPTY);
    }
    if start.iter().all(|byte| *byte == 0) {
        return Some("it begins with nothing but zero bytes, as one that was never written whole");
    }
    let begins = |with: &[u8]| {
        let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start).trim_ascii_start();
        start.get(..with.len()).is_some_and(|it| it.eq_ignore_ascii_case(with))
    };
    KNOWN.iter().find(|(with, _)| begins(with)).map(|(_, what)| *what)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(start: &[u8], expected: &str) {
        assert!(stranger(start).unwrap_or("none").contains(expected), "{expected}");
    }

    #[test]
    fn what_is_surely_no_statement_is_told_by_its_first_bytes() {
        check(b"", "empty");
        check(b"\xef\xbb\xbf", "empty");
        check(b"\0\0\0\0", "zero bytes");
        check(b"PK\x03\x04a,b", "XLSX");
        check(b"%PDF-1.4", "PDF");
        check(b"\n<!DOCTYPE HTML><p>a,b", "web page");
    }

    #[test]
    fn what_may_be_a_statement_is_left_to_its_reader() {
        check(b"id;amount\n", "none");
        check(b"<?xml version=\"1.0\"?><Document/>", "none");
        check(b"P", "none");
        check(b"d\0a\0", "none");
    }
}
