//! Long work of the processor, on threads that step back: no cheap request is to wait for it, though the
//! machine may have no processor to spare.

mod idle_time;
mod priority;

use std::io;
use std::sync::LazyLock;
use std::time::Instant;

use tokio::runtime::{Builder, Runtime};

use self::idle_time::IdleTime;
use crate::{StoreError, StoreResult};

/// How many of them there are at most: more than all that is let in at once by the bounds of its own (long reads, imports,
/// catalogues that are tended), so that nothing waits here for something else. One that has nothing to do ends soon.
const MAX_THREADS: usize = 128;

/// Of how many rows the work is done on the spot: a millisecond's at most.
pub const MAX_ROWS_AT_ONCE: usize = 1_000;

/// A runtime that runs nothing but its pool of threads, for as long as the process does.
type Threads = LazyLock<io::Result<Runtime>>;

static THREADS: Threads = LazyLock::new(|| threads("pointbook-back", priority::step_back));

static IDLE_THREADS: Threads = LazyLock::new(|| threads("pointbook-idle", priority::wait_for_idle_time));

static IDLE_TIME: LazyLock<IdleTime> = LazyLock::new(IdleTime::new);

fn threads(name: &'static str, on_start: fn()) -> io::Result<Runtime> {
    Builder::new_current_thread()
        .thread_name(name)
        .max_blocking_threads(MAX_THREADS)
        .on_thread_start(on_start)
        .build()
}

/// Does work there, with a part of a processor even when all are busy. It ends even when the caller stops waiting.
///
/// # Errors
/// [`StoreError::Failed`] where no thread can be had, or the work panicked.
pub async fn in_background<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> StoreResult<T> {
    run(&THREADS, work).await
}

/// Does work that a client waits for and that many may ask for, as long reads are, in the time that nothing else
/// wants: whatever else is to be done takes its processor at once, where a thread that only steps back runs to the end of its
/// slice, some milliseconds. While there is no such time, it is done as [`in_background`].
///
/// # Errors
/// As there.
pub async fn in_idle_time<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> StoreResult<T> {
    if_there_is_any(&IDLE_TIME, work).await
}

async fn if_there_is_any<T: Send + 'static>(
    idle_time: &'static IdleTime,
    work: impl FnOnce() -> T + Send + 'static,
) -> StoreResult<T> {
    let asked_at = Instant::now();
    if !idle_time.is_there(asked_at) {
        return in_background(work).await;
    }
    let watched = move || {
        let done = work();
        let done_at = Instant::now();
        idle_time.note(done_at.saturating_duration_since(asked_at), done_at);
        done
    };
    run(&IDLE_THREADS, watched).await
}

async fn run<T: Send + 'static>(
    threads: &Threads,
    work: impl FnOnce() -> T + Send + 'static,
) -> StoreResult<T> {
    let threads = threads.as_ref().map_err(|error| StoreError::Failed(error.to_string().into()))?;
    threads.handle().spawn_blocking(work).await.map_err(|error| StoreError::Failed(Box::new(error)))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn name() -> Option<String> {
        std::thread::current().name().map(str::to_owned)
    }

    #[tokio::test]
    async fn work_is_done_on_a_thread_that_stepped_back() {
        assert_eq!(in_background(name).await.unwrap().as_deref(), Some("pointbook-back"));
        #[cfg(target_os = "linux")]
        {
            let niceness = || rustix::process::getpriority_process(None).unwrap();
            assert_eq!(in_background(niceness).await.unwrap(), (niceness() + 5).min(19));
        }
    }

    #[tokio::test]
    async fn long_work_is_done_in_idle_time() {
        assert_eq!(run(&IDLE_THREADS, name).await.unwrap().as_deref(), Some("pointbook-idle"));
        #[cfg(target_os = "linux")]
        assert!(run(&IDLE_THREADS, priority::waits_for_idle_time).await.unwrap());
    }

    #[tokio::test]
    async fn long_work_steps_back_where_there_is_no_idle_time() {
        let idle_time: &IdleTime = Box::leak(Box::new(IdleTime::new()));
        let done_by = async || if_there_is_any(idle_time, name).await.unwrap().unwrap();
        assert_eq!(done_by().await, "pointbook-idle");
        idle_time.note(Duration::from_secs(1), Instant::now());
        assert_eq!(done_by().await, "pointbook-back");
    }

    #[tokio::test]
    async fn a_panic_is_an_error() {
        for failed in [in_background(|| panic!("no")).await, in_idle_time(|| panic!("no")).await] {
            let failed = failed.map(|()| 0);
            assert!(matches!(failed, Err(StoreError::Failed(_))));
        }
    }
}
