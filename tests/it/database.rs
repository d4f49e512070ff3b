//! The journal on both databases.

mod chain;
mod connect;
mod plan;
mod schema;

use std::{collections::BTreeMap, fs, path::Path};

use sqlx::{AnyConnection, AssertSqlSafe, Connection, Executor, Row, SqlSafeStr};
use sverka::corrections::number;
use sverka::domain::{
    correction::State as CorrectionState, discrepancy::Discrepancy, key::IntentKey, money::Sum,
    reason::Reason, side::Side, statement::FileVerdict,
};
use sverka::inbox::OpeningAccepted;
use sverka::journal::{ChainState, Journal, JournalError, SignOff, Signed, State};

use crate::cluster::Cluster;
use crate::runs::{
    Day, RECONCILIATION, TENANT, correction, date, day, discrepancy_id, entry, eur, moment,
    repeated, stored,
};

/// The tables whose rows are of record.
const TABLES: [&str; 11] = [
    "run",
    "file",
    "statement",
    "arrival",
    "run_file",
    "reject",
    "discrepancy",
    "discrepancy_history",
    "correction",
    "correction_step",
    "opening",
];

/// A database of one test.
pub(crate) struct House {
    pub(crate) journal: Journal,
    pub(crate) url: String,
}

impl House {
    /// Runs SQL behind the journal's back.
    async fn meddle(&self, sql: &str) -> Result<(), JournalError> {
        let mut connection = AnyConnection::connect(&self.url).await?;
        sqlx::raw_sql(AssertSqlSafe(sql.to_owned())).execute(&mut connection).await?;
        Ok(())
    }

    /// Lets the next meddling pass where a trigger would refuse it.
    async fn unlock(&self, table: &str) {
        let on = if self.is_sqlite() { String::new() } else { format!(" on {table}") };
        let mut triggers = vec![format!("{table}_is_not_changed")];
        if self.is_sqlite() || table == "correction" {
            triggers.push(format!("{table}_is_not_deleted"));
        }
        for trigger in triggers {
            self.meddle(&format!("drop trigger {trigger}{on}")).await.unwrap();
        }
    }

    fn is_sqlite(&self) -> bool {
        self.url.starts_with("sqlite:")
    }

    /// How many rows each table has.
    pub(crate) async fn counts(&self) -> BTreeMap<&'static str, i64> {
        let mut connection = AnyConnection::connect(&self.url).await.unwrap();
        let mut counts = BTreeMap::new();
        for table in TABLES {
            let sql = AssertSqlSafe(format!("select count(*) from {table}"));
            let row = sqlx::query(sql).fetch_one(&mut connection).await.unwrap();
            counts.insert(table, row.get(0));
        }
        counts
    }

    async fn record(&self, day: &Day) {
        day.record_in(&self.journal).await.unwrap();
    }

    pub(crate) async fn check_chain(&self) {
        let state = self.journal.verify_chain(TENANT).await.unwrap();
        assert!(matches!(state, ChainState::Whole { .. }), "{state:?}");
    }
}

/// Runs a test on SQLite and on PostgreSQL, each with a database of its own.
pub(crate) fn check(name: &str, test: impl AsyncFn(&House) + Copy) {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}", folder.path().join("sverka.db").display());
        on(url, test).await;
        let cluster = Cluster::shared(&["fsync=off"]);
        let maker = cluster.url("public");
        sqlx::any::install_default_drivers();
        let mut connection = AnyConnection::connect(&maker).await.unwrap();
        let sql = AssertSqlSafe(format!("create schema {name}"));
        sqlx::raw_sql(sql).execute(&mut connection).await.unwrap();
        on(cluster.url(name), test).await;
    });
}

async fn on(url: String, test: impl AsyncFn(&House)) {
    let house = House { journal: Journal::connect(&url).await.unwrap(), url };
    test(&house).await;
    house.journal.close().await;
}

