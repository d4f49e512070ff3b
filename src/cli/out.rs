//! What the command line writes: data on standard output, everything else on standard error.

use std::{
    fs,
    io::{self, Write},
    path::Path,
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

/// Writes a file whole or not at all.
pub(super) fn write_file(path: &Path, text: &str) -> anyhow::Result<()> {
    let folder = path.parent().filter(|it| !it.as_os_str().is_empty());
    if let Some(folder) = folder {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    let draft = path.with_extension(format!("draft-{}", std::process::id()));
    fs::write(&draft, text).with_context(|| format!("cannot write {}", draft.display()))?;
    fs::rename(&draft, path).with_context(|| format!("cannot write {}", path.display()))
}

/// Says what went wrong, each cause once.
pub(super) fn trouble(error: &anyhow::Error) -> ExitCode {
    complain(&format!("sverka: {}\n", causes(error)));
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

/// Writes to standard error. Where even that is closed, the exit status is all there is to say.
pub(super) fn complain(text: &str) {
    drop(io::stderr().lock().write_all(text.as_bytes()));
}
