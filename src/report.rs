//! Placeholder.
use crate::domain::run::RunResult;
/// Placeholder.
pub fn json(result: &RunResult) -> anyhow::Result<String> {
    Ok(format!("{result:#?}"))
}
