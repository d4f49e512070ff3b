//! One run of a program: how long, and how much memory at its peak.

use std::{
    fs::{self, File},
    path::Path,
    process::{Command, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant},
};

/// What a run took.
#[derive(Clone, Copy)]
pub(crate) struct Measured {
    pub(crate) time: Duration,
    pub(crate) peak_kib: u64,
}

/// Runs a command with its output written to a file. The kernel keeps the peak itself and is
/// asked until the program ends.
pub(crate) fn measure(command: &mut Command, output: &Path) -> (Measured, ExitStatus) {
    let begun = Instant::now();
    let mut child =
        command.stdin(Stdio::null()).stdout(File::create(output).unwrap()).spawn().unwrap();
    let process = child.id().to_string();
    let mut peak_kib = 0;
    loop {
        peak_kib = peak_kib_of(&process).max(peak_kib);
        if let Some(status) = child.try_wait().unwrap() {
            return (Measured { time: begun.elapsed(), peak_kib }, status);
        }
        thread::sleep(Duration::from_millis(2));
    }
}

/// The peak resident memory of a process, `self` for this one; 0 where the system does not tell.
pub(crate) fn peak_kib_of(process: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|it| it.strip_prefix("VmHWM:"));
    line.and_then(|it| it.trim().trim_end_matches("kB").trim().parse().ok()).unwrap_or(0)
}
