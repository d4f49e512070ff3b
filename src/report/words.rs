//! Labels and sentences of the report, once for each language.
//!
//! A label missing in one language does not compile. `{}` in a sentence is filled by
//! [`crate::report::speech::fill`], in order.

mod en;
mod ru;

use crate::domain::language::Language;

/// All labels and sentences of one language.
#[derive(Debug)]
pub(super) struct Words {
    /// The report's name.
    pub(super) title: &'static str,
    /// The link past the head.
    pub(super) skip: &'static str,
    /// Label of the contents.
    pub(super) contents: &'static str,
    /// The run.
    pub(super) run: &'static str,
    /// `{}` attempt.
    pub(super) attempt: &'static str,
    /// `{}` moment.
    pub(super) started: &'static str,
    /// `{}` status.
    pub(super) exit_status: &'static str,
    /// `{}` entries of ours, `{}` of theirs.
    pub(super) outcome_agrees: &'static str,
    /// `{}` open, with its noun.
    pub(super) outcome_open: &'static str,
    /// Status 3.
    pub(super) outcome_doubt: &'static str,
    /// Heading.
    pub(super) answers: &'static str,
    /// Lead.
    pub(super) answers_lead: &'static str,
    /// Question.
    pub(super) complete: &'static str,
    /// Question.
    pub(super) agrees: &'static str,
    /// Question.
    pub(super) independent: &'static str,
    /// Answer.
    pub(super) yes: &'static str,
    /// Answer.
    pub(super) no: &'static str,
    /// `{}` of `{}` files.
    pub(super) files_usable: &'static str,
    /// `{}` of `{}` records.
    pub(super) records_read_ours: &'static str,
    /// `{}` of `{}` records.
    pub(super) records_read_theirs: &'static str,
    /// `{}` of `{}` proof lines.
    pub(super) lines_closed: &'static str,
    /// `{}` of `{}` proof lines.
    pub(super) lines_arithmetic: &'static str,
    /// `{}` of `{}` coverages.
    pub(super) coverage_partly_inferred: &'static str,
    /// `{}` of `{}` entries.
    pub(super) agreed_ours: &'static str,
    /// `{}` of `{}` entries.
    pub(super) agreed_theirs: &'static str,
    /// `{}` count and sums.
    pub(super) open_line: &'static str,
    /// `{}` count and sums.
    pub(super) waiting_line: &'static str,
    /// `{}` count and sums.
    pub(super) tolerated_line: &'static str,
    /// `{}` sums.
    pub(super) undelivered_line: &'static str,
    /// `{}` files of ours, `{}` of theirs.
    pub(super) sides_files: &'static str,
    /// Heading.
    pub(super) doubts: &'static str,
    /// Heading.
    pub(super) counts: &'static str,
    /// Lead.
    pub(super) counts_lead: &'static str,
    /// Column.
    pub(super) count_of: &'static str,
    /// Column.
    pub(super) records: &'static str,
    /// Column.
    pub(super) entries: &'static str,
    /// Row.
    pub(super) booked_entries: &'static str,
    /// Entries left out because another file told them.
    pub(super) told_before_entries: &'static str,
    /// Entries left out because their file is not in force.
    pub(super) entries_not_in_force: &'static str,
    /// Row.
    pub(super) evidence_entries: &'static str,
    /// Column.
    pub(super) refused: &'static str,
    /// Row.
    pub(super) rejected_records: &'static str,
    /// Row.
    pub(super) agreed: &'static str,
    /// Row.
    pub(super) self_reversed: &'static str,
    /// Row.
    pub(super) waiting: &'static str,
    /// Row.
    pub(super) tolerated: &'static str,
    /// Row.
    pub(super) in_discrepancy: &'static str,
    /// Row.
    pub(super) out_of_scope: &'static str,
    /// Row.
    pub(super) sum_of_lines: &'static str,
    /// Before the list.
    pub(super) agreed_by_rule: &'static str,
    /// Our side.
    pub(super) ours: &'static str,
    /// Their side.
    pub(super) theirs: &'static str,
    /// Heading.
    pub(super) proof: &'static str,
    /// Lead.
    pub(super) proof_lead: &'static str,
    /// Nothing to prove.
    pub(super) proof_none: &'static str,
    /// Basis.
    pub(super) balances: &'static str,
    /// Basis.
    pub(super) arithmetic: &'static str,
    /// Column.
    pub(super) item: &'static str,
    /// Column.
    pub(super) count: &'static str,
    /// Column.
    pub(super) gross: &'static str,
    /// Column.
    pub(super) net: &'static str,
    /// Row.
    pub(super) closing_ours: &'static str,
    /// Row.
    pub(super) closing_theirs: &'static str,
    /// Row.
    pub(super) movements_ours: &'static str,
    /// Row.
    pub(super) movements_theirs: &'static str,
    /// Row.
    pub(super) difference: &'static str,
    /// Row.
    pub(super) difference_row: &'static str,
    /// Heading.
    pub(super) explained_by: &'static str,
    /// Row.
    pub(super) opening: &'static str,
    /// `{}` name.
    pub(super) signed_off_by: &'static str,
    /// Remark.
    pub(super) not_signed_off: &'static str,
    /// Heading.
    pub(super) waiting_part: &'static str,
    /// Heading.
    pub(super) beside_part: &'static str,
    /// Row.
    pub(super) timing: &'static str,
    /// Row.
    pub(super) undelivered: &'static str,
    /// Row.
    pub(super) rejected_money: &'static str,
    /// Row.
    pub(super) explained_sum: &'static str,
    /// Row.
    pub(super) unexplained: &'static str,
    /// Heading.
    pub(super) by_reason: &'static str,
    /// Lead.
    pub(super) by_reason_lead: &'static str,
    /// None.
    pub(super) nothing_listed: &'static str,
    /// Column.
    pub(super) reason: &'static str,
    /// Legend.
    pub(super) ours_less: &'static str,
    /// Legend.
    pub(super) ours_more: &'static str,
    /// Row.
    pub(super) all: &'static str,
    /// Tag.
    pub(super) waiting_tag: &'static str,
    /// Tag.
    pub(super) tolerated_tag: &'static str,
    /// Heading.
    pub(super) by_age: &'static str,
    /// Lead.
    pub(super) by_age_lead: &'static str,
    /// Column.
    pub(super) age: &'static str,
    /// `{}` to `{}`.
    pub(super) ages_from_to: &'static str,
    /// Bucket.
    pub(super) ages_new: &'static str,
    /// Bucket.
    pub(super) ages_one: &'static str,
    /// `{}`.
    pub(super) ages_over: &'static str,
    /// Legend.
    pub(super) open: &'static str,
    /// Legend.
    pub(super) waiting_or_tolerated: &'static str,
    /// Column.
    pub(super) beside: &'static str,
    /// Heading.
    pub(super) discrepancies: &'static str,
    /// Lead.
    pub(super) discrepancies_lead: &'static str,
    /// `{}` entries of ours, `{}` of theirs.
    pub(super) discrepancies_none: &'static str,
    /// Lead.
    pub(super) waiting_lead: &'static str,
    /// None.
    pub(super) waiting_none: &'static str,
    /// Lead.
    pub(super) tolerated_lead: &'static str,
    /// None.
    pub(super) tolerated_none: &'static str,
    /// `{}` of `{}` rows, sum `{}` of `{}`, command.
    pub(super) cut_list: &'static str,
    /// `{}` of `{}` rows, sum `{}` of `{}`.
    pub(super) cut_group: &'static str,
    /// A sum of nothing.
    pub(super) nothing: &'static str,
    /// No natural key.
    pub(super) no_key: &'static str,
    /// No amount.
    pub(super) absent: &'static str,
    /// Column.
    pub(super) differs: &'static str,
    /// A value.
    pub(super) not_stated: &'static str,
    /// Label.
    pub(super) key: &'static str,
    /// Label.
    pub(super) stands_for: &'static str,
    /// Label.
    pub(super) narrative: &'static str,
    /// Leg.
    pub(super) debit: &'static str,
    /// Leg.
    pub(super) credit: &'static str,
    /// Class.
    pub(super) correction_technical: &'static str,
    /// Class.
    pub(super) correction_refund: &'static str,
    /// Label.
    pub(super) claim: &'static str,
    /// Decision.
    pub(super) person_decides: &'static str,
    /// `{}` date.
    pub(super) waits_until: &'static str,
    /// Decision.
    pub(super) waits: &'static str,
    /// Decision.
    pub(super) tolerated_decision: &'static str,
    /// Fact.
    pub(super) cause: &'static str,
    /// Fact.
    pub(super) rule: &'static str,
    /// Fact.
    pub(super) nearest: &'static str,
    /// Fact.
    pub(super) first_seen: &'static str,
    /// Fact.
    pub(super) due: &'static str,
    /// Fact.
    pub(super) leg: &'static str,
    /// Fact.
    pub(super) intent: &'static str,
    /// Fact.
    pub(super) identity: &'static str,
    /// Fact.
    pub(super) records_ours: &'static str,
    /// Fact.
    pub(super) records_theirs: &'static str,
    /// `{}` file, `{}` record.
    pub(super) record_at: &'static str,
    /// Heading.
    pub(super) suspects: &'static str,
    /// Lead.
    pub(super) suspects_lead: &'static str,
    /// None.
    pub(super) suspects_none: &'static str,
    /// Column.
    pub(super) party: &'static str,
    /// Column.
    pub(super) account: &'static str,
    /// Column.
    pub(super) amount_each: &'static str,
    /// Column.
    pub(super) amount: &'static str,
    /// Heading.
    pub(super) corrections: &'static str,
    /// Lead.
    pub(super) corrections_lead: &'static str,
    /// Heading.
    pub(super) technical: &'static str,
    /// None.
    pub(super) corrections_none: &'static str,
    /// Column.
    pub(super) state: &'static str,
    /// Row.
    pub(super) total_technical: &'static str,
    /// Heading.
    pub(super) refunds: &'static str,
    /// Lead.
    pub(super) refunds_lead: &'static str,
    /// None.
    pub(super) refunds_none: &'static str,
    /// Row.
    pub(super) refunds_ours: &'static str,
    /// Row.
    pub(super) refunds_by_correction: &'static str,
    /// Row.
    pub(super) refunds_theirs: &'static str,
    /// Row.
    pub(super) refunds_left: &'static str,
    /// Heading.
    pub(super) suspense: &'static str,
    /// Lead.
    pub(super) suspense_lead: &'static str,
    /// None.
    pub(super) suspense_none: &'static str,
    /// Column.
    pub(super) operation: &'static str,
    /// Heading.
    pub(super) evidence: &'static str,
    /// Lead.
    pub(super) evidence_lead: &'static str,
    /// Heading.
    pub(super) files: &'static str,
    /// None.
    pub(super) files_none: &'static str,
    /// Column.
    pub(super) file: &'static str,
    /// Column.
    pub(super) verdict: &'static str,
    /// Column.
    pub(super) stated: &'static str,
    /// Fact.
    pub(super) statement: &'static str,
    /// Fact.
    pub(super) period: &'static str,
    /// Fact.
    pub(super) opening_balance: &'static str,
    /// Fact.
    pub(super) closing_balance: &'static str,
    /// Fact.
    pub(super) out_by: &'static str,
    /// `{}` read of `{}` stated.
    pub(super) stated_count: &'static str,
    /// Fact.
    pub(super) count_stated: &'static str,
    /// Fact.
    pub(super) total_stated: &'static str,
    /// `{}` read, `{}` stated.
    pub(super) total_of: &'static str,
    /// How many entries of a file another one told.
    pub(super) file_told_before: &'static str,
    /// Remark.
    pub(super) seen_before: &'static str,
    /// Heading.
    pub(super) coverage: &'static str,
    /// Lead.
    pub(super) coverage_lead: &'static str,
    /// None.
    pub(super) coverage_none: &'static str,
    /// Basis.
    pub(super) coverage_stated: &'static str,
    /// Basis.
    pub(super) coverage_inferred: &'static str,
    /// Column.
    pub(super) side: &'static str,
    /// Column.
    pub(super) from: &'static str,
    /// Column.
    pub(super) to: &'static str,
    /// Column.
    pub(super) basis: &'static str,
    /// Fact.
    pub(super) program: &'static str,
    /// Fact.
    pub(super) rules_version: &'static str,
    /// Fact.
    pub(super) chain_head: &'static str,
    /// Value.
    pub(super) not_stored: &'static str,
    /// Fact.
    pub(super) run_id: &'static str,
    /// Heading.
    pub(super) self_test: &'static str,
    /// `{}` of `{}`.
    pub(super) self_test_found: &'static str,
    /// Lead.
    pub(super) self_test_lead: &'static str,
    /// Label.
    pub(super) missed: &'static str,
    /// Label.
    pub(super) undecidable: &'static str,
    /// Heading.
    pub(super) rejects: &'static str,
    /// Lead.
    pub(super) rejects_lead: &'static str,
    /// `{}` records.
    pub(super) rejects_none: &'static str,
    /// Column.
    pub(super) record: &'static str,
    /// Column.
    pub(super) field: &'static str,
    /// Column.
    pub(super) text: &'static str,
    /// Column.
    pub(super) expected: &'static str,
    /// Heading.
    pub(super) repeats: &'static str,
    /// None.
    pub(super) repeats_none: &'static str,
    /// Heading.
    pub(super) guide: &'static str,
    /// Heading.
    pub(super) sign_off: &'static str,
    /// Lead.
    pub(super) sign_off_lead: &'static str,
    /// Column.
    pub(super) role: &'static str,
    /// Column.
    pub(super) name: &'static str,
    /// Column.
    pub(super) date: &'static str,
    /// Column.
    pub(super) signature: &'static str,
    /// Terminal: `{}` path.
    pub(super) report_at: &'static str,
    /// Terminal.
    pub(super) top_reasons: &'static str,
    /// Terminal: what waits or is tolerated.
    pub(super) no_discrepancies: &'static str,
    /// Terminal: `{}` more of a list.
    pub(super) and_more: &'static str,
    /// Terminal: `{}` records.
    pub(super) rejected_unread: &'static str,
    /// `{}` records, their net and their gross sum.
    pub(super) rejected_read: &'static str,
    /// `{}` records, net and gross of those read, and how many were not.
    pub(super) rejected_partly: &'static str,
    /// Side, place, reason, field, text, what was expected.
    pub(super) rejected_line: &'static str,
    /// Corrections and claims.
    pub(super) corrections_line: &'static str,
    /// `{}` adjustments, `{}` their sum, `{}` the ceiling.
    pub(super) withheld_line: &'static str,
    /// `n` business days. One, few, many.
    pub(super) business_days: [&'static str; 3],
    /// `n` discrepancies. One, few, many.
    pub(super) discrepancy: [&'static str; 3],
    /// Fields that may differ, by the name that results carry.
    pub(super) fields: &'static [(&'static str, &'static str)],
    /// Schemes of natural keys, by name.
    pub(super) schemes: &'static [(&'static str, &'static str)],
    /// Words and signs explained.
    pub(super) glossary: &'static [(&'static str, &'static str)],
    /// Who signs.
    pub(super) roles: [&'static str; 3],
    /// Months, as a date names them.
    pub(super) months: [&'static str; 12],
}

impl Words {
    /// The words of a language.
    pub(super) fn of(language: Language) -> &'static Self {
        match language {
            Language::English => &en::WORDS,
            Language::Russian => &ru::WORDS,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_languages_name_the_same_fields_and_schemes() {
        let names = |it: &[(&'static str, &'static str)]| {
            it.iter().map(|(name, _)| *name).collect::<Vec<_>>()
        };
        assert_eq!(names(en::WORDS.fields), names(ru::WORDS.fields));
        assert_eq!(names(en::WORDS.schemes), names(ru::WORDS.schemes));
        let schemes = crate::domain::key::KeyScheme::ALL.map(crate::domain::key::KeyScheme::name);
        assert_eq!(names(en::WORDS.schemes), schemes);
        assert_eq!(en::WORDS.glossary.len(), ru::WORDS.glossary.len());
    }
}
