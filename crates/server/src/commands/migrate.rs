//! `pointbook migrate`: the schema, brought up to date without serving.

use super::{CommandResult, Context, Verdict, say};
use crate::sources::SystemClock;
use crate::wiring;

/// Opens the database, which creates and migrates it.
pub(super) fn run(context: &Context) -> CommandResult {
    wiring::open_database(&context.database, &SystemClock)?;
    say(format_args!("{} has the schema of this version", context.database));
    Ok(Verdict::Fine)
}
