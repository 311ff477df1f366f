//! Tests of the writing thread of a store. Jobs wait for one another, so that no test depends on timing.

use std::path::PathBuf;
use std::sync::mpsc;
use std::task::{Context, Poll, Waker};
use std::time::Instant;

use pointbook_domain::Timestamp;
use rusqlite::Connection;

use super::*;
use crate::ports::Database;
use crate::sqlite::store::SqliteStore;
use crate::sqlite::writer::SERVICE;

fn open() -> (tempfile::TempDir, PathBuf, SqliteStore) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.db");
    let store = SqliteStore::open(&path, &SqliteOptions::new(Timestamp::MIN)).unwrap();
    (folder, path, store)
}

/// Polls a call once. After that its job is in the queue.
fn enqueue<F: Future>(future: F) -> std::pin::Pin<Box<F>> {
    let mut future = Box::pin(future);
    assert!(matches!(future.as_mut().poll(&mut Context::from_waker(Waker::noop())), Poll::Pending));
    future
}

#[tokio::test]
async fn job_waits_for_next_commit_when_current_one_is_old() {
    let (_folder, path, store) = open();
    let (enqueued, is_enqueued) = mpsc::channel::<()>();
    let slow = enqueue(store.access.write("slow", SERVICE, move |database| {
        let begun = Instant::now();
        database.execute_batch("CREATE TABLE slow (id INTEGER) STRICT")?;
        is_enqueued.recv().ok();
        while begun.elapsed() <= MAX_COMMIT_AGE {
            std::hint::spin_loop();
        }
        Ok(())
    }));
    let other = Connection::open(path).unwrap();
    let next = enqueue(store.access.write("next", SERVICE, move |_| {
        // Another connection sees the table only after the commit.
        Ok(other.table_exists(None, "slow")?)
    }));
    drop(enqueued);
    slow.await.unwrap();
    assert!(next.await.unwrap());
}

/// Panics when the writing thread drops it, which ends the thread.
struct PanicOnDrop;

impl Drop for PanicOnDrop {
    fn drop(&mut self) {
        panic!("to end the thread");
    }
}

#[tokio::test]
async fn ping_fails_when_writing_thread_has_ended() {
    let (_folder, _path, store) = open();
    store.ping().await.unwrap();
    let (begun, has_begun) = mpsc::channel();
    let (end, ended) = mpsc::channel::<()>();
    let bomb = enqueue(store.access.write("bomb", SERVICE, move |_| {
        begun.send(()).ok();
        ended.recv().ok();
        Ok(PanicOnDrop)
    }));
    has_begun.recv().unwrap();
    let waiting = enqueue(store.access.write("waiting", SERVICE, |_| Ok(())));
    drop(bomb);
    drop(end);
    // The job was dropped with the thread or refused.
    drop(waiting.await);
    while store.access.write("late", SERVICE, |_| Ok(())).await.is_ok() {}
    let error = store.ping().await.unwrap_err();
    assert!(matches!(error, StoreError::Failed(_)), "{error:?}");
}

#[test]
fn long_reads_of_tenant_leave_one_permit_free() {
    for (cores, all, tenant) in [(1, 2, 1), (2, 2, 1), (4, 4, 3), (64, 8, 7)] {
        let Limits { permits, waiting, .. } = long_read_limits(cores);
        assert_eq!((permits.all, permits.tenant, waiting.tenant), (all, tenant, 48), "{cores}");
    }
}
