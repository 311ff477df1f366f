//! How the system is told that a thread is in no hurry. Elsewhere than on Linux priorities are those of whole processes,
//! and nothing is told.

/// Beside a thread of ordinary priority this one gets a quarter of a processor; alone, all of it.
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

/// Any thread of ordinary priority takes the processor from this one as soon as it wants it.
#[cfg(target_os = "linux")]
pub(super) fn wait_for_idle_time() {
    use thread_priority::{
        NormalThreadSchedulePolicy, ThreadPriority, ThreadSchedulePolicy, set_thread_priority_and_policy,
        thread_native_id,
    };
    let idle = ThreadSchedulePolicy::Normal(NormalThreadSchedulePolicy::Idle);
    let set = set_thread_priority_and_policy(thread_native_id(), ThreadPriority::Min, idle);
    // It wants a niceness of 0 as well, which has no meaning for such a thread, and which a process that was
    // started with another one may not give itself.
    if let Err(error) = set
        && !waits_for_idle_time()
    {
        tracing::warn!(?error, "a background thread does not wait for idle time");
        step_back();
    }
}

/// Whether this thread does.
#[cfg(target_os = "linux")]
pub(super) fn waits_for_idle_time() -> bool {
    use thread_priority::{NormalThreadSchedulePolicy, ThreadSchedulePolicy, thread_schedule_policy};
    thread_schedule_policy()
        .is_ok_and(|policy| policy == ThreadSchedulePolicy::Normal(NormalThreadSchedulePolicy::Idle))
}

#[cfg(not(target_os = "linux"))]
pub(super) fn step_back() {}

#[cfg(not(target_os = "linux"))]
pub(super) fn wait_for_idle_time() {}
