//! How numbers, dates and counted nouns are said in a language.

use chrono::{DateTime, Datelike, NaiveDate, Utc};

use crate::domain::language::Language;
use crate::report::amount::Amount;
use crate::report::phrase::{self, Phrase};
use crate::report::view::WithheldView;
use crate::report::words::Words;

/// A language with its words.
#[derive(Debug, Clone, Copy)]
pub(super) struct Speech {
    /// The language.
    pub(super) language: Language,
    /// Its words.
    pub(super) words: &'static Words,
}

impl Speech {
    /// The speech of a language.
    pub(super) fn new(language: Language) -> Self {
        Self { language, words: Words::of(language) }
    }

    /// `1,234.50` or `1 234,50`, with a true minus.
    pub(super) fn amount(self, amount: Amount) -> String {
        let text = amount.to_string();
        let (sign, digits) = text.strip_prefix('-').map_or(("", text.as_str()), |it| ("−", it));
        let (whole, rest) = digits.split_once('.').unwrap_or((digits, ""));
        let (group, point) = match self.language {
            Language::English => (',', '.'),
            Language::Russian => ('\u{a0}', ','),
        };
        let mut out = format!("{sign}{}", grouped(whole, group));
        if !rest.is_empty() {
            out.push(point);
            out.push_str(rest);
        }
        out
    }

    /// An amount with its currency, never parted at the end of a line.
    pub(super) fn money(self, amount: Amount, currency: &str) -> String {
        format!("{}\u{a0}{currency}", self.amount(amount))
    }

    /// A count.
    pub(super) fn number(self, count: u64) -> String {
        match self.language {
            Language::English => grouped(&count.to_string(), ','),
            Language::Russian => grouped(&count.to_string(), '\u{a0}'),
        }
    }

    /// A count of things.
    pub(super) fn length<T>(self, things: &[T]) -> String {
        self.number(len(things))
    }

    /// `3 business days`: a count with its noun in the right form.
    pub(super) fn counted(self, count: u64, forms: [&str; 3]) -> String {
        let [one, few, many] = forms;
        let form = match self.language {
            Language::English if count == 1 => one,
            Language::English => many,
            Language::Russian => match (count % 10, count % 100) {
                (_, 11..=14) => many,
                (1, _) => one,
                (2..=4, _) => few,
                _ => many,
            },
        };
        format!("{}\u{a0}{form}", self.number(count))
    }

    /// `30 Nov 2026` or `30 ноября 2026`.
    pub(super) fn date(self, day: NaiveDate) -> String {
        let at = usize::try_from(day.month0()).unwrap_or(0);
        let month = self.words.months.get(at).copied().unwrap_or("");
        format!("{}\u{a0}{month}\u{a0}{}", day.day(), day.year())
    }

    /// A date and a time of day.
    pub(super) fn moment(self, at: DateTime<Utc>) -> String {
        format!("{} {}", self.date(at.date_naive()), at.format("%H:%M:%S"))
    }

    /// Adjustments that are not proposed.
    pub(super) fn withheld(self, it: &WithheldView) -> String {
        let [amount, ceiling] = [it.amount, it.ceiling].map(|of| self.money(of, &it.currency));
        fill(self.words.withheld_line, &[&self.number(it.count), &amount, &ceiling])
    }

    /// A half-sentence that another module wrote, in this language where it is known.
    pub(super) fn phrase(self, text: &str) -> Phrase {
        match self.language {
            Language::English => Phrase { text: text.to_owned(), foreign: false },
            Language::Russian => phrase::in_russian(text),
        }
    }

    /// A field that may differ, by the name that results carry; a name unknown here as it is.
    pub(super) fn field(self, name: &str) -> String {
        known(self.words.fields, name)
    }

    /// A scheme of natural keys.
    pub(super) fn scheme(self, name: &str) -> String {
        known(self.words.schemes, name)
    }
}

/// A sentence with each `{}` replaced, in order.
pub(super) fn fill(sentence: &str, values: &[&str]) -> String {
    let mut parts = sentence.split("{}");
    let mut out = parts.next().unwrap_or("").to_owned();
    for (part, value) in parts.zip(values) {
        out.push_str(value);
        out.push_str(part);
    }
    out
}

/// How many, as numbers are kept here.
pub(super) fn len<T>(things: &[T]) -> u64 {
    u64::try_from(things.len()).unwrap_or(u64::MAX)
}

fn known(names: &[(&str, &str)], name: &str) -> String {
    let found = names.iter().find(|(it, _)| *it == name);
    found.map_or_else(|| name.to_owned(), |(_, label)| (*label).to_owned())
}

fn grouped(digits: &str, separator: char) -> String {
    let mut out = String::with_capacity(digits.len() * 2);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(separator);
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(language: Language, amount: &str, expected: &str) {
        assert_eq!(Speech::new(language).amount(amount.parse().unwrap()), expected, "{amount}");
    }

    #[test]
    fn an_amount_is_grouped_as_its_readers_write_it() {
        check(Language::English, "-1234567.50", "−1,234,567.50");
        check(Language::Russian, "-1234567.50", "−1\u{a0}234\u{a0}567,50");
        check(Language::English, "999", "999");
        check(Language::Russian, "90071992547409.93", "90\u{a0}071\u{a0}992\u{a0}547\u{a0}409,93");
    }

    #[test]
    fn a_russian_noun_takes_the_form_of_its_number() {
        let speech = Speech::new(Language::Russian);
        for (count, expected) in [
            (1, "1 день"),
            (2, "2 дня"),
            (5, "5 дней"),
            (11, "11 дней"),
            (21, "21 день"),
            (112, "112 дней"),
        ] {
            let said = speech.counted(count, ["день", "дня", "дней"]);
            assert_eq!(said.replace('\u{a0}', " "), expected);
        }
    }
}
