use super::*;
use crate::domain::{money::Sum, page::Page, statement::FileFault};

fn eur(minor: i64) -> Money {
    Money::new(minor, Currency::iso("EUR").unwrap())
}

/// A statement of one day that opens with 100.00, moves 5.00 and closes with 105.00.
fn statement(identity: &str, day: &str) -> Statement {
    Statement {
        identity: identity.to_owned(),
        account: "DE02".to_owned(),
        currency: Currency::iso("EUR"),
        from: day.parse().ok(),
        to: day.parse().ok(),
        opening: Some(eur(10_000)),
        closing: Some(eur(10_500)),
        movement: Some(Sum::from(eur(500))),
        counted: 2,
        ..Statement::default()
    }
}

fn stated(statements: Vec<Statement>) -> Stated {
    Stated { format: "csv".to_owned(), records: 2, statements, ..Stated::default() }
}

fn known(verdict: FileVerdict, statement: Statement) -> Known {
    let file = KnownFile {
        side: Side::Theirs,
        sha256: Hash::of(b"first"),
        name: "first.xml".to_owned(),
        verdict,
        explanation: "as it was".to_owned(),
        identities: None,
        statements: vec![statement],
    };
    Known { files: vec![file], ..Known::default() }
}

fn arriving(stated: &Stated) -> Arriving<'_> {
    Arriving {
        side: Side::Theirs,
        sha256: Hash::of(b"second"),
        stated,
        read: stated.records,
        rejects: 0,
        entries: 2,
        held: 0,
        revision: None,
        companions: &[],
    }
}

fn check(arriving: &Arriving<'_>, known: &Known, verdict: FileVerdict, words: &str) {
    let expected = Expected { account: Some("de 02".to_owned()), currency: Currency::iso("EUR") };
    let decision = decide(arriving, known, &expected);
    assert_eq!(decision.verdict, verdict, "{}", decision.explanation);
    assert!(decision.explanation.contains(words), "{}", decision.explanation);
    assert_eq!(decision.taken + decision.left_out, arriving.entries);
}

fn check_alone(statement: Statement, verdict: FileVerdict, words: &str) {
    check(&arriving(&stated(vec![statement])), &Known::default(), verdict, words);
}

#[test]
fn a_right_file_is_accepted() {
    check_alone(statement("S1", "2026-11-30"), FileVerdict::Accepted, "");
}

#[test]
fn the_same_bytes_keep_their_first_verdict_and_take_nothing() {
    let known = known(FileVerdict::OutOfBalance, statement("S1", "2026-11-30"));
    let stated = stated(vec![statement("S1", "2026-11-30")]);
    let arriving = Arriving { sha256: Hash::of(b"first"), ..arriving(&stated) };
    let decision = decide(&arriving, &known, &Expected::default());
    assert_eq!(decision.verdict, FileVerdict::OutOfBalance);
    assert_eq!(decision.arrival, FileVerdict::Repeated);
    assert_eq!((decision.seen_before, decision.taken, decision.left_out), (true, 0, 2));
    let other_side = Arriving { side: Side::Ours, ..arriving };
    assert!(!decide(&other_side, &known, &Expected::default()).seen_before);
}

#[test]
fn the_same_statement_in_other_bytes_is_repeated_or_restated() {
    let known = known(FileVerdict::Accepted, statement("S1", "2026-11-30"));
    let stated = stated(vec![statement("S1", "2026-11-30")]);
    let with = |held, added, vanished| Arriving {
        held,
        revision: Some(Revision { added, vanished }),
        ..arriving(&stated)
    };
    check(&with(2, 0, 0), &known, FileVerdict::Repeated, "other bytes as `first.xml`");
    check(&with(1, 1, 1), &known, FileVerdict::Restated, "records added: 1, vanished: 1");
    check(&with(2, 0, 1), &known, FileVerdict::Restated, "records added: 0, vanished: 1");
    let blind = arriving(&stated);
    check(&blind, &known, FileVerdict::Restated, "the two cannot be compared");
}

