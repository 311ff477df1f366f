//! `pointbook openapi`: the description of the interface, for generators of clients and for checks.

use clap::Args;

use super::{CommandResult, NoDatabase, Verdict, print};

/// The arguments.
#[derive(Debug, Args)]
pub struct Arguments {
    /// No database.
    #[command(flatten)]
    pub no_database: NoDatabase,
}

/// Prints what a server has at `/openapi.json`.
pub(super) fn run() -> CommandResult {
    print(String::from_utf8_lossy(&pointbook_http::openapi::document()))?;
    Ok(Verdict::Fine)
}
