//! How far an import is: a bar on a terminal, a line now and then elsewhere, nothing in tests.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::{Input, Kind};

/// How often a line is written where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(5);

/// How progress is shown.
#[derive(Debug, Clone, Copy, Default)]
pub enum ProgressMode {
    /// Not at all.
    #[default]
    Silent,
    /// A bar that moves, on the terminal of the standard error.
    Bar,
    /// Lines, at most one in five seconds, each handed to this function.
    Lines(fn(&str)),
}

/// The progress of one import.
pub(super) struct Progress {
    kind: Kind,
    display: Display,
    bytes_read: Arc<AtomicU64>,
    total_bytes: Option<u64>,
}

enum Display {
    Silent,
    Bar(ProgressBar),
    Lines { last_at: Instant, say: fn(&str) },
}

impl Progress {
    pub(super) fn start(mode: ProgressMode, kind: Kind, input: &Input) -> Self {
        let total_bytes = input.total_bytes();
        let display = match mode {
            ProgressMode::Silent => Display::Silent,
            ProgressMode::Bar => Display::Bar(bar(kind, total_bytes)),
            ProgressMode::Lines(say) => Display::Lines { last_at: Instant::now(), say },
        };
        Self { kind, display, bytes_read: input.bytes_read(), total_bytes }
    }

    /// Shows that so many rows are stored.
    pub(super) fn show(&mut self, rows: u64) {
        let bytes = self.bytes_read.load(Ordering::Relaxed);
        match &mut self.display {
            Display::Bar(bar) => {
                bar.set_position(bytes);
                bar.set_message(format!("{rows} rows"));
            }
            Display::Lines { last_at, say } if last_at.elapsed() >= LINE_EVERY => {
                *last_at = Instant::now();
                say(&format!("{}: {rows} rows, {}", self.kind, share(bytes, self.total_bytes)));
            }
            Display::Lines { .. } | Display::Silent => {}
        }
    }

    /// Takes the bar away.
    pub(super) fn finish(self) {
        if let Display::Bar(bar) = self.display {
            bar.finish_and_clear();
        }
    }
}

fn bar(kind: Kind, total_bytes: Option<u64>) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(total_bytes, ProgressDrawTarget::stderr());
    let template = match total_bytes {
        Some(_) => "{prefix} [{wide_bar}] {bytes}/{total_bytes}, {msg}, {eta} left",
        None => "{prefix} {spinner} {bytes}, {msg}, {elapsed}",
    };
    let style = ProgressStyle::with_template(template);
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar())).with_prefix(kind.as_str())
}

fn share(bytes: u64, total: Option<u64>) -> String {
    match total {
        Some(total) if total > 0 => format!("{} % of {total} bytes read", bytes.min(total) * 100 / total),
        _ => format!("{bytes} bytes read"),
    }
}
