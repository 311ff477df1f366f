//! `pointbook tenant`: who is served, where, and with which settings.

mod add;
mod fields;
mod list;
mod remove;
mod set;
mod show;

use clap::Subcommand;

use super::{CommandResult, Context};

/// What can be done with tenants.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Add a tenant
    Add(add::Arguments),
    /// List all tenants
    List(list::Arguments),
    /// Show everything about one tenant
    Show(show::Arguments),
    /// Change a tenant; a running server follows within a second
    Set(set::Arguments),
    /// Remove a tenant with all its data, for ever; a running server stops serving it within a second
    Remove(remove::Arguments),
}

pub(super) async fn run(command: Command, context: &Context) -> CommandResult {
    match command {
        Command::Add(arguments) => add::run(arguments, context).await,
        Command::List(arguments) => list::run(&arguments, context).await,
        Command::Show(arguments) => show::run(&arguments, context).await,
        Command::Set(arguments) => set::run(arguments, context).await,
        Command::Remove(arguments) => remove::run(arguments, context).await,
    }
}
