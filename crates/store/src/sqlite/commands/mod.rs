//! Executes commands on the writer thread: loads what they need, lets them decide, and saves what they changed.

mod load;
mod save;

use std::sync::Arc;

use async_trait::async_trait;

use crate::commands::{AnyCommand, CommandStore, Decided, FURTHER_ROUNDS, Facts, first_needs, further_needs};
use crate::ports::StoreResult;
use crate::sqlite::error::{Outcome, StoreFailure};
use crate::sqlite::once;
use crate::sqlite::store::SqliteTenant;
use crate::sqlite::writer::{SharedCommit, lane_of};

#[async_trait]
impl CommandStore for SqliteTenant {
    async fn run(&self, command: Arc<dyn AnyCommand>) -> StoreResult<()> {
        let (tenant, lane) = (self.id.clone(), lane_of(&self.id, command.lane()));
        self.access.write(command.name(), lane, move |database| transact(database, &tenant, &*command)).await
    }
}

fn transact(database: &SharedCommit<'_>, tenant: &Arc<str>, command: &dyn AnyCommand) -> Outcome<()> {
    let mut facts = Facts::default();
    if let Some(key) = command.key() {
        once::load(database, tenant, key, &mut facts)?;
    }
    if !command.key().is_some_and(|key| facts.has_stored_key(key)) {
        load::needs(database, tenant, &first_needs([command]), &mut facts)?;
        for _ in 0..FURTHER_ROUNDS {
            load::needs(database, tenant, &further_needs([command], &facts), &mut facts)?;
        }
    }
    match command.decide(&mut facts)? {
        Decided::Yes => save::changes(database, tenant, &facts.into_changes()),
        // One command at a time is decided, and everything that it needs is loaded.
        Decided::NotYet => Err(StoreFailure::Corrupt(format!(
            "command {} needs facts that cannot be loaded",
            command.name()
        ))),
    }
}
