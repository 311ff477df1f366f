//! Lowers the priority of a thread. Only Linux has priorities of single threads; other systems change nothing.

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
