//! The lines that the README asks a newcomer to paste.

use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

/// Pastes a line into a shell, where `cargo run` runs the program as it is built for tests.
fn paste(line: &str, folder: &Path) -> Output {
    let program = env!("CARGO_BIN_EXE_sverka");
    let line = line.replace("cargo run -q --", &format!("'{program}'"));
    Command::new("sh").args(["-c", &line]).current_dir(folder).output().unwrap()
}

#[test]
fn the_lines_on_an_opening_difference_do_what_they_say() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = fs::read_to_string(root.join("README.md")).unwrap();
    let name = "samples/opening-difference";
    let lines = readme.split(&format!("cd {name}\n")).nth(1).unwrap();
    let lines = lines.split("```").next().unwrap();
    let desk = tempfile::tempdir().unwrap();
    for file in ["sverka.toml", "ledger.csv", "statement.csv"] {
        fs::copy(root.join(name).join(file), desk.path().join(file)).unwrap();
    }
    let mut told = Vec::new();
    for line in lines.lines().filter(|it| it.starts_with("cargo run ")) {
        let status = line.split("# ").nth(1).and_then(|it| it.split(':').next()?.parse().ok());
        let output = paste(line, desk.path());
        let all = [output.stdout, output.stderr].concat();
        let text = String::from_utf8(all).unwrap();
        assert_eq!(output.status.code(), status, "{line}: {text}");
        told.push(text);
    }
    assert_eq!(told.len(), 4, "{lines}");
    assert!(told[0].contains("opening difference 12.00"), "{}", told[0]);
    assert_eq!(told[1], "opening difference 12.00 EUR accepted by Olga\n");
}
