//! The progress of long work.

use std::time::{Duration, Instant};

use indicatif::ProgressBar;

use super::say;

const LINE_EVERY: Duration = Duration::from_secs(5);

/// A spinner on a terminal, otherwise a line every few seconds.
pub(super) struct Progress {
    /// indicatif hides it when the standard error is not a terminal.
    spinner: ProgressBar,
    last_line_at: Instant,
}

impl Progress {
    pub(super) fn start() -> Self {
        Self { spinner: ProgressBar::new_spinner(), last_line_at: Instant::now() }
    }

    pub(super) fn show(&mut self, line: String) {
        if !self.spinner.is_hidden() {
            self.spinner.set_message(line);
            self.spinner.tick();
        } else if self.last_line_at.elapsed() >= LINE_EVERY {
            self.last_line_at = Instant::now();
            say(line);
        }
    }
}

impl Drop for Progress {
    /// Clears the spinner, also when the work fails.
    fn drop(&mut self) {
        self.spinner.finish_and_clear();
    }
}
