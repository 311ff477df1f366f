//! The context of a use case: tenant, actor, time, ids and idempotency key.

use std::sync::Arc;

use pointbook_domain::{Timestamp, UserId};

use crate::audit_log::{Actor, Author, Origin};
use crate::background::Worker;
use crate::commands::Command;
use crate::directory::ServedTenant;
use crate::ports::{Execution, Once, StoreError, StoreResult};
use crate::sources::{Clock, IdSource};

/// The context of one use case. `T` is the outcome whose response may be kept under the key of the request.
#[derive(Clone)]
pub struct Context<T = ()> {
    /// Whose data it works on.
    pub tenant: Arc<ServedTenant>,
    pub actor: Actor,
    /// The time of the whole use case.
    pub now: Timestamp,
    /// The real clock, which goes on while the use case waits. `None` when the time stands still, as for a demo in the past.
    pub clock: Option<Arc<dyn Clock>>,
    pub ids: Arc<dyn IdSource>,
    pub origin: Origin,
    /// The key of the request, when it has one.
    pub once: Option<Once<T>>,
}

impl<T> Context<T> {
    pub fn new(tenant: Arc<ServedTenant>, actor: Actor, now: Timestamp, ids: Arc<dyn IdSource>) -> Self {
        Self { tenant, actor, now, clock: None, ids, origin: Origin::default(), once: None }
    }

    /// The time without the virtual clock of a staging tenant. What is removed for its age is removed by this clock. Otherwise a
    /// key that may set the clock could empty the audit log.
    pub fn real_now(&self) -> Timestamp {
        self.tenant.tenant.clock.to_real(self.now)
    }

    /// The author of the changes, for the audit log.
    fn author(&self) -> Author {
        let Self { actor, origin, now: at, .. } = self;
        Author { actor: actor.clone(), origin: origin.clone(), at: *at }
    }

    /// Who takes the time of the work for this use case.
    pub fn worker(&self) -> Worker {
        Worker::of(self.tenant.tenant.id.clone(), self.actor.to_string())
    }

    /// Executes a command without a key.
    ///
    /// # Errors
    /// When the store fails: nothing was saved, unless the connection was lost during the commit.
    pub async fn write<C: Command>(&self, command: C) -> StoreResult<C::Outcome> {
        let (execution, _) = self.tenant.data.execute_by(Some(self.author()), command, None).await?;
        self.tenant.feed_wake.wake();
        execution.without_key()
    }

    /// The user who acts.
    ///
    /// # Errors
    /// [`StoreError::Failed`] for any other actor. The route admits only customers, so this does not happen.
    pub fn customer(&self) -> StoreResult<&UserId> {
        match &self.actor {
            Actor::Customer(user_id) => Ok(user_id),
            Actor::Key { .. } | Actor::Operator { .. } | Actor::CommandLine | Actor::Job(_) => {
                Err(StoreError::Failed("only a customer does this".into()))
            }
        }
    }
}

impl<T: Clone + Send + 'static> Context<T> {
    /// Executes the command of a use case. With a key, it executes once for all repetitions of the request.
    ///
    /// # Errors
    /// When the store fails: nothing was saved, or the key of the request tells.
    pub async fn execute<C: Command<Outcome = T>>(&self, command: C) -> StoreResult<Execution<T>> {
        let (execution, tally) =
            self.tenant.data.execute_by(Some(self.author()), command, self.once.clone()).await?;
        self.tenant.feed_wake.wake();
        match execution {
            Execution::Replayed(_) => self.tenant.counters.note_replay(),
            _ => self.tenant.counters.note(tally),
        }
        Ok(execution)
    }
}
