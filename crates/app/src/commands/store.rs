//! What the use cases need of a store to write.

use std::sync::Arc;

use async_trait::async_trait;

use super::AnyCommand;
use crate::StoreResult;

/// Executes commands of one tenant.
#[async_trait]
pub trait CommandStore {
    /// Loads what the command needs, has it decide, and saves what changed, all in one commit. May do so again
    /// when another writer was faster; the command keeps the outcome of the last time. Once begun, the store
    /// may finish although the caller stops waiting.
    async fn run(&self, command: Arc<dyn AnyCommand>) -> StoreResult<()>;
}
