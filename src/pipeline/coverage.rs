//! Coverage: for which days complete, balanced evidence of a side is held (DESIGN §5).

use crate::domain::{proof::Coverage, run::FileResult, statement::Statement};

/// The coverage that trusted files give, in order; a file of which a record was refused is not all
/// there, and gives none. It is stated where a statement names its last
/// day, which for a ledger is its cut-off; else it reaches from the first to the last booking date
/// and is said to be inferred.
pub(super) fn coverage(files: &[FileResult]) -> Vec<Coverage> {
    let trusted = files.iter().filter(|it| it.verdict.is_trusted() && it.rejects == 0);
    let mut coverage: Vec<_> = trusted
        .flat_map(|file| file.stated.statements.iter().filter_map(|it| of_statement(file, it)))
        .collect();
    coverage.sort();
    coverage.dedup();
    coverage
}

fn of_statement(file: &FileResult, statement: &Statement) -> Option<Coverage> {
    let account = statement.account.trim().to_owned();
    let inferred = statement.to.is_none();
    let to = statement.to.or(statement.last_booking)?;
    let first = statement.first_booking.unwrap_or(to).min(to);
    let from = statement.from.unwrap_or(first);
    Some(Coverage { side: file.side, account, from, to, inferred })
}
