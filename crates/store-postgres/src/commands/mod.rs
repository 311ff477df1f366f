//! Commands: loaded in one round trip, decided in memory, saved as arrays in a second one, committed in a third.

mod catalogue;
mod groups;
mod keys;
mod load;
mod save;

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use async_trait::async_trait;
use pointbook_app::StoreResult;
use pointbook_app::commands::{
    AnyCommand, CommandStore, Decided, Facts, Lane, Needs, first_needs, further_needs,
};
use pointbook_app::ports::RequestKey;

pub(crate) use self::groups::Groups;
pub(crate) use self::load::{Hold, locking};
use crate::access::Access;
use crate::connection::Transaction;
use crate::error::{Outcome, StoreFailure};
use crate::permits::Writer;
use crate::pipeline::both;
use crate::scoped::IntoScoped;
use crate::store::PostgresTenant;

#[async_trait]
impl CommandStore for PostgresTenant {
    /// What a back office does at once is large, and is executed alone. All else that waits is executed in groups.
    async fn run(&self, command: Arc<dyn AnyCommand>) -> StoreResult<()> {
        let lane = command.lane();
        let admission = self.access.admit(lane.clone())?;
        match lane {
            Lane::BackOffice => {
                let _permit = self.access.write_permit(Writer::BackOffice).await?;
                execute_alone(&self.access, &self.id, &*command).await
            }
            Lane::User(_) | Lane::Order(_) => self.groups.run(lane, command, admission).await,
        }
    }
}

/// How often a group is tried: what stands in its way then may stand in the way of one of them only.
const MAX_GROUP_ATTEMPTS: u32 = 2;

/// Executes one command, however long the rows that it needs have to be waited for.
async fn execute_alone(access: &Access, tenant: &str, command: &dyn AnyCommand) -> StoreResult<()> {
    access.write_now(command.name(), |database| attempt_alone(database, tenant, command).scoped()).await
}

/// Executes those of a group that need not be waited for: one entry for each, `NotYet` where it is to be executed
/// alone. Empty when too many attempts failed.
async fn execute_together(
    access: &Access,
    tenant: &str,
    commands: &[&dyn AnyCommand],
) -> StoreResult<Vec<Decided>> {
    let attempts = &AtomicU32::new(0);
    access
        .write_now("group", |database| {
            async move {
                if attempts.fetch_add(1, Ordering::Relaxed) >= MAX_GROUP_ATTEMPTS {
                    return Ok(Vec::new());
                }
                let mut facts = Facts::default();
                load_all(database, tenant, commands, Hold::Skipping, &mut facts).await?;
                finish(database, tenant, commands, facts).await
            }
            .scoped()
        })
        .await
}

async fn attempt_alone(database: &Transaction, tenant: &str, command: &dyn AnyCommand) -> Outcome<()> {
    let mut facts = Facts::default();
    match load_all(database, tenant, &[command], Hold::Waiting, &mut facts).await {
        // A request that was executed before needs nothing but its response.
        Err(StoreFailure::Corrupt(_) | StoreFailure::Overtaken)
            if command.key().is_some_and(|key| facts.has_stored_key(key)) => {}
        loaded => loaded?,
    }
    match finish(database, tenant, &[command], facts).await?[..] {
        [Decided::Yes] => Ok(()),
        _ => Err(StoreFailure::Corrupt(format!("{} needs what cannot be loaded", command.name()))),
    }
}

/// Loads keys and needs, and what the commands need when they know the first needs.
async fn load_all(
    database: &Transaction,
    tenant: &str,
    commands: &[&dyn AnyCommand],
    hold: Hold,
    facts: &mut Facts,
) -> Outcome<()> {
    let keys: Vec<&RequestKey> = commands.iter().filter_map(|command| command.key()).collect();
    let needs = first_needs(commands.iter().copied());
    let (rows, found) =
        both(load::rows(database, tenant, &needs, hold), keys::find_all(database, tenant, &keys)).await?;
    keys::put_all(&keys, &found, facts)?;
    put(database, tenant, rows, needs, hold, facts).await?;
    let needs = further_needs(commands.iter().copied(), facts);
    if needs.is_empty() {
        return Ok(());
    }
    let rows = load::rows(database, tenant, &needs, hold).await?;
    put(database, tenant, rows, needs, hold, facts).await
}

/// Puts what was loaded among the facts, together with the catalogue, which back offices alone ask for.
async fn put(
    database: &Transaction,
    tenant: &str,
    rows: load::Loaded,
    needs: Needs,
    hold: Hold,
    facts: &mut Facts,
) -> Outcome<()> {
    catalogue::load(database, tenant, &needs, facts).await?;
    rows.put(needs, hold, facts)
}

async fn finish(
    database: &Transaction,
    tenant: &str,
    commands: &[&dyn AnyCommand],
    mut facts: Facts,
) -> Outcome<Vec<Decided>> {
    let decided: Vec<Decided> =
        commands.iter().map(|command| command.decide(&mut facts)).collect::<Result<_, _>>()?;
    save::changes(database, tenant, &facts.into_changes()).await?;
    Ok(decided)
}
