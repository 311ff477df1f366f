//! Runs commands: loads in one round trip, decides in memory, saves arrays in a second one, and commits in a third.

mod awards;
mod catalogue;
mod clock;
mod data_key;
mod feed;
mod groups;
mod keys;
mod load;
mod save;
mod table_rows;

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use async_trait::async_trait;

use self::awards::HeldShares;
pub(crate) use self::feed::hold_feed;
pub(crate) use self::groups::Groups;
pub(crate) use self::load::{Hold, locking};
use crate::commands::{AnyCommand, CommandStore, Decided, Facts, Lane, Needs, first_needs, further_needs};
use crate::ports::{RequestKey, StoreResult};
use crate::postgres::access::Access;
use crate::postgres::connection::Transaction;
use crate::postgres::error::{Outcome, StoreFailure};
use crate::postgres::permits::Writer;
use crate::postgres::pipeline::both;
use crate::postgres::scoped::IntoScoped;
use crate::postgres::store::PostgresTenant;

#[async_trait]
impl CommandStore for PostgresTenant {
    /// Executes a command of the back office alone, because it can be large. Executes all others in groups.
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

/// How many times a group is tried. After that, the conflict may concern only one of its commands.
const MAX_GROUP_ATTEMPTS: u32 = 2;

/// Executes one command. Waits for locked rows.
async fn execute_alone(access: &Access, tenant: &str, command: &dyn AnyCommand) -> StoreResult<()> {
    let attempts = &AtomicU32::new(0);
    access
        .write_now(command.name(), |database| {
            let shares = HeldShares::of_attempt(attempts.fetch_add(1, Ordering::Relaxed));
            attempt_alone(database, tenant, command, shares).scoped()
        })
        .await
}

/// Executes the commands of a group that need no locked rows. Returns one entry per command, `NotYet` for one that must be
/// executed alone. Returns an empty list when too many attempts failed.
async fn execute_together(
    access: &Access,
    tenant: &str,
    commands: &[&dyn AnyCommand],
) -> StoreResult<Vec<Decided>> {
    let attempts = &AtomicU32::new(0);
    access
        .write_now("group", |database| {
            async move {
                let attempt = attempts.fetch_add(1, Ordering::Relaxed);
                if attempt >= MAX_GROUP_ATTEMPTS {
                    return Ok(Vec::new());
                }
                let mut facts = Facts::default();
                let shares = HeldShares::of_attempt(attempt);
                load_all(database, tenant, commands, (Hold::Skipping, shares), &mut facts).await?;
                finish(database, tenant, commands, facts).await
            }
            .scoped()
        })
        .await
}

async fn attempt_alone(
    database: &Transaction,
    tenant: &str,
    command: &dyn AnyCommand,
    shares: HeldShares,
) -> Outcome<()> {
    let mut facts = Facts::default();
    match load_all(database, tenant, &[command], (Hold::Waiting, shares), &mut facts).await {
        // A request that was executed before needs only its kept response.
        Err(StoreFailure::Corrupt(_) | StoreFailure::Overtaken)
            if command.key().is_some_and(|key| facts.has_stored_key(key)) => {}
        loaded => loaded?,
    }
    match finish(database, tenant, &[command], facts).await?[..] {
        [Decided::Yes] => Ok(()),
        _ => Err(StoreFailure::Corrupt(format!(
            "command {} needs facts that cannot be loaded",
            command.name()
        ))),
    }
}

/// Loads keys and first needs, and then the further needs that depend on them.
async fn load_all(
    database: &Transaction,
    tenant: &str,
    commands: &[&dyn AnyCommand],
    (hold, shares): (Hold, HeldShares),
    facts: &mut Facts,
) -> Outcome<()> {
    let keys: Vec<&RequestKey> = commands.iter().filter_map(|command| command.key()).collect();
    let needs = first_needs(commands.iter().copied());
    let (rows, found) =
        both(load::rows(database, tenant, &needs, hold), keys::find_all(database, tenant, &keys)).await?;
    keys::put_all(&keys, &found, facts)?;
    put(database, tenant, rows, needs, (hold, shares), facts).await?;
    let needs = further_needs(commands.iter().copied(), facts);
    if needs.is_empty() {
        return Ok(());
    }
    let rows = load::rows(database, tenant, &needs, hold).await?;
    put(database, tenant, rows, needs, (hold, shares), facts).await
}

/// Adds the loaded rows to the facts. Also loads the catalogue and the data key, which only the back office needs.
async fn put(
    database: &Transaction,
    tenant: &str,
    rows: load::Loaded,
    needs: Needs,
    (hold, shares): (Hold, HeldShares),
    facts: &mut Facts,
) -> Outcome<()> {
    catalogue::load(database, tenant, &needs, facts).await?;
    clock::load(database, tenant, &needs, facts).await?;
    table_rows::load(database, tenant, &needs, facts).await?;
    awards::load(database, tenant, &needs, shares, facts).await?;
    data_key::load(database, tenant, &needs, facts).await?;
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
