//! How far a run is: a line on a terminal, nothing on a pipe.

use std::{io::IsTerminal, time::Duration};

use indicatif::{ProgressBar, ProgressStyle};

use crate::pipeline::Progress;

/// A line that says the stage.
pub(super) struct Line(ProgressBar);

impl Line {
    /// On a terminal a line with the elapsed time; hidden elsewhere.
    pub(super) fn new() -> Self {
        if !std::io::stderr().is_terminal() {
            return Self(ProgressBar::hidden());
        }
        let bar = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} {elapsed}") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(100));
        Self(bar)
    }
}

impl Progress for Line {
    fn stage(&self, name: &'static str) {
        self.0.set_message(name);
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
