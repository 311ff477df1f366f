//! Long work of the processor, on threads that step back: no cheap request is to wait for it, though the
//! machine may have no processor to spare.

mod priority;

use std::io;
use std::sync::LazyLock;

use tokio::runtime::{Builder, Runtime};

use crate::{StoreError, StoreResult};

/// How many of them there are at most: more than all that is let in at once by the bounds of its own (long reads, imports,
/// catalogues that are tended), so that nothing waits here for something else. One that has nothing to do ends soon.
const MAX_THREADS: usize = 128;

/// Of how many rows the work is done on the spot: a millisecond's at most.
pub const MAX_ROWS_AT_ONCE: usize = 1_000;

/// A runtime that runs nothing but its pool of threads, for as long as the process does.
static THREADS: LazyLock<io::Result<Runtime>> = LazyLock::new(|| {
    Builder::new_current_thread()
        .thread_name("pointbook-back")
        .max_blocking_threads(MAX_THREADS)
        .on_thread_start(priority::step_back)
        .build()
});

/// Does work there, with a part of a processor even when all are busy. It ends even when the caller stops waiting.
///
/// # Errors
/// [`StoreError::Failed`] where no thread can be had, or the work panicked.
pub async fn in_background<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> StoreResult<T> {
    let threads = THREADS.as_ref().map_err(|error| StoreError::Failed(error.to_string().into()))?;
    threads.handle().spawn_blocking(work).await.map_err(|error| StoreError::Failed(Box::new(error)))
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
