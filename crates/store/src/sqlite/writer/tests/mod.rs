//! Tests of jobs that share a commit. A job blocks the thread while others queue, so that no test depends on timing.

mod feed;
mod fixture;

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use pointbook_domain::UserId;
use rusqlite::Connection;

use self::fixture::{WriterFixture, all_done, done, insert};
use super::{Lane, SERVICE, SharedCommit, back_office};
use crate::commands;
use crate::ports::StoreError;
use crate::sqlite::error::{Outcome, StoreFailure};

#[test]
fn concurrent_writes_share_a_commit() {
    let fixture = WriterFixture::new();
    done(fixture.insert(0)).unwrap();
    let before = fixture.commits();
    let hold = fixture.hold();
    let answers: Vec<_> = (1..=50).map(|number| fixture.insert(number)).collect();
    hold.release();
    all_done(answers);
    assert_eq!(fixture.commits() - before, 1);
    assert_eq!(fixture.numbers().len(), 51);
}

#[test]
fn commit_takes_limited_number_of_jobs() {
    let fixture = WriterFixture::new();
    done(fixture.insert(0)).unwrap();
    let before = fixture.commits();
    let hold = fixture.hold();
    let lane = |number: i64| back_office(&number.to_string().into());
    let submit = |number| fixture.writer.submit(&lane(number), move |database| insert(database, number));
    let answers: Vec<_> = (1..=300).map(|number| submit(number).unwrap()).collect();
    hold.release();
    all_done(answers);
    assert_eq!(fixture.commits() - before, 2);
}

#[test]
fn old_commit_takes_no_more_jobs() {
    let fixture = WriterFixture::with_max_age(Duration::ZERO);
    done(fixture.insert(0)).unwrap();
    let before = fixture.commits();
    let hold = fixture.hold();
    let answers: Vec<_> = (1..=3).map(|number| fixture.insert(number)).collect();
    hold.release();
    all_done(answers);
    assert_eq!(fixture.commits() - before, 3);
}

#[test]
fn tenant_whose_job_took_long_waits_for_one_that_took_nothing() {
    const LONG: Duration = Duration::from_millis(200);
    let fixture = WriterFixture::new();
    let order = Arc::new(Mutex::new(Vec::new()));
    let submit = |tenant: &'static str| {
        let order = order.clone();
        let work = move |_: &SharedCommit<'_>| {
            order.lock().unwrap().push(tenant);
            Ok(())
        };
        fixture.writer.submit(&back_office(&tenant.into()), work).unwrap()
    };
    let (entering, entered) = std::sync::mpsc::channel();
    let (end, ended) = std::sync::mpsc::channel::<()>();
    let long = move |_: &SharedCommit<'_>| {
        let begun = Instant::now();
        entering.send(()).ok();
        ended.recv().ok();
        while begun.elapsed() < LONG {
            std::hint::spin_loop();
        }
        Ok(())
    };
    let first = fixture.writer.submit(&back_office(&"heavy".into()), long).unwrap();
    entered.recv().unwrap();
    let others = ["heavy", "light"].map(submit);
    end.send(()).unwrap();
    done(first).unwrap();
    all_done(others.into());
    assert_eq!(*order.lock().unwrap(), ["light", "heavy"]);
}

#[test]
fn job_is_visible_and_confirmed_only_after_commit() {
    let fixture = WriterFixture::new();
    let first = fixture.hold();
    let mut inserted = fixture.insert(1);
    let second = fixture.submit_hold(|_| Ok(()));
    let first = first.let_go();
    second.wait_until_entered();
    assert_eq!(fixture.numbers(), [0_i64; 0]);
    assert!(inserted.try_recv().is_err());
    second.release();
    done(first).unwrap();
    done(inserted).unwrap();
    assert_eq!(fixture.numbers(), [1]);
}

#[test]
fn failing_job_does_not_affect_others() {
    let fixture = WriterFixture::new();
    let hold = fixture.hold();
    let before = fixture.insert(1);
    let failing = fixture.submit(|database| {
        insert(database, 2)?;
        insert(database, 1)
    });
    let after = fixture.insert(3);
    hold.release();
    done(before).unwrap();
    done(after).unwrap();
    assert!(matches!(done(failing), Err(StoreFailure::Sqlite(_))));
    assert_eq!(fixture.numbers(), [1, 3]);
}