/// The statements of the journal: constants that hold one text, read from its source, so that none
/// can be left out.
fn statements() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/journal");
    let mut found = Vec::new();
    for file in fs::read_dir(folder).unwrap() {
        let source = fs::read_to_string(file.unwrap().path()).unwrap();
        for piece in source.split(": &str =").skip(1) {
            let text = piece.split('"').nth(1).unwrap().trim();
            found.push(text.to_owned());
        }
    }
    found
}

#[test]
fn every_statement_prepares() {
    check("every_statement_prepares", async |house| {
        let statements = statements();
        assert!(statements.len() >= 20, "{statements:#?}");
        let mut connection = AnyConnection::connect(&house.url).await.unwrap();
        for sql in statements {
            let prepared = connection.prepare(AssertSqlSafe(sql.clone()).into_sql_str()).await;
            assert!(prepared.is_ok(), "{:?}: {sql}", prepared.err());
        }
    });
}

#[test]
fn migrating_again_changes_nothing() {
    check("migrating_again_changes_nothing", async |house| {
        house.record(&day(1, vec![repeated("p-1")])).await;
        let again = Journal::connect(&house.url).await.unwrap();
        assert_eq!(
            again.next_attempt(TENANT, RECONCILIATION, date("2026-11-30")).await.unwrap(),
            2
        );
    });
}

#[test]
fn a_rerun_adds_the_run_its_links_and_its_arrivals() {
    check("a_rerun_adds_the_run_its_links_and_its_arrivals", async |house| {
        house.record(&day(1, vec![repeated("p-1"), repeated("p-2")])).await;
        let before = house.counts().await;
        assert_eq!(before["discrepancy"], 2);
        assert_eq!(before["correction"], 2);
        assert_eq!(before["reject"], 1);
        house.record(&day(2, vec![repeated("p-1"), repeated("p-2")])).await;
        let mut expected = before;
        for (table, more) in [("run", 1), ("run_file", 2), ("arrival", 2)] {
            *expected.get_mut(table).unwrap() += more;
        }
        assert_eq!(house.counts().await, expected);
        house.check_chain().await;
    });
}

#[test]
fn files_keep_their_first_verdict() {
    check("files_keep_their_first_verdict", async |house| {
        house.record(&day(1, Vec::new())).await;
        let mut again = day(2, Vec::new());
        again.result.files[0].verdict = FileVerdict::Gap;
        house.record(&again).await;
        let known = house.journal.known(TENANT, RECONCILIATION).await.unwrap();
        let verdicts: Vec<_> = known.files.iter().map(|it| (it.side, it.verdict)).collect();
        let accepted = FileVerdict::Accepted;
        assert_eq!(verdicts, [(Side::Ours, accepted), (Side::Theirs, accepted)]);
        let (stored, given) =
            (&known.files[1].statements, &again.result.files[1].stated.statements);
        assert_eq!(stored, given);
        assert_eq!(known.chain_head, house.journal.chain_head(TENANT).await.unwrap());
    });
}

/// The second attempt, with other evidence for the correction of `p-1`.
fn renewed(attempt: u32) -> Day {
    let corrections = vec![correction("p-1", "second", 2)];
    day(attempt, vec![Discrepancy { corrections, ..repeated("p-1") }])
}

#[test]
fn a_broken_constraint_is_known_by_its_name() {
    check("a_broken_constraint_is_known_by_its_name", async |house| {
        house.record(&day(1, vec![repeated("p-1")])).await;
        // Whether one that is live, or void, stands beside the first, with a key and a number.
        let correction = |state: &str, key: &str, number: u32, class: &str| {
            format!(
                "insert into correction select 'x', tenant, discrepancy_id, run_id, '{key}',
                 intent_key, form, {number}, '{class}', underlying_kind, amount_minor, currency,
                 legs, evidence, null, narrative, position + 100, link, '{state}' from correction"
            )
        };
        let class = "technical_correction";
        for (sql, constraint) in [
            (correction("approved", "k", 9, class), "correction_live_per_discrepancy"),
            (correction("void", "k", 9, "refund"), "correction_class_known"),
            (correction("gone", "k", 9, class), "correction_state_known"),
            (correction("void", "p-1:compensate", 9, class), "correction_once_per_key"),
            (correction("void", "k", 1, class), "correction_once_per_number"),
            (
                "insert into run select 'x', tenant, reconciliation, as_of, attempt, started_at,
                 program, rules_version, status, complete, agrees, independent, result_sha256,
                 position + 100, link from run"
                    .to_owned(),
                "run_once_per_attempt",
            ),
        ] {
            match house.meddle(&sql).await {
                Err(JournalError::Constraint { constraint: fired, .. }) => {
                    assert_eq!(fired, constraint, "{sql}");
                }
                other => panic!("{other:?}: {sql}"),
            }
        }
    });
}

