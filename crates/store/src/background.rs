//! Long CPU work on low-priority threads, so that short requests do not wait for it, even when all processors are busy.

mod priority;
mod queue;

use std::io;
use std::sync::LazyLock;

use tokio::runtime::{Builder, Handle, Runtime};

pub use self::queue::{Worker, in_background_for};
use crate::ports::{StoreError, StoreResult};

/// The most threads. There are more than all work that the other bounds admit at once (long reads, imports, catalogues), so no
/// work waits here for other work. An idle thread ends soon.
const MAX_THREADS: usize = 128;

/// Up to this many rows, the caller does the work itself: it takes at most a millisecond.
pub const MAX_ROWS_AT_ONCE: usize = 1_000;

/// A runtime that only has a pool of threads. It lives as long as the process.
static THREADS: LazyLock<io::Result<Runtime>> = LazyLock::new(|| {
    Builder::new_current_thread()
        .thread_name("pointbook-back")
        .max_blocking_threads(MAX_THREADS)
        .on_thread_start(priority::step_back)
        .build()
});

/// Does the work on such a thread. The work goes on when the caller stops waiting. Work of requests that is bounded by nothing else
/// uses [`in_background_for`].
///
/// # Errors
/// [`StoreError::Failed`] when no thread can be started, or the work panicked.
pub async fn in_background<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> StoreResult<T> {
    threads()?.spawn_blocking(work).await.map_err(|error| StoreError::Failed(Box::new(error)))
}

fn threads() -> StoreResult<&'static Handle> {
    let threads = THREADS.as_ref().map_err(|error| StoreError::Failed(error.to_string().into()))?;
    Ok(threads.handle())
}

#[cfg(test)]
mod tests {
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
    async fn a_panic_is_an_error() {
        let failed: StoreResult<()> = in_background(|| panic!("no")).await;
        assert!(matches!(failed, Err(StoreError::Failed(_))));
    }
}
