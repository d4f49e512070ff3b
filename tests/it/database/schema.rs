//! What guards the rows, where somebody was at it by hand.

use sverka::journal::Journal;

use crate::database::{House, check};

/// What is found after some SQL behind the journal's back, which then is undone.
async fn check_told(house: &House, sql: &str, undo: &str, expected: &[&str]) {
    house.meddle(sql).await.unwrap_or_else(|error| panic!("{sql}: {error}"));
    assert_eq!(house.journal.schema_faults().await.unwrap(), expected, "{sql}");
    house.meddle(undo).await.unwrap_or_else(|error| panic!("{undo}: {error}"));
    assert_eq!(house.journal.schema_faults().await.unwrap(), [""; 0], "{undo}");
}

const INDEX: &str = "create unique index correction_live_per_discrepancy on correction \
    (tenant, discrepancy_id)\n    where state in ('proposed', 'approved', 'posted', 'delivered')";

#[test]
fn a_schema_is_as_it_was_made_or_every_other_part_is_named() {
    check("a_schema_is_as_it_was_made", async |house| {
        assert_eq!(house.journal.schema_faults().await.unwrap(), [""; 0]);
        let dropped = "drop index correction_live_per_discrepancy";
        let index = "index `correction_live_per_discrepancy` of `correction`";
        check_told(house, dropped, INDEX, &[&format!("{index} is missing")]).await;
        let loose = INDEX.replace(" unique", "");
        let both = format!("{dropped}; {loose}");
        let again = format!("{dropped}; {INDEX}");
        check_told(house, &both, &again, &[&format!("{index} is not as it was made")]).await;
        let added = "index `mine` of `run` was not made by this program";
        check_told(house, "create index mine on run (as_of)", "drop index mine", &[added]).await;
    });
}

#[test]
fn triggers_views_and_checks_that_somebody_changed_are_named() {
    check("triggers_views_and_checks_are_named", async |house| {
        let view = "drop view discrepancy_said; create view discrepancy_said as select \
            discrepancy_id, 1 as number, run_id from discrepancy";
        house.meddle(view).await.unwrap();
        house.unlock("run").await;
        let expected = if house.is_sqlite() {
            house.meddle("alter table run add column note text").await.unwrap();
            vec![
                "table `run` is not as it was made",
                "trigger `run_is_not_changed` of `run` is missing",
                "trigger `run_is_not_deleted` of `run` is missing",
                "view `discrepancy_said` is not as it was made",
            ]
        } else {
            for sql in [
                "alter table run drop constraint run_agrees_yes_no",
                "alter table correction_step disable trigger all",
                "create or replace function refuse_change() returns trigger language plpgsql as \
                 'begin return new; end'",
                "create rule quiet as on insert to run do instead nothing",
                "create table somebody_elses (id bigint primary key)",
            ] {
                house.meddle(sql).await.unwrap();
            }
            vec![
                "constraint `correction_step_of_correction` of `correction_step` is not as it was made",
                "constraint `run_agrees_yes_no` of `run` is missing",
                "function `refuse_change` is not as it was made",
                "trigger `correction_step_is_not_changed` of `correction_step` is not as it was made",
                "trigger `run_is_not_changed` of `run` is missing",
                "view `discrepancy_said` is not as it was made",
                "rule `quiet` of `run` was not made by this program",
            ]
        };
        assert_eq!(house.journal.schema_faults().await.unwrap(), expected);
        // Who may only read is told the same.
        let reading = Journal::read(&house.url).await.unwrap().unwrap();
        assert_eq!(reading.schema_faults().await.unwrap(), expected);
    });
}
