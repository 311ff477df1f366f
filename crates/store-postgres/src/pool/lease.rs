//! The time in which a connection is somebody's.

use std::sync::atomic::{AtomicU32, Ordering};

use deadpool::managed::Object;
use deadpool_postgres::ClientWrapper;

use super::manager::Manager;
use crate::error::StoreFailure;

/// A connection that is back in the pool when this is dropped, or thrown away there if it is of no use.
pub(crate) struct Lease {
    pooled: Object<Manager>,
    questions: AtomicU32,
    answers: AtomicU32,
}

impl Lease {
    pub(super) fn new(pooled: Object<Manager>) -> Self {
        Self { pooled, questions: AtomicU32::new(0), answers: AtomicU32::new(0) }
    }

    pub(crate) fn client(&self) -> &ClientWrapper {
        self.pooled.client()
    }

    /// A statement is about to be sent.
    pub(crate) fn note_question(&self) {
        self.questions.fetch_add(1, Ordering::Relaxed);
    }

    /// The server answered one.
    pub(crate) fn note_answer(&self) {
        self.answers.fetch_add(1, Ordering::Relaxed);
    }

    /// The server, or the way to it, failed one.
    pub(crate) fn note_failure(&self, failure: &StoreFailure) {
        self.note_answer();
        self.pooled.lose(failure.lost());
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let (questions, answers) = (*self.questions.get_mut(), *self.answers.get_mut());
        self.pooled.note_debt(questions > answers, answers > 0);
    }
}
