//! What is compared with what, by which rules, and where corrections post.

use std::collections::BTreeMap;

use chrono_tz::Tz;
use rust_decimal::Decimal;
use serde::Deserialize;

use crate::config::allowed;
use crate::domain::{
    calendar::NamedCalendar,
    id::{Hash, Parts},
    key::KeyScheme,
    money::{Currency, Money},
};

/// One pair of sides.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reconciliation {
    /// Its name; scopes ids.
    pub name: String,
    /// The zone in which its days begin and end.
    #[serde(default = "utc")]
    pub timezone: Tz,
    /// The business-day calendar: `weekdays` (default) or `target2`.
    #[serde(default)]
    pub calendar: CalendarName,
    /// Days on which no business is done, besides weekends and those of the calendar.
    #[serde(default)]
    pub holidays: Vec<chrono::NaiveDate>,
    /// Business days from booking until the other side must have it.
    #[serde(default = "one", deserialize_with = "allowed::days")]
    pub due_days: u32,
    /// Business days that an inflow may be missing in our books before it is a discrepancy.
    #[serde(default, deserialize_with = "allowed::days")]
    pub ours_inflow_days: u32,
    /// Within which time equal entries are suspected repeats: `15m`, `2h`, `1d`.
    pub repeat_window: Option<RepeatWindow>,
    /// The source of our side.
    pub ours: String,
    /// The source of their side.
    pub theirs: String,
    /// The pairing rules, in order.
    #[serde(default, rename = "rule")]
    pub rules: Vec<Rule>,
    /// The tolerance, by currency code, as a decimal number.
    #[serde(default)]
    pub tolerance: Tolerance,
    /// How much the adjustments of a day may be together, by currency code, as a decimal number.
    #[serde(default)]
    pub adjustment_ceiling: Ceiling,
    /// Where corrections post; without them nothing is proposed.
    pub accounts: Option<Accounts>,
    /// What approval asks for.
    #[serde(default)]
    pub approval: Approval,
}

/// The name of a business-day calendar; one that is not known is an error, never weekdays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct CalendarName(pub NamedCalendar);

impl Default for CalendarName {
    fn default() -> Self {
        Self(NamedCalendar::Weekdays)
    }
}

impl TryFrom<String> for CalendarName {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let found = NamedCalendar::ALL.into_iter().find(|it| it.name() == text);
        let known: Vec<_> =
            NamedCalendar::ALL.iter().map(|it| format!("`{}`", it.name())).collect();
        let known = known.join(", ");
        found.map(Self).ok_or_else(|| {
            format!("`{text}` is no calendar; known are {known}; other days go into `holidays`")
        })
    }
}

/// A pairing rule.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// Its name, in results and reports.
    pub name: String,
    /// What must be equal: key schemes, or `amount`, `currency`, `account`, `party`.
    pub on: Vec<RuleField>,
    /// Whether a key names at most one operation, so that a second posting is a repeat.
    #[serde(default)]
    pub single_use: bool,
    /// Whether many entries share the key and are compared by their sums.
    #[serde(default)]
    pub group: bool,
    /// Calendar days by which booking dates may differ before it is a difference.
    #[serde(default = "two", deserialize_with = "allowed::days")]
    pub date_window_days: u32,
    /// Whether a pairing by this rule stands, or is only suggested to a person.
    #[serde(default)]
    pub accept: Accept,
}

/// What a rule may compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(try_from = "String")]
pub enum RuleField {
    /// A natural key.
    Key(KeyScheme),
    /// The intent key.
    Intent,
    /// The amount.
    Amount,
    /// The currency.
    Currency,
    /// The account.
    Account,
    /// The party.
    Party,
}

impl TryFrom<String> for RuleField {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        match text.as_str() {
            "intent_key" => Ok(Self::Intent),
            "amount" => Ok(Self::Amount),
            "currency" => Ok(Self::Currency),
            "account" => Ok(Self::Account),
            "party" => Ok(Self::Party),
            key => key.parse().map(Self::Key),
        }
    }
}

impl RuleField {
    /// The name in the configuration.
    pub fn name(self) -> &'static str {
        match self {
            Self::Key(scheme) => scheme.name(),
            Self::Intent => "intent_key",
            Self::Amount => "amount",
            Self::Currency => "currency",
            Self::Account => "account",
            Self::Party => "party",
        }
    }
}

/// Whether a rule decides or suggests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Accept {
    /// The pairing stands.
    #[default]
    Confirmed,
    /// The pairing is shown as the nearest, and pairs nothing.
    Suggested,
}

/// A time written as a number with `s`, `m`, `h` or `d`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
pub struct RepeatWindow {
    /// The window in seconds.
    pub seconds: i64,
}

