//! One line per request. A thread writes the lines, so that no request waits for a slow sink.

mod line;

use std::io::{self, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use http::StatusCode;
use metrics::Counter;
use pointbook_domain::Timestamp;

pub use line::AccessLine;

const MAX_WAIT: Duration = Duration::from_millis(200);
/// With this many waiting bytes, the thread writes at once.
const FULL_BATCH_BYTES: usize = 64 * 1024;
/// Each buffer has room for a full batch and the lines that arrive meanwhile, so that no line causes growth.
const ROOM_BYTES: usize = 2 * FULL_BATCH_BYTES;
/// With this many waiting bytes, the log drops further lines.
const MAX_WAITING_BYTES: usize = 2 * 1024 * 1024;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccessLogFormat {
    /// One JSON object: for machines.
    Json,
    /// `key=value` after time, method, path and status: for a terminal.
    Text,
}

/// Takes lines and writes them soon after. It never waits: when the sink is too slow, it drops lines and counts them in
/// `pointbook_access_log_dropped_total`.
pub struct AccessLog {
    format: AccessLogFormat,
    lines: Arc<Lines>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

/// A bounded buffer between many writers and one slow sink.
struct Lines {
    waiting: Mutex<Waiting>,
    changed: Condvar,
    dropped: Counter,
}

struct Waiting {
    bytes: Vec<u8>,
    is_closed: bool,
}

impl AccessLog {
    /// Starts the thread that writes to this sink.
    ///
    /// # Errors
    /// When the thread cannot be started.
    pub fn start(sink: Box<dyn Write + Send>, format: AccessLogFormat) -> io::Result<Self> {
        let dropped = metrics::counter!("pointbook_access_log_dropped_total");
        let waiting = Waiting { bytes: Vec::with_capacity(ROOM_BYTES), is_closed: false };
        let lines = Arc::new(Lines { waiting: Mutex::new(waiting), changed: Condvar::new(), dropped });
        let thread = std::thread::Builder::new().name("access-log".to_owned()).spawn({
            let lines = lines.clone();
            move || lines.write_until_closed(sink)
        })?;
        Ok(Self { format, lines, thread: Mutex::new(Some(thread)) })
    }

    pub fn write(&self, line: &AccessLine<'_>) {
        self.lines.push(|bytes| match self.format {
            AccessLogFormat::Json => line.write_json(bytes),
            AccessLogFormat::Text => line.write_text(bytes),
        });
    }

    /// Adds a line about bytes that hyper could not parse. Its client is the other end of the connection, because the headers of
    /// a proxy are unknown.
    pub(crate) fn write_refused(&self, time: Timestamp, status: StatusCode, client: &str, peer: &str) {
        self.lines.push(|bytes| match self.format {
            AccessLogFormat::Json => line::write_refused_json(bytes, time, status, [client, peer]),
            AccessLogFormat::Text => line::write_refused_text(bytes, time, status, [client, peer]),
        });
    }

    /// Writes the rest and stops the thread. Further lines are dropped.
    pub fn close(&self) {
        lock(&self.lines.waiting).is_closed = true;
        self.lines.changed.notify_one();
        let thread = lock(&self.thread).take();
        if thread.is_some_and(|thread| thread.join().is_err()) {
            tracing::error!(target: "pointbook_http::access_log::writer", "access log thread panicked");
        }
    }
}

impl Drop for AccessLog {
    fn drop(&mut self) {
        self.close();
    }
}

impl Lines {
    /// Adds a line, or drops it when too much is waiting.
    fn push(&self, write_line: impl FnOnce(&mut Vec<u8>)) {
        let mut waiting = lock(&self.waiting);
        let before = waiting.bytes.len();
        if waiting.is_closed || before >= MAX_WAITING_BYTES {
            drop(waiting);
            return self.dropped.increment(1);
        }
        write_line(&mut waiting.bytes);
        let is_full_now = before < FULL_BATCH_BYTES && waiting.bytes.len() >= FULL_BATCH_BYTES;
        drop(waiting);
        // Waking the thread for every line would cost a system call each.
        if before == 0 || is_full_now {
            self.changed.notify_one();
        }
    }

    fn write_until_closed(&self, mut sink: Box<dyn Write + Send>) {
        let mut batch = Vec::with_capacity(ROOM_BYTES);
        while self.take(&mut batch) {
            self.write(&batch, &mut *sink);
            batch.clear();
        }
    }

    /// Waits for lines, and then for a batch of them. False when the log is closed and empty.
    fn take(&self, batch: &mut Vec<u8>) -> bool {
        let is_empty = |waiting: &mut Waiting| waiting.bytes.is_empty() && !waiting.is_closed;
        let may_wait = |waiting: &mut Waiting| waiting.bytes.len() < FULL_BATCH_BYTES && !waiting.is_closed;
        let waiting = self.changed.wait_while(lock(&self.waiting), is_empty);
        let waiting = waiting.unwrap_or_else(PoisonError::into_inner);
        let waited = self.changed.wait_timeout_while(waiting, MAX_WAIT, may_wait);
        let (mut waiting, _) = waited.unwrap_or_else(PoisonError::into_inner);
        std::mem::swap(&mut waiting.bytes, batch);
        !batch.is_empty()
    }

    fn write(&self, batch: &[u8], sink: &mut dyn Write) {
        if let Err(error) = sink.write_all(batch).and_then(|()| sink.flush()) {
            let lines = batch.split_inclusive(|&byte| byte == b'\n').count();
            self.dropped.increment(u64::try_from(lines).unwrap_or_default());
            let error: &dyn std::error::Error = &error;
            tracing::warn!(target: "pointbook_http::access_log::writer", error, lines, "access log not written");
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    /// Sends what is written; each write waits for a permission.
    struct Gated {
        written: mpsc::Sender<Vec<u8>>,
        permissions: mpsc::Receiver<()>,
    }

    impl Write for Gated {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.written.send(bytes.to_vec()).unwrap();
            self.permissions.recv().map_err(io::Error::other)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn push(log: &AccessLog, line: &[u8]) {
        log.lines.push(|bytes| bytes.extend_from_slice(line));
    }

    #[test]
    fn lines_are_written_soon_without_anybody_closing() {
        let (written, read) = mpsc::channel();
        let (allow, permissions) = mpsc::channel();
        let log = AccessLog::start(Box::new(Gated { written, permissions }), AccessLogFormat::Json).unwrap();
        push(&log, b"one\n");
        assert_eq!(read.recv().unwrap(), b"one\n");
        allow.send(()).unwrap();
        push(&log, b"two\n");
        assert_eq!(read.recv().unwrap(), b"two\n");
        allow.send(()).unwrap();
    }

    #[test]
    fn a_slow_sink_loses_lines_and_holds_nobody_up() {
        let (written, read) = mpsc::channel();
        let (allow, permissions) = mpsc::channel();
        let log = AccessLog::start(Box::new(Gated { written, permissions }), AccessLogFormat::Json).unwrap();
        push(&log, b"first\n");
        assert_eq!(read.recv().unwrap(), b"first\n");
        let line = [b'x'; 1024];
        for _ in 0..5 * 1024 {
            push(&log, &line);
        }
        allow.send(()).unwrap();
        allow.send(()).unwrap();
        log.close();
        assert_eq!(read.try_iter().map(|batch| batch.len()).sum::<usize>(), MAX_WAITING_BYTES);
    }

    #[test]
    fn closing_writes_out_what_is_left() {
        let (written, read) = mpsc::channel();
        let (allow, permissions) = mpsc::channel();
        allow.send(()).unwrap();
        let log = AccessLog::start(Box::new(Gated { written, permissions }), AccessLogFormat::Json).unwrap();
        push(&log, b"one\n");
        log.close();
        push(&log, b"late\n");
        assert_eq!(read.try_iter().collect::<Vec<_>>().concat(), b"one\n");
    }
}
