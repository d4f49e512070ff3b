//! What the command line writes: data on standard output, everything else on standard error.

use std::{
    io::{self, Write},
    process::ExitCode,
};

use anyhow::Context as _;

use crate::report::{visible, visible_line};

/// Trouble: usage, configuration, a named file unreadable.
pub(super) const TROUBLE: u8 = 2;

/// Writes to standard output what people read, or JSON; a reader that went away is no error.
pub(super) fn print(text: &str) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(visible(text).as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written.context("cannot write to standard output"),
    }
}

/// Says what went wrong, each cause once. Some errors have several lines; what follows the first is
/// set in, so that no text out of a file passes for a line of ours.
pub(super) fn trouble(error: &anyhow::Error) -> ExitCode {
    complain(&format!("sverka: {}\n", causes(error).trim_end().replace('\n', "\n    ")));
    ExitCode::from(TROUBLE)
}

/// An error with its causes; one that the text before it tells already is not told again.
pub(super) fn causes(error: &anyhow::Error) -> String {
    let mut told = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if told.is_empty() {
            told = cause;
        } else if !told.contains(&cause) {
            told = format!("{told}: {cause}");
        }
    }
    told
}

/// Says how the command is used; asked-for help is no trouble.
pub(super) fn usage(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        return match print(&error.render().to_string()) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => trouble(&error),
        };
    }
    complain(&error.render().to_string());
    ExitCode::from(TROUBLE)
}

/// Says one line, whatever ends of lines the text has.
pub(super) fn remark(line: &str) {
    complain(&(visible_line(line).into_owned() + "\n"));
}

/// Writes to standard error. Where even that is closed, the exit status is all there is to say.
fn complain(text: &str) {
    drop(io::stderr().lock().write_all(visible(text).as_bytes()));
}
