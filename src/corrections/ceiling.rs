//! The daily ceiling of adjustments (DESIGN §8): many small differences that agree are one large
//! one, and somebody should look at it whole.

use std::collections::{BTreeMap, BTreeSet};

use crate::config::Ceiling;
use crate::domain::{
    correction::{Draft, Form, Withheld},
    money::{Currency, Money, Sum},
};

/// The drafts that stand, and the adjustments that do not: where those of one currency together,
/// whatever their signs, exceed its ceiling, none of them is proposed. Leaving out only the last
/// ones would let whoever takes little at a time fill each day to the brim.
pub fn under_ceiling(drafts: Vec<Draft>, ceiling: &Ceiling) -> (Vec<Draft>, Vec<Withheld>) {
    let mut adjusted: BTreeMap<Currency, Withheld> = BTreeMap::new();
    for draft in drafts.iter().filter(|it| it.form == Form::Adjust) {
        let currency = draft.amount.currency();
        let Some(minor) = ceiling.minor(currency) else { continue };
        let all = adjusted.entry(currency).or_insert_with(|| Withheld {
            amount: Sum::zero(currency),
            ceiling: Money::new(minor, currency),
            count: 0,
        });
        all.amount = all.amount.plus(i128::from(draft.amount.minor()).abs());
        all.count += 1;
    }
    adjusted.retain(|_, all| all.amount.minor() > i128::from(all.ceiling.minor()));
    let over: BTreeSet<Currency> = adjusted.keys().copied().collect();
    let stands = |it: &Draft| it.form != Form::Adjust || !over.contains(&it.amount.currency());
    (drafts.into_iter().filter(stands).collect(), adjusted.into_values().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corrections::number::tests::draft;

    fn adjusting(minor: i64, code: &str) -> Draft {
        let amount = Money::new(minor, Currency::iso(code).unwrap());
        Draft { form: Form::Adjust, amount, ..draft("d", "e") }
    }

    fn check(drafts: Vec<Draft>, stand: usize, withheld: &[(&str, i128, u64)]) {
        let ceiling: Ceiling = toml::from_str("EUR = \"5.00\"").unwrap();
        let (standing, over) = under_ceiling(drafts, &ceiling);
        let told: Vec<_> = over
            .iter()
            .map(|it| (it.amount.currency().code().to_owned(), it.amount.minor(), it.count))
            .collect();
        let told: Vec<_> = told.iter().map(|it| (&*it.0, it.1, it.2)).collect();
        assert_eq!((standing.len(), &told[..]), (stand, withheld));
    }

    #[test]
    fn a_day_of_adjustments_at_the_ceiling_stands() {
        check(vec![adjusting(-245, "EUR"), adjusting(255, "EUR")], 2, &[]);
    }

    #[test]
    fn above_the_ceiling_none_of_the_currency_is_proposed() {
        let drafts = vec![adjusting(-245, "EUR"), adjusting(256, "EUR"), adjusting(9000, "USD")];
        check(drafts, 1, &[("EUR", 501, 2)]);
    }

    #[test]
    fn only_adjustments_count() {
        check(vec![adjusting(-245, "EUR"), draft("d2", "e")], 2, &[]);
        check(vec![adjusting(-600, "EUR"), draft("d2", "e")], 1, &[("EUR", 600, 1)]);
    }
}
