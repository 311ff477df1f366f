//! The time in which a connection is somebody's.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, MutexGuard};

use deadpool::managed::Object;
use deadpool_postgres::ClientWrapper;
use tokio::runtime::Handle;

use super::abandoned::Abandoned;
use super::manager::{Manager, Pooled};
use super::shared::SharedRead;
use crate::error::{Lost, StoreFailure};

/// A connection that is back in the pool when this is dropped, or thrown away there if it is of no use; or one of
/// those that reads share. One whose user left before all answers came is given to nobody while a statement runs on
/// it, and is shared for as long as the statement is no longer than others.
pub(crate) struct Lease {
    client: Arc<ClientWrapper>,
    /// There until the drop.
    held: Option<Held>,
    questions: AtomicU32,
    answers: AtomicU32,
    is_committing: AtomicBool,
}

/// How a connection is held.
pub(super) enum Held {
    Alone(Object<Manager>),
    Shared(SharedRead),
}

impl Held {
    pub(super) fn pooled(&self) -> &Pooled {
        match self {
            Self::Alone(pooled) => pooled,
            Self::Shared(shared_read) => shared_read.pooled(),
        }
    }
}

impl Lease {
    pub(super) fn new(held: Held) -> Self {
        Self {
            client: held.pooled().client().clone(),
            held: Some(held),
            questions: AtomicU32::new(0),
            answers: AtomicU32::new(0),
            is_committing: AtomicBool::new(false),
        }
    }

    pub(crate) fn client(&self) -> &ClientWrapper {
        &self.client
    }

    /// Held while a unit of several statements is sent; none where nobody else sends any.
    pub(crate) fn sending(&self) -> Option<MutexGuard<'_, ()>> {
        match &self.held {
            Some(Held::Shared(shared_read)) => Some(shared_read.sending()),
            Some(Held::Alone(_)) | None => None,
        }
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
        if let Some(held) = &self.held {
            held.pooled().lose(failure.lost());
        }
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let Some(held) = self.held.take() else { return };
        if *self.questions.get_mut() <= *self.answers.get_mut() {
            return;
        }
        match Handle::try_current() {
            Ok(runtime) => {
                drop(runtime.spawn(Abandoned::new(held, *self.is_committing.get_mut()).settle()));
            }
            // The program ends, and its connections with it.
            Err(_) => held.pooled().lose(Lost::This),
        }
    }
}
