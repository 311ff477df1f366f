//! The progress of an import: a bar on a terminal, a line every few seconds elsewhere, nothing in tests.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::{Input, Kind};

/// The shortest time between two lines when standard error is not a terminal.
const LINE_EVERY: Duration = Duration::from_secs(5);

#[derive(Debug, Clone, Copy)]
pub enum ProgressMode {
    Silent,
    /// A bar on standard error, which must be a terminal.
    Bar,
    /// Passes a line to this function, at most one in five seconds.
    Lines(fn(&str)),
}

pub(super) struct Progress {
    kind: Kind,
    mode: ProgressMode,
    /// Counts bytes in every mode. Only [`ProgressMode::Bar`] draws it.
    bar: ProgressBar,
    last_line_at: Instant,
}

impl Progress {
    pub(super) fn start(mode: ProgressMode, kind: Kind, input: &mut Input) -> Self {
        let target = match mode {
            ProgressMode::Bar => ProgressDrawTarget::stderr(),
            ProgressMode::Silent | ProgressMode::Lines(_) => ProgressDrawTarget::hidden(),
        };
        let bar = bar(kind, input.total_bytes(), target);
        input.count_by(&bar);
        Self { kind, mode, bar, last_line_at: Instant::now() }
    }

    /// Shows the number of stored rows.
    pub(super) fn show(&mut self, rows: u64) {
        self.bar.set_message(format!("{rows} rows"));
        if let ProgressMode::Lines(say) = self.mode
            && self.last_line_at.elapsed() >= LINE_EVERY
        {
            self.last_line_at = Instant::now();
            say(&format!("{}: {rows} rows, {}", self.kind, share(self.bar.position(), self.bar.length())));
        }
    }
}

impl Drop for Progress {
    /// Clears the bar, also when the import fails.
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

fn bar(kind: Kind, total_bytes: Option<u64>, target: ProgressDrawTarget) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(total_bytes, target);
    let template = match total_bytes {
        Some(_) => "{prefix} [{wide_bar}] {bytes}/{total_bytes}, {msg}, {eta} left",
        None => "{prefix} {spinner} {bytes}, {msg}, {elapsed}",
    };
    let style = ProgressStyle::with_template(template);
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        .with_prefix(kind.to_string())
        .with_message("0 rows")
}

fn share(bytes: u64, total: Option<u64>) -> String {
    match total {
        Some(total) if total > 0 => format!("{} % of {total} bytes read", bytes.min(total) * 100 / total),
        _ => format!("{bytes} bytes read"),
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::{Arc, Mutex};

    use indicatif::TermLike;

    use super::*;

    /// Collects everything that is written to it.
    #[derive(Debug, Clone, Default)]
    struct FakeTerminal(Arc<Mutex<String>>);

    impl TermLike for FakeTerminal {
        fn width(&self) -> u16 {
            80
        }

        fn move_cursor_up(&self, _lines: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_down(&self, _lines: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_right(&self, _chars: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_left(&self, _chars: usize) -> io::Result<()> {
            Ok(())
        }

        fn write_line(&self, text: &str) -> io::Result<()> {
            self.write_str(text)
        }

        fn write_str(&self, text: &str) -> io::Result<()> {
            self.0.lock().unwrap().push_str(text);
            Ok(())
        }

        fn clear_line(&self) -> io::Result<()> {
            Ok(())
        }

        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn first_frame_of_bar_has_no_empty_field() {
        for total_bytes in [Some(384 << 10), None] {
            let terminal = FakeTerminal::default();
            let target = ProgressDrawTarget::term_like(Box::new(terminal.clone()));
            bar(Kind::Products, total_bytes, target).tick();
            let frame = terminal.0.lock().unwrap().clone();
            assert!(frame.contains(", 0 rows, "), "{frame}");
        }
    }
}
