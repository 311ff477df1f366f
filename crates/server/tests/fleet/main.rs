//! Several servers on one database, and databases that become unavailable. The tests use the built program over the
//! network.
#![expect(clippy::unwrap_used, reason = "an error fails the test")]

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

use std::time::{Duration, Instant};

/// The maximum time to wait for anything.
const PATIENCE: Duration = Duration::from_mins(1);

/// Waits for a condition. Returns how long it took.
#[track_caller]
fn wait_until(is_so: impl Fn() -> bool) -> Duration {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < PATIENCE, "timed out");
        pause(Duration::from_millis(1));
    }
    began.elapsed()
}

#[expect(clippy::disallowed_methods, reason = "another process can only be polled")]
fn pause(time: Duration) {
    std::thread::sleep(time);
}
