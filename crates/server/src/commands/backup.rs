//! `pointbook backup` and `pointbook restore`: a whole SQLite database as one file, and back.

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;

use super::{CommandResult, Context, Failure, print, say, say_duration};
use crate::backup::{self, Contents};
use crate::database_file;
use crate::wiring::DatabaseUrl;

#[derive(Debug, Args)]
pub(crate) struct BackupArguments {
    /// The new file; an existing file is never overwritten
    file: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct RestoreArguments {
    /// A file that `pointbook backup` wrote, or a copy of a database that no process has open
    file: PathBuf,
}

pub(crate) async fn back_up(arguments: BackupArguments, context: &Context) -> CommandResult {
    let started = Instant::now();
    let source = sqlite_path(context, "make a backup with pg_dump or pg_basebackup")?;
    let contents = backup::back_up(source, &arguments.file).await?;
    report(source, &arguments.file, contents, started)
}

pub(crate) async fn restore(arguments: RestoreArguments, context: &Context) -> CommandResult {
    let started = Instant::now();
    let target = sqlite_path(context, "restore with pg_restore, or from a base backup")?;
    database_file::expect(&arguments.file)?;
    let contents = backup::restore(&arguments.file, target).await?;
    report(&arguments.file, target, contents, started)
}

fn sqlite_path<'c>(context: &'c Context, advice: &str) -> Result<&'c Path, Failure> {
    match context.database()? {
        DatabaseUrl::Sqlite(path) => Ok(path),
        url @ DatabaseUrl::Postgres(_) => Err(Failure::input(format!(
            "{url} is not a SQLite database: {advice}; see docs/operating/backup.md"
        ))),
    }
}

fn report(source: &Path, target: &Path, contents: Contents, started: Instant) -> CommandResult {
    let Contents { tenants, users, transactions, differences } = contents;
    let (source, file) = (source.display(), target.display());
    print(format_args!(
        "copied {source} to {file}: {tenants} tenants, {users} users, {transactions} transactions, {differences} differences\n"
    ))?;
    say_duration(started.elapsed());
    if differences == 0 {
        return Ok(());
    }
    say(format_args!(
        "the copy equals the source: run `pointbook audit --database sqlite:{file}` to see the differences"
    ));
    Err(Failure::found_wrong())
}
