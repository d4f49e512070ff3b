//! What a shell sees of the database and the store, also where something is wrong with them.

use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    path::Path,
    process::{Command, Output},
    time::Instant,
};

use sqlx::{AnyConnection, Connection as _};
use sverka::domain::id::Hash;
use sverka::journal::Journal;

use crate::cluster::Cluster;
use crate::daily::{BANK, CONFIG, Desk, LEDGER};

/// A desk whose results are kept in a database.
fn desk(url: &str) -> Desk {
    let desk = Desk::new(LEDGER, BANK);
    desk.put("sverka.toml", &format!("database = \"{url}\"\n{CONFIG}"));
    desk
}

fn told(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (text(&output.stdout), text(&output.stderr))
}

/// A run that cannot open its database ends at once with one line, which says what is named and
/// nothing that is secret.
fn check_trouble(desk: &Desk, says: &[&str]) {
    let began = Instant::now();
    let output = desk.sverka(&["run"]);
    let (out, err) = told(&output);
    assert_eq!((output.status.code(), out.as_str()), (Some(2), ""), "{err}");
    assert_eq!(err.lines().count(), 1, "{err}");
    for part in says {
        assert_eq!(err.matches(part).count(), 1, "`{part}` is told once: {err}");
    }
    assert!(!err.contains("hush"), "{err}");
    assert!(began.elapsed().as_secs() < 15, "it took {:?}", began.elapsed());
}

#[test]
fn a_database_that_cannot_be_opened_is_named_at_once() {
    let absent = "postgres://ada:hush@127.0.0.1:1/books";
    let says = ["cannot open the database `postgres://ada@127.0.0.1:1/books`", "refused"];
    check_trouble(&desk(absent), &says);
    let cluster = Cluster::shared(&["fsync=off"]).url("public");
    let absent = cluster.replace("/postgres?", "/nowhere?");
    check_trouble(&desk(&absent), &["/nowhere`: ", "database \"nowhere\" does not exist"]);
    let stranger = cluster.replace("sverka@", "nobody:hush@");
    check_trouble(&desk(&stranger), &["postgres://nobody@", "role \"nobody\" does not exist"]);
    check_trouble(&desk("sqlite://absent/t.db"), &["absent/t.db`", "unable to open database file"]);
    let other = desk("sqlite://bank.csv");
    check_trouble(&other, &["bank.csv`", "file is not a database"]);
    assert_eq!(fs::read_to_string(other.path("bank.csv")).unwrap(), BANK);
    check_trouble(&desk("mysql://ada:hush@host/books"), &["`sqlite://…` or `postgres://…`"]);
}

#[test]
fn a_run_on_either_database_says_nothing_of_it() {
    let cluster = Cluster::shared(&["fsync=off"]);
    for url in ["sqlite://t.db".to_owned(), cluster.url("public")] {
        let desk = desk(&url);
        for _ in 0..2 {
            let (_, err) = told(&desk.sverka(&["run"]));
            assert_eq!(err, "", "{url}");
        }
    }
}

/// Every name under a folder.
fn names(folder: &Path) -> Vec<String> {
    let mut names = Vec::new();
    for found in fs::read_dir(folder).unwrap() {
        let path = found.unwrap().path();
        if path.is_dir() {
            names.extend(self::names(&path));
        }
        names.push(path.display().to_string());
    }
    names.sort();
    names
}

#[test]
fn looking_makes_nothing() {
    let desk = desk("sqlite://t.db");
    let before = names(desk.folder());
    let (out, err) = told(&desk.sverka(&["run", "--dry-run"]));
    assert!(out.contains("Agrees? No"), "{out}{err}");
    for command in [&["report"][..], &["explain", "12"], &["trail", "12"]] {
        let output = desk.sverka(command);
        let (out, err) = told(&output);
        assert_eq!((output.status.code(), out.as_str()), (Some(2), ""), "{err}");
        assert!(err.contains("nothing is on record yet: there is no journal in `"), "{err}");
    }
    desk.sverka(&["doctor"]);
    assert_eq!(names(desk.folder()), before, "nothing was made");
    fs::write(desk.path("t.db"), "").unwrap();
    let (_, err) = told(&desk.sverka(&["report"]));
    assert!(err.contains("nothing is on record yet"), "{err}");
    assert_eq!(fs::read(desk.path("t.db")).unwrap(), b"", "it stays empty");
}

