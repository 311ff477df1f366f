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
const MAX_WAITING_BYTES: usize = 4 * 1024 * 1024;

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
    bytes: Vec<u8>,
    closed: bool,
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
    pub(super) fn push(&self, line: &[u8]) {
        let mut waiting = self.shared.lock();
        let before = waiting.bytes.len();
        let after = before + line.len();
        if waiting.closed || after > MAX_WAITING_BYTES {
            drop(waiting);
            return self.shared.dropped.increment(1);
        }
        waiting.bytes.extend_from_slice(line);
        drop(waiting);
        // The thread sleeps only until something is there, and then only until it is much: to wake
        // it for every line would cost a system call each.
        if before == 0 || (before < FULL_BATCH_BYTES && after >= FULL_BATCH_BYTES) {
            self.shared.changed.notify_one();
        }
    }

    /// Has everything written out and ends the thread.
    pub(super) fn close(&self) {
        self.shared.lock().closed = true;
        self.shared.changed.notify_one();
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(thread) = thread
            && thread.join().is_err()
        {
            tracing::error!("access log thread panicked");
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.close();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write_until_closed(&self, mut sink: Box<dyn Write + Send>) {
        let mut batch = Vec::new();
        loop {
            let closed = self.take_batch(&mut batch);
            if let Err(error) = sink.write_all(&batch).and_then(|()| sink.flush()) {
                let lines = batch.split_inclusive(|&byte| byte == b'\n').count();
                self.dropped.increment(u64::try_from(lines).unwrap_or_default());
                let error: &dyn std::error::Error = &error;
                tracing::warn!(error, lines, "access log not written");
            }
            batch.clear();
            if closed {
                return;
            }
        }
    }

    /// Waits for lines and takes them all; true when they are the last.
    fn take_batch(&self, batch: &mut Vec<u8>) -> bool {
        let is_idle = |waiting: &mut Waiting| waiting.bytes.is_empty() && !waiting.closed;
        let is_small = |waiting: &mut Waiting| waiting.bytes.len() < FULL_BATCH_BYTES && !waiting.closed;
        let waiting = self.changed.wait_while(self.lock(), is_idle).unwrap_or_else(PoisonError::into_inner);
        let (mut waiting, _) = self
            .changed
            .wait_timeout_while(waiting, MAX_WAIT, is_small)
            .unwrap_or_else(PoisonError::into_inner);
        std::mem::swap(&mut waiting.bytes, batch);
        waiting.closed
    }
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

    #[test]
    fn lines_are_written_soon_without_anybody_closing() {
        let (written, read) = mpsc::channel();
        let (allow, permissions) = mpsc::channel();
        let writer = Writer::start(Box::new(Gated { written, permissions })).unwrap();
        writer.push(b"one\n");
        assert_eq!(read.recv().unwrap(), b"one\n");
        allow.send(()).unwrap();
        writer.push(b"two\n");
        assert_eq!(read.recv().unwrap(), b"two\n");
        allow.send(()).unwrap();
    }

    #[test]
    fn a_slow_sink_loses_lines_and_holds_nobody_up() {
        let (written, read) = mpsc::channel();
        let (allow, permissions) = mpsc::channel();
        let writer = Writer::start(Box::new(Gated { written, permissions })).unwrap();
        writer.push(b"first\n");
        assert_eq!(read.recv().unwrap(), b"first\n");
        let line = [b'x'; 1024];
        for _ in 0..5 * 1024 {
            writer.push(&line);
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
        writer.push(b"one\n");
        writer.close();
        writer.push(b"late\n");
        assert_eq!(read.try_iter().collect::<Vec<_>>().concat(), b"one\n");
    }
}