impl TryFrom<String> for RepeatWindow {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let wrong =
            || format!("`{text}` is no time; allowed are such as `15m`, `2h` or `1d`, above zero");
        let unit = text.chars().last().ok_or_else(wrong)?;
        let seconds: i64 = match unit {
            's' => 1,
            'm' => 60,
            'h' => 3600,
            'd' => 86_400,
            _ => return Err(wrong()),
        };
        let count: u32 = text[..text.len() - 1].parse().map_err(|_| wrong())?;
        if count == 0 {
            return Err(wrong());
        }
        Ok(Self { seconds: i64::from(count) * seconds })
    }
}

/// Tolerances by currency.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(transparent)]
pub struct Tolerance(ByCurrency);

impl Tolerance {
    /// The tolerance of a currency in minor units; zero where none is given.
    pub fn minor(&self, currency: Currency) -> i64 {
        self.0.minor(currency).unwrap_or(0)
    }

    /// That every tolerance is an amount of its currency, at the finest scale of both sides.
    pub(super) fn check(&self, scale: Option<u8>) -> Result<(), String> {
        self.0.check("tolerance", scale)
    }
}

/// Ceilings by currency.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(transparent)]
pub struct Ceiling(ByCurrency);

impl Ceiling {
    /// The ceiling of a currency in minor units; `None` where none is given.
    pub fn minor(&self, currency: Currency) -> Option<i64> {
        self.0.minor(currency)
    }

    /// That every ceiling is an amount of its currency, at the finest scale of both sides.
    pub(super) fn check(&self, scale: Option<u8>) -> Result<(), String> {
        self.0.check("adjustment_ceiling", scale)
    }
}

/// Amounts by the code of their currency, none of them negative.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(try_from = "BTreeMap<String, String>")]
struct ByCurrency(BTreeMap<String, Decimal>);

impl TryFrom<BTreeMap<String, String>> for ByCurrency {
    type Error = String;

    fn try_from(given: BTreeMap<String, String>) -> Result<Self, String> {
        let parsed = given.into_iter().map(|(code, text)| {
            Currency::iso(&code).ok_or_else(|| format!("`{code}`: no currency of ISO 4217"))?;
            let wrong = |expected: &str| format!("`{code}` is `{text}`: expected is {expected}");
            let an_amount = "an amount, as `0.01`; a share in percent is not known";
            let amount: Decimal = text.parse().map_err(|_| wrong(an_amount))?;
            if amount.is_sign_negative() && !amount.is_zero() {
                return Err(wrong("zero or more"));
            }
            Ok((code, amount))
        });
        Ok(Self(parsed.collect::<Result<_, String>>()?))
    }
}

impl ByCurrency {
    fn check(&self, what: &str, scale: Option<u8>) -> Result<(), String> {
        for (code, amount) in &self.0 {
            let currency = Currency::iso(code).ok_or_else(|| format!("`{code}` is no currency"))?;
            let scaled = currency.with_decimals(currency.decimals().max(scale.unwrap_or(0)));
            Money::from_decimal(*amount, scaled)
                .map_err(|why| format!("{what} of `{code}` is `{amount}`: {why}"))?;
        }
        Ok(())
    }

    /// The amount in minor units of a currency at its scale; what is finer is left off, and what no
    /// amount can reach is the largest.
    fn minor(&self, currency: Currency) -> Option<i64> {
        let given = self.0.get(currency.code())?;
        let amount = given.trunc_with_scale(currency.decimals().into());
        Some(Money::from_decimal(amount, currency).map_or(i64::MAX, Money::minor))
    }
}

/// The accounts that corrections post to.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Accounts {
    /// The account that is reconciled, in our chart of accounts.
    pub settlement: String,
    /// Where unexplained inflows wait.
    pub suspense: Option<String>,
    /// Fees.
    pub fee: Option<String>,
    /// Exchange differences.
    pub fx: Option<String>,
    /// Rounding differences.
    pub rounding: Option<String>,
    /// Claims on the counterparty.
    pub receivable: Option<String>,
    /// The other side of our operations: where a surplus posting went, and refunds, returns,
    /// chargebacks, adjustments and payouts unless named below.
    pub clearing: Option<String>,
    /// Accounts by underlying kind, for the `_unbooked` family: `chargeback = "76-05"`.
    #[serde(default)]
    pub kinds: BTreeMap<String, String>,
}

/// What approval asks for.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Approval {
    /// Above this amount (`10000.00 EUR`) a second checker is needed.
    pub second_checker_above: Option<String>,
    /// How many corrections one batch may hold.
    #[serde(default, deserialize_with = "allowed::limit")]
    pub batch_limit: Option<u32>,
}