#[test]
fn looking_at_an_empty_schema_makes_nothing_in_it() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        sqlx::any::install_default_drivers();
        let cluster = Cluster::shared(&["fsync=off"]);
        let mut connection = AnyConnection::connect(&cluster.url("public")).await.unwrap();
        sqlx::raw_sql("create schema looked_at").execute(&mut connection).await.unwrap();
        let url = cluster.url("looked_at");
        assert!(Journal::read(&url).await.unwrap().is_none());
        drop(Journal::connect(&url).await.unwrap());
        let journal = Journal::read(&url).await.unwrap().unwrap();
        assert!(journal.chain_head("acme").await.unwrap().is_none());
        let refused = crate::runs::day(1, Vec::new()).record_in(&journal).await;
        assert!(refused.unwrap_err().to_string().contains("read-only"), "it is only read");
    });
}

#[test]
fn what_cannot_be_written_can_be_looked_at() {
    let desk = desk("sqlite://t.db");
    desk.sverka(&["run"]);
    let change = |mode| {
        for name in names(desk.folder()).iter().chain([&desk.folder().display().to_string()]) {
            let path = Path::new(name);
            let mode = if path.is_dir() { mode | 0o111 } else { mode };
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        }
    };
    let program = tempfile::tempdir().unwrap();
    let nobody = Nobody::new(program.path());
    change(0o444);
    for command in [&["run", "--dry-run"][..], &["report", "--json"], &["doctor"]] {
        let output = nobody.runs(&desk, command);
        let (out, err) = told(&output);
        let expected = i32::from(command != ["doctor"]);
        assert_eq!((output.status.code(), err.as_str()), (Some(expected), ""), "{command:?} {out}");
    }
    change(0o644);
}

/// A user whom the modes of files bind, which root is not.
struct Nobody<'a> {
    /// The program, where anybody may run it.
    program: Option<&'a Path>,
}

impl<'a> Nobody<'a> {
    /// With the program copied into a folder, where it takes another user at all.
    fn new(folder: &'a Path) -> Self {
        let id = Command::new("id").arg("-u").output().unwrap();
        if id.stdout != b"0\n" {
            return Self { program: None };
        }
        fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).unwrap();
        fs::copy(env!("CARGO_BIN_EXE_sverka"), folder.join("sverka")).unwrap();
        Self { program: Some(folder) }
    }

    fn runs(&self, desk: &Desk, arguments: &[&str]) -> Output {
        let Some(folder) = self.program else { return desk.sverka(arguments) };
        let mut command = Command::new("runuser");
        command.args(["-u", "nobody", "--"]).arg(folder.join("sverka")).args(arguments);
        command.current_dir(desk.folder()).output().unwrap()
    }
}

