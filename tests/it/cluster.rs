//! A PostgreSQL cluster of our own: started from the installed package when the first test asks
//! for it, reached through a socket in its own folder, and gone with the process that started it.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::OnceLock,
};

use std::os::unix::process::CommandExt;

/// The superuser of the cluster.
const USER: &str = "sverka";

/// A running server.
pub(crate) struct Cluster {
    folder: PathBuf,
    /// Ends the server and removes its folder as soon as our end of its pipe closes, however this
    /// process ends; held, never asked.
    _guard: Child,
}

impl Cluster {
    /// The cluster of this process, with the first caller's settings.
    pub(crate) fn shared(settings: &[&str]) -> &'static Self {
        static SHARED: OnceLock<Cluster> = OnceLock::new();
        SHARED.get_or_init(|| Self::start(settings))
    }

    /// The URL of its database with a schema to be searched.
    pub(crate) fn url(&self, schema: &str) -> String {
        let folder = self.folder.display();
        format!("postgres://{USER}@localhost/postgres?host={folder}&options[search_path]={schema}")
    }

    /// Makes a cluster whose texts sort by language, not by bytes, unless a column says
    /// otherwise: whoever leans on an order by bytes has to say so.
    fn start(settings: &[&str]) -> Self {
        let programs = programs();
        let made = as_server_user("mktemp").args(["-d", "/tmp/sverka-pg-XXXXXX"]).output().unwrap();
        let folder = PathBuf::from(String::from_utf8(made.stdout).unwrap().trim());
        let data = folder.join("data");
        run(as_server_user(programs.join("initdb"))
            .args(["--no-sync", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8"])
            .args(["--locale-provider=icu", "--icu-locale=en-US", "--username", USER, "--pgdata"])
            .arg(&data));
        let guard = guard(&programs, &folder);
        let socket = format!("-k {} -c listen_addresses=''", folder.display());
        let settings = settings.iter().map(|it| format!(" -c {it}"));
        let options: String = std::iter::once(socket).chain(settings).collect();
        run(as_server_user(programs.join("pg_ctl"))
            .args(["-w", "-s", "-D"])
            .arg(&data)
            .arg("-l")
            .arg(folder.join("log"))
            .args(["-o", &options, "start"]));
        Self { folder, _guard: guard }
    }
}

/// A process that waits for the end of its input, which is the end of this process, and then ends
/// the server; in a group of its own, so that what interrupts this process spares it.
fn guard(programs: &Path, folder: &Path) -> Child {
    let script = r#"cat; "$0" -D "$1/data" -m immediate -s -w stop; rm -rf "$1""#;
    as_server_user("sh")
        .args(["-c", script])
        .arg(programs.join("pg_ctl"))
        .arg(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()
        .unwrap()
}

/// The server refuses to run as root, so that root runs it as the package's user.
fn as_server_user(program: impl AsRef<Path>) -> Command {
    let id = Command::new("id").arg("-u").output().unwrap();
    let mut command = if id.stdout == b"0\n" {
        let mut command = Command::new("runuser");
        command.args(["-u", "postgres", "--"]).arg(program.as_ref());
        command
    } else {
        Command::new(program.as_ref())
    };
    command.current_dir("/");
    command
}

/// The folder of the newest server installed by the Debian package.
fn programs() -> PathBuf {
    let versions = fs::read_dir("/usr/lib/postgresql").map(Vec::from_iter).unwrap_or_default();
    let versions = versions.into_iter().map(|it| it.unwrap().path());
    let number = |path: &PathBuf| path.file_name()?.to_str()?.parse::<u32>().ok();
    let newest = versions.max_by_key(number);
    newest.expect("PostgreSQL is not installed: apt-get install postgresql").join("bin")
}

fn run(command: &mut Command) {
    let status = command.stdin(Stdio::null()).stdout(Stdio::null()).status().unwrap();
    assert!(status.success(), "{command:?} ended with {status}");
}
