//! `pointbook migrate`: the schema, brought up to date without serving.

use clap::Args;

use super::{CommandResult, Context, say};
use crate::wiring;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Let this role of PostgreSQL do what serving takes, and no more: it sees one tenant at a time and cannot
    /// change the ledger
    ///
    /// The role exists, and the database is given with its owner's name, as for adding and setting tenants. Again
    /// after every new version.
    #[arg(long, value_name = "NAME")]
    service_role: Option<String>,
}

pub(crate) async fn run(arguments: Arguments, context: &Context) -> CommandResult {
    let database = context.database()?;
    context.say_created()?;
    wiring::migrate_database(database).await?;
    say(format_args!("{database} has the schema of this version"));
    if let Some(role) = arguments.service_role {
        wiring::set_up_service_role(database, &role).await?;
        say(format_args!("the role {role} can serve it"));
    }
    Ok(())
}
