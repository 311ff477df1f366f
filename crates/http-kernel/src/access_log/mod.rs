//! One line per request. A thread writes the lines out, so that no request waits for a slow sink.

mod line;
mod writer;

use std::io::{self, Write};

use writer::Writer;

pub use line::{AccessLine, RefusedLine};

/// The form of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccessLogFormat {
    /// One JSON object: for machines.
    Json,
    /// `key=value` after time, method, path and status: for a terminal.
    Text,
}

/// Takes lines, and writes them out soon after. It never waits: when the sink is too slow, lines are
/// dropped and counted in `pointbook_access_log_dropped_total`.
pub struct AccessLog {
    format: AccessLogFormat,
    writer: Writer,
}

impl AccessLog {
    /// Starts the thread that writes to this sink.
    ///
    /// # Errors
    /// When the thread cannot be started.
    pub fn start(sink: Box<dyn Write + Send>, format: AccessLogFormat) -> io::Result<Self> {
        Ok(Self { format, writer: Writer::start(sink)? })
    }

    /// Adds a line.
    pub fn write(&self, line: &AccessLine<'_>) {
        self.writer.push(|lines| match self.format {
            AccessLogFormat::Json => line.write_json(lines),
            AccessLogFormat::Text => line.write_text(lines),
        });
    }

    /// Adds a line about what was refused before it was a request.
    pub(crate) fn write_refused(&self, line: &RefusedLine<'_>) {
        self.writer.push(|lines| match self.format {
            AccessLogFormat::Json => line.write_json(lines),
            AccessLogFormat::Text => line.write_text(lines),
        });
    }

    /// Writes out what is left and stops the thread; further lines are dropped.
    pub fn close(&self) {
        self.writer.close();
    }
}