#[test]
fn panicking_job_does_not_affect_others() {
    let fixture = WriterFixture::new();
    let hold = fixture.hold();
    let before = fixture.insert(1);
    let panicking = fixture.submit(|database| -> Outcome<()> {
        insert(database, 2)?;
        panic!("to be caught");
    });
    let after = fixture.insert(3);
    hold.release();
    done(before).unwrap();
    done(after).unwrap();
    let failure = StoreError::from(done(panicking).unwrap_err());
    assert!(matches!(failure, StoreError::Failed(_)), "{failure:?}");
    done(fixture.insert(4)).unwrap();
    assert_eq!(fixture.numbers(), [1, 3, 4]);
}

#[test]
fn busy_lane_does_not_delay_another() {
    let fixture = WriterFixture::new();
    let order = Arc::new(Mutex::new(Vec::new()));
    let hold = fixture.hold();
    let submit = |user: &str, number: usize| {
        let lane = Lane::of("acme".into(), commands::Lane::User(UserId::new(user).unwrap()));
        let (order, user) = (order.clone(), user.to_owned());
        let work = move |_: &SharedCommit<'_>| {
            order.lock().unwrap().push((user.clone(), number));
            Ok(())
        };
        fixture.writer.submit(&lane, work).unwrap()
    };
    let mut answers: Vec<_> = (0..100).map(|number| submit("busy", number)).collect();
    answers.extend((0..2).map(|number| submit("other", number)));
    hold.release();
    all_done(answers);
    let order = order.lock().unwrap();
    let positions = order.iter().enumerate().filter(|(_, (user, _))| user == "other");
    assert_eq!(positions.map(|(position, _)| position).collect::<Vec<_>>(), [1, 3]);
    let busy: Vec<usize> =
        order.iter().filter(|(user, _)| user == "busy").map(|(_, number)| *number).collect();
    assert!(busy.is_sorted() && busy.len() == 100);
}

#[test]
fn full_lane_refuses_while_another_accepts() {
    let fixture = WriterFixture::new();
    let hold = fixture.hold();
    let answers: Vec<_> = (0..256).map(|number| fixture.insert(number)).collect();
    let refused = fixture.writer.submit(&SERVICE, |database| insert(database, 256));
    let refused = StoreError::from(refused.unwrap_err());
    assert!(matches!(refused, StoreError::Overloaded), "{refused:?}");
    let other =
        fixture.writer.submit(&back_office(&"acme".into()), |database| insert(database, 257)).unwrap();
    hold.release();
    done(other).unwrap();
    all_done(answers);
    done(fixture.insert(256)).unwrap();
}

#[test]
fn queue_is_bounded_per_tenant_and_in_total() {
    let fixture = WriterFixture::new();
    let hold = fixture.hold();
    let submit = |tenant: &str, user: usize| {
        let user = commands::Lane::User(UserId::new(user.to_string()).unwrap());
        fixture.writer.submit(&Lane::of(tenant.into(), user), |_| Ok(()))
    };
    let mut answers: Vec<_> = (0..2_048).map(|user| submit("a", user).unwrap()).collect();
    assert!(submit("a", 2_048).is_err());
    answers.extend((0..2_048).map(|user| submit("b", user).unwrap()));
    assert!(submit("c", 0).is_err(), "two tenants must fill the queue");
    hold.release();
    all_done(answers);
    done(submit("c", 0).unwrap()).unwrap();
}

#[test]
fn job_is_skipped_when_caller_left_before_start() {
    let fixture = WriterFixture::new();
    let hold = fixture.hold();
    drop(fixture.insert(1));
    let stays = fixture.insert(2);
    hold.release();
    done(stays).unwrap();
    assert_eq!(fixture.numbers(), [2]);
}

#[test]
fn started_job_finishes_after_caller_left() {
    let fixture = WriterFixture::new();
    let hold = fixture.submit_hold(|database| insert(database, 1));
    hold.wait_until_entered();
    drop(hold.let_go());
    done(fixture.insert(2)).unwrap();
    assert_eq!(fixture.numbers(), [1, 2]);
}

