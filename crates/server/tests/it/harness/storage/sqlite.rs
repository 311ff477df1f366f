//! A SQLite file in a new folder.

use std::path::PathBuf;
use std::sync::Arc;

use pointbook_store::ports::Database;
use pointbook_store::sqlite::{SqliteOptions, SqliteStore};
use rusqlite::{Connection, Row};
use tempfile::TempDir;

use crate::harness::sample;

pub(crate) struct SqliteFile {
    folder: TempDir,
}

impl SqliteFile {
    pub(super) fn fresh() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("test.db")
    }

    fn connect(&self) -> Connection {
        Connection::open(self.path()).unwrap()
    }

    pub(super) fn open(&self) -> Arc<dyn Database> {
        Arc::new(SqliteStore::open(&self.path(), &SqliteOptions::new(sample::now())).unwrap())
    }

    pub(super) fn execute(&self, statement: &str) -> u64 {
        self.connect().execute(statement, []).unwrap().try_into().unwrap()
    }

    pub(super) fn lock(&self) -> Connection {
        let file = self.connect();
        file.execute_batch("BEGIN IMMEDIATE").unwrap();
        file
    }

    pub(super) fn rows(&self) -> Vec<String> {
        let file = self.connect();
        let tables = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT IN ('request_keys', 'jobs') ORDER BY name";
        let tables = select(&file, tables, |row| row.get::<_, String>(0).unwrap());
        let content = |table: &String| {
            select(&file, &format!("SELECT * FROM {table} ORDER BY 1, 2"), |row| {
                let values = (0..row.as_ref().column_count()).map(|place| row.get_ref(place).unwrap());
                format!("{table} {:?}", values.collect::<Vec<_>>())
            })
        };
        tables.iter().flat_map(content).collect()
    }

    /// Searches all files, including those beside the database.
    pub(super) fn holds(&self, bytes: &[u8]) -> bool {
        let files = std::fs::read_dir(self.folder.path()).unwrap();
        let contents: Vec<Vec<u8>> = files.map(|file| std::fs::read(file.unwrap().path()).unwrap()).collect();
        assert!(contents.iter().any(|content| content.starts_with(b"SQLite format 3\0")));
        contents.iter().any(|content| content.windows(bytes.len()).any(|window| window == bytes))
    }
}

fn select<T>(file: &Connection, sql: &str, read: impl Fn(&Row<'_>) -> T) -> Vec<T> {
    let mut select = file.prepare(sql).unwrap();
    let rows = select.query_map([], |row| Ok(read(row))).unwrap();
    rows.map(Result::unwrap).collect()
}