#[test]
fn one_posting_has_one_live_correction() {
    check("one_posting_has_one_live_correction", async |house| {
        let mut other = repeated("p-2");
        other.corrections[0].draft.intent = IntentKey::stated("p-1").unwrap();
        other.corrections[0].key = other.corrections[0].draft.intent.compensate(2);
        other.corrections[0].number = 2;
        let both = day(1, vec![repeated("p-1"), other]);
        match both.record_in(&house.journal).await {
            Err(JournalError::Constraint { constraint, .. }) => {
                assert_eq!(constraint, "correction_live_per_posting");
            }
            other => panic!("{other:?}"),
        }
        assert!(house.counts().await.values().all(|count| *count == 0), "nothing was kept");
    });
}

#[test]
fn an_attempt_that_is_taken_keeps_nothing() {
    check("an_attempt_that_is_taken_keeps_nothing", async |house| {
        house.record(&day(1, vec![repeated("p-1")])).await;
        let before = house.counts().await;
        let error = day(1, vec![repeated("p-2")]).record_in(&house.journal).await;
        assert!(matches!(error, Err(JournalError::Overtaken { .. })), "{error:?}");
        assert_eq!(house.counts().await, before);
    });
}

#[test]
fn numbers_are_read_back_and_never_reused() {
    check("numbers_are_read_back_and_never_reused", async |house| {
        house.record(&day(1, vec![repeated("p-1")])).await;
        let replayed = correction("p-1", "first", 1);
        let drafts = [replayed.draft.clone()];
        let existing = house.journal.corrections(TENANT, &drafts).await.unwrap();
        assert_eq!(number(&drafts, &existing), [replayed]);
        assert!(house.journal.corrections("other", &drafts).await.unwrap().is_empty());

        house.record(&renewed(2)).await;
        let id = discrepancy_id("p-1").to_string();
        let found = house.journal.find_discrepancy(TENANT, &id).await.unwrap().unwrap();
        let told: Vec<_> = found.corrections.iter().map(|it| (it.key.as_str(), it.state)).collect();
        let expected = [
            ("p-1:compensate", CorrectionState::Void),
            ("p-1:compensate:2", CorrectionState::Proposed),
        ];
        assert_eq!(told, expected);
        house.check_chain().await;

        let stale = day(
            3,
            vec![Discrepancy {
                corrections: vec![correction("p-1", "third", 2)],
                ..repeated("p-1")
            }],
        );
        let error = stale.record_in(&house.journal).await;
        assert!(matches!(error, Err(JournalError::Overtaken { .. })), "{error:?}");
    });
}

#[test]
fn an_entry_comes_back_whole() {
    check("an_entry_comes_back_whole", async |house| {
        let mut odd = repeated("p-1");
        odd.ours.push(entry(0, 5, eur(i64::MIN)));
        house.record(&day(1, vec![odd.clone()])).await;
        let items = house.journal.open_items(TENANT, RECONCILIATION).await.unwrap();
        assert_eq!((items.len(), items[0].id), (1, odd.id));
        let expected = odd.ours.iter().map(|it| (Side::Ours, "ledger.csv", it));
        let theirs = odd.theirs.iter().map(|it| (Side::Theirs, "statement.xml", it));
        for (stored, (side, file, entry)) in items[0].evidence.iter().zip(expected.chain(theirs)) {
            let mut entry = entry.clone();
            entry.place.file = 0;
            assert_eq!((stored.side, stored.file.as_str()), (side, file));
            assert_eq!(stored.entry, entry);
        }
        assert_eq!(items[0].evidence.len(), 3);
    });
}

