//! `pointbook jobs`: the background work of tenants.

mod list;
mod run;

use clap::Subcommand;

use super::{CommandResult, Context};

/// How many jobs of one tenant are looked at, by name, then key.
const MAX_PER_TENANT: u32 = 1_000;

/// What can be done with jobs.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// List the jobs: when each is due, who runs it, and what its last run came to
    List(list::Arguments),
    /// Run a job of a tenant now, whether it is due or not
    Run(run::Arguments),
}

pub(super) async fn run(command: Command, context: &Context) -> CommandResult {
    match command {
        Command::List(arguments) => list::run(arguments, context).await,
        Command::Run(arguments) => run::run(arguments, context).await,
    }
}
