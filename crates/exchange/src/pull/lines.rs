//! Runs a reader on a separate thread and gives its rows to an import.

use std::io::{Cursor, Read};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::{io, thread};

use super::error::PullError;
use crate::check::Source;

/// How many rows may wait for the import. The reader waits while the queue is full.
const WAITING_LINES: usize = 1_000;

/// Sends rows to the import, each as a line of JSON.
pub struct LineSender(SyncSender<io::Result<String>>);

impl LineSender {
    /// Sends a row. Returns `false` when the import has ended and takes no more rows.
    pub fn push(&self, row: &serde_json::Value) -> bool {
        self.0.send(Ok(format!("{row}\n"))).is_ok()
    }
}

/// A thread that reads from a source. Its result is a `T` or an `E`, besides the rows that it sends.
pub struct ReaderThread<T, E> {
    thread: JoinHandle<(Source, Result<T, E>)>,
}

impl<T: Send + 'static, E: Send + 'static> ReaderThread<T, E> {
    /// Starts to read. Returns the thread and the input of the import.
    ///
    /// # Errors
    /// [`PullError::Thread`].
    pub fn start(
        mut source: Source,
        read: impl FnOnce(&mut Source, &LineSender) -> Result<T, E> + Send + 'static,
    ) -> Result<(Self, impl Read + Send + 'static), PullError> {
        let (sender, receiver) = sync_channel(WAITING_LINES);
        let work = move || {
            let lines = LineSender(sender);
            let result = read(&mut source, &lines);
            if result.is_err() {
                // Without this error, the import would treat the rows so far as the complete input. The caller reports
                // the result, which says more.
                drop(lines.0.send(Err(io::Error::other("the other server cannot be read"))));
            }
            (source, result)
        };
        let thread = thread::Builder::new().name("pull".to_owned()).spawn(work);
        Ok((
            Self { thread: thread.map_err(PullError::Thread)? },
            LineReader { receiver, line: Cursor::default() },
        ))
    }

    /// Waits for the thread. Returns the source and the result of reading.
    ///
    /// # Errors
    /// [`PullError::Panicked`].
    pub fn join(self) -> Result<(Source, Result<T, E>), PullError> {
        self.thread.join().map_err(|_| PullError::Panicked)
    }
}

struct LineReader {
    receiver: Receiver<io::Result<String>>,
    line: Cursor<Vec<u8>>,
}

impl Read for LineReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.line.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            match self.receiver.recv() {
                Ok(line) => self.line = Cursor::new(line?.into_bytes()),
                Err(_) => return Ok(0),
            }
        }
    }
}
