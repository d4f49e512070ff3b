//! Coverage: for which days complete, balanced evidence of a side is held (DESIGN §5).

use crate::domain::{
    page::whole, proof::Coverage, run::FileResult, side::Side, statement::Statement,
};

/// The coverage that trusted files give, in order; a file of which a record was refused is not all
/// there, and gives none. It is stated where a statement names its last
/// day, which for a ledger is its cut-off; else it reaches from the first to the last booking date
/// and is said to be inferred.
pub(super) fn coverage(files: &[FileResult]) -> Vec<Coverage> {
    let trusted = |it: &&FileResult| it.verdict.is_trusted() && it.rejects == 0;
    let of_side = |side| {
        let files = files.iter().filter(trusted).filter(move |it| it.side == side);
        let statements = whole(files.flat_map(|it| &it.stated.statements));
        statements.into_iter().filter(Statement::is_whole).filter_map(move |it| days(side, &it))
    };
    let mut coverage: Vec<_> = Side::ALL.into_iter().flat_map(of_side).collect();
    coverage.sort();
    coverage.dedup();
    coverage
}

fn days(side: Side, statement: &Statement) -> Option<Coverage> {
    let account = statement.account.trim().to_owned();
    let inferred = statement.to.is_none();
    let to = statement.to.or(statement.last_booking)?;
    let first = statement.first_booking.unwrap_or(to).min(to);
    let from = statement.from.unwrap_or(first);
    Some(Coverage { side, account, from, to, inferred })
}
