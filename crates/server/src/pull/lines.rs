//! What is read on a thread of its own, as the input of an import.

use std::io::{self, Cursor, Read};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use pointbook_check::Source;

use crate::Failure;

/// How many rows may wait to be imported.
const WAITING_LINES: usize = 1_000;

/// Where rows go, each a line of JSON.
pub(crate) struct Lines(SyncSender<io::Result<String>>);

impl Lines {
    /// Hands a row over; gives whether more are wanted.
    pub(crate) fn push(&self, row: &serde_json::Value) -> bool {
        self.0.send(Ok(format!("{row}\n"))).is_ok()
    }
}

/// A source that is being read, and what comes of it besides rows.
pub(crate) struct Reading<T> {
    thread: JoinHandle<(Source, Result<T, Failure>)>,
}

impl<T: Send + 'static> Reading<T> {
    /// Begins to read; gives what an import reads from.
    pub(crate) fn start(
        mut source: Source,
        read: impl FnOnce(&mut Source, &Lines) -> Result<T, Failure> + Send + 'static,
    ) -> Result<(Self, impl Read + Send + 'static), Failure> {
        let (sender, receiver) = sync_channel(WAITING_LINES);
        let work = move || {
            let lines = Lines(sender);
            let result = read(&mut source, &lines);
            if let Err(failure) = &result {
                // An import that is told nothing of it would take what came for the whole.
                drop(lines.0.send(Err(io::Error::other(failure.messages.join("; ")))));
            }
            (source, result)
        };
        let thread = thread::Builder::new().name("pull".to_owned()).spawn(work);
        let thread = thread.map_err(|error| Failure::trouble("cannot start a thread", &error))?;
        Ok((Self { thread }, LineReader { receiver, line: Cursor::default() }))
    }

    /// The source again, and how reading ended, once the import is done with it.
    pub(crate) fn end(self) -> Result<(Source, Result<T, Failure>), Failure> {
        self.thread.join().map_err(|_| Failure::failed("the reading thread ended early"))
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
