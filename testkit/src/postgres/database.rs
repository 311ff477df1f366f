//! Temporary databases for tests.

use std::hash::{BuildHasher, RandomState};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use futures_util::future::join_all;

use super::admin::Admin;

/// The database of one test. Dropping this value drops the database.
pub struct PostgresDatabase {
    /// The URL of the database.
    pub url: String,
    pub(super) name: String,
    admin: &'static Admin,
    /// The other servers that have a database of this name.
    others: &'static [Admin],
}

impl Drop for PostgresDatabase {
    fn drop(&mut self) {
        for admin in [self.admin].into_iter().chain(self.others) {
            let dropped = admin.run_and_block(format!("DROP DATABASE {} WITH (FORCE)", self.name));
            // Citus keeps connecting, so this may fail. Then the next process drops the database.
            assert!(dropped.is_ok() || !self.is_whole(), "{dropped:?}");
        }
    }
}

impl PostgresDatabase {
    pub(super) async fn create(admin: &'static Admin, template: &str) -> Self {
        let name = unused_name();
        // Of PostgreSQL 15. Without fsync, the default strategy takes seven times as long, because it writes each page to the log.
        admin.run(format!("CREATE DATABASE {name} TEMPLATE {template} STRATEGY FILE_COPY")).await;
        Self { url: admin.url_of(&name), name, admin, others: &[] }
    }

    /// Creates a database on several servers. Clients connect to the first one.
    pub(super) async fn create_on_all(servers: &'static [Admin]) -> Self {
        let (name, (admin, others)) = (unused_name(), servers.split_first().unwrap());
        join_all(
            servers.iter().map(|server| server.run(format!("CREATE DATABASE {name} TEMPLATE template0"))),
        )
        .await;
        Self { url: admin.url_of(&name), name, admin, others }
    }

    /// Makes `SERIALIZABLE` the default isolation level.
    pub(super) async fn make_serializable(&self) {
        let Self { name, admin, .. } = self;
        admin.run(format!("ALTER DATABASE {name} SET default_transaction_isolation = serializable")).await;
    }

    /// Whether the database is on one server only.
    pub fn is_whole(&self) -> bool {
        self.others.is_empty()
    }

    /// Ends all connections to the database and renames it, so that clients cannot connect again. A write that is retried on
    /// another connection does not find the database.
    #[must_use]
    pub async fn withdraw(mut self) -> Self {
        let (old, new) = (&self.name, unused_name());
        self.admin.run(format!("ALTER DATABASE {old} ALLOW_CONNECTIONS false")).await;
        let withdraw = format!(
            "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity \
             WHERE datname = '{old}' AND backend_type = 'client backend'; \
             ALTER DATABASE {old} RENAME TO {new}; \
             ALTER DATABASE {new} ALLOW_CONNECTIONS true"
        );
        // A connection that began before it was forbidden may appear only now.
        let mut outcome = self.admin.attempt(withdraw.clone()).await;
        for _ in 0..3 {
            if outcome.is_err() {
                outcome = self.admin.attempt(withdraw.clone()).await;
            }
        }
        outcome.unwrap();
        self.url = self.admin.url_of(&new);
        self.name = new;
        self
    }
}

/// The prefix of the names of this process's databases, and the name of its connection. It is unique even when process
/// ids repeat.
pub(super) fn run_name() -> &'static str {
    static RUN: OnceLock<String> = OnceLock::new();
    RUN.get_or_init(|| format!("pointbook_test_{:016x}", RandomState::new().hash_one(std::process::id())))
}

/// Selects the databases of processes that have ended. Each process has a connection with its name before it creates a
/// database, and until it ends. The snapshot of the names is older than the check of the connections. Only connections of
/// the same role are visible for certain.
pub(super) const LEFT_BEHIND: &str = "SELECT d.datname::TEXT FROM pg_database d \
    WHERE d.datname ~ '^pointbook_test_[0-9a-f]{16}_' AND d.datdba = current_user::REGROLE AND NOT EXISTS \
    (SELECT FROM pg_stat_activity a WHERE a.application_name = substring(d.datname::TEXT FOR 31))";

fn unused_name() -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    format!("{}_{}", run_name(), COUNT.fetch_add(1, Ordering::Relaxed))
}
