//! What the command line writes: data on standard output, everything else on standard error.

use std::{
    io::{self, Write},
    process::ExitCode,
};

use anyhow::Context as _;

/// Trouble: usage, configuration, a named file unreadable.
pub(super) const TROUBLE: u8 = 2;

/// Writes to standard output; a reader that went away is no error.
pub(super) fn print(text: &str) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written.context("cannot write to standard output"),
    }
}

/// Says what went wrong.
pub(super) fn trouble(error: &anyhow::Error) -> ExitCode {
    let chain: Vec<String> = error.chain().map(ToString::to_string).collect();
    complain(&format!("sverka: {}\n", chain.join(": ")));
    ExitCode::from(TROUBLE)
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

/// Writes to standard error. Where even that is closed, the exit status is all there is to say.
pub(super) fn complain(text: &str) {
    drop(io::stderr().lock().write_all(text.as_bytes()));
}
