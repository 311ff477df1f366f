//! Databases that are made for tests, and dropped.

use std::hash::{BuildHasher, RandomState};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use futures_util::future::join_all;

use super::admin::Admin;

/// The database of one test, which drops it with this.
pub struct PostgresDatabase {
    /// How to connect to it.
    pub url: String,
    pub(super) name: String,
    admin: &'static Admin,
    /// Of the other servers that have a database of this name.
    others: &'static [Admin],
}

impl Drop for PostgresDatabase {
    fn drop(&mut self) {
        for admin in [self.admin].into_iter().chain(self.others) {
            let dropped = admin.run_and_block(format!("DROP DATABASE {} WITH (FORCE)", self.name));
            // Citus connects again and again. What stays is dropped by the next process.
            assert!(dropped.is_ok() || !self.is_whole(), "{dropped:?}");
        }
    }
}

impl PostgresDatabase {
    pub(super) async fn create(admin: &'static Admin, template: &str) -> Self {
        let name = unused_name();
        admin.run(format!("CREATE DATABASE {name} TEMPLATE {template}")).await;
        Self { url: admin.url_of(&name), name, admin, others: &[] }
    }

    /// The same on several servers, of which the first is the one to connect to.
    pub(super) async fn create_on_all(servers: &'static [Admin]) -> Self {
        let (name, (admin, others)) = (unused_name(), servers.split_first().unwrap());
        join_all(
            servers.iter().map(|server| server.run(format!("CREATE DATABASE {name} TEMPLATE template0"))),
        )
        .await;
        Self { url: admin.url_of(&name), name, admin, others }
    }

    /// Gives every transaction that asks for no other guarantee the highest one.
    pub(super) async fn make_serializable(&self) {
        let Self { name, admin, .. } = self;
        admin.run(format!("ALTER DATABASE {name} SET default_transaction_isolation = serializable")).await;
    }

    /// Whether it is on one server.
    pub fn is_whole(&self) -> bool {
        self.others.is_empty()
    }

    /// Cuts off whoever uses the database, and moves it to where they cannot come back: a write that is done
    /// again on another connection finds nothing any more.
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
        self.admin.run(withdraw).await;
        self.url = self.admin.url_of(&new);
        self.name = new;
        self
    }
}

/// What the names of this process's databases begin with, and its connection to the server is called: like no
/// other process's, also where a number of a process comes again.
pub(super) fn run_name() -> &'static str {
    static RUN: OnceLock<String> = OnceLock::new();
    RUN.get_or_init(|| format!("pointbook_test_{:016x}", RandomState::new().hash_one(std::process::id())))
}

/// Databases of processes that have ended, whatever ended them: each process has a connection of its name
/// before it makes a database, and until it ends. The snapshot of the names is older than the look at the
/// connections, and only the own role's are sure to be seen.
pub(super) const LEFT_BEHIND: &str = "SELECT d.datname::TEXT FROM pg_database d \
    WHERE d.datname ~ '^pointbook_test_[0-9a-f]{16}_' AND d.datdba = current_user::REGROLE AND NOT EXISTS \
    (SELECT FROM pg_stat_activity a WHERE a.application_name = substring(d.datname::TEXT FOR 31))";

fn unused_name() -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    format!("{}_{}", run_name(), COUNT.fetch_add(1, Ordering::Relaxed))
}
