//! The ledger straight from its database, on SQLite and PostgreSQL.

use chrono::NaiveDate;
use sqlx::{AnyConnection, AssertSqlSafe, Connection};
use sverka::extract::{ExtractError, extract};

use crate::cluster::Cluster;
use crate::runs::date;

const LEDGER: &str = "
    create table ledger (id text, amount numeric(20, 2), rate double precision, booked date);
    insert into ledger values
        ('p1', 90071992547409.93, 1.5, '2026-11-26'), ('p,\"2\"', -50, 0.5, '2026-11-30'),
        (null, 0.05, 0.25, '2026-12-01')";

/// SQLite has no exact decimals of its own: a ledger in it keeps minor units or texts.
const LEDGER_SQLITE: &str = "
    create table ledger (id text, amount text, rate real, booked text);
    insert into ledger values
        ('p1', '90071992547409.93', 1.5, '2026-11-26'), ('p,\"2\"', '-50.00', 0.5, '2026-11-30'),
        (null, '0.05', 0.25, '2026-12-01')";

async fn set_up(url: &str, sql: &str) {
    sqlx::any::install_default_drivers();
    let mut connection = AnyConnection::connect(url).await.unwrap();
    sqlx::raw_sql(AssertSqlSafe(sql.to_owned())).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
}

async fn told(url: &str, query: &str, day: Option<NaiveDate>) -> Result<String, ExtractError> {
    let mut bytes = Vec::new();
    let rows = extract(url, query, day, &mut bytes).await?;
    let text = String::from_utf8(bytes).unwrap();
    assert!(text.contains(&format!("sverka-rows,{rows}\n")), "{text}");
    Ok(text)
}

/// Runs a query on both databases and checks what it gives, or how it is refused.
fn check(name: &str, query: &str, day: Option<&str>, expected: Result<&str, &str>) {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let folder = tempfile::tempdir().unwrap();
        let sqlite = format!("sqlite://{}", folder.path().join("ledger.db").display());
        set_up(&format!("{sqlite}?mode=rwc"), LEDGER_SQLITE).await;
        let cluster = Cluster::shared(&["fsync=off"]);
        set_up(&cluster.url("public"), &format!("create schema {name}")).await;
        set_up(&cluster.url(name), LEDGER).await;
        for url in [sqlite, cluster.url(name)] {
            let first = told(&url, query, day.map(date)).await;
            match expected {
                Ok(text) => {
                    assert_eq!(first.unwrap(), text, "{url}");
                    assert_eq!(told(&url, query, day.map(date)).await.unwrap(), text, "{url}");
                }
                Err(says) => {
                    let error = first.unwrap_err().to_string();
                    assert!(error.contains(says), "{url}: {error}");
                }
            }
        }
    });
}

#[test]
fn rows_come_out_exactly_and_always_the_same() {
    check(
        "rows_come_out_exactly",
        "select id, amount, booked from ledger where booked <= {date} order by booked",
        Some("2026-11-30"),
        Ok(
            "id,amount,booked\np1,90071992547409.93,2026-11-26\n\"p,\"\"2\"\"\",-50.00,2026-11-30\n\
            sverka-rows,2\nsverka-cut-off,2026-11-30\n",
        ),
    );
    check(
        "an_empty_extract",
        "select id, amount from ledger where booked > '2027-01-01'",
        None,
        Ok("id,amount\nsverka-rows,0\n"),
    );
    check(
        "null_is_an_empty_cell",
        "select id, amount from ledger where id is null;",
        None,
        Ok("id,amount\n,0.05\nsverka-rows,1\n"),
    );
}

#[test]
fn a_float_is_refused_by_name() {
    check("a_float_is_refused", "select id, rate from ledger", None, Err("column `rate` is"));
}

#[test]
fn a_query_that_asks_for_a_day_needs_one() {
    check("a_day_is_needed", "select id from ledger where booked = {date}", None, Err("--date"));
}

#[test]
fn nothing_can_be_written_through_a_query() {
    for (name, query) in [
        ("no_delete", "delete from ledger returning id"),
        ("no_insert", "insert into ledger (id) values ('x') returning id"),
    ] {
        check(name, query, None, Err("read"));
    }
}
