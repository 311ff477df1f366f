//! The priority of a thread, and its processor time. Only on Linux a single thread has both.

use std::time::Duration;

/// Beside a thread of normal priority, this one gets a quarter of a processor. Alone, it gets all of it.
#[cfg(target_os = "linux")]
pub(super) fn step_back() {
    use rustix::process::{getpriority_process, setpriority_process};
    const STEP: i32 = 5;
    const LAST: i32 = 19;
    let niceness = getpriority_process(None);
    if let Err(error) = niceness.and_then(|now| setpriority_process(None, (now + STEP).min(LAST))) {
        let error: &dyn std::error::Error = &error;
        tracing::warn!(error, "a background thread keeps the ordinary priority");
    }
}

#[cfg(not(target_os = "linux"))]
pub(super) fn step_back() {}

/// The processor time of this thread. A thread of low priority may take long for little work.
#[cfg(target_os = "linux")]
pub(super) fn processor_time() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap_or_default()
}

/// The time of a clock.
#[cfg(not(target_os = "linux"))]
pub(super) fn processor_time() -> Duration {
    static START: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    START.elapsed()
}