/// Runs `bad` between two inserts in one commit. Returns its outcome, and how many times the first insert ran.
fn run_between(
    fixture: &WriterFixture,
    bad: impl FnMut(&SharedCommit<'_>) -> Outcome<()> + Send + 'static,
) -> (Outcome<()>, u32) {
    let runs = Arc::new(AtomicU32::new(0));
    let counter = runs.clone();
    let hold = fixture.hold();
    let before = fixture.submit(move |database| {
        counter.fetch_add(1, Ordering::SeqCst);
        insert(database, 1)
    });
    let bad = fixture.submit(bad);
    let after = fixture.insert(2);
    hold.release();
    done(before).unwrap();
    done(after).unwrap();
    (done(bad), runs.load(Ordering::SeqCst))
}

#[test]
fn failed_commit_runs_each_job_alone() {
    let fixture = WriterFixture::new();
    let (bad, runs) = run_between(&fixture, |database| {
        database.execute_batch("PRAGMA defer_foreign_keys = ON; INSERT INTO children VALUES (7)")?;
        insert(database, 3)
    });
    assert!(bad.unwrap_err().to_string().contains("FOREIGN KEY"));
    assert_eq!(runs, 2);
    assert_eq!(fixture.numbers(), [1, 2]);
}

#[test]
fn transaction_rolled_back_by_sqlite_runs_each_job_alone() {
    let fixture = WriterFixture::new();
    done(fixture.insert(0)).unwrap();
    let (bad, runs) = run_between(&fixture, |database| {
        database.execute("INSERT OR ROLLBACK INTO numbers (tenant_id, number) VALUES ('acme', 0)", [])?;
        Ok(())
    });
    assert!(bad.unwrap_err().to_string().contains("UNIQUE"));
    assert_eq!(runs, 2);
    assert_eq!(fixture.numbers(), [0, 1, 2]);
}

/// The work returns success, but its transaction was rolled back.
#[test]
fn work_in_rolled_back_transaction_fails() {
    let fixture = WriterFixture::new();
    let (bad, _) = run_between(&fixture, |database| Ok(database.execute_batch("ROLLBACK")?));
    assert!(matches!(bad, Err(StoreFailure::RolledBack)));
    assert_eq!(fixture.numbers(), [1, 2]);
}

#[test]
fn full_disk_is_reported_and_next_write_succeeds() {
    let fixture = WriterFixture::new();
    let (bad, _) = run_between(&fixture, |database| {
        database.pragma_update(None, "max_page_count", 1)?;
        database.execute_batch("CREATE TABLE large AS SELECT zeroblob(1000000) AS bytes")?;
        Ok(())
    });
    let full = bad.unwrap_err().to_string();
    assert!(full.contains("full"), "{full}");
    done(fixture.insert(3)).unwrap();
    assert_eq!(fixture.numbers(), [1, 2, 3]);
}

#[test]
fn all_waiting_jobs_are_refused_when_another_process_keeps_lock() {
    let fixture = WriterFixture::new();
    let other = Connection::open(fixture.path()).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let [first, second, third] = [1, 2, 3].map(|number| fixture.insert(number));
    let refused = StoreError::from(done(first).unwrap_err());
    assert!(matches!(refused, StoreError::Unavailable(_)), "{refused:?}");
    // The lock is free now, but the other jobs were refused with the first.
    other.execute_batch("COMMIT").unwrap();
    for answer in [second, third] {
        assert!(matches!(done(answer), Err(StoreFailure::Locked)));
    }
    done(fixture.insert(4)).unwrap();
    assert_eq!(fixture.numbers(), [4]);
}

/// Panics when the writing thread drops it, which ends the thread.
struct PanicOnDrop;

impl Drop for PanicOnDrop {
    fn drop(&mut self) {
        panic!("to end the thread");
    }
}

#[test]
fn all_callers_fail_when_writing_thread_ends() {
    let fixture = WriterFixture::new();
    let hold = fixture.hold();
    let (begun, has_begun) = std::sync::mpsc::channel();
    let (end, ended) = std::sync::mpsc::channel::<()>();
    let bomb = fixture.submit(move |_| {
        begun.send(()).ok();
        ended.recv().ok();
        Ok(PanicOnDrop)
    });
    let shared = hold.let_go();
    has_begun.recv().unwrap();
    // More jobs than one commit takes, so that the last ones are in the queue when the thread ends.
    let lanes = (0..300).map(|number: i64| back_office(&number.to_string().into()));
    let waiting: Vec<_> = lanes.map(|lane| fixture.writer.submit(&lane, |_| Ok(())).unwrap()).collect();
    drop(bomb);
    drop(end);
    done(shared).unwrap();
    for answer in waiting {
        assert!(answer.blocking_recv().is_err());
    }
    assert!(matches!(fixture.writer.submit(&SERVICE, |_| Ok(())), Err(StoreFailure::WriterEnded)));
}

#[test]
fn dropped_writer_closes_file() {
    let WriterFixture { folder, writer } = WriterFixture::new();
    let path = folder.path().join("test.db");
    done(writer.submit(&SERVICE, |database| insert(database, 1)).unwrap()).unwrap();
    assert!(path.with_extension("db-wal").exists());
    drop(writer);
    assert!(!path.with_extension("db-wal").exists(), "closing must remove the log");
    let other = Connection::open(path).unwrap();
    other.execute_batch("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT").unwrap();
}
