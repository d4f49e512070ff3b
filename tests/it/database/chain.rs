//! The hash chain on both databases: what it protects, and what it finds.

use sverka::domain::discrepancy::Discrepancy;
use sverka::journal::{ChainState, Journal};

use crate::database::{TABLES, check, renewed, sign_off};
use crate::runs::{Day, RECONCILIATION, TENANT, day, discrepancy_id, repeated};

#[test]
fn rows_of_record_refuse_to_be_changed() {
    check("rows_of_record_refuse_to_be_changed", async |house| {
        house.record(&day(1, vec![repeated("p-1")])).await;
        house.record(&renewed(2)).await;
        house.record(&Day { closed: vec![discrepancy_id("p-1")], ..day(3, Vec::new()) }).await;
        house.journal.accept_opening(&sign_off("Ada")).await.unwrap();
        for table in TABLES {
            for sql in [
                format!("update {table} set link = 'x'"),
                format!("update {table} set tenant = 'x'"),
                format!("delete from {table}"),
            ] {
                let error = house.meddle(&sql).await.unwrap_err().to_string();
                assert!(error.contains(&format!("only added: {table}")), "{sql}: {error}");
            }
        }
        house.check_chain().await;
    });
}

#[test]
fn the_chain_names_the_first_row_that_was_changed() {
    check("the_chain_names_the_first_row_that_was_changed", async |house| {
        house.record(&day(1, vec![repeated("p-1"), repeated("p-2")])).await;
        house.check_chain().await;
        let id = discrepancy_id("p-2").to_string();
        for table in ["discrepancy", "correction"] {
            house.unlock(table).await;
        }
        let told = async |expected: &str, what: &str| match house
            .journal
            .verify_chain(TENANT)
            .await
            .unwrap()
        {
            ChainState::Broken { row, what: told, .. } => {
                assert_eq!((row.as_str(), told.as_str()), (expected, what));
            }
            whole @ ChainState::Whole { .. } => panic!("{whole:?}"),
        };
        house.meddle("update correction set state = 'approved'").await.unwrap();
        let state = house.journal.verify_chain(TENANT).await.unwrap();
        let ChainState::Broken { row, what, .. } = state else { panic!("{state:?}") };
        assert!(row.starts_with("correction "), "{row}");
        assert_eq!(what, "its state is not that of its last step");
        house.meddle("update correction set legs = '[]'").await.unwrap();
        let party = "update discrepancy set entries = replace(entries, 'party', 'ytrap')";
        house.meddle(&format!("{party} where discrepancy_id = '{id}'")).await.unwrap();
        told(&format!("discrepancy {id}"), "the row was changed").await;
        for table in ["correction", "discrepancy"] {
            let gone = format!("delete from {table} where discrepancy_id = '{id}'");
            house.meddle(&gone).await.unwrap();
        }
        told("", "the row is missing").await;
    });
}

#[test]
fn a_null_that_became_a_blank_breaks_the_chain() {
    check("a_null_that_became_a_blank_breaks_the_chain", async |house| {
        house.record(&day(1, vec![Discrepancy { due_on: None, ..repeated("p-1") }])).await;
        house.unlock("discrepancy").await;
        house.meddle("update discrepancy set due_on = '' where due_on is null").await.unwrap();
        let state = house.journal.verify_chain(TENANT).await.unwrap();
        assert!(matches!(state, ChainState::Broken { .. }), "{state:?}");
    });
}

#[test]
fn two_runs_at_once_end_with_one_discrepancy_and_a_whole_chain() {
    check("two_runs_at_once_end_with_one_discrepancy_and_a_whole_chain", async |house| {
        let other = Journal::connect(&house.url).await.unwrap();
        let days = [1, 2, 3, 4].map(|attempt| day(attempt, vec![repeated("p-1")]));
        let (one, two, three, four) = tokio::join!(
            days[0].record_in(&house.journal),
            days[1].record_in(&other),
            days[2].record_in(&house.journal),
            days[3].record_in(&other),
        );
        for head in [one, two, three, four] {
            head.unwrap();
        }
        let counts = house.counts().await;
        let some = ["run", "file", "discrepancy", "discrepancy_history", "correction"];
        assert_eq!(some.map(|table| counts[table]), [4, 2, 1, 0, 1]);
        house.check_chain().await;
    });
}

#[test]
fn a_text_with_a_nul_is_kept_and_the_chain_holds() {
    check("a_text_with_a_nul_is_kept_and_the_chain_holds", async |house| {
        let mut odd = repeated("p-1");
        odd.ours[0].party = "Mül\0ler".into();
        house.record(&day(1, vec![odd])).await;
        let items = house.journal.open_items(TENANT, RECONCILIATION).await.unwrap();
        assert_eq!(items[0].evidence[0].entry.party, "Mül\0ler");
        house.check_chain().await;
    });
}

#[test]
fn texts_with_separators_of_records_come_back_whole() {
    check("texts_with_separators_of_records_come_back_whole", async |house| {
        let legs = ["\u{1f}0c", "\u{1f}0n", "a\u{1f}1rb", "\u{1f}", "", "\\N", "{\"\u{1e}"];
        let odd = |(at, leg): (usize, &&str)| Discrepancy {
            leg: (*leg).to_owned(),
            id: discrepancy_id(leg),
            corrections: Vec::new(),
            ..repeated(&format!("p-{at}"))
        };
        house.record(&day(1, legs.iter().enumerate().map(odd).collect())).await;
        for leg in legs {
            let id = discrepancy_id(leg).to_string();
            let found = house.journal.find_discrepancy(TENANT, &id).await.unwrap().unwrap();
            assert_eq!(found.leg, leg);
        }
        house.check_chain().await;
    });
}

#[test]
fn tenants_have_chains_of_their_own() {
    check("tenants_have_chains_of_their_own", async |house| {
        house.record(&day(1, vec![repeated("p-1")])).await;
        let mut other = day(2, Vec::new());
        other.result.run.tenant = "other".to_owned();
        let before = house.journal.chain_head(TENANT).await.unwrap();
        let head = other.record_in(&house.journal).await.unwrap();
        assert_eq!(house.journal.chain_head(TENANT).await.unwrap(), before);
        assert_eq!(house.journal.chain_head("other").await.unwrap(), Some(head));
        for tenant in [TENANT, "other", "nobody"] {
            let state = house.journal.verify_chain(tenant).await.unwrap();
            assert!(matches!(state, ChainState::Whole { .. }), "{tenant}: {state:?}");
        }
    });
}

#[test]
fn no_row_stands_without_a_chain() {
    check("no_row_stands_without_a_chain", async |house| {
        house.record(&day(1, vec![repeated("p-1")])).await;
        house.check_chain().await;
        let stranger = "insert into discrepancy_history (discrepancy_id, number, tenant, run_id, as_of, \
             state, position, link) select d.discrepancy_id, 2, 'ghost', run.run_id, '2026-11-30', \
             'closed', 1, 'x' from discrepancy d, run";
        let told = async |starts: &str| {
            let state = house.journal.verify_chain(TENANT).await.unwrap();
            let ChainState::Broken { row, what, .. } = state else { panic!("{state:?}") };
            assert!(row.starts_with(starts) && what == "its chain has no head", "{row}: {what}");
        };
        house.meddle("delete from chain_head").await.unwrap();
        told("run ").await;
        let refused = renewed(2).record_in(&house.journal).await.unwrap_err();
        assert!(refused.to_string().contains("the head of their hash chain is gone"), "{refused}");
        house.meddle(stranger).await.unwrap();
        told("run ").await;
    });
}
