//! `pointbook token`: who may send requests.

mod issue;
mod list;
mod parse;
mod revoke;

use clap::Subcommand;

use super::{CommandResult, Context};

/// What can be done with tokens.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Issue a token and print it; it is shown only now
    Issue(issue::Arguments),
    /// List tokens by their ids; their texts are kept nowhere
    List(list::Arguments),
    /// Revoke one token, or all tokens of a user or of the back office
    Revoke(revoke::Arguments),
}

pub(super) async fn run(command: Command, context: &Context) -> CommandResult {
    match command {
        Command::Issue(arguments) => issue::run(arguments, context).await,
        Command::List(arguments) => list::run(arguments, context).await,
        Command::Revoke(arguments) => revoke::run(arguments, context).await,
    }
}
