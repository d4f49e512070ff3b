//! What a shell sees of the database and the store, also where something is wrong with them.

use std::{fs, process::Output, time::Instant};

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