#[test]
fn reasons_are_appended_and_a_discrepancy_closes_and_opens_again() {
    check("reasons_are_appended_and_a_discrepancy_closes_and_opens_again", async |house| {
        let waiting =
            Discrepancy { reason: Reason::InTransit, corrections: Vec::new(), ..repeated("p-1") };
        house.record(&day(1, vec![waiting])).await;
        house.record(&day(2, vec![repeated("p-1")])).await;
        house.record(&Day { closed: vec![discrepancy_id("p-1")], ..day(3, Vec::new()) }).await;
        let open = house.journal.open_items(TENANT, RECONCILIATION).await.unwrap();
        assert!(open.is_empty(), "{open:?}");
        house.record(&Day { closed: vec![discrepancy_id("p-1")], ..day(4, Vec::new()) }).await;
        house
            .record(&day(
                5,
                vec![Discrepancy {
                    first_seen: date("2026-12-04"),
                    corrections: Vec::new(),
                    ..repeated("p-1")
                }],
            ))
            .await;
        let id = discrepancy_id("p-1").to_string();
        let found = house.journal.find_discrepancy(TENANT, &id[..8]).await.unwrap().unwrap();
        let told: Vec<_> = found.history.iter().map(|it| (it.state, it.reason)).collect();
        let expected = [
            (State::Waiting, Some(Reason::InTransit)),
            (State::Open, Some(Reason::RepeatedOurs)),
            (State::Closed, None),
            (State::Open, Some(Reason::RepeatedOurs)),
        ];
        assert_eq!(told, expected);
        assert_eq!(found.corrections[0].state, CorrectionState::Void);
        assert_eq!(found.first_seen, date("2026-11-30"));
        let first_seen =
            house.journal.first_seen(&[found.id, discrepancy_id("p-9")]).await.unwrap();
        assert_eq!(Vec::from_iter(first_seen), [(found.id, date("2026-11-30"))]);
        house.check_chain().await;
    });
}

#[test]
fn a_sum_beyond_64_bits_is_refused_and_nothing_is_kept() {
    check("a_sum_beyond_64_bits_is_refused_and_nothing_is_kept", async |house| {
        let sum = Sum::from(eur(i64::MAX)).plus(1);
        let huge = Discrepancy { amount_ours: Some(sum), ..repeated("p-1") };
        let error = day(1, vec![huge]).record_in(&house.journal).await;
        assert!(matches!(error, Err(JournalError::Range { .. })), "{error:?}");
        assert!(house.counts().await.values().all(|count| *count == 0));
        house.record(&day(1, vec![repeated("p-1")])).await;
    });
}

#[test]
fn a_run_is_found_with_the_head_of_the_chain_after_it() {
    check("a_run_is_found_with_the_head_of_the_chain_after_it", async |house| {
        let first = day(1, vec![repeated("p-1")]);
        let head = first.record_in(&house.journal).await.unwrap();
        house.record(&day(2, Vec::new())).await;
        let id = first.result.run.id.to_string();
        let run = house.journal.find_run(TENANT, &id[..9]).await.unwrap().unwrap();
        let mut facts = first.result.run.clone();
        facts.chain_head = Some(head);
        assert_eq!((run.facts, run.status, run.result), (facts, 1, stored()));
        let latest = house.journal.latest_run(TENANT, RECONCILIATION).await.unwrap().unwrap();
        assert_eq!(latest.facts.attempt, 2);
        assert_eq!(latest.facts.chain_head, house.journal.chain_head(TENANT).await.unwrap());
        assert!(house.journal.find_run("other", &id).await.unwrap().is_none());
        let several = house.journal.find_run(TENANT, "").await;
        assert!(matches!(several, Err(JournalError::Several { .. })), "{several:?}");
    });
}

