//! The tables whose rows are of record, with their columns in declared order.
//!
//! A row's hash is taken over these columns in this order, so neither may ever change. A test
//! holds them against both migrations.

/// A table of record. `position` and `link`, a row's place in the chain, follow its columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Table {
    /// Its name.
    pub(super) name: &'static str,
    /// Its columns but for `position` and `link`, in declared order; the first names the row.
    pub(super) columns: &'static [&'static str],
    /// Columns that follow `link` and may change: no part of the hash.
    pub(super) mutable: &'static [&'static str],
}

impl Table {
    const fn of(name: &'static str, columns: &'static [&'static str]) -> Self {
        Self { name, columns, mutable: &[] }
    }

    /// All its columns as they stand in the table.
    pub(super) fn all_columns(&self) -> Vec<&'static str> {
        [self.columns, &["position", "link"], self.mutable].concat()
    }
}

/// All tables of record.
pub(super) const ALL: [&Table; 11] = [
    &RUN,
    &FILE,
    &STATEMENT,
    &ARRIVAL,
    &RUN_FILE,
    &REJECT,
    &DISCREPANCY,
    &HISTORY,
    &CORRECTION,
    &STEP,
    &OPENING,
];

pub(super) const RUN: Table = Table::of(
    "run",
    &[
        "run_id",
        "tenant",
        "reconciliation",
        "as_of",
        "attempt",
        "started_at",
        "program",
        "rules_version",
        "status",
        "complete",
        "agrees",
        "independent",
        "result_sha256",
    ],
);

pub(super) const FILE: Table = Table::of(
    "file",
    &[
        "file_id",
        "tenant",
        "reconciliation",
        "run_id",
        "side",
        "sha256",
        "name",
        "format",
        "verdict",
        "explanation",
        "records",
        "entries",
        "rejects",
        "identities_sha256",
    ],
);

pub(super) const STATEMENT: Table = Table::of(
    "statement",
    &[
        "file_id",
        "number",
        "tenant",
        "identity",
        "account",
        "currency",
        "from_day",
        "to_day",
        "first_booking",
        "last_booking",
        "opening_minor",
        "closing_minor",
        "sequence",
        "pages",
        "copy",
    ],
);

pub(super) const ARRIVAL: Table = Table::of(
    "arrival",
    &[
        "run_id", "number", "tenant", "file_id", "side", "name", "sha256", "verdict", "taken",
        "left_out", "why",
    ],
);

pub(super) const RUN_FILE: Table =
    Table::of("run_file", &["run_id", "number", "tenant", "file_id"]);

pub(super) const REJECT: Table = Table::of(
    "reject",
    &[
        "file_id",
        "record",
        "tenant",
        "run_id",
        "start_byte",
        "length",
        "reason",
        "field",
        "text",
        "expected",
        "account",
        "amount_minor",
        "currency",
    ],
);

pub(super) const DISCREPANCY: Table = Table::of(
    "discrepancy",
    &[
        "discrepancy_id",
        "tenant",
        "reconciliation",
        "leg",
        "account",
        "key_scheme",
        "key_text",
        "intent_key",
        "first_seen",
        "run_id",
        "state",
        "pairing",
        "reason",
        "currency",
        "amount_ours_minor",
        "currency_theirs",
        "amount_theirs_minor",
        "due_on",
        "detail",
        "entries",
    ],
);

pub(super) const HISTORY: Table = Table::of(
    "discrepancy_history",
    &[
        "discrepancy_id",
        "number",
        "tenant",
        "run_id",
        "as_of",
        "state",
        "pairing",
        "reason",
        "currency",
        "amount_ours_minor",
        "currency_theirs",
        "amount_theirs_minor",
        "due_on",
        "detail",
        "entries",
    ],
);

pub(super) const CORRECTION: Table = Table {
    name: "correction",
    columns: &[
        "correction_id",
        "tenant",
        "discrepancy_id",
        "run_id",
        "correction_key",
        "intent_key",
        "form",
        "number",
        "class",
        "underlying_kind",
        "amount_minor",
        "currency",
        "legs",
        "evidence",
        "repairs",
        "narrative",
    ],
    mutable: &["state"],
};

pub(super) const STEP: Table =
    Table::of("correction_step", &["correction_id", "number", "tenant", "run_id", "state", "why"]);

pub(super) const OPENING: Table = Table::of(
    "opening",
    &[
        "opening_id",
        "tenant",
        "reconciliation",
        "account",
        "currency",
        "number",
        "difference_minor",
        "accepted_by",
        "accepted_at",
        "why",
    ],
);

#[cfg(test)]
mod tests {
    use super::*;

    /// The tables that a migration makes, with their columns in declared order.
    fn declared(migration: &str) -> Vec<(String, Vec<String>)> {
        let tables = migration.split("create table ").skip(1);
        let read = |text: &str| {
            let (name, rest) = text.split_once("\n(\n").unwrap();
            let (body, _) = rest.split_once("\n);").unwrap();
            let columns = body.lines().filter_map(|line| {
                let line = line.strip_prefix("    ").filter(|it| !it.starts_with(' '))?;
                let (word, _) = line.split_once(' ')?;
                (word != "constraint" && word != "--").then(|| word.to_owned())
            });
            (name.to_owned(), columns.collect())
        };
        tables.map(read).filter(|(name, _)| name != "chain_head").collect()
    }

    #[test]
    fn rows_are_hashed_in_declared_order() {
        let here: Vec<(String, Vec<String>)> = ALL
            .iter()
            .map(|it| {
                (it.name.to_owned(), it.all_columns().iter().map(ToString::to_string).collect())
            })
            .collect();
        for migration in [
            include_str!("../../migrations/sqlite/0001_journal.sql"),
            include_str!("../../migrations/postgres/0001_journal.sql"),
        ] {
            assert_eq!(declared(migration), here);
        }
    }
}
