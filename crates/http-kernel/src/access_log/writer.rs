//! A bounded buffer between many that write and one slow sink.

use std::io::{self, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use metrics::Counter;

/// A line waits at most this long.
const MAX_WAIT: Duration = Duration::from_millis(200);
/// With so much waiting, it is written out at once.
const FULL_BATCH_BYTES: usize = 64 * 1024;
/// With so much waiting, further lines are dropped.
const MAX_WAITING_BYTES: usize = 2 * 1024 * 1024;

pub(super) struct Writer {
    shared: Arc<Shared>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

struct Shared {
    waiting: Mutex<Waiting>,
    changed: Condvar,
    dropped: Counter,
}

#[derive(Default)]
struct Waiting {
    lines: Vec<u8>,
    is_closed: bool,
}

impl Waiting {
    fn is_urgent(&self) -> bool {
        self.is_closed || self.lines.len() >= FULL_BATCH_BYTES
    }
}

impl Writer {
    pub(super) fn start(sink: Box<dyn Write + Send>) -> io::Result<Self> {
        let shared = Arc::new(Shared {
            waiting: Mutex::default(),
            changed: Condvar::new(),
            dropped: metrics::counter!("pointbook_access_log_dropped_total"),
        });
        let thread = std::thread::Builder::new().name("access-log".to_owned()).spawn({
            let shared = shared.clone();
            move || shared.write_until_closed(sink)
        })?;
        Ok(Self { shared, thread: Mutex::new(Some(thread)) })
    }

    /// Adds a line, or drops it when too much is waiting.
    pub(super) fn push(&self, write_line: impl FnOnce(&mut Vec<u8>)) {
        let mut waiting = lock(&self.shared.waiting);
        let (before, was_urgent) = (waiting.lines.len(), waiting.is_urgent());
        if !waiting.is_closed {
            write_line(&mut waiting.lines);
        }
        if waiting.is_closed || waiting.lines.len() > MAX_WAITING_BYTES {
            waiting.lines.truncate(before);
            drop(waiting);
            return self.shared.dropped.increment(1);
        }
        let is_urgent = waiting.is_urgent() && !was_urgent;
        drop(waiting);
        // To wake the thread for every line would cost a system call each.
        if before == 0 || is_urgent {
            self.shared.changed.notify_one();
        }
    }

    /// Has everything written out and ends the thread.
    pub(super) fn close(&self) {
        lock(&self.shared.waiting).is_closed = true;
        self.shared.changed.notify_one();
        let thread = lock(&self.thread).take();
        if let Some(thread) = thread
            && thread.join().is_err()
        {
            tracing::error!(target: "pointbook_http::access_log::writer", "access log thread panicked");
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.close();
    }
}

impl Shared {
    fn write_until_closed(&self, mut sink: Box<dyn Write + Send>) {
        let mut batch = Vec::new();
        while self.take(&mut batch) {
            self.write(&batch, &mut *sink);
            batch.clear();
        }
    }

    /// Waits for lines, and then for others to come. False when the log is closed and no line is left.
    fn take(&self, batch: &mut Vec<u8>) -> bool {
        let is_empty = |waiting: &mut Waiting| waiting.lines.is_empty() && !waiting.is_closed;
        let waiting = self.changed.wait_while(lock(&self.waiting), is_empty);
        let waiting = waiting.unwrap_or_else(PoisonError::into_inner);
        let waited = self.changed.wait_timeout_while(waiting, MAX_WAIT, |waiting| !waiting.is_urgent());
        let (mut waiting, _) = waited.unwrap_or_else(PoisonError::into_inner);
        std::mem::swap(&mut waiting.lines, batch);
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

    fn push(writer: &Writer, line: &[u8]) {
        writer.push(|lines| lines.extend_from_slice(line));
    }

    #[test]
    fn lines_are_written_soon_without_anybody_closing() {
        let (written, read) = mpsc::channel();
        let (allow, permissions) = mpsc::channel();
        let writer = Writer::start(Box::new(Gated { written, permissions })).unwrap();
        push(&writer, b"one\n");
        assert_eq!(read.recv().unwrap(), b"one\n");
        allow.send(()).unwrap();
        push(&writer, b"two\n");
        assert_eq!(read.recv().unwrap(), b"two\n");
        allow.send(()).unwrap();
    }

    #[test]
    fn a_slow_sink_loses_lines_and_holds_nobody_up() {
        let (written, read) = mpsc::channel();
        let (allow, permissions) = mpsc::channel();
        let writer = Writer::start(Box::new(Gated { written, permissions })).unwrap();
        push(&writer, b"first\n");
        assert_eq!(read.recv().unwrap(), b"first\n");
        let line = [b'x'; 1024];
        for _ in 0..5 * 1024 {
            push(&writer, &line);
        }
        allow.send(()).unwrap();
        allow.send(()).unwrap();
        writer.close();
        assert_eq!(read.try_iter().map(|batch| batch.len()).sum::<usize>(), MAX_WAITING_BYTES);
    }

    #[test]
    fn closing_writes_out_what_is_left() {
        let (written, read) = mpsc::channel();
        let (allow, permissions) = mpsc::channel();
        allow.send(()).unwrap();
        let writer = Writer::start(Box::new(Gated { written, permissions })).unwrap();
        push(&writer, b"one\n");
        writer.close();
        push(&writer, b"late\n");
        assert_eq!(read.try_iter().collect::<Vec<_>>().concat(), b"one\n");
    }
}
