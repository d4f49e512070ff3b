//! The profile of one file, made from its beginning and proven by reading it once.

use std::{
    collections::BTreeSet,
    fs::File,
    io::{BufReader, Read},
    path::Path,
};

use anyhow::Context as _;

use crate::config::{Column, Format, Source};
use crate::domain::entry::{Entry, EntrySink, Reject};
use crate::sources::{
    self, ReadContext,
    headers::{self, Given, HeadersError},
};

/// How much of a file is looked at for its header and its forms.
const START: u64 = 64 * 1024;

/// What can be told of one file.
#[derive(Debug)]
pub(super) struct Profile {
    /// How it is read.
    pub(super) source: Source,
    /// What was recognised, for people.
    pub(super) remarks: Vec<String>,
    /// How the options of its side begin.
    prefix: String,
    /// The accounts that it names.
    accounts: BTreeSet<String>,
}

impl Profile {
    /// The profile of a file, or an error that names the file and, where one helps, the option.
    pub(super) fn of(path: &Path, given: &Given) -> anyhow::Result<Self> {
        let shown = path.display();
        let start = start(path).with_context(|| format!("cannot read `{shown}`"))?;
        if let Some(what) = sources::stranger(&start) {
            anyhow::bail!("cannot read `{shown}`: {what}");
        }
        let format = sources::recognise(&start);
        let format = format.with_context(|| {
            format!("`{shown}` is neither delimited text nor a camt statement nor Parquet")
        })?;
        let (mut source, remarks) = match format {
            Format::Camt => (camt(given)?, vec!["a camt statement".to_owned()]),
            Format::Csv | Format::Parquet | Format::Sql => {
                let profile = headers::profile_for(&start, given);
                let profile = profile.with_context(|| format!("`{shown}`"))?;
                (profile.source, profile.remarks)
            }
        };
        source.path = Some(path.to_owned());
        let mut survey = Survey::new(&source, &given.prefix);
        let file = File::open(path).with_context(|| format!("cannot read `{shown}`"))?;
        let context = ReadContext::new(&source);
        let read = sources::read(&mut BufReader::new(file), &context, &mut survey);
        read.with_context(|| format!("cannot read `{shown}`"))?;
        let Survey { accounts, untold, .. } = survey;
        if let Some(untold) = untold {
            return Err(untold).with_context(|| format!("`{shown}`"));
        }
        Ok(Self { source, remarks, prefix: given.prefix.clone(), accounts })
    }

    /// Where this file names no account, it is taken to be of the one that the other names.
    pub(super) fn take_account_of(&mut self, other: &Self) -> anyhow::Result<()> {
        let named = self.accounts.iter().any(|it| !it.is_empty());
        if self.source.format == Format::Camt || self.source.account.is_some() || named {
            return Ok(());
        }
        let mut accounts = other.accounts.iter().filter(|it| !it.is_empty());
        match (accounts.next(), accounts.next()) {
            (Some(first), Some(_)) => {
                let (prefix, theirs) = (&self.prefix, &other.prefix);
                anyhow::bail!(
                    "`{prefix}` names no account and `{theirs}` names several: give `{prefix}-account {first}`"
                )
            }
            (Some(only), None) => {
                self.remarks.push(format!("no account is named: taken to be `{only}` as well"));
                self.source.account = Some(only.clone());
            }
            (None, _) => {}
        }
        Ok(())
    }
}

/// The first bytes of a file.
fn start(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut start = Vec::new();
    File::open(path)?.take(START).read_to_end(&mut start)?;
    Ok(start)
}

/// A camt statement says everything itself, but whose account and which way round.
fn camt(given: &Given) -> anyhow::Result<Source> {
    let idle = [
        ("decimal", given.decimal.is_some()),
        ("delimiter", given.delimiter.is_some()),
        ("date", given.date.is_some()),
        ("encoding", given.encoding.is_some()),
        ("column", !given.columns.is_empty()),
    ];
    if let Some((option, _)) = idle.iter().find(|(_, given)| *given) {
        anyhow::bail!("`{}-{option}` means nothing to a camt statement", given.prefix);
    }
    let mut source = Source::new(Format::Camt);
    source.account.clone_from(&given.account);
    source.currency = given.currency;
    source.sign = given.sign;
    Ok(source)
}

/// What one reading shows: the accounts, and the first record that an option would make readable.
struct Survey<'a> {
    source: &'a Source,
    prefix: &'a str,
    accounts: BTreeSet<String>,
    untold: Option<HeadersError>,
}

impl<'a> Survey<'a> {
    fn new(source: &'a Source, prefix: &'a str) -> Self {
        Self { source, prefix, accounts: BTreeSet::new(), untold: None }
    }

    /// A blank where the currency stands.
    fn without_currency(&self, reject: &Reject) -> Option<HeadersError> {
        let column = self.source.columns.get(&Column::Currency)?;
        (*column == reject.field && reject.text.trim().is_empty()).then(|| HeadersError::Untold {
            what: format!("record {} names no currency", reject.place.record),
            option: format!("{}-currency EUR", self.prefix),
        })
    }
}

impl EntrySink for Survey<'_> {
    fn entry(&mut self, entry: &Entry<'_>) {
        if !self.accounts.contains(entry.account.as_ref()) {
            self.accounts.insert(entry.account.clone().into_owned());
        }
    }

    fn reject(&mut self, reject: Reject) {
        if self.untold.is_none() {
            self.untold =
                headers::untold(&reject, self.prefix).or_else(|| self.without_currency(&reject));
        }
    }
}
