//! The database of a test, and direct changes of it without the service.

mod postgres;
mod recycled;
mod sqlite;

use std::sync::{Arc, LazyLock};

use pointbook_store::ports::Database;
use pointbook_testkit::postgres::Setup;

use self::postgres::PostgresServer;
use self::sqlite::SqliteFile;

/// Where the suite runs: on SQLite, unless the environment says otherwise.
pub(crate) fn setup() -> Setup {
    static SETUP: LazyLock<Setup> = LazyLock::new(|| Setup::from_environment_or(Setup::Sqlite));
    *SETUP
}

/// How many requests a race sends: this many on SQLite, and a quarter on PostgreSQL, where most requests wait for a
/// connection and, with serializable transactions, most are retried.
pub(crate) fn crowd(on_a_file: usize) -> usize {
    if setup() == Setup::Sqlite { on_a_file } else { on_a_file / 4 }
}

/// The database of a test. It ends with the test.
pub(crate) enum Storage {
    Sqlite(SqliteFile),
    Postgres(PostgresServer),
}

/// A transaction of another process. It is rolled back when it is dropped.
pub(crate) enum ForeignTransaction {
    Sqlite(rusqlite::Connection),
    Postgres(tokio_postgres::Client),
}

impl Storage {
    /// An empty database.
    pub(super) async fn fresh() -> Self {
        match setup() {
            Setup::Sqlite => Self::Sqlite(SqliteFile::fresh()),
            _ => Self::Postgres(PostgresServer::fresh().await),
        }
    }

    /// Opens the database as another process does.
    pub(super) async fn open(&self) -> Arc<dyn Database> {
        match self {
            Self::Sqlite(file) => file.open(),
            Self::Postgres(server) => server.open().await,
        }
    }

    /// Executes a statement. Returns how many rows it changed.
    pub(super) async fn execute(&self, statement: &str) -> u64 {
        match self {
            Self::Sqlite(file) => file.execute(statement),
            Self::Postgres(server) => server.execute(statement).await,
        }
    }

    /// Every row of every table as text, without idempotency keys and jobs: everything that requests can change.
    pub(super) async fn rows(&self) -> Vec<String> {
        match self {
            Self::Sqlite(file) => file.rows(),
            Self::Postgres(server) => server.rows().await,
        }
    }

    /// Whether the database contains these bytes anywhere.
    pub(super) async fn holds(&self, bytes: &[u8]) -> bool {
        match self {
            Self::Sqlite(file) => file.holds(bytes),
            Self::Postgres(server) => server.holds(bytes).await,
        }
    }

    /// Blocks all other writers.
    pub(super) async fn lock(&self) -> ForeignTransaction {
        match self {
            Self::Sqlite(file) => ForeignTransaction::Sqlite(file.lock()),
            Self::Postgres(server) => ForeignTransaction::Postgres(server.lock().await),
        }
    }
}

impl ForeignTransaction {
    /// Executes statements in the transaction.
    pub(crate) async fn execute(&self, statements: &str) {
        match self {
            Self::Sqlite(connection) => connection.execute_batch(statements).unwrap(),
            Self::Postgres(client) => client.batch_execute(statements).await.unwrap(),
        }
    }
}
