//! The queue of short work. Tenants share its threads by the time that their work took.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, LazyLock, Mutex, MutexGuard, PoisonError, Weak};
use std::thread::available_parallelism;
use std::time::Instant;

use pointbook_domain::TenantId;
use tokio::sync::oneshot;

use super::priority::processor_time;
use super::threads;
use crate::ports::{StoreError, StoreResult};
use crate::queue::{Bounds, Lane, Limits, Next, Queue};

/// Whose work it is: a tenant, and within it a principal.
pub type Worker = Lane<TenantId, String>;

/// The most work that may wait, which bounds its memory. Requests that wait have working permits, so there is seldom as much.
const MAX_WAITING: Bounds = Bounds { all: 2_048, tenant: 1_024, lane: 512 };

/// The work takes at most this part of the processors, so that short requests find a free one.
const PROCESSOR_DIVISOR: usize = 2;

static QUEUE: LazyLock<Arc<WorkQueue>> = LazyLock::new(|| {
    let processors = available_parallelism().map_or(1, Into::into);
    Arc::new(WorkQueue::new((processors / PROCESSOR_DIVISOR).max(1)))
});

/// Work whose result a caller waits for. The caller holds the other reference.
struct Job {
    work: Box<dyn FnOnce() + Send>,
    caller: Weak<()>,
}

/// Does work of some milliseconds on a background thread. When much work waits, tenants share the threads by the time that their work
/// took, and the principals of a tenant take turns (`docs/internals/fairness.md`). Work whose caller stopped waiting leaves the queue.
///
/// Work that takes longer, or that waits, uses [`super::in_background`], because it must not hold up others.
///
/// # Errors
/// [`StoreError::Overloaded`] when too much work waits, and [`StoreError::Failed`] when no thread can be started or the work panicked.
pub async fn in_background_for<T: Send + 'static>(
    worker: Worker,
    work: impl FnOnce() -> T + Send + 'static,
) -> StoreResult<T> {
    QUEUE.run(&worker, work).await
}

struct WorkQueue {
    max_threads: usize,
    /// A job takes this part of the time of all threads.
    share: u32,
    state: Mutex<State>,
    arrival: Condvar,
}

struct State {
    jobs: Queue<TenantId, String, Job>,
    threads: usize,
}

impl WorkQueue {
    fn new(max_threads: usize) -> Self {
        let limits = Limits { waiting: MAX_WAITING, ..Limits::default() };
        let state = Mutex::new(State { jobs: Queue::new(limits), threads: 0 });
        let share = u32::try_from(max_threads).unwrap_or(u32::MAX);
        Self { max_threads, share, state, arrival: Condvar::new() }
    }

    async fn run<T: Send + 'static>(
        self: &Arc<Self>,
        worker: &Worker,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> StoreResult<T> {
        let (result, done) = oneshot::channel();
        let mut waiting = Waiting { queue: self, worker, caller: Some(Arc::new(())) };
        let caller = waiting.caller.as_ref().map(Arc::downgrade).unwrap_or_default();
        let work = Box::new(move || drop(result.send(work())));
        self.push(worker, Job { work, caller })?;
        let done = done.await;
        waiting.caller = None;
        done.map_err(|panicked| StoreError::Failed(Box::new(panicked)))
    }

    fn push(self: &Arc<Self>, worker: &Worker, job: Job) -> StoreResult<()> {
        let threads = threads()?;
        let mut state = self.state();
        state.jobs.push(worker, job)?;
        if state.threads < self.max_threads {
            state.threads += 1;
            let queue = self.clone();
            threads.spawn_blocking(move || queue.work());
        } else {
            self.arrival.notify_one();
        }
        Ok(())
    }

    /// Works until nothing waits.
    fn work(&self) {
        let mut state = self.state();
        loop {
            match state.jobs.pop(Instant::now()) {
                Next::Job(worker, job) => {
                    drop(state);
                    let begun = processor_time();
                    // Unwind safe: a job that panicked leaves nothing behind. Its caller gets an error.
                    drop(catch_unwind(AssertUnwindSafe(job.work)));
                    let time = processor_time().saturating_sub(begun);
                    state = self.state();
                    state.jobs.charge(worker.tenant.as_ref(), time / self.share, Instant::now());
                }
                Next::Wait(time) => {
                    let woken = self.arrival.wait_timeout(state, time);
                    state = woken.unwrap_or_else(PoisonError::into_inner).0;
                }
                Next::Nothing => {
                    state.threads -= 1;
                    return;
                }
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing fails under the lock, so what it guards is whole.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The caller of a job. When it stops waiting, the job leaves the queue.
struct Waiting<'q> {
    queue: &'q WorkQueue,
    worker: &'q Worker,
    /// `None` when the job is done.
    caller: Option<Arc<()>>,
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        if self.caller.take().is_some() {
            self.queue.state().jobs.retain(self.worker, |job| job.caller.strong_count() > 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::task::{Context, Waker};
    use std::time::Duration;

    use super::*;

    fn worker(tenant: &str) -> Worker {
        Lane::of(TenantId::new(tenant).unwrap(), String::new())
    }

    #[tokio::test]
    async fn work_is_done_on_a_background_thread() {
        let name = || std::thread::current().name().map(str::to_owned);
        assert_eq!(in_background_for(worker("a"), name).await.unwrap().as_deref(), Some("pointbook-back"));
    }

    #[tokio::test]
    async fn a_panic_is_an_error_and_later_work_is_done() {
        let queue = Arc::new(WorkQueue::new(1));
        let failed: StoreResult<()> = queue.run(&worker("a"), || panic!("no")).await;
        assert!(matches!(failed, Err(StoreError::Failed(_))));
        assert_eq!(queue.run(&worker("a"), || 7).await.unwrap(), 7);
    }

    /// The thread is held while work arrives.
    #[tokio::test]
    async fn who_took_little_time_goes_first() {
        let queue = Arc::new(WorkQueue::new(1));
        let (go, waits) = mpsc::channel::<()>();
        let (order, done) = mpsc::channel();
        let caller = Arc::new(());
        let push = |tenant: &str, work: Box<dyn FnOnce() + Send>| {
            queue.push(&worker(tenant), Job { work, caller: Arc::downgrade(&caller) }).unwrap();
        };
        push("c", Box::new(move || assert!(waits.recv().is_err())));
        let heavy = TenantId::new("a").unwrap();
        queue.state().jobs.charge(Some(&heavy), Duration::from_secs(1), Instant::now());
        for tenant in ["a", "a", "b"] {
            let order = order.clone();
            push(tenant, Box::new(move || order.send(tenant).unwrap()));
        }
        drop((go, order));
        let order: Vec<_> = done.iter().collect();
        assert_eq!(order, ["b", "a", "a"]);
    }

    #[tokio::test]
    async fn work_that_nobody_waits_for_leaves_the_queue() {
        let queue = Arc::new(WorkQueue::new(1));
        let (go, waits) = mpsc::channel::<()>();
        let held = Job { work: Box::new(move || assert!(waits.recv().is_err())), caller: Weak::new() };
        queue.push(&worker("a"), held).unwrap();
        let (owner, kept) = (worker("b"), Arc::new(()));
        let of_work = kept.clone();
        let mut waiting = Box::pin(queue.run(&owner, move || drop(of_work)));
        assert!(waiting.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
        assert_eq!(Arc::strong_count(&kept), 2);
        drop(waiting);
        assert_eq!(Arc::strong_count(&kept), 1);
        drop(go);
    }
}