impl Accounts {
    fn check(&self) -> Result<(), String> {
        let named = [
            ("settlement", Some(&self.settlement)),
            ("suspense", self.suspense.as_ref()),
            ("fee", self.fee.as_ref()),
            ("fx", self.fx.as_ref()),
            ("rounding", self.rounding.as_ref()),
            ("receivable", self.receivable.as_ref()),
            ("clearing", self.clearing.as_ref()),
        ];
        for (key, account) in named {
            allowed::filled(&format!("accounts.{key}"), account.map(String::as_str))?;
        }
        for (kind, account) in &self.kinds {
            kind.parse::<crate::domain::entry::Kind>()?;
            allowed::filled(&format!("accounts.kinds.{kind}"), Some(account))?;
        }
        Ok(())
    }
}

impl Approval {
    fn check(&self) -> Result<(), String> {
        let Some(text) = &self.second_checker_above else { return Ok(()) };
        let money = text.split_once(' ').and_then(|(amount, code)| {
            Money::from_decimal(amount.parse().ok()?, Currency::iso(code)?).ok()
        });
        money.filter(|it| !it.is_outflow()).map(drop).ok_or_else(|| {
            format!("`second_checker_above` is `{text}`; expected is as `10000.00 EUR`")
        })
    }
}

impl Reconciliation {
    /// Two sources and nothing else declared: no rule, due after one business day.
    pub fn new(name: &str, ours: &str, theirs: &str) -> Self {
        Self {
            name: name.to_owned(),
            timezone: utc(),
            calendar: CalendarName::default(),
            holidays: Vec::new(),
            due_days: one(),
            ours_inflow_days: 0,
            repeat_window: None,
            ours: ours.to_owned(),
            theirs: theirs.to_owned(),
            rules: Vec::new(),
            tolerance: Tolerance::default(),
            adjustment_ceiling: Ceiling::default(),
            accounts: None,
            approval: Approval::default(),
        }
    }

    /// The rules' version: SHA-256 over everything that decides pairing, classification and what
    /// is proposed.
    pub fn rules_version(&self) -> Hash {
        let mut parts = Parts::new().with("rules-1");
        parts.push(Some(self.calendar.0.name()));
        for holiday in &self.holidays {
            parts.push(Some(&holiday.to_string()));
        }
        parts.push(Some(&format!("{} {}", self.due_days, self.ours_inflow_days)));
        parts.push(self.repeat_window.map(|it| it.seconds.to_string()).as_deref());
        for rule in &self.rules {
            parts.push(Some(&rule.version().to_string()));
        }
        for (code, amount) in &self.tolerance.0.0 {
            parts.push(Some(&format!("{code} {amount}")));
        }
        for (code, amount) in &self.adjustment_ceiling.0.0 {
            parts.push(Some(&format!("ceiling {code} {amount}")));
        }
        parts.push(self.accounts.as_ref().map(|it| format!("{it:?}")).as_deref());
        parts.sha256()
    }

    /// Whether its values agree with each other.
    pub fn check(&self) -> Result<(), String> {
        allowed::name("name", &self.name)?;
        if self.ours == self.theirs {
            return Err(format!("both sides are source `{}`", self.ours));
        }
        let mut names = std::collections::BTreeSet::new();
        for rule in &self.rules {
            allowed::name("name", &rule.name).map_err(|why| format!("rule: {why}"))?;
            if !names.insert(&rule.name) {
                return Err(format!("two rules are named `{}`", rule.name));
            }
            if rule.on.is_empty() {
                return Err(format!("rule `{}`: `on` is empty", rule.name));
            }
            if rule.single_use && rule.group {
                return Err(format!(
                    "rule `{}`: a key is either `single_use` or a `group`'s",
                    rule.name
                ));
            }
        }
        self.accounts.as_ref().map_or(Ok(()), Accounts::check)?;
        self.approval.check()
    }
}

impl Rule {
    /// Its version: SHA-256 over its name and everything it decides by.
    pub fn version(&self) -> Hash {
        let mut parts = Parts::new().with("rule-1").with(&self.name);
        for field in &self.on {
            parts.push(Some(field.name()));
        }
        let decides = (self.single_use, self.group, self.date_window_days, self.accept);
        parts.push(Some(&format!("{decides:?}")));
        parts.sha256()
    }

    /// A rule over one field that decides alone: not single-use, no group, a window of two days.
    pub fn over(field: RuleField) -> Self {
        Self {
            name: field.name().to_owned(),
            on: vec![field],
            single_use: false,
            group: false,
            date_window_days: two(),
            accept: Accept::default(),
        }
    }

    /// Whether it pairs by a key, not by amounts.
    pub fn is_keyed(&self) -> bool {
        self.on.iter().any(|it| matches!(it, RuleField::Key(_) | RuleField::Intent))
    }
}

fn utc() -> Tz {
    Tz::UTC
}

fn one() -> u32 {
    1
}

fn two() -> u32 {
    2
}
