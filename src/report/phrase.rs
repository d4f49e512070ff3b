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
    ("it is empty", "он пуст"),
    (
        "it begins with nothing but zero bytes, as one that was never written whole",
        "он начинается с одних нулевых байтов, как недописанный",
    ),
    (
        "it is a ZIP archive or a workbook such as XLSX; save its table as CSV",
        "это архив ZIP или книга вида XLSX; сохраните таблицу как CSV",
    ),
    (
        "it is an Office document such as XLS; save its table as CSV",
        "это документ Office вида XLS; сохраните таблицу как CSV",
    ),
    (
        "it is a PDF document; ask for the statement as CSV or camt",
        "это документ PDF; запросите выписку в виде CSV или camt",
    ),
    ("it is compressed by gzip; unpack it first", "он сжат gzip; сначала распакуйте"),
    (
        "it is a web page, perhaps of a log-in that failed",
        "это веб-страница, возможно, неудавшегося входа",
    ),
    ("it holds no entry", "записей в нём нет"),
    (
        "every entry ({}) was taken before from other files",
        "все записи ({}) уже приняты из других файлов",
    ),
    (
        "it opens with {}, and the one before closed with {}",
        "начинается с {}, а предыдущая закончилась на {}",
    ),
    ("it states a total of {} and sums to {} {}", "заявлен итог {}, а сумма прочитанного {} {}"),
    (
        "records in the file: {}, read: {}, refused: {}",
        "строк в файле {}, прочитано {}, отклонено {}",
    ),
    ("operation {} is missing in their books", "операции {} нет в учёте контрагента"),
    ("operation {} went to another party", "операция {} исполнена другому получателю"),
    ("operation {} was never asked for", "операцию {} мы не поручали"),
    ("{} rows before the header", "строк до заголовка: {}"),
    ("{} row before the header", "строк до заголовка: {}"),
    ("{} rows among or after the records that are none", "строк, не являющихся записями: {}"),
    ("{} row among or after the records that are none", "строк, не являющихся записями: {}"),
    ("{} rows repeating the header", "повторов заголовка: {}"),
    ("{} row repeating the header", "повторов заголовка: {}"),
    ("ours: no file {}", "наша сторона: нет файла {}"),
    ("theirs: no file {}", "контрагент: нет файла {}"),
    ("ours: {} records rejected", "наша сторона: отклонено строк: {}"),
    ("ours: {} record rejected", "наша сторона: отклонено строк: {}"),
    ("theirs: {} records rejected", "контрагент: отклонено строк: {}"),
    ("theirs: {} record rejected", "контрагент: отклонено строк: {}"),
    ("ours: {} items lie outside the days covered", "наша сторона: вне охваченных дней: {}"),
    ("ours: {} item lies outside the days covered", "наша сторона: вне охваченных дней: {}"),
    ("theirs: {} items lie outside the days covered", "контрагент: вне охваченных дней: {}"),
    ("theirs: {} item lies outside the days covered", "контрагент: вне охваченных дней: {}"),
    ("no booked entry on either side", "ни на одной стороне нет проводок"),
    (
        "ours: no entry, and no balance, count, total or last day is stated",
        "наша сторона: записей нет, и не заявлены ни остаток, ни число записей, ни итог, ни день",
    ),
    (
        "theirs: no entry, and no balance, count, total or last day is stated",
        "контрагент: записей нет, и не заявлены ни остаток, ни число записей, ни итог, ни день",
    ),
    ("every entry is booked after {}", "все записи проведены после {}"),
    ("{} states no balance", "{}: остатки не заявлены"),
    ("{} states no opening balance", "{}: входящий остаток не заявлен"),
    ("{} states no closing balance", "{}: исходящий остаток не заявлен"),
    ("it tells statement {} twice", "выписка {} в нём дважды"),
    (
        "statement {} goes from {} to {} on days that another tells otherwise",
        "выписка {} идёт от {} до {} за дни, о которых другая говорит иначе",
    ),
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
    ("the row {}, which the profile declares, is missing", "нет строки {}, объявленной в профиле"),
    ("page {} of statement {} is missing", "нет страницы {} выписки {}"),
    (
        "what follows page {} of statement {} is missing",
        "нет того, что следует за страницей {} выписки {}",
    ),
    ("{} is missing", "не хватает: {}"),
    ("records stated: {}, found: {}", "заявлено строк {}, а есть {}"),
    ("entries stated: {}, found: {}", "заявлено записей {}, а есть {}"),
    ("it speaks of account {}, expected is {}", "в нём счёт {}, а ожидается {}"),
    ("it speaks of {}, expected is {}", "в нём {}, а ожидается {}"),
    ("entries taken before from another file: {}", "уже принято из другого файла записей: {}"),
    ("entries taken before: {} of {}", "из его записей уже приняты {} из {}"),
    ("{} to {} are covered already by {}", "дни с {} по {} уже охвачены файлом {}"),
    ("the same bytes were taken before as {}", "те же байты уже приняты как {}"),
    ("the same bytes came as {} in this run", "те же байты пришли в этом прогоне как {}"),
    (
        "the same statement was taken before in other bytes as {}",
        "та же выписка в других байтах уже принята как {}",
    ),
    (
        "the statement taken as {} comes again; records added: {}, vanished: {}",
        "выписка, принятая как {}, пришла снова: строк добавилось {}, исчезло {}",
    ),
    (
        "the statement taken as {} comes again, and what it held is not in the store: the two \
         cannot be compared",
        "выписка, принятая как {}, пришла снова, а прежних её строк в хранилище нет: сравнить \
         не с чем",
    ),
    (
        "{}: opening {} and entries of {} do not lead to closing {}: {} over",
        "{}: входящий остаток {} и операции на {} не дают исходящего {}: разница {}",
    ),
    (
        "statement {} follows {}: those between were never seen",
        "выписка {} следует за {}: тех, что между ними, не было",
    ),
    (
        "opening {} and movements {} do not lead to closing {}: {} {} over",
        "входящий остаток {} и обороты {} не дают исходящего {}: разница {} {}",
    ),
    (
        "opening {} and {} moved make {}, and closing {} is stated: {}",
        "входящий остаток {} и обороты {} дают {}, а исходящий заявлен {}: разница {}",
    ),
    (
        "opening {} is stated, and the running balance begins at {}: {}",
        "входящий остаток заявлен {}, а остаток по строкам начинается с {}: разница {}",
    ),
    (
        "record {}: balance {} is stated, and {} follows from the one before: {}",
        "строка {}: остаток заявлен {}, а из предыдущего следует {}: разница {}",
    ),
    (
        "control total {} is stated, and {} is read ({} refused): {}",
        "контрольная сумма заявлена {}, а прочитано {} (отклонено строк: {}): разница {}",
    ),
    (
        "control total {} is stated, and {} is read: {}",
        "контрольная сумма заявлена {}, а прочитано {}: разница {}",
    ),
    ("{} is stated as the number of records", "{} заявлено как число строк"),
    ("{} is stated as the control total: {}", "{} заявлено как контрольная сумма: {}"),
    ("{} is stated as a balance: {}", "{} заявлено как остаток: {}"),
    ("{} is stated as a day, and is not {}", "{} заявлено как день, а это не {}"),
    ("beyond 64 bits of minor units", "больше 64 бит минимальных единиц"),
    ("a number within 64 bits of minor units", "число в пределах 64 бит минимальных единиц"),
    ("the records are in {}", "строки в валюте {}"),
    ("in which currency is not told", "не сказано, в какой валюте"),
    (
        "a number that can mean only one thing, or a declared {} mark",
        "число с одним возможным значением или объявленный знак {}",
    ),
    ("a number without sign and with {} as decimal mark", "число без знака с десятичным знаком {}"),
    ("{}, of the years {} to {}", "{}, годы с {} по {}"),
    ("a date as {} or {}", "дата вида {} или {}"),
    ("a date as {}, or a declared {} form", "дата вида {} или объявленный вид {}"),
    ("a date as {}", "дата вида {}"),
    ("a date or a date and time of ISO 8601", "дата или дата и время по ISO 8601"),
    ("a date and time, or a declared {}", "дата и время или объявленный {}"),
    ("a count", "количество"),
    ("a rate above zero", "курс больше нуля"),
    ("a value that {} names, and not {}", "значение, которое называет {}, а не {}"),
    (
        "the key as issued; a spreadsheet has made it a number",
        "номер, каким он выдан; таблица превратила его в число",
    ),
    ("a debit or a credit, and not both", "дебет или кредит, но не оба"),
    ("a debit or a credit", "дебет или кредит"),
    ("an amount without a sign, or {}", "сумма без знака или {}"),
    ("a mark that {} names", "знак, который называет {}"),
    (
        "at most {} decimals, or a declared {}",
        "не больше {} знаков после запятой или объявленный {}",
    ),
    ("at most {} decimals for {}", "не больше {} знаков после запятой для {}"),
    ("text in the declared {}", "текст в объявленной кодировке {}"),
    (
        "nothing between a closing quote and the delimiter",
        "ничего между закрывающей кавычкой и разделителем",
    ),
    ("{} cells, and not {}", "ячеек {}, а не {}"),
    (
        "{}; it is read as a {} by the names of its elements",
        "{}; он прочитан как {} по именам элементов",
    ),
    ("it names no namespace", "пространство имён не указано"),
    ("{} is a version besides {} to {}", "{} — версия вне {}–{}"),
    ("{} is not the namespace of a {} of ISO 20022", "{} — не пространство имён {} по ISO 20022"),
    ("{}, {}, {}, {}, or a status that {} names", "{}, {}, {}, {} или статус, который называет {}"),
    ("a currency of ISO 4217, in capital letters", "валюта по ISO 4217 заглавными буквами"),
    ("a currency, or a declared {}", "валюта или объявленная {}"),
    ("an amount in {}", "сумма в {}"),
    ("a currency of ISO 4217", "валюта по ISO 4217"),
    ("ours: {} is {}: {}", "наша сторона: файл {} — {}: {}"),
    ("theirs: {} is {}: {}", "контрагент: файл {} — {}: {}"),
    ("ours: {} is {}", "наша сторона: файл {} — {}"),
    ("theirs: {} is {}", "контрагент: файл {} — {}"),
    ("unreadable", "не читается"),
    ("foreign", "чужой"),
    ("repeated", "повтор"),
    ("restated", "новая версия"),
    ("incomplete", "неполный"),
    ("out_of_balance", "остатки не сходятся"),
    ("totals_differ", "итоги не сходятся"),
    ("gap", "пропуск перед ним"),
    ("overlapping", "пересекается с принятым"),
    ("overdue", "опаздывает"),
    ("not_independent", "не независим"),
    ("empty", "пустой"),
];

/// A text in Russian, or as it is where no pattern knows it. What stands in a pattern's places may
/// be a phrase too.
pub(super) fn in_russian(text: &str) -> Phrase {
    let has_words = text.chars().any(|it| it.is_ascii_alphabetic());
    translated(text).map_or_else(
        || Phrase { text: text.to_owned(), foreign: has_words },
        |text| Phrase { text, foreign: false },
    )
}

fn translated(text: &str) -> Option<String> {
    PHRASES.iter().find_map(|(english, russian)| {
        let values: Vec<String> = values(english, text)?
            .into_iter()
            .map(|it| translated(it).unwrap_or_else(|| it.to_owned()))
            .collect();
        let values: Vec<&str> = values.iter().map(String::as_str).collect();
        Some(crate::report::speech::fill(russian, &values))
    })
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
        check(
            "a date as `%d.%m.%Y`, of the years 1900 to 2200",
            "дата вида `%d.%m.%Y`, годы с 1900 по 2200",
            false,
        );
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
