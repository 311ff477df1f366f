//! The set-ups in which a suite meets its database: one suite, one executable, and the environment says where it runs.

use super::database::PostgresDatabase;
use super::{Isolation, connect, has_server, migrated_database, pooled_url, split_database};
use xtask::throwaway_postgres::environment;

/// The variable that names a set-up.
const VARIABLE: &str = "POINTBOOK_TEST_SETUP";

/// The role of the service in test databases. It cannot log in: a database sets it for every later connection.
pub const SERVICE_ROLE: &str = "pointbook_test_service";

/// Where and how a suite reaches its database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Setup {
    /// Files of SQLite.
    Sqlite,
    /// A PostgreSQL server with the rights of the service role, which sees no row unless the transaction names its tenant, and
    /// through `PgBouncer`, which gives each transaction another connection. Without `PgBouncer`, connections are direct.
    Pooled,
    /// A PostgreSQL server as its owner, with the default isolation level.
    ReadCommitted,
    /// A PostgreSQL server as its owner. Transactions are serializable unless they ask for less.
    Serializable,
    /// PostgreSQL split by tenant. Citus refuses statements that do not go to the one server of their tenant.
    Citus,
}

/// The value of the variable for each set-up.
const NAMES: [(&str, Setup); 5] = [
    ("sqlite", Setup::Sqlite),
    ("postgres", Setup::Pooled),
    ("read-committed", Setup::ReadCommitted),
    ("serializable", Setup::Serializable),
    ("citus", Setup::Citus),
];

impl Setup {
    /// The set-up that `POINTBOOK_TEST_SETUP` names, or this default.
    pub fn from_environment_or(default: Self) -> Self {
        let Some(name) = environment(VARIABLE) else { return default };
        let known = NAMES.iter().find(|(known, _)| name == *known);
        known
            .unwrap_or_else(|| {
                panic!("{VARIABLE} must be one of {:?}, got {}", NAMES.map(|(name, _)| name), name.display())
            })
            .1
    }

    /// The value of the variable for this set-up.
    pub fn name(self) -> &'static str {
        NAMES.iter().find(|(_, setup)| *setup == self).unwrap().0
    }

    /// The variable and its value, for a process that runs the suite in this set-up.
    pub fn variable(self) -> (&'static str, &'static str) {
        (VARIABLE, self.name())
    }

    /// A database after `prepare`, which gets the URL of an empty one. `prepare` runs the migrations and gives [`SERVICE_ROLE`]
    /// its rights; on Citus it splits the tables instead. Returns `None` without a server.
    pub async fn database(self, prepare: impl AsyncFnOnce(&str)) -> Option<PostgresDatabase> {
        match self {
            Self::Sqlite => panic!("this set-up has no PostgreSQL server"),
            Self::Citus => split_database(prepare).await,
            Self::Serializable => migrated_database(Isolation::Serializable, prepare).await,
            Self::ReadCommitted => migrated_database(Isolation::ReadCommitted, prepare).await,
            Self::Pooled => {
                let database = migrated_database(Isolation::ReadCommitted, prepare).await?;
                hand_over(&database).await;
                Some(database)
            }
        }
    }

    /// The URL with which a store connects to a database of this set-up.
    pub fn store_url(self, database: &PostgresDatabase) -> String {
        let pooled = (self == Self::Pooled).then(|| pooled_url(database)).flatten();
        pooled.map_or_else(|| database.url.clone(), |url| format!("{url}?prepared_statements=off"))
    }

    /// Whether this machine has what the set-up needs. Prints a line when it does not, or fails with `CI=true`.
    pub fn is_available(self) -> bool {
        self == Self::Sqlite || has_server()
    }
}

/// Makes every later connection use the service role. The suites add tenants and replace secrets, so the role gets these
/// rights, too. A connection that needs all rights says `SET ROLE NONE`.
async fn hand_over(database: &PostgresDatabase) {
    let (role, name) = (SERVICE_ROLE, &database.name);
    let statements = format!(
        "GRANT INSERT, UPDATE ON tenants TO {role}; GRANT UPDATE ON tenant_secrets TO {role}; \
         ALTER DATABASE {name} SET role = {role}"
    );
    connect(&database.url).await.batch_execute(&statements).await.unwrap();
}