#[test]
fn a_trail_leads_from_the_run_to_the_correction() {
    check("a_trail_leads_from_the_run_to_the_correction", async |house| {
        house.record(&day(1, vec![repeated("p-1"), repeated("p-2")])).await;
        house.record(&renewed(2)).await;
        let trail = house.journal.trail(TENANT, "p-1:compensate").await.unwrap().unwrap();
        let tables: Vec<_> = trail.iter().map(|it| it.table).collect();
        let expected = [
            "run",
            "run",
            "file",
            "file",
            "statement",
            "statement",
            "arrival",
            "arrival",
            "arrival",
            "arrival",
            "discrepancy",
            "correction",
            "correction",
            "correction_step",
        ];
        assert_eq!(tables, expected);
        let id = discrepancy_id("p-1").to_string();
        assert_eq!(house.journal.trail(TENANT, &id).await.unwrap(), Some(trail));
        assert_eq!(house.journal.trail(TENANT, "p-3:compensate").await.unwrap(), None);
    });
}

#[test]
fn a_trail_begins_at_a_run_and_at_a_file_too() {
    check("a_trail_begins_at_a_run_and_at_a_file_too", async |house| {
        let first = day(1, vec![repeated("p-1"), repeated("p-2")]);
        house.record(&first).await;
        let told = async |name: &str| {
            let trail = house.journal.trail(TENANT, name).await.unwrap().unwrap();
            trail.iter().fold(BTreeMap::new(), |mut counts, row| {
                *counts.entry(row.table).or_insert(0) += 1;
                counts
            })
        };
        let of_run = told(&first.result.run.id.to_string()[..9]).await;
        assert_eq!((of_run["run"], of_run["file"], of_run["discrepancy"]), (1, 2, 2), "{of_run:?}");
        assert_eq!((of_run["correction"], of_run["reject"]), (2, 1), "{of_run:?}");
        let of_file = told("ledger.csv").await;
        let counts = (of_file["run"], of_file["file"], of_file["discrepancy"]);
        assert_eq!((counts, of_file["correction"]), ((1, 1, 2), 2), "{of_file:?}");
        let hash = first.result.files[0].sha256.to_string();
        assert_eq!(told(&hash).await, of_file);
        assert_eq!(told(&hash[..12]).await, of_file);
        let by_key = house.journal.find_discrepancy(TENANT, "p-1:compensate").await;
        assert_eq!(by_key.unwrap().unwrap().id, discrepancy_id("p-1"));
        let several = house.journal.trail(TENANT, "").await.unwrap_err().to_string();
        for part in ["stands for more than one: run ", "; file `ledger.csv`", "; discrepancy "] {
            assert!(several.contains(part), "{several}");
        }
    });
}

fn sign_off(by: &str) -> SignOff {
    SignOff {
        tenant: TENANT.to_owned(),
        reconciliation: RECONCILIATION.to_owned(),
        opening: OpeningAccepted {
            account: "DE02".to_owned(),
            difference: eur(1_200),
            by: by.to_owned(),
            why: "taken over from the old system".to_owned(),
        },
        at: moment(),
    }
}

#[test]
fn every_opening_difference_is_signed_off_once() {
    check("every_opening_difference_is_signed_off_once", async |house| {
        let of = |minor: i64, by: &str| {
            let opening = OpeningAccepted { difference: eur(minor), ..sign_off(by).opening };
            SignOff { opening, ..sign_off(by) }
        };
        let signs = async |minor, by| house.journal.accept_opening(&of(minor, by)).await.unwrap();
        assert!(matches!(signs(1_200, "Ada").await, Signed::Now(_)));
        assert_eq!(signs(1_200, "Bob").await, Signed::Before(of(1_200, "Ada").opening));
        assert!(matches!(signs(1_000, "Bob").await, Signed::Now(_)));
        assert_eq!(signs(1_000, "Ada").await, Signed::Before(of(1_000, "Bob").opening));
        // What was signed first and is true again is signed again: the newest holds.
        assert!(matches!(signs(1_200, "Eve").await, Signed::Now(_)));
        let known = house.journal.known(TENANT, RECONCILIATION).await.unwrap();
        let all = [of(1_200, "Ada"), of(1_000, "Bob"), of(1_200, "Eve")];
        assert_eq!(known.openings, all.map(|it| it.opening));
        assert_eq!(house.counts().await["opening"], 3);
        house.check_chain().await;
    });
}