#[test]
fn doctor_names_every_file_that_is_not_what_it_was() {
    let desk = desk("sqlite://t.db");
    desk.sverka(&["run"]);
    let doctor = |status: i32, says: &[&str]| {
        let output = desk.sverka(&["doctor"]);
        let (out, err) = told(&output);
        assert_eq!((output.status.code(), err.as_str()), (Some(status), ""), "{out}");
        for part in says {
            assert!(out.contains(part), "`{part}` is not told: {out}");
        }
    };
    doctor(
        0,
        &[
            "configuration: ok",
            "database: ok",
            "schema: as it was made",
            "hash chain: whole",
            "store: whole, 5 files",
        ],
    );
    let stored = |name: &str| {
        let hash = Hash::of(name.as_bytes()).to_string();
        desk.path("store").join("raw").join(&hash[..2]).join(format!("{hash}.zst"))
    };
    fs::remove_file(stored(BANK)).unwrap();
    fs::write(stored(LEDGER), zstd::encode_all(&b"other"[..], 1).unwrap()).unwrap();
    let identities: Vec<_> = names(&desk.path("store").join("identities"));
    let mut files = identities.iter().filter(|it| Path::new(it).is_file());
    let (flipped, removed) = (files.next().unwrap(), files.next().unwrap());
    let mut bytes = fs::read(flipped).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(flipped, bytes).unwrap();
    fs::remove_dir_all(Path::new(removed).parent().unwrap()).unwrap();
    let left = desk.path("store").join("draft-1-0");
    fs::write(&left, "").unwrap();
    let ledger = Hash::of(LEDGER.as_bytes()).to_string();
    let flipped = Path::new(flipped).strip_prefix(desk.folder()).unwrap().display();
    let identities = format!("altered: the bytes of `{flipped}`");
    let faults = ["missing: file `bank.csv`", "altered: the bytes of `", &ledger, "draft-1-0"];
    doctor(2, &faults);
    doctor(2, &[&identities, "missing: the record identities of file `"]);
    assert!(left.exists(), "doctor changes nothing");
    desk.put("t.db", "no database at all");
    doctor(2, &["configuration: ok", "database: WRONG: ", "not a database", "altered: "]);
    desk.put("sverka.toml", "tenant = 1");
    doctor(2, &["configuration: WRONG: `sverka.toml`", "not there yet:"]);
}

#[test]
fn a_database_alone_names_what_is_on_record() {
    let desk = Desk::new(LEDGER, BANK);
    let files =
        ["run", "--ours", "ledger.csv", "--theirs", "bank.csv", "--database", "sqlite://t.db"];
    let given = ["--ours-decimal", ".", "--theirs-decimal", ".", "--ours-currency", "EUR"];
    let currency = ["--theirs-currency", "EUR", "--date", "2026-11-30"];
    let ledger = LEDGER.lines().take(4).collect::<Vec<_>>().join("\n");
    desk.put("ledger.csv", &ledger.replace("id,key,", "intent_key,end_to_end_id,"));
    let bank = BANK.lines().take(4).collect::<Vec<_>>().join("\n");
    desk.put("bank.csv", &bank.replace("key,", "end_to_end_id,"));
    for name in ["ledger.csv", "bank.csv"] {
        let text = fs::read_to_string(desk.path(name)).unwrap();
        desk.put(name, &text.replace(",day", ",booking_date"));
    }
    let output = desk.sverka(&[&files[..], &given, &currency].concat());
    let (out, err) = told(&output);
    assert!(out.contains("Agrees? No"), "{out}{err}");
    let asked = |command: &str, more: &[&str]| {
        let arguments = [&[command, "--database", "sqlite://t.db"][..], more].concat();
        let output = desk.sverka(&arguments);
        (output.status.code().unwrap(), told(&output))
    };
    let (_, (json, err)) = asked("report", &["--json"]);
    let view = sverka::report::json::read(&json).unwrap_or_else(|error| panic!("{error}: {err}"));
    assert_eq!(view.run.tenant, "files");
    let id = view.discrepancies[0].id.clone();
    let (status, (out, _)) = asked("explain", &[&id]);
    assert!(status == 0 && out.starts_with(&format!("discrepancy {id}")), "{out}");
    let (status, (out, err)) = asked("doctor", &[]);
    assert!(status == 0 && out.contains("hash chain: whole"), "{out}{err}");
    let (status, (_, err)) = asked("trail", &["--tenant", "acme", &id]);
    assert!(status == 2 && err.contains("of tenant `acme` is on record, only of files"), "{err}");
    let other =
        CONFIG.replace("tenant = \"acme\"", "tenant = \"acme\"\ndatabase = \"sqlite://t.db\"");
    desk.put("sverka.toml", &other);
    desk.put("ledger.csv", LEDGER);
    desk.put("bank.csv", BANK);
    desk.sverka(&["run"]);
    let (status, (_, err)) = asked("report", &[]);
    assert!(
        status == 2 && err.contains("name one of the tenants acme, files by `--tenant`"),
        "{err}"
    );
    let (status, (out, err)) = asked("report", &["--tenant", "acme"]);
    assert!(status == 1 && out.contains("acquirer-2026-11-30"), "{out}{err}");
}