#[test]
fn a_statement_without_a_number_is_known_by_its_days_and_its_opening() {
    let known = known(FileVerdict::Accepted, statement("", "2026-11-30"));
    let check = |new: Statement, (held, added, vanished), verdict, words| {
        let stated = stated(vec![new]);
        let revision = Some(Revision { added, vanished });
        check(&Arriving { held, revision, ..arriving(&stated) }, &known, verdict, words);
    };
    let same = || statement("", "2026-11-30");
    check(same(), (1, 1, 1), FileVerdict::Restated, "records added: 1, vanished: 1");
    check(same(), (1, 1, 0), FileVerdict::Overlapping, "entries taken before: 1 of 2");
    let copy = Statement { copy: true, ..statement("S2", "2026-11-30") };
    check(copy, (0, 2, 2), FileVerdict::Restated, "records added: 2, vanished: 2");
    let next = Statement { opening: Some(eur(10_500)), closing: Some(eur(11_000)), ..same() };
    check(next, (0, 2, 2), FileVerdict::Accepted, "");
}

#[test]
fn a_version_that_is_not_in_force_restates_nothing() {
    let known = known(FileVerdict::Foreign, statement("S1", "2026-11-30"));
    let stated = stated(vec![statement("S1", "2026-11-30")]);
    check(&arriving(&stated), &known, FileVerdict::Accepted, "");
}

#[test]
fn a_file_whose_records_are_all_known_is_repeated() {
    let stated = stated(vec![statement("", "2026-11-30")]);
    let all = Arriving { held: 2, ..arriving(&stated) };
    check(&all, &Known::default(), FileVerdict::Repeated, "every entry (2)");
    let some = Arriving { held: 1, ..arriving(&stated) };
    check(&some, &Known::default(), FileVerdict::Overlapping, "entries taken before: 1 of 2");
    assert_eq!(decide(&some, &Known::default(), &Expected::default()).taken, 1);
}

#[test]
fn another_account_or_currency_is_foreign() {
    let right = statement("S1", "2026-11-30");
    let account = Statement { account: "FR76".to_owned(), ..right.clone() };
    check_alone(account, FileVerdict::Foreign, "`FR76`, expected is `de 02`");
    let currency = Statement { currency: Currency::iso("USD"), ..right.clone() };
    check_alone(currency, FileVerdict::Foreign, "USD, expected is EUR");
    check_alone(Statement { account: String::new(), ..right }, FileVerdict::Accepted, "");
}

#[test]
fn a_wrong_count_a_missing_page_or_record_is_incomplete() {
    let right = statement("S1", "2026-11-30");
    let miscounted = Statement { count: Some(200), counted: 120, ..right.clone() };
    check_alone(miscounted, FileVerdict::Incomplete, "entries stated: 200, found: 120");
    let stated = stated(vec![right]);
    let unread = Arriving { read: 1, ..arriving(&stated) };
    check(&unread, &Known::default(), FileVerdict::Incomplete, "read: 1, refused: 0");
}

/// Pages 1, 2 and 3 of a statement from 100.00 to 105.00, of which the second moves 5.00.
fn pages() -> [Statement; 3] {
    let none = Some(Sum::zero(Currency::iso("EUR").unwrap()));
    let inner = Statement { opening: None, closing: None, ..statement("S1", "2026-11-30") };
    let page = |number, last| vec![Page::new(number, last)];
    [
        Statement {
            opening: Some(eur(10_000)),
            movement: none,
            pages: page(1, false),
            ..inner.clone()
        },
        Statement { pages: page(2, false), ..inner.clone() },
        Statement { closing: Some(eur(10_500)), movement: none, pages: page(3, true), ..inner },
    ]
}

