//! What holds of the writing thread that a store runs with. Jobs wait for one another, so that nothing
//! depends on speed.

use std::path::PathBuf;
use std::sync::mpsc;
use std::task::{Context, Poll, Waker};
use std::time::Instant;

use pointbook_app::ports::Database;
use pointbook_domain::Timestamp;
use rusqlite::Connection;

use super::*;
use crate::store::SqliteStore;
use crate::writer::SERVICE;

fn open() -> (tempfile::TempDir, PathBuf, SqliteStore) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.db");
    let store = SqliteStore::open(&path, &SqliteOptions::new(Timestamp::MIN)).unwrap();
    (folder, path, store)
}

/// Asks without waiting: from here on the job is in its queue.
fn ask<F: Future>(future: F) -> std::pin::Pin<Box<F>> {
    let mut future = Box::pin(future);
    assert!(matches!(future.as_mut().poll(&mut Context::from_waker(Waker::noop())), Poll::Pending));
    future
}

#[tokio::test]
async fn a_job_that_comes_to_an_old_commit_waits_for_the_next() {
    let (_folder, path, store) = open();
    let (asked, is_asked) = mpsc::channel::<()>();
    let slow = ask(store.access.write("slow", SERVICE, move |database| {
        let begun = Instant::now();
        database.execute_batch("CREATE TABLE slow (id INTEGER) STRICT")?;
        is_asked.recv().ok();
        while begun.elapsed() <= MAX_COMMIT_AGE {
            std::hint::spin_loop();
        }
        Ok(())
    }));
    let other = Connection::open(path).unwrap();
    let next = ask(store.access.write("next", SERVICE, move |_| {
        // Seen by others only when it is committed.
        Ok(other.table_exists(None, "slow")?)
    }));
    drop(asked);
    slow.await.unwrap();
    assert!(next.await.unwrap());
}

/// Ends the thread when it is dropped there.
struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        panic!("to end the thread");
    }
}

#[tokio::test]
async fn a_store_that_cannot_write_is_not_ready() {
    let (_folder, _path, store) = open();
    store.ping().await.unwrap();
    let (begun, has_begun) = mpsc::channel();
    let (end, ended) = mpsc::channel::<()>();
    let bomb = ask(store.access.write("bomb", SERVICE, move |_| {
        begun.send(()).ok();
        ended.recv().ok();
        Ok(Bomb)
    }));
    has_begun.recv().unwrap();
    let waiting = ask(store.access.write("waiting", SERVICE, |_| Ok(())));
    drop(bomb);
    drop(end);
    // It went with the thread, or was refused by it.
    drop(waiting.await);
    while store.access.write("late", SERVICE, |_| Ok(())).await.is_ok() {}
    let error = store.ping().await.unwrap_err();
    assert!(matches!(error, StoreError::Failed(_)), "{error:?}");
}

#[test]
fn a_tenant_leaves_a_core_to_what_is_quick() {
    for (cores, all, tenant) in [(1, 2, 1), (2, 2, 1), (4, 4, 3), (64, 8, 7)] {
        let Limits { permits, waiting } = long_read_limits(cores);
        assert_eq!((permits.all, permits.tenant, waiting.tenant), (all, tenant, 48), "{cores}");
    }
}
