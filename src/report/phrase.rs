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
const PHRASES: &[(&str, &str)] = &[
    ("record {} of {} was rejected", "строка {} файла {} отклонена"),
    ("operation {} was executed twice", "операция {} исполнена дважды"),
    ("operation {} was executed {} times", "операция {} исполнена раз: {}"),
    ("the booking dates are {} days apart", "даты проводки отстоят на дней: {}"),
    ("the booking dates are {} apart", "даты проводки отстоят на {}"),
    ("the amounts differ by {}", "суммы расходятся на {}"),
    ("the amounts differ", "суммы различаются"),
    ("the currencies differ", "валюты различаются"),
    ("the accounts differ", "счета различаются"),
    ("the parties differ", "участники различаются"),
    ("the keys differ", "номера различаются"),
    ("no entry has the same key", "записи с таким номером нет"),
    ("more than one entry fits", "подходит больше одной записи"),
    ("not unique", "не единственная"),
    ("a number with `,` as decimal mark", "число с десятичной запятой"),
    ("a number with `.` as decimal mark", "число с десятичной точкой"),
    ("a number with {} as decimal mark", "число с десятичным знаком {}"),
    ("a number", "число"),
    ("a date", "дата"),
    ("a date like {}", "дата вида {}"),
    ("a currency code", "код валюты"),
    ("it holds no entry", "записей в нём нет"),
    (
        "all {} entries were taken before from other files",
        "все записи ({}) уже приняты из других файлов",
    ),
    (
        "it opens with {}, and the one before closed with {}",
        "начинается с {}, а предыдущая закончилась на {}",
    ),
    ("it states a total of {} and sums to {} {}", "заявлен итог {}, а сумма прочитанного {} {}"),
    (
        "{} records in the file, {} read and {} refused",
        "строк в файле {}, прочитано {}, отклонено {}",
    ),
    ("operation {} is missing in their books", "операции {} нет в учёте контрагента"),
    ("operation {} went to another party", "операция {} исполнена другому получателю"),
    ("operation {} was never asked for", "операцию {} мы не поручали"),
    ("{} rows before the header", "строк до заголовка: {}"),
    ("ours: no file {}", "наша сторона: нет файла {}"),
    ("theirs: no file {}", "контрагент: нет файла {}"),
    ("ours: {} records rejected", "наша сторона: отклонено строк: {}"),
    ("theirs: {} records rejected", "контрагент: отклонено строк: {}"),
    ("ours: {} items lie outside the days covered", "наша сторона: вне охваченных дней: {}"),
    ("theirs: {} items lie outside the days covered", "контрагент: вне охваченных дней: {}"),
    ("no booked entry on either side", "ни на одной стороне нет проводок"),
    ("{}: {} unexplained", "{}: не объяснено {}"),
    (
        "{}: opening difference {} is not signed off",
        "{}: разница входящих остатков {} не подтверждена",
    ),
    ("the self-test missed {}", "самопроверка не нашла: {}"),
    ("both sides share their provenance", "у сторон общий источник"),
    (
        "rule {} only suggests; a person confirms",
        "правило {} только предлагает; подтверждает человек",
    ),
    ("several entries share the key", "номер есть у нескольких записей"),
    ("{}: ours {}, theirs {}", "{}: у нас {}, у них {}"),
    ("{} is missing", "не хватает: {}"),
];

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

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str, foreign: bool) {
        assert_eq!(in_russian(text), Phrase { text: expected.to_owned(), foreign }, "{text}");
    }

    #[test]
    fn a_known_phrase_is_said_in_russian_with_its_values_kept() {
        check("record 17 of `a.xml` was rejected", "строка 17 файла `a.xml` отклонена", false);
        check("a number with `'` as decimal mark", "число с десятичным знаком `'`", false);
        check("a date", "дата", false);
    }

    #[test]
    fn an_unknown_phrase_stays_and_says_that_it_is_foreign() {
        check("something new", "something new", true);
        check("a date or so", "a date or so", true);
        check("12.00 ≠ 13.00", "12.00 ≠ 13.00", false);
    }

    #[test]
    fn both_languages_of_a_phrase_have_the_same_places() {
        for (english, russian) in PHRASES {
            let places = |it: &str| it.matches("{}").count();
            assert_eq!(places(english), places(russian), "{english}");
        }
    }
}
