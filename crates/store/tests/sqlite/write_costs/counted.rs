//! A store whose writing connection counts the instructions that it runs.

use std::fmt::Debug;
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use pointbook_store::ports::{Database, TenantData};
use pointbook_store::sqlite::{SqliteOptions, SqliteStore};
use pointbook_testkit::build;
use pointbook_testkit::conformance::add_tenant;

/// More instructions than any write of these tests needs. SQLite stops a write beyond it, so that its test fails at once.
const MAX_WORK: u64 = 20_000_000;

/// A store with one tenant, `acme`, that counts the instructions of writes.
pub(super) struct Counted {
    pub(super) database: Arc<dyn Database>,
    pub(super) data: Arc<dyn TenantData>,
    instructions: Arc<AtomicU64>,
    _folder: tempfile::TempDir,
}

impl Counted {
    pub(super) async fn open() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("test.db");
        let options = SqliteOptions::new(build::noon());
        let instructions = Arc::<AtomicU64>::default();
        let counter = instructions.clone();
        let count = move || counter.fetch_add(1, Ordering::Relaxed) > MAX_WORK;
        let store = SqliteStore::open_prepared(&path, &options, |writer| {
            writer.progress_handler(1, Some(count)).unwrap();
        });
        let database: Arc<dyn Database> = Arc::new(store.unwrap());
        let data = add_tenant(&database, "acme").await;
        Self { database, data, instructions, _folder: folder }
    }

    /// How many instructions a write takes, including its share of the commit.
    pub(super) async fn work<T, E: Debug>(&self, write: impl Future<Output = Result<T, E>>) -> u64 {
        self.instructions.store(0, Ordering::Relaxed);
        write.await.unwrap();
        self.instructions.load(Ordering::Relaxed)
    }
}
