//! A writer on a small file, and jobs that block it.

use std::fs;
use std::path::PathBuf;
use std::sync::mpsc;
use std::sync::mpsc::{Receiver, Sender};
use std::time::Duration;

use pointbook_domain::Timestamp;
use rusqlite::{Connection, Transaction};
use tokio::sync::oneshot;

use crate::sqlite::connection::open_file;
use crate::sqlite::error::Outcome;
use crate::sqlite::options::SqliteOptions;
use crate::sqlite::writer::{SERVICE, SharedCommit, Writer};

pub(super) type Answer<T> = oneshot::Receiver<Outcome<T>>;

/// A file with a table of numbers, and its writer.
pub(super) struct WriterFixture {
    pub(super) folder: tempfile::TempDir,
    pub(super) writer: Writer,
}

impl WriterFixture {
    /// A writer whose commits take all waiting jobs.
    pub(super) fn new() -> Self {
        Self::with_max_age(Duration::MAX)
    }

    pub(super) fn with_max_age(max_age: Duration) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let options = SqliteOptions { busy_timeout_ms: 100, ..SqliteOptions::new(Timestamp::MIN) };
        let connection = open_file(&folder.path().join("test.db"), &options).unwrap();
        let tables =
            "CREATE TABLE numbers (tenant_id TEXT, number INTEGER, UNIQUE (tenant_id, number)) STRICT;
            CREATE TABLE feed_blocks (tenant_id TEXT, id TEXT, ordinal INTEGER, created_at INTEGER, entry_count INTEGER,
                entries TEXT, last_position INTEGER, PRIMARY KEY (tenant_id, id)) STRICT, WITHOUT ROWID;
            CREATE INDEX feed_blocks_unnumbered ON feed_blocks (tenant_id, ordinal) WHERE last_position IS NULL;
            CREATE TABLE parents (id INTEGER PRIMARY KEY) STRICT;
            CREATE TABLE children (parent_id INTEGER NOT NULL REFERENCES parents (id)) STRICT";
        connection.execute_batch(tables).unwrap();
        Self { folder, writer: Writer::start(connection, &options, max_age).unwrap() }
    }

    pub(super) fn path(&self) -> PathBuf {
        self.folder.path().join("test.db")
    }

    pub(super) fn submit<T: Send + 'static>(
        &self,
        work: impl FnMut(&SharedCommit<'_>) -> Outcome<T> + Send + 'static,
    ) -> Answer<T> {
        self.writer.submit(&SERVICE, work).unwrap()
    }

    pub(super) fn insert(&self, number: i64) -> Answer<()> {
        self.submit(move |database| insert(database, number))
    }

    /// Submits a job that waits for its release, and then does its work.
    pub(super) fn submit_hold(
        &self,
        mut work: impl FnMut(&SharedCommit<'_>) -> Outcome<()> + Send + 'static,
    ) -> Hold {
        let (entering, entered) = mpsc::channel();
        let (end, ended) = mpsc::channel::<()>();
        let answer = self.submit(move |database| {
            entering.send(()).ok();
            // If the job runs again, it is already released.
            ended.recv().ok();
            work(database)
        });
        Hold { entered, end, answer }
    }

    /// Blocks the thread inside a job, so that the jobs submitted next wait.
    pub(super) fn hold(&self) -> Hold {
        let hold = self.submit_hold(|_| Ok(()));
        hold.wait_until_entered();
        hold
    }

    /// The numbers that another connection sees.
    pub(super) fn numbers(&self) -> Vec<i64> {
        let reader = Connection::open(self.path()).unwrap();
        let mut select =
            reader.prepare("SELECT number FROM numbers WHERE tenant_id = 'acme' ORDER BY number").unwrap();
        select.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    }

    /// How many commits the write-ahead log contains. In its file format, only the last frame of a commit has the size of
    /// the database; the others have 0.
    pub(super) fn commits(&self) -> usize {
        const HEADER_BYTES: usize = 32;
        const FRAME_HEADER_BYTES: usize = 24;
        let log = fs::read(self.path().with_extension("db-wal")).unwrap();
        let word = |at: usize| u32::from_be_bytes(log[at..at + 4].try_into().unwrap());
        let page_bytes = usize::try_from(word(8)).unwrap();
        let frames = (HEADER_BYTES..log.len()).step_by(FRAME_HEADER_BYTES + page_bytes);
        frames.filter(|frame| word(frame + 4) != 0).count()
    }
}

/// A job that continues when it is released.
pub(super) struct Hold {
    entered: Receiver<()>,
    end: Sender<()>,
    answer: Answer<()>,
}

impl Hold {
    pub(super) fn wait_until_entered(&self) {
        self.entered.recv().unwrap();
    }

    /// Lets the job continue, without waiting for its commit.
    pub(super) fn let_go(self) -> Answer<()> {
        drop(self.end);
        self.answer
    }

    /// Lets the job continue, and waits for its commit.
    pub(super) fn release(self) {
        done(self.let_go()).unwrap();
    }
}

pub(super) fn insert(database: &Transaction<'_>, number: i64) -> Outcome<()> {
    database.execute("INSERT INTO numbers (tenant_id, number) VALUES ('acme', ?1)", [number])?;
    Ok(())
}

/// Waits for the outcome, which the writer sends to every caller.
pub(super) fn done<T>(answer: Answer<T>) -> Outcome<T> {
    answer.blocking_recv().unwrap()
}

pub(super) fn all_done(answers: Vec<Answer<()>>) {
    for answer in answers {
        done(answer).unwrap();
    }
}
