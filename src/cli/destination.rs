//! Where a report goes, and what it must never replace.

use std::{
    fs::{self, File},
    io::{self, Read, Write},
    path::{Component, Path, PathBuf},
};

use anyhow::{Context as _, bail, ensure};

use crate::config::Config;
use crate::report::html;

/// A place for a report that takes nothing else away: nothing a run reads, nothing it keeps, and of
/// the files that are there only an earlier report.
#[derive(Debug)]
pub(super) struct Destination {
    path: PathBuf,
    /// What a run reads and keeps, each with its name in a sentence.
    taken: Vec<(PathBuf, &'static str)>,
}

impl Destination {
    /// The place at a path, or why no report may go there. `inputs` are the files of the run, and
    /// `configuration` is the file that it was told by.
    pub(super) fn new(
        path: PathBuf,
        config: &Config,
        configuration: &Path,
        inputs: &[PathBuf],
    ) -> anyhow::Result<Self> {
        let mut taken = vec![(configuration.to_owned(), "the configuration")];
        taken.extend(inputs.iter().map(|it| (it.clone(), "an input of the run")));
        let sources = config.sources.values().filter_map(|it| it.path.as_ref());
        taken.extend(sources.map(|it| (config.folder.join(it), "a source of the configuration")));
        let secret = config.database_file.iter();
        taken.extend(secret.map(|it| (config.folder.join(it), "the secret of the database")));
        if let Some(url) = config.database_url()? {
            taken.extend(database_files(&url).map(|it| (it, "the database")));
            taken.push((config.store_folder(), "the store"));
        }
        let destination = Self { path, taken };
        destination.check()?;
        Ok(destination)
    }

    /// The path as it was given.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the report whole or not at all: a draft beside it takes its name when it is on disk.
    pub(super) fn write(&self, html: &str) -> anyhow::Result<()> {
        let folder = self.path.parent().filter(|it| !it.as_os_str().is_empty());
        if let Some(folder) = folder {
            fs::create_dir_all(folder)
                .with_context(|| format!("cannot make `{}`", folder.display()))?;
        }
        // What lies there may have changed while the run went on.
        self.check()?;
        let mut name = self.path.file_name().unwrap_or_default().to_owned();
        name.push(format!(".draft-{}", std::process::id()));
        let draft = self.path.with_file_name(name);
        let written = put(&draft, html.as_bytes()).and_then(|()| fs::rename(&draft, &self.path));
        let Err(cause) = written else { return Ok(()) };
        let told = anyhow::Error::new(cause)
            .context(format!("cannot write the report `{}`", self.path.display()));
        match fs::remove_file(&draft) {
            Ok(()) => Err(told),
            Err(left) if left.kind() == io::ErrorKind::NotFound => Err(told),
            Err(left) => Err(told.context(format!("draft `{}` is left: {left}", draft.display()))),
        }
    }

    fn check(&self) -> anyhow::Result<()> {
        let shown = self.path.display();
        ensure!(self.path.file_name().is_some(), "`{shown}` names no file for the report");
        let real = real(&self.path)?;
        for (path, what) in &self.taken {
            let place = self::real(path)?;
            ensure!(
                !real.starts_with(&place),
                "the report cannot go to `{shown}`: that is {what}; name another file by `--report`"
            );
        }
        let found = match fs::metadata(&self.path) {
            Ok(found) => found,
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(cause) => {
                return Err(cause).with_context(|| format!("cannot look at `{shown}`"));
            }
        };
        if found.is_dir() {
            bail!("the report cannot go to `{shown}`: that is a folder; name a file by `--report`");
        }
        ensure!(
            found.is_file() && is_report(&self.path)?,
            "the report cannot go to `{shown}`: what lies there is no report of sverka and would be \
             lost; name another file by `--report`"
        );
        Ok(())
    }
}

/// The files of a SQLite database; none where the database is elsewhere.
fn database_files(url: &str) -> impl Iterator<Item = PathBuf> {
    let path = url.strip_prefix("sqlite://").or_else(|| url.strip_prefix("sqlite:"));
    let path = path.and_then(|it| it.split('?').next()).map(str::to_owned);
    path.into_iter().flat_map(|path| {
        ["", "-wal", "-shm", "-journal"].map(|ending| PathBuf::from(format!("{path}{ending}")))
    })
}

/// The one name of a path, whether or not it is there: links followed as far as it exists.
fn real(path: &Path) -> anyhow::Result<PathBuf> {
    let shown = path.display();
    let whole = std::path::absolute(path).with_context(|| format!("`{shown}` is no path"))?;
    for place in whole.ancestors() {
        let Ok(found) = place.canonicalize() else { continue };
        let rest = whole.strip_prefix(place).context("a path does not begin with its ancestor")?;
        let steps_back = rest.components().any(|it| it == Component::ParentDir);
        ensure!(!steps_back, "`{shown}` steps back out of a folder that is not there");
        return Ok(found.join(rest));
    }
    bail!("`{shown}` leads nowhere")
}

/// Whether a file is a report of ours, by what it says in its head.
fn is_report(path: &Path) -> anyhow::Result<bool> {
    let mut start = Vec::new();
    File::open(path)
        .and_then(|file| file.take(html::HEAD).read_to_end(&mut start))
        .with_context(|| format!("cannot look into `{}`", path.display()))?;
    Ok(html::is_report(&start))
}

fn put(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}