fn check_pages(here: &Statement, companions: &[Statement], verdict: FileVerdict, words: &str) {
    let stated = stated(vec![here.clone()]);
    check(&Arriving { companions, ..arriving(&stated) }, &Known::default(), verdict, words);
}

#[test]
fn pages_are_a_statement_where_all_of_them_came() {
    let [first, second, third] = pages();
    let all = [&first, &second, &third];
    for here in all {
        let others: Vec<_> = all.into_iter().filter(|it| *it != here).cloned().collect();
        check_pages(here, &others, FileVerdict::Accepted, "");
        let turned: Vec<_> = others.into_iter().rev().collect();
        check_pages(here, &turned, FileVerdict::Accepted, "");
    }
    let missing = |here: &Statement, other: &Statement, words| {
        check_pages(here, std::slice::from_ref(other), FileVerdict::Incomplete, words);
    };
    missing(&second, &third, "page 1 of statement `S1` is missing");
    missing(&first, &third, "page 2 of statement `S1` is missing");
    missing(&first, &second, "what follows page 2 of statement `S1` is missing");
    let other = Statement { identity: "S2".to_owned(), ..second.clone() };
    check_pages(&first, &[other, third.clone()], FileVerdict::Incomplete, "page 2 of");
    let held = known(FileVerdict::Incomplete, first.clone());
    let rest = stated(vec![second.clone(), third.clone()]);
    check(&arriving(&rest), &held, FileVerdict::Accepted, "");
    let again = stated(vec![second.clone()]);
    let revision = Some(Revision { added: 1, vanished: 1 });
    let again = Arriving { revision, ..arriving(&again) };
    check(&again, &known(FileVerdict::Accepted, second), FileVerdict::Restated, "vanished: 1");
}

#[test]
fn pages_close_and_count_together() {
    let [first, second, third] = pages();
    let off = Statement { closing: Some(eur(10_400)), ..third.clone() };
    let words = "opening 100.00 and movements 5.00 do not lead to closing 104.00";
    check_pages(&first, &[second.clone(), off], FileVerdict::OutOfBalance, words);
    let counted = Statement { count: Some(7), ..first.clone() };
    let words = "entries stated: 7, found: 6";
    check_pages(&third, &[second.clone(), counted], FileVerdict::Incomplete, words);
    let ends = Statement { pages: vec![Page::new(1, false), Page::new(3, true)], ..first };
    let ends = Statement { closing: third.closing, ..ends };
    check_pages(&ends, std::slice::from_ref(&second), FileVerdict::Accepted, "");
    check_pages(&ends, &[], FileVerdict::Incomplete, "page 2 of statement `S1` is missing");
    let next = Statement {
        opening: Some(eur(10_400)),
        closing: Some(eur(10_900)),
        ..statement("S2", "2026-12-01")
    };
    let mut known = known(FileVerdict::Accepted, third);
    known.files.push(KnownFile { statements: vec![ends, second], ..known.files[0].clone() });
    let next = stated(vec![next]);
    check(&arriving(&next), &known, FileVerdict::Gap, "the one before closed with 105.00");
}

#[test]
fn a_page_of_a_message_that_is_missing_is_named() {
    let of_message = |number, last| Page { message: "M1".to_owned(), ..Page::new(number, last) };
    let right = statement("S1", "2026-11-30");
    let paged = |page| Statement { pages: vec![Page::new(1, true), page], ..right.clone() };
    let first = paged(of_message(1, false));
    check_alone(first.clone(), FileVerdict::Incomplete, "what follows page 1 of message `M1`");
    let second = Statement {
        identity: "S2".to_owned(),
        opening: Some(eur(10_500)),
        closing: Some(eur(11_000)),
        ..paged(of_message(2, true))
    };
    check_pages(&first, &[second], FileVerdict::Accepted, "");
}

#[test]
fn an_imbalance_is_told_exactly() {
    let off = Statement { closing: Some(eur(10_400)), ..statement("S1", "2026-11-30") };
    check_alone(
        off,
        FileVerdict::OutOfBalance,
        "opening 100.00 and movements 5.00 do not lead to closing 104.00: 1.00 EUR over",
    );
}

