//! What the use cases need of a store to write.

use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use pointbook_domain::{OrderId, UserId};

use super::{AnyCommand, Command, KeyedCommand};
use crate::ports::{Execution, Once};
use crate::{StoreError, StoreResult};

/// The queue in which a write waits. Tenants take turns, and so do the lanes of a tenant; within a lane
/// the order of arrival holds.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Lane {
    /// What one user does, or what is recorded of one user.
    User(UserId),
    /// The steps of one order. A back office may close many orders at a time.
    Order(OrderId),
    /// What the back office of a tenant does: imports, catalogue, users, tokens.
    BackOffice,
}

/// Executes commands of one tenant.
#[async_trait]
pub trait CommandStore {
    /// Loads what the command needs, has it decide, and saves what changed, all in one commit. May do so again
    /// when another writer was faster; the command keeps the outcome of the last time. Once begun, the store
    /// may finish although the caller stops waiting.
    async fn run(&self, command: Arc<dyn AnyCommand>) -> StoreResult<()>;
}

/// Executes a command; with a key, once however often the request comes.
///
/// # Errors
/// When the store fails: nothing was saved, or the request's key tells.
pub async fn execute<C: Command>(
    store: &(impl CommandStore + ?Sized),
    command: C,
    once: Option<Once<C::Outcome>>,
) -> StoreResult<Execution<C::Outcome>> {
    let outcome = Arc::new(Mutex::new(None));
    store.run(Arc::new(KeyedCommand::new(command, once, outcome.clone()))).await?;
    let execution = outcome.lock().unwrap_or_else(PoisonError::into_inner).take();
    execution.ok_or_else(|| StoreError::Failed("the store did not execute the command".into()))
}
