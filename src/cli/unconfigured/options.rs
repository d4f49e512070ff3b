//! What the command line tells of a file that the file does not.

use clap::Args;
use serde::de::{DeserializeOwned, IntoDeserializer, value::Error};

use crate::config::{Column, Encoding, Sign};
use crate::domain::money::Currency;
use crate::sources::headers::Given;

/// The same options for either side, by the beginning of their names.
macro_rules! options {
    ($name:ident, $side:literal, $file:literal) => {
        #[doc = concat!("What ", $file, " does not say of itself.")]
        #[derive(Debug, Clone, Default, Args)]
        pub(super) struct $name {
            #[arg(id = concat!($side, "-currency"), long = concat!($side, "-currency"), requires = $side, value_name = "CODE", value_parser = currency, help = concat!("The currency of ", $file, ", where no column names it"))]
            currency: Option<Currency>,
            #[arg(id = concat!($side, "-account"), long = concat!($side, "-account"), requires = $side, value_name = "ACCOUNT", help = concat!("The account of ", $file, ", where no column names it"))]
            account: Option<String>,
            #[arg(id = concat!($side, "-decimal"), long = concat!($side, "-decimal"), requires = $side, value_name = "MARK", value_parser = [".", ","], help = concat!("The decimal mark of ", $file))]
            decimal: Option<String>,
            #[arg(id = concat!($side, "-delimiter"), long = concat!($side, "-delimiter"), requires = $side, value_name = "CHARACTER", value_parser = delimiter, help = concat!("What separates the cells of ", $file))]
            delimiter: Option<String>,
            #[arg(id = concat!($side, "-date"), long = concat!($side, "-date"), requires = $side, value_name = "FORM", help = concat!("The form of dates in ", $file, ", as `%d.%m.%Y`"))]
            date: Option<String>,
            #[arg(id = concat!($side, "-encoding"), long = concat!($side, "-encoding"), requires = $side, value_name = "NAME", value_parser = word::<Encoding>, help = concat!("The encoding of ", $file, ": `windows-1251`, `cp866`, …"))]
            encoding: Option<Encoding>,
            #[arg(id = concat!($side, "-sign"), long = concat!($side, "-sign"), requires = $side, value_name = "WORD", value_parser = word::<Sign>, help = concat!("How the sign of ", $file, " becomes ours: `as_written` or `inverted`"))]
            sign: Option<Sign>,
            #[arg(id = concat!($side, "-column"), long = concat!($side, "-column"), requires = $side, value_name = "FIELD=NAME", value_parser = column, help = concat!("Which column of ", $file, " stands for what, as `amount=Sum` or `amount=#3`; may be given many times"))]
            columns: Vec<(Column, String)>,
        }

        impl $name {
            /// What is given.
            pub(super) fn given(&self) -> Given {
                Given {
                    prefix: concat!("--", $side).to_owned(),
                    currency: self.currency,
                    delimiter: self.delimiter.clone(),
                    decimal: self.decimal.clone(),
                    date: self.date.clone(),
                    encoding: self.encoding,
                    account: self.account.clone(),
                    sign: self.sign.unwrap_or_default(),
                    columns: self.columns.iter().cloned().collect(),
                }
            }
        }
    };
}

options!(OptionsOurs, "ours", "our ledger");
options!(OptionsTheirs, "theirs", "their statement");

fn currency(text: &str) -> Result<Currency, String> {
    Currency::iso(text).ok_or_else(|| "no currency of ISO 4217".to_owned())
}

fn delimiter(text: &str) -> Result<String, String> {
    match text {
        "tab" | "\\t" => Ok("\t".to_owned()),
        one if one.len() == 1 && one.is_ascii() => Ok(one.to_owned()),
        _ => Err("give one ASCII character, or `tab`".to_owned()),
    }
}

fn column(text: &str) -> Result<(Column, String), String> {
    let (field, name) = text.split_once('=').ok_or("give a field and a column, as `amount=Sum`")?;
    Ok((Column::try_from(field.trim().to_owned())?, name.trim().to_owned()))
}

/// One of the words that the configuration has for it too.
fn word<T: DeserializeOwned>(text: &str) -> Result<T, Error> {
    T::deserialize(text.into_deserializer())
}
