//! The time in which a connection is somebody's.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use deadpool::managed::Object;
use deadpool_postgres::ClientWrapper;
use tokio::runtime::Handle;

use super::abandoned::Abandoned;
use super::manager::Manager;
use crate::error::{Lost, StoreFailure};

/// A connection that is back in the pool when this is dropped, or thrown away there if it is of no use. One
/// whose user left before all answers came is given to nobody while a statement runs on it.
pub(crate) struct Lease {
    client: Arc<ClientWrapper>,
    /// There until the drop.
    pooled: Option<Object<Manager>>,
    questions: AtomicU32,
    answers: AtomicU32,
    is_committing: AtomicBool,
}

impl Lease {
    pub(super) fn new(pooled: Object<Manager>) -> Self {
        Self {
            client: pooled.client().clone(),
            pooled: Some(pooled),
            questions: AtomicU32::new(0),
            answers: AtomicU32::new(0),
            is_committing: AtomicBool::new(false),
        }
    }

    pub(crate) fn client(&self) -> &ClientWrapper {
        &self.client
    }

    /// A statement is about to be sent.
    pub(crate) fn note_question(&self) {
        self.questions.fetch_add(1, Ordering::Relaxed);
    }

    /// A commit was sent: from here on, what runs must be let run. One that waits for a standby and is
    /// cancelled counts as committed without it.
    pub(crate) fn note_commit(&self) {
        self.is_committing.store(true, Ordering::Relaxed);
    }

    /// The server answered a statement.
    pub(crate) fn note_answer(&self) {
        self.answers.fetch_add(1, Ordering::Relaxed);
    }

    /// A statement failed: by the server, on the way to it, or for want of an answer in time.
    pub(crate) fn note_failure(&self, failure: &StoreFailure) {
        if !matches!(failure, StoreFailure::TimedOut) {
            self.note_answer();
        }
        if let Some(pooled) = &self.pooled {
            pooled.lose(failure.lost());
        }
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let Some(pooled) = self.pooled.take() else { return };
        if *self.questions.get_mut() <= *self.answers.get_mut() {
            return;
        }
        match Handle::try_current() {
            Ok(runtime) => {
                drop(runtime.spawn(Abandoned::new(pooled, *self.is_committing.get_mut()).settle()));
            }
            // The program ends, and its connections with it.
            Err(_) => pooled.lose(Lost::This),
        }
    }
}
