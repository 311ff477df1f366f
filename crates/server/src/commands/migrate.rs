//! `pointbook migrate`: the schema, brought up to date without serving.

use super::{CommandResult, Context, Verdict, say};
use crate::sources::SystemClock;
use crate::wiring;

/// Opens the database, which creates and migrates it.
pub(super) fn run(context: &Context) -> CommandResult {
    let database = context.database()?;
    wiring::open_database(database, &SystemClock)?;
    say(format_args!("{database} has the schema of this version"));
    Ok(Verdict::Fine)
}
