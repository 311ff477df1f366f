//! `pointbook migrate`: the schema, brought up to date without serving.

use super::{CommandResult, Context, Verdict, say};
use crate::sources::SystemClock;
use crate::wiring;

/// Creates what is missing of the database.
pub(super) async fn run(context: &Context) -> CommandResult {
    let database = context.database()?;
    wiring::migrate_database(database, &SystemClock).await?;
    say(format_args!("{database} has the schema of this version"));
    Ok(Verdict::Fine)
}