#[test]
fn the_report_of_an_old_run_replaces_no_newer_one() {
    let desk = desk("sqlite://t.db");
    let (json, _) = told(&desk.sverka(&["run", "--json"]));
    let old = sverka::report::json::read(&json).unwrap().run.id;
    desk.sverka(&["run"]);
    let newest = fs::read(desk.path("acquirer-2026-11-30.html")).unwrap();
    let (out, err) = told(&desk.sverka(&["report", &old[..13]]));
    assert_eq!(out, format!("report: acquirer-2026-11-30-run-{old}.html\n"), "{err}");
    assert!(desk.path(&format!("acquirer-2026-11-30-run-{old}.html")).exists());
    assert!(fs::read(desk.path("acquirer-2026-11-30.html")).unwrap() == newest, "it stays");
}

#[test]
fn a_report_that_cannot_be_written_hides_nothing() {
    let desk = desk("sqlite://t.db");
    desk.put("acquirer-2026-11-30.html", "what somebody wrote of the day");
    let output = desk.sverka(&["run"]);
    let (out, err) = told(&output);
    assert_eq!(output.status.code(), Some(2), "{err}");
    assert!(out.contains("Agrees? No") && !out.contains("acquirer-2026-11-30.html"), "{out}");
    let again = err.split("sverka report ").nth(1).and_then(|it| it.split(' ').next()).unwrap();
    assert!(err.contains("`acquirer-2026-11-30.html`: what lies there is no report"), "{err}");
    assert!(err.contains(" --report PATH --config sverka.toml`"), "{err}");
    let output = desk.sverka(&["report", again, "--report", "again.html"]);
    assert_eq!(output.status.code(), Some(1), "{:?}", told(&output));
    let output = desk.sverka(&["run", "--json"]);
    let (json, _) = told(&output);
    assert_eq!(output.status.code(), Some(2));
    assert!(sverka::report::json::read(&json).is_ok(), "{json}");
}

#[test]
fn an_opening_difference_that_changed_is_signed_off_anew() {
    let desk = desk("sqlite://t.db");
    let begin = |balances: [&str; 2]| {
        let [opening, closing] = balances;
        let bank = BANK.replace("Opening,1000.00", &format!("Opening,{opening}"));
        desk.put("bank.csv", &bank.replace("Closing,1120.00", &format!("Closing,{closing}")));
        desk.sverka(&["run"]).status.code()
    };
    let sign = |by: &str, says: &str| {
        let output = desk.sverka(&["opening", "accept", "--by", by, "--why", "as handed over"]);
        let (out, err) = told(&output);
        assert_eq!((output.status.code(), err.as_str()), (Some(0), ""), "{out}");
        assert_eq!(out, format!("opening difference {says}\n"));
    };
    assert_eq!(begin(["988.00", "1108.00"]), Some(3));
    sign("Olga", "12.00 EUR accepted by Olga");
    let again = "12.00 EUR was accepted before by Olga: as handed over; nothing is written";
    sign("Ivan", again);
    assert_eq!(begin(["988.00", "1108.00"]), Some(1));
    sign("Ivan", again);
    desk.put("ledger.csv", &LEDGER.replace(",1000.00", ",998.00"));
    assert_eq!(begin(["988.00", "1108.00"]), Some(3));
    sign("Ivan", "10.00 EUR accepted by Ivan");
    assert_eq!(begin(["988.00", "1108.00"]), Some(1));
}
