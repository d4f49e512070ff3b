//! `DuckDB`'s bare query on the same files, through Python's `duckdb`.

use std::{collections::BTreeSet, fs, path::Path, process::Command};

use crate::{
    generate::Found,
    process::{Measured, measure},
};

/// Aggregates both sides, joins them fully and lists the rest: what a good analyst would write,
/// without storage, history, proof or report.
const QUERY: &str = r#"
import sys, duckdb
folder = sys.argv[1]
db = duckdb.connect()
db.execute("set threads = " + sys.argv[2])
db.execute(f"""
copy (
    with ours as (
        select e2e as key, count(*) as n, sum(amount) as amount, min(ccy) as ccy, min(booked) as day
        from read_csv('{folder}/ledger.csv', header = true, columns = {{
            'payment_id': 'varchar', 'e2e': 'varchar', 'amount': 'decimal(18, 2)', 'ccy': 'varchar',
            'booked': 'date', 'type': 'varchar', 'party': 'varchar'}})
        group by e2e
    ), theirs as (
        select reference as key, count(*) as n, sum(sum) as amount, min(currency) as ccy, min(date) as day
        from read_csv('{folder}/statement.csv', header = true, columns = {{
            'reference': 'varchar', 'sum': 'decimal(18, 2)', 'currency': 'varchar', 'date': 'date',
            'name': 'varchar'}})
        group by reference
    )
    select coalesce(ours.key, theirs.key) as key, case
        when ours.key is null then 'missing_ours'
        when theirs.key is null then 'missing_theirs'
        when ours.n > 1 then 'repeated_ours'
        when theirs.n > 1 then 'repeated_theirs'
        when ours.ccy <> theirs.ccy then 'currency_differs'
        when ours.amount <> theirs.amount then 'amount_under'
        when abs(ours.day - theirs.day) > 2 then 'date_differs'
        end as reason
    from ours full join theirs on ours.key = theirs.key
    where reason is not null
) to '{folder}/duckdb.csv' (header false)
""")
"#;

/// Runs the query; `None` where Python or its `duckdb` is not installed. `PYTHON` names another
/// interpreter than `python3`.
pub(crate) fn run(folder: &Path) -> Option<(Measured, BTreeSet<Found>)> {
    let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let installed = Command::new(&python).args(["-c", "import duckdb"]).output();
    if !installed.is_ok_and(|it| it.status.success()) {
        return None;
    }
    let threads = std::thread::available_parallelism().unwrap().to_string();
    let mut command = Command::new(python);
    command.arg("-c").arg(QUERY).arg(folder).arg(threads);
    let (measured, status) = measure(&mut command, &folder.join("duckdb.out"));
    assert!(status.success(), "the query failed: {status}");
    let rest = fs::read_to_string(folder.join("duckdb.csv")).unwrap();
    let found = rest.lines().map(|line| {
        let (key, reason) = line.split_once(',').unwrap();
        (key.to_owned(), known(reason))
    });
    Some((measured, found.collect()))
}

/// The reason by its code; a code that was never planted is told as such.
pub(crate) fn known(code: &str) -> &'static str {
    const PLANTED: [&str; 7] = [
        "missing_ours",
        "missing_theirs",
        "repeated_ours",
        "repeated_theirs",
        "amount_under",
        "currency_differs",
        "date_differs",
    ];
    PLANTED.into_iter().find(|it| *it == code).unwrap_or("another reason")
}
