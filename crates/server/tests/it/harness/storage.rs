//! The database of a test, and what a test does to it behind the service's back.

mod postgres;
mod recycled;
mod sqlite;

use std::sync::Arc;

use pointbook_app::ports::Database;
use pointbook_testkit::postgres::Isolation;

use self::postgres::PostgresServer;
use self::sqlite::SqliteFile;

/// The test target that this is compiled into. Its name chooses the database, and nothing else does.
pub(crate) const TARGET: &str = env!("CARGO_CRATE_NAME");

/// How many send a request at the same moment: as many as this on a file, and a quarter of them on a server,
/// where all but a few wait for a connection, and on one that is serializable most come again and again.
pub(crate) fn crowd(on_a_file: usize) -> usize {
    if TARGET == "it" { on_a_file } else { on_a_file / 4 }
}

/// A database of one test, which ends with it.
pub(crate) enum Storage {
    Sqlite(SqliteFile),
    Postgres(PostgresServer),
}

/// A transaction of somebody else's, which is rolled back when it is dropped.
pub(crate) enum Foreign {
    Sqlite(rusqlite::Connection),
    Postgres(tokio_postgres::Client),
}

impl Storage {
    /// An empty database. Where the target's cannot be had, the run begins again without the suite.
    pub(super) async fn fresh() -> Self {
        match TARGET {
            "it" => Self::Sqlite(SqliteFile::fresh()),
            "it_postgres" => Self::Postgres(PostgresServer::fresh(Isolation::ReadCommitted).await),
            "it_postgres_serializable" => {
                Self::Postgres(PostgresServer::fresh(Isolation::Serializable).await)
            }
            other => panic!("{other} says nothing about a database"),
        }
    }

    /// Opens it as one more process does.
    pub(super) async fn open(&self) -> Arc<dyn Database> {
        match self {
            Self::Sqlite(file) => file.open(),
            Self::Postgres(server) => server.open().await,
        }
    }

    /// Executes a statement; gives how many rows it changed.
    pub(super) async fn execute(&self, statement: &str) -> u64 {
        match self {
            Self::Sqlite(file) => file.execute(statement),
            Self::Postgres(server) => server.execute(statement).await,
        }
    }

    /// Every row of every table but those of request keys, as text: what requests have effects on.
    pub(super) async fn rows(&self) -> Vec<String> {
        match self {
            Self::Sqlite(file) => file.rows(),
            Self::Postgres(server) => server.rows().await,
        }
    }

    /// Whether these bytes are kept anywhere.
    pub(super) async fn holds(&self, bytes: &[u8]) -> bool {
        match self {
            Self::Sqlite(file) => file.holds(bytes),
            Self::Postgres(server) => server.holds(bytes).await,
        }
    }

    /// Keeps everybody else from writing.
    pub(super) async fn lock(&self) -> Foreign {
        match self {
            Self::Sqlite(file) => Foreign::Sqlite(file.lock()),
            Self::Postgres(server) => Foreign::Postgres(server.lock().await),
        }
    }
}

impl Foreign {
    /// Executes statements in the transaction.
    pub(crate) async fn execute(&self, statements: &str) {
        match self {
            Self::Sqlite(connection) => connection.execute_batch(statements).unwrap(),
            Self::Postgres(client) => client.batch_execute(statements).await.unwrap(),
        }
    }
}
