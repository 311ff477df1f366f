//! Runs commands: loads in one round trip, decides in memory, saves arrays in a second one, and commits in a third.

mod feed;
mod groups;
mod keys;
mod load;
mod save;

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use async_trait::async_trait;

pub(crate) use self::feed::hold_feed;
pub(crate) use self::groups::Groups;
use self::load::Attempt;
use crate::commands::{
    AnyCommand, CommandStore, Decided, FURTHER_ROUNDS, Facts, Lane, first_needs, further_needs,
};
use crate::ports::{RequestKey, StoreResult};
use crate::postgres::access::Access;
use crate::postgres::connection::Transaction;
use crate::postgres::error::{Outcome, StoreFailure};
use crate::postgres::permits::Writer;
use crate::postgres::pipeline::both;
use crate::postgres::scoped::IntoScoped;
use crate::postgres::store::PostgresTenant;
use crate::schema::Hold;

#[async_trait]
impl CommandStore for PostgresTenant {
    /// Executes a command of the back office alone, because it can be large. Executes all others in groups.
    async fn run(&self, command: Arc<dyn AnyCommand>) -> StoreResult<()> {
        let lane = command.lane();
        let admission = self.access.admit(lane.clone())?;
        match lane {
            Lane::BackOffice | Lane::Service => {
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
            let is_repeated = attempts.fetch_add(1, Ordering::Relaxed) > 0;
            attempt_alone(database, tenant, command, is_repeated).scoped()
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
                let attempt = Attempt { hold: Hold::Skipping, is_repeated: attempt > 0 };
                load_all(database, tenant, commands, attempt, &mut facts).await?;
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
    is_repeated: bool,
) -> Outcome<()> {
    let mut facts = Facts::default();
    let attempt = Attempt { hold: Hold::Waiting, is_repeated };
    match load_all(database, tenant, &[command], attempt, &mut facts).await {
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
    attempt: Attempt,
    facts: &mut Facts,
) -> Outcome<()> {
    let keys: Vec<&RequestKey> = commands.iter().filter_map(|command| command.key()).collect();
    let needs = first_needs(commands.iter().copied());
    let (rows, found) =
        both(load::find(database, tenant, &needs, attempt), keys::find_all(database, tenant, &keys)).await?;
    keys::put_all(&keys, &found, facts)?;
    load::put(database, tenant, &needs, rows, facts).await?;
    for _ in 0..FURTHER_ROUNDS {
        let needs = further_needs(commands.iter().copied(), facts);
        if needs.is_empty() {
            break;
        }
        let rows = load::find(database, tenant, &needs, attempt).await?;
        load::put(database, tenant, &needs, rows, facts).await?;
    }
    Ok(())
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
