//! One write, from the question to the answer.

use std::panic::{AssertUnwindSafe, catch_unwind};

use rusqlite::Transaction;
use tokio::sync::oneshot;

use crate::error::{Outcome, StoreFailure};

/// A write of whatever type, as the writing thread sees it.
pub(super) trait Job: Send {
    /// Whether the caller still waits.
    fn is_wanted(&self) -> bool;

    /// Runs the work, and says whether its effect shall stay. May be called again after the effect
    /// was lost; work that panicked is not run twice.
    fn run(&mut self, transaction: &Transaction<'_>) -> bool;

    /// Tells the caller what the work came to.
    fn answer(self: Box<Self>);

    /// Tells the caller that there is no effect: the work's own failure, or else this one.
    fn refuse(self: Box<Self>, failure: StoreFailure);
}

/// Work that gives a `T`, and who waits for it.
pub(super) struct Task<T, W> {
    work: W,
    caller: oneshot::Sender<Outcome<T>>,
    outcome: Option<Outcome<T>>,
}

impl<T, W> Task<T, W> {
    pub(super) fn new(work: W) -> (Self, oneshot::Receiver<Outcome<T>>) {
        let (caller, answer) = oneshot::channel();
        (Self { work, caller, outcome: None }, answer)
    }
}

impl<T: Send, W: FnMut(&Transaction<'_>) -> Outcome<T> + Send> Job for Task<T, W> {
    fn is_wanted(&self) -> bool {
        !self.caller.is_closed()
    }

    fn run(&mut self, transaction: &Transaction<'_>) -> bool {
        if !matches!(self.outcome, Some(Err(StoreFailure::Panicked))) {
            // What the work left behind is seen by nobody: it is not run again.
            let outcome = catch_unwind(AssertUnwindSafe(|| (self.work)(transaction)));
            self.outcome = Some(outcome.unwrap_or(Err(StoreFailure::Panicked)));
        }
        matches!(self.outcome, Some(Ok(_)))
    }

    fn answer(self: Box<Self>) {
        let Self { caller, outcome, .. } = *self;
        // A caller that left meanwhile wants no answer.
        drop(caller.send(outcome.unwrap_or(Err(StoreFailure::WriterEnded))));
    }

    fn refuse(mut self: Box<Self>, failure: StoreFailure) {
        if !matches!(self.outcome, Some(Err(_))) {
            self.outcome = Some(Err(failure));
        }
        self.answer();
    }
}
