//! Bounded buffers between many that write and one slow sink.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use metrics::Counter;
use thread_local::ThreadLocal;

/// A line waits at most this long.
const MAX_WAIT: Duration = Duration::from_millis(200);
/// With so much waiting in a buffer, it is written out at once.
const FULL_BATCH_BYTES: usize = 64 * 1024;
/// What a buffer has room for at first: what comes until it is taken.
const ROOM_BYTES: usize = 2 * FULL_BATCH_BYTES;
/// How much is gathered at a time: well within the nearest cache of a processor.
const GATHERED_BYTES: usize = 4 * 1024;
/// With so much waiting in a buffer, further lines are dropped.
const MAX_WAITING_BYTES: usize = 2 * 1024 * 1024;

pub(super) struct Writer {
    shared: Arc<Shared>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

struct Shared {
    /// One for each thread that writes, because to hand one buffer from processor to processor costs more than all
    /// else that is done for a line.
    buffers: ThreadLocal<Mutex<Buffer>>,
    waiting: Mutex<Waiting>,
    changed: Condvar,
    closed: AtomicBool,
    dropped: Counter,
}

/// The lines of one thread.
struct Buffer {
    lines: Vec<u8>,
    /// The last ones. Memory that the thread of the sink has read is slow to write again, and to unlock waits for
    /// what was written: so each line goes where nobody else looks, and many at a time to the others.
    gathered: Vec<u8>,
}

/// What the thread waits for.
#[derive(Default)]
struct Waiting {
    /// Whether a buffer is no longer empty.
    begun: bool,
    /// Whether one is full, or the last lines are to be written.
    urgent: bool,
}

impl Writer {
    pub(super) fn start(sink: Box<dyn Write + Send>) -> io::Result<Self> {
        let shared = Arc::new(Shared {
            buffers: ThreadLocal::new(),
            waiting: Mutex::default(),
            changed: Condvar::new(),
            closed: AtomicBool::new(false),
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
        let mut buffer = lock(self.shared.buffers.get_or(Mutex::default));
        let before = buffer.length();
        // Looked at under the lock: who takes the last lines has closed before.
        let is_taken = !self.shared.closed.load(Ordering::Relaxed) && buffer.push(write_line);
        let after = buffer.length();
        drop(buffer);
        if !is_taken {
            return self.shared.dropped.increment(1);
        }
        // The thread sleeps only until something is there, and then only until it is much: to wake
        // it for every line would cost a system call each.
        let is_full = before < FULL_BATCH_BYTES && after >= FULL_BATCH_BYTES;
        if before == 0 || is_full {
            self.shared.wake(is_full);
        }
    }

    /// Has everything written out and ends the thread.
    pub(super) fn close(&self) {
        self.shared.closed.store(true, Ordering::Relaxed);
        self.shared.wake(true);
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

impl Default for Buffer {
    fn default() -> Self {
        Self { lines: Vec::with_capacity(ROOM_BYTES), gathered: Vec::with_capacity(2 * GATHERED_BYTES) }
    }
}

impl Buffer {
    fn length(&self) -> usize {
        self.lines.len() + self.gathered.len()
    }

    /// Whether there was room for the line.
    fn push(&mut self, write_line: impl FnOnce(&mut Vec<u8>)) -> bool {
        let before = self.gathered.len();
        write_line(&mut self.gathered);
        let has_room = self.length() <= MAX_WAITING_BYTES;
        if !has_room {
            self.gathered.truncate(before);
        } else if self.gathered.len() >= GATHERED_BYTES {
            self.lines.append(&mut self.gathered);
        }
        has_room
    }

    /// Takes all lines, in place of an empty batch.
    fn take(&mut self, batch: &mut Vec<u8>) {
        std::mem::swap(&mut self.lines, batch);
        batch.append(&mut self.gathered);
    }
}

impl Shared {
    fn wake(&self, is_urgent: bool) {
        let mut waiting = lock(&self.waiting);
        waiting.begun = true;
        waiting.urgent |= is_urgent;
        drop(waiting);
        self.changed.notify_one();
    }

    fn write_until_closed(&self, mut sink: Box<dyn Write + Send>) {
        let mut batch = Vec::with_capacity(ROOM_BYTES);
        loop {
            self.wait();
            // Before the buffers: what comes into one that was written is for the next round.
            let closed = self.closed.load(Ordering::Relaxed);
            for buffer in &self.buffers {
                lock(buffer).take(&mut batch);
                self.write(&batch, &mut *sink);
                batch.clear();
            }
            if closed {
                return;
            }
        }
    }

    /// Until there are lines, and then for others to come.
    fn wait(&self) {
        let is_idle = |waiting: &mut Waiting| !waiting.begun;
        let is_small = |waiting: &mut Waiting| !waiting.urgent;
        let waiting =
            self.changed.wait_while(lock(&self.waiting), is_idle).unwrap_or_else(PoisonError::into_inner);
        let (mut waiting, _) = self
            .changed
            .wait_timeout_while(waiting, MAX_WAIT, is_small)
            .unwrap_or_else(PoisonError::into_inner);
        *waiting = Waiting::default();
    }

    fn write(&self, batch: &[u8], sink: &mut dyn Write) {
        if batch.is_empty() {
            return;
        }
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
