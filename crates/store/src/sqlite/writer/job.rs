//! One write: its work and the caller that waits for the result.

use std::panic::{AssertUnwindSafe, catch_unwind};

use tokio::sync::oneshot;

use super::shared::SharedCommit;
use crate::sqlite::error::{Outcome, StoreFailure};

/// A write with any result type, as the writing thread sees it.
pub(super) trait Job: Send {
    /// Whether the caller still waits.
    fn is_wanted(&self) -> bool;

    /// Runs the work. Returns whether its effect must stay. The thread calls it again after the effect was lost. Work that
    /// panicked does not run again.
    fn run(&mut self, transaction: &SharedCommit<'_>) -> bool;

    /// Sends the outcome of the work to the caller.
    fn answer(self: Box<Self>);

    /// Tells the caller that the work has no effect. Sends the failure of the work if it failed, else `failure`.
    fn refuse(self: Box<Self>, failure: StoreFailure);
}

/// Work that returns a `T`, with the channel to its caller.
pub(super) struct Task<T, W> {
    work: W,
    caller: oneshot::Sender<Outcome<T>>,
    outcome: Option<Outcome<T>>,
}

impl<T, W> Task<T, W> {
    pub(super) fn new(work: W) -> (Self, oneshot::Receiver<Outcome<T>>) {
        let (caller, receiver) = oneshot::channel();
        (Self { work, caller, outcome: None }, receiver)
    }
}

impl<T: Send, W: FnMut(&SharedCommit<'_>) -> Outcome<T> + Send> Job for Task<T, W> {
    fn is_wanted(&self) -> bool {
        !self.caller.is_closed()
    }

    fn run(&mut self, transaction: &SharedCommit<'_>) -> bool {
        if !matches!(self.outcome, Some(Err(StoreFailure::Panicked))) {
            // Work that panicked does not run again, so its inconsistent state is never used.
            let outcome = catch_unwind(AssertUnwindSafe(|| (self.work)(transaction)));
            self.outcome = Some(outcome.unwrap_or(Err(StoreFailure::Panicked)));
        }
        matches!(self.outcome, Some(Ok(_)))
    }

    fn answer(self: Box<Self>) {
        let Self { caller, outcome, .. } = *self;
        // The caller may have stopped waiting.
        drop(caller.send(outcome.unwrap_or(Err(StoreFailure::WriterEnded))));
    }

    fn refuse(mut self: Box<Self>, failure: StoreFailure) {
        if !matches!(self.outcome, Some(Err(_))) {
            self.outcome = Some(Err(failure));
        }
        self.answer();
    }
}