#[test]
fn a_stated_total_must_be_the_sum_read() {
    let off = Statement {
        total: Some(Sum::from(eur(700))),
        totalled: Some(Sum::from(eur(500))),
        ..statement("S1", "2026-11-30")
    };
    check_alone(off, FileVerdict::TotalsDiffer, "total of 7.00 and sums to 5.00 EUR");
}

#[test]
fn a_statement_that_was_never_seen_leaves_a_gap() {
    let next = statement("S2", "2026-12-01");
    let known = known(
        FileVerdict::Accepted,
        Statement { sequence: Some(7), ..statement("S1", "2026-11-30") },
    );
    let check_next = |next: Statement, verdict, words| {
        check(&arriving(&stated(vec![next])), &known, verdict, words);
    };
    let carried = |sequence| Statement {
        opening: Some(eur(10_500)),
        closing: Some(eur(11_000)),
        sequence,
        ..next.clone()
    };
    check_next(carried(Some(8)), FileVerdict::Accepted, "");
    check_next(carried(None), FileVerdict::Accepted, "");
    check_next(carried(Some(1)), FileVerdict::Accepted, "");
    check_next(carried(Some(10)), FileVerdict::Gap, "statement 10 follows 7");
    check_next(
        next.clone(),
        FileVerdict::Gap,
        "opens with 100.00, and the one before closed with 105.00",
    );
}

#[test]
fn a_statement_told_twice_in_one_file_is_not_taken() {
    let one = statement("S1", "2026-11-30");
    let twice = stated(vec![one.clone(), one.clone()]);
    check(
        &arriving(&twice),
        &Known::default(),
        FileVerdict::Restated,
        "tells statement `S1` twice",
    );
    let other = stated(vec![one.clone(), Statement { identity: "S2".to_owned(), ..one.clone() }]);
    let words = "`S2` goes from 100.00 to 105.00 on days that another tells otherwise";
    check(&arriving(&other), &Known::default(), FileVerdict::Gap, words);
    let next = Statement {
        identity: "S2".to_owned(),
        opening: one.closing,
        closing: Some(eur(11_000)),
        ..one.clone()
    };
    for stretches in [[one.clone(), next.clone()], [next, one]] {
        let stated = stated(stretches.to_vec());
        check(&arriving(&stated), &Known::default(), FileVerdict::Accepted, "");
    }
}

#[test]
fn days_already_covered_overlap() {
    let known = known(FileVerdict::Accepted, statement("S1", "2026-11-30"));
    let again = stated(vec![statement("S2", "2026-11-30")]);
    check(&arriving(&again), &known, FileVerdict::Overlapping, "covered already by `first.xml`");
}

#[test]
fn the_first_verdict_by_precedence_stands() {
    let off = Statement {
        closing: Some(eur(10_400)),
        account: "FR76".to_owned(),
        ..statement("S1", "2026-11-30")
    };
    let mut broken = stated(vec![off.clone()]);
    check(&arriving(&broken), &Known::default(), FileVerdict::Foreign, "FR76");
    broken.faults.push(FileFault {
        verdict: FileVerdict::Unreadable,
        what: "the third record breaks off".to_owned(),
    });
    check(&arriving(&broken), &Known::default(), FileVerdict::Unreadable, "breaks off");
}

#[test]
fn an_empty_statement_that_balances_is_empty_and_trusted() {
    let still = Statement {
        closing: Some(eur(10_000)),
        movement: None,
        counted: 0,
        ..statement("S1", "2026-11-30")
    };
    let stated = Stated { records: 0, ..stated(vec![still]) };
    let arriving = Arriving { entries: 0, ..arriving(&stated) };
    check(&arriving, &Known::default(), FileVerdict::Empty, "no entry");
}
