//! Headers as files have them, and what is made of each.

use crate::domain::entry::Kept;
use crate::sources::ReadContext;

use super::*;

fn given() -> Given {
    Given { prefix: "--ours".to_owned(), ..Given::default() }
}

/// The mapping and forms, or the error.
fn check(file: &str, given: &Given, expected: &str) {
    let found = match profile_for(file.as_bytes(), given) {
        Ok(recognised) => {
            recognised.source.check().unwrap_or_else(|why| assert_eq!(why, "`path` is missing"));
            recognised.remarks.join("; ")
        }
        Err(error) => error.to_string(),
    };
    assert_eq!(found, expected);
}

#[test]
fn english_names_are_recognised() {
    check(
        "payment_id,e2e,Amount,Currency,Booking Date,Note\np1,E1,-20.00,EUR,2026-11-30,x\n",
        &given(),
        "columns by name: `Amount` is amount, `Currency` is currency, `Booking Date` is booking_date, \
         `Note` is text, `payment_id` is intent_key, `e2e` is end_to_end_id; \
         delimiter `,`, decimal mark ., dates as 2026-01-31",
    );
}

#[test]
fn russian_names_are_recognised() {
    check(
        "Выписка\n\nДата проводки;Дебет;Кредит;Валюта;Контрагент;Код\n30.11.2026;1 000,00;;RUB;ООО Север;7\n",
        &given(),
        "columns by name: `Дебет` is debit, `Кредит` is credit, `Валюта` is currency, \
         `Дата проводки` is booking_date, `Контрагент` is party; not read: `Код`; \
         delimiter `;`, decimal mark ,, dates %d.%m.%Y",
    );
}

#[test]
fn what_is_not_told_is_an_error_that_names_the_option() {
    let file = "date,amount\n2026-11-30,1\n";
    check(file, &given(), "no column names the currency: give `--ours-currency EUR`");
    let euro = Given { currency: Currency::iso("EUR"), ..given() };
    check(
        "date;amount\n2026-11-30;1,000\n",
        &euro,
        "`1,000` may mean two numbers: give `--ours-decimal .` or `--ours-decimal ,`",
    );
    check(
        "date,amount\n01/02/2026,1\n",
        &euro,
        "`01/02/2026` may mean two dates: give `--ours-date %d/%m/%Y`",
    );
    check(
        "date;amount\n2026-11-30;1,50\n2026-11-30;1.50\n",
        &euro,
        "amounts are written with both `.` and `,` as decimal mark: give `--ours-decimal ,`",
    );
    check(
        "a,b\n1,2\n",
        &euro,
        "no header names a date and an amount; the first row is `a,b`: give \
         `--ours-column booking_date=NAME` and `--ours-column amount=NAME`",
    );
}

#[test]
fn two_columns_for_one_thing_are_told_apart_by_an_option_only() {
    let columns = |given: &[(Column, &str)]| Given {
        currency: Currency::iso("EUR"),
        columns: given.iter().map(|(it, name)| (*it, (*name).to_owned())).collect(),
        ..self::given()
    };
    let two = "date,amount,gross\n2026-11-30,1,2\n";
    let may =
        "`amount` (#2) and `gross` (#3) may each be amount: give `--ours-column amount=amount`";
    check(two, &columns(&[]), may);
    let told = "columns by name: `gross` is amount, `date` is booking_date; not read: `amount`; \
                delimiter `,`, decimal mark not needed, dates as 2026-01-31";
    check(two, &columns(&[(Column::Amount, "gross")]), told);
    let twice = "date,amount,amount\n2026-11-30,1,2\n";
    let may = "`amount` (#2) and `amount` (#3) may each be amount: give `--ours-column amount=#2`";
    check(twice, &columns(&[]), may);
    check(twice, &columns(&[(Column::Amount, "amount")]), may);
    let told = "columns by name: `amount` is amount, `date` is booking_date; not read: `amount`; \
                delimiter `,`, decimal mark not needed, dates as 2026-01-31";
    check(twice, &columns(&[(Column::Amount, "#3")]), told);
    check(
        "date,amount,x,x\n2026-11-30,1,2,3\n",
        &columns(&[]),
        &told.replace("`amount`;", "`x`, `x`;"),
    );
}

#[test]
fn a_column_that_is_given_is_read_whatever_its_name() {
    let given = |name: &str| Given {
        currency: Currency::iso("EUR"),
        columns: [(Column::Amount, name), (Column::BookingDate, "Tag")]
            .map(|(it, name)| (it, name.to_owned()))
            .into(),
        ..self::given()
    };
    let file = "Tag;Betrag\n2026-11-30;1\n";
    let told = "columns by name: `Betrag` is amount, `Tag` is booking_date; \
                delimiter `;`, decimal mark not needed, dates as 2026-01-31";
    check(file, &given("Betrag"), told);
    let file = "Tag;Betrag;Amount\n2026-11-30;1;2\n";
    let told = "no column `Summe` for amount is among `Tag`, `Betrag`, `Amount`";
    check(file, &given("Summe"), told);
    let fee = Given { columns: [(Column::Fee, "Kosten".to_owned())].into(), ..self::given() };
    let file = "date,amount\n2026-11-30,1\n";
    check(file, &fee, "no column `Kosten` for fee is among `date`, `amount`");
}

#[test]
fn a_mark_or_form_that_one_row_shows_holds_for_all() {
    let euro = Given { currency: Currency::iso("EUR"), ..given() };
    check(
        "date;amount\n01/02/2026;1,000\n31/01/2026;2,50\n",
        &euro,
        "columns by name: `amount` is amount, `date` is booking_date; \
         delimiter `;`, decimal mark ,, dates %d/%m/%Y",
    );
}

#[test]
fn a_date_that_no_form_reads_is_left_to_its_record() {
    let euro = Given { currency: Currency::iso("EUR"), ..given() };
    let told = "columns by name: `amount` is amount, `date` is booking_date; \
                delimiter `;`, decimal mark not needed, dates %d.%m.%Y";
    check("date;amount\n30.11.2026;1\n99.99.2026;2\n30.11.26;3\n", &euro, told);
    let unknown = "the form of dates such as `30.11.26` is not known: give `--ours-date %d.%m.%y`";
    check("date;amount\n30.11.26;1\n", &euro, unknown);
    let both = "date;amount\n31/01/2026;1\n01/31/2026;2\n";
    let unknown =
        "the form of dates such as `31/01/2026` is not known: give `--ours-date %d.%m.%Y`";
    check(both, &euro, unknown);
}

#[test]
fn a_recognised_profile_reads_its_file() {
    let file =
        "date;amount;currency;type;e2e\n30.11.2026;1.000,50;EUR;Refund;E1\nTotal;1.000,50;;;\n";
    let profile = profile_for(file.as_bytes(), &given()).unwrap();
    let mut kept = Kept::default();
    let context = ReadContext::new(&profile.source);
    let stated = crate::sources::read(&mut file.as_bytes(), &context, &mut kept).unwrap();
    assert_eq!((stated.records, kept.entries.len()), (1, 1));
    assert_eq!(format!("{:?}", kept.entries[0].amount), "1000.50 EUR");
}
