//! Several servers of pointbook on one database, and databases that go away: the built program as other
//! programs meet it.
#![expect(clippy::unwrap_used, reason = "what goes wrong here ends the test")]

mod client;
mod degraded;
mod failover;
mod hosts;
mod instance;
mod instances;
mod outage;
mod schema;
mod setup;
mod writer;

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long anything is waited for that has to come.
const PATIENCE: Duration = Duration::from_mins(1);

/// One test at a time: each has several servers, and measures how long they take.
fn alone() -> MutexGuard<'static, ()> {
    static MACHINE: Mutex<()> = Mutex::new(());
    // A test that failed leaves nothing behind that the next one meets.
    MACHINE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Waits for what other threads and processes do; gives how long it took.
#[track_caller]
fn wait_until(is_so: impl Fn() -> bool) -> Duration {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < PATIENCE, "it does not come");
        pause(Duration::from_millis(1));
    }
    began.elapsed()
}

#[expect(clippy::disallowed_methods, reason = "another process can only be asked again")]
fn pause(time: Duration) {
    std::thread::sleep(time);
}
