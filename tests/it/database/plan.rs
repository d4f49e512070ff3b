//! How PostgreSQL looks up many discrepancies among very many.

use sqlx::{AnyConnection, AssertSqlSafe, Connection as _, Row as _};
use sverka::domain::{discrepancy::Discrepancy, reason::Reason};

use crate::database::{House, check, statements};
use crate::runs::{day, repeated};

/// Makes 20,000 rows of the one that a table has.
fn many(table: &str) -> String {
    format!(
        "insert into {table} select (jsonb_populate_record(d, jsonb_build_object(
             'discrepancy_id', md5(n::text), 'position', n + 1000))).*
         from {table} d, generate_series(1, 20000) n"
    )
}

/// The plan of a statement for some ids, told as it is run: with its ids as one parameter.
async fn plan(connection: &mut AnyConnection, sql: &str) -> String {
    let ids = serde_json::to_string(&["a".to_owned(), "b".to_owned()]).unwrap();
    let sql = sql.replace("in ($1)", "= any(array(select json_array_elements_text($1::json)))");
    let query = sqlx::query(AssertSqlSafe(format!("explain {sql}"))).persistent(false).bind(ids);
    let rows = query.fetch_all(connection).await.unwrap();
    rows.iter().map(|row| row.get::<String, _>(0) + "\n").collect()
}

#[test]
fn discrepancies_are_looked_up_by_an_index() {
    check("discrepancies_are_looked_up_by_an_index", async |house: &House| {
        if house.is_sqlite() {
            return;
        }
        let waiting =
            Discrepancy { reason: Reason::InTransit, corrections: Vec::new(), ..repeated("p-1") };
        house.record(&day(1, vec![waiting])).await;
        house.record(&day(2, vec![repeated("p-1")])).await;
        for table in ["discrepancy", "discrepancy_history"] {
            house.meddle(&many(table)).await.unwrap();
        }
        let asked = |sql: &String| sql.contains("from discrepancy") && sql.contains("in ($1)");
        let asked: Vec<_> = statements().into_iter().filter(asked).collect();
        assert!(asked.iter().any(|sql| sql.contains("discrepancy_said")), "{asked:#?}");
        let mut connection = AnyConnection::connect(&house.url).await.unwrap();
        for analyzed in [false, true] {
            if analyzed {
                house.meddle("analyze discrepancy; analyze discrepancy_history").await.unwrap();
            }
            for sql in &asked {
                let plan = plan(&mut connection, sql).await;
                let is_scanned = plan.contains("Seq Scan on discrepancy");
                assert!(plan.contains("Index") && !is_scanned, "{sql}\n{plan}");
            }
        }
    });
}
