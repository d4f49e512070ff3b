//! The amounts of one row: how much, in what currency, and which way it goes.

use crate::config::{Direction, Sign};
use crate::domain::entry::RejectReason;
use crate::domain::money::{Currency, Money, MoneyError};
use crate::sources::csv::fields::{Fault, Fields, Stop, text, unreadable};
use crate::sources::csv::layout::Amounts;
use crate::sources::csv::records::Row;
use crate::sources::encoding::Charset;
use crate::sources::number::{Number, NumberError};

impl Fields<'_> {
    /// The amount as our side's sign has it: positive is money in.
    pub(super) fn amount(&mut self, row: &Row<'_>, charset: &mut Charset) -> Result<Money, Stop> {
        let ignored = self.source.sign == Sign::Ignored;
        let (number, at, direction) = match self.layout.amounts {
            Amounts::Signed(at) => {
                let number = self.filled_number(&text(row, at, charset)?, at)?;
                (number, at, None)
            }
            Amounts::Marked { amount, mark } => {
                let number = self.filled_number(&text(row, amount, charset)?, amount)?;
                let direction = self.mark(&text(row, mark, charset)?, mark)?;
                (number, amount, Some(direction))
            }
            Amounts::Split { debit, credit } => {
                let out = self.number(&text(row, debit, charset)?, debit)?;
                let into = self.number(&text(row, credit, charset)?, credit)?;
                match (out, into) {
                    (Some(out), Some(into)) if !out.is_zero() && !into.is_zero() => {
                        let expected = "a debit or a credit, and not both";
                        return Err(unreadable(credit, expected.to_owned()).into());
                    }
                    (Some(out), None) => (out, debit, Some(Direction::Out)),
                    (Some(out), Some(into)) if into.is_zero() => (out, debit, Some(Direction::Out)),
                    (_, Some(into)) => (into, credit, Some(Direction::In)),
                    (None, None) => {
                        let expected = "a debit or a credit";
                        return Err(unreadable(credit, expected.to_owned()).into());
                    }
                }
            }
        };
        let currency = self.currency(row, number, at, charset)?;
        let minor = self.minor(number, currency, at)?;
        if direction.is_some() && minor < 0 && !ignored {
            let expected = "an amount without a sign, or `sign = \"ignored\"`".to_owned();
            return Err(unreadable(at, expected).into());
        }
        let out = direction == Some(Direction::Out);
        let minor = if direction.is_some() { minor.checked_abs() } else { Some(minor) };
        let turned = out ^ (self.source.sign == Sign::Inverted) ^ self.source.mirror;
        let minor = minor.and_then(|it| if turned { it.checked_neg() } else { Some(it) });
        let minor = minor.ok_or_else(|| unreadable(at, MoneyError::Range.to_string()))?;
        Ok(Money::new(minor, self.context.scaled(currency)))
    }

    /// Which way a mark says that money goes.
    fn mark(&self, text: &str, at: usize) -> Result<Direction, Fault> {
        let known = if self.source.marks.is_empty() {
            default_mark(text)
        } else {
            self.source.marks.get(text).copied()
        };
        known.ok_or_else(|| Fault {
            reason: RejectReason::KindUnknown,
            at,
            expected: "a mark that `marks` names".to_owned(),
        })
    }

    /// The currency of the row, in the currency's own scale.
    fn currency(
        &mut self,
        row: &Row<'_>,
        number: Number,
        at: usize,
        charset: &mut Charset,
    ) -> Result<Currency, Stop> {
        let stated = match self.layout.currency {
            Some(at) => {
                let text = text(row, at, charset)?;
                if text.is_empty() { None } else { Some(self.currency_named(&text, at)?) }
            }
            None => None,
        };
        let known = stated.or(self.source.currency).or(number.currency());
        let Some(known) = known else {
            let at = self.layout.currency.unwrap_or(at);
            return Err(unreadable(at, "a currency, or a declared `currency`".to_owned()).into());
        };
        in_currency(number, known, at)?;
        Ok(known)
    }

    fn currency_named(&mut self, text: &str, at: usize) -> Result<Currency, Fault> {
        if let Some((name, currency)) = &self.last
            && name == text
        {
            return Ok(*currency);
        }
        let mapped = self.source.currencies.get(text).copied();
        let currency = mapped
            .or_else(|| Currency::iso(text))
            .ok_or_else(|| unreadable(at, "a currency of ISO 4217".to_owned()))?;
        self.last = Some((text.to_owned(), currency));
        Ok(currency)
    }

    pub(super) fn original(
        &mut self,
        row: &Row<'_>,
        cell: &str,
        at: usize,
        amount: Money,
        charset: &mut Charset,
    ) -> Result<Option<Money>, Stop> {
        let Some(currency_at) = self.layout.original_currency.filter(|_| !cell.is_empty()) else {
            return Ok(None);
        };
        let code = text(row, currency_at, charset)?;
        let currency = self.currency_named(&code, currency_at)?;
        Ok(Some(signed_as(self.money(cell, currency, at)?, amount, at)?))
    }

    /// A balance, positive where the account holds money. One signed column has its balances in
    /// its own sign; debits and credits, whichever of them comes in, do not.
    pub(super) fn balance(
        &self,
        text: &str,
        currency: Currency,
        at: usize,
    ) -> Result<Money, Fault> {
        let money = self.money(text, currency, at)?;
        let turned = if self.turns_balances() { money.checked_neg() } else { Some(money) };
        turned.ok_or_else(|| unreadable(at, MoneyError::Range.to_string()))
    }

    /// Whether a stated balance has the opposite sign of ours.
    pub(in crate::sources::csv) fn turns_balances(&self) -> bool {
        let signed = matches!(self.layout.amounts, Amounts::Signed(_));
        (signed && self.source.sign == Sign::Inverted) ^ self.source.mirror
    }

    pub(super) fn money(&self, text: &str, currency: Currency, at: usize) -> Result<Money, Fault> {
        let number = self.filled_number(text, at)?;
        in_currency(number, currency, at)?;
        // The entry's currency is at the run's scale; what may be written is its own.
        let own = Currency::iso(currency.code()).unwrap_or(currency);
        Ok(Money::new(self.minor(number, own, at)?, self.context.scaled(own)))
    }

    fn minor(&self, number: Number, currency: Currency, at: usize) -> Result<i64, Fault> {
        let scaled = self.context.scaled(currency);
        number.minor(self.context.decimals(currency), scaled).map_err(|why| match why {
            MoneyError::Decimals { decimals } => Fault {
                reason: RejectReason::DecimalsBeyondCurrency,
                at,
                expected: format!("at most {decimals} decimals, or a declared `scale`"),
            },
            MoneyError::Range => unreadable(at, "at most 64 bits of minor units".to_owned()),
        })
    }

    pub(super) fn filled_number(&self, text: &str, at: usize) -> Result<Number, Fault> {
        let expected = || unreadable(at, self.numbers.expected().to_owned());
        self.number(text, at)?.ok_or_else(expected)
    }

    /// A number, or `None` for a blank.
    fn number(&self, text: &str, at: usize) -> Result<Option<Number>, Fault> {
        if text.is_empty() {
            return Ok(None);
        }
        self.numbers.parse(text).map(Some).map_err(|why| Fault {
            reason: match why {
                NumberError::Wrong => RejectReason::FieldUnreadable,
                NumberError::Ambiguous => RejectReason::NumberAmbiguous,
            },
            at,
            expected: self.numbers.expected().to_owned(),
        })
    }
}

/// The mark's usual meaning, seen from the account: a credit comes in.
fn default_mark(text: &str) -> Option<Direction> {
    match text {
        "C" | "CR" | "CRDT" | "Credit" | "credit" | "К" | "Кт" | "Кредит" | "+" => {
            Some(Direction::In)
        }
        "D" | "DR" | "DBIT" | "Debit" | "debit" | "Д" | "Дт" | "Дебет" | "-" => {
            Some(Direction::Out)
        }
        _ => None,
    }
}

/// That what is written beside a number does not name another currency than it is read in.
fn in_currency(number: Number, currency: Currency, at: usize) -> Result<(), Fault> {
    if number.is_in(currency) {
        return Ok(());
    }
    Err(unreadable(at, format!("an amount in {currency}")))
}

/// The amount with the sign of another, whatever its own.
pub(super) fn signed_as(money: Money, other: Money, at: usize) -> Result<Money, Fault> {
    if money.is_outflow() == other.is_outflow() {
        return Ok(money);
    }
    money.checked_neg().ok_or_else(|| unreadable(at, MoneyError::Range.to_string()))
}
