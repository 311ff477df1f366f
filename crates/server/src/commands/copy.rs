//! `pointbook copy`: copies tenants with all their data from one database into another.

use std::time::{Duration, Instant};

use clap::Args;
use indicatif::ProgressBar;
use pointbook_app::ports::Database;
use pointbook_app::{ServedTenant, Service, StoreError};
use pointbook_copy::{CopyError, CopyReport, copy_tenant};

use super::{CommandResult, Exit, Failure, NoDatabase, audit, find_tenants, print, say, say_duration};
use crate::sources::SystemClock;
use crate::wiring::NOTHING_KEPT;
use crate::wiring::{self, DatabaseClient, DatabaseUrl};

/// Shown below the arguments.
const NOTES: &str = "\
What the target has of a tenant becomes what the source has: users, tokens, products and all else are added, replaced
or removed; of the ledger, rows are only ever added, and a target whose ledger has others is refused. A tenant is copied
as it is at the beginning, whatever the source does meanwhile. Run again, a copy goes on where it was interrupted, and
takes in what the source did since. At the end both sides are compared, and audited. The source is only read: its schema,
and that of a PostgreSQL server on either side, is made by `pointbook migrate`.";

#[derive(Debug, Args)]
#[command(after_help = NOTES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    no_database: NoDatabase,

    /// Where the tenants are: sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/NAME
    // Read by `wiring`, as `--database` is.
    #[arg(long, value_name = "URL", env = "POINTBOOK_COPY_FROM", hide_env_values = true)]
    from: String,

    /// Where they are to be
    #[arg(long, value_name = "URL", env = "POINTBOOK_COPY_TO", hide_env_values = true)]
    to: String,

    /// Only this tenant: SLUG or SLUG/ENVIRONMENT
    #[arg(long, value_name = "TENANT")]
    tenant: Option<String>,
}

pub(crate) async fn run(arguments: Arguments) -> CommandResult {
    let started = Instant::now();
    let (from, to) = ends(&arguments).await?;
    let source = wiring::open_service(&from, NOTHING_KEPT, DatabaseClient::ReadOnly).await?;
    let tenants = find_tenants(&source, arguments.tenant.as_deref())?;
    if tenants.is_empty() {
        return Err(Failure::input(format!("there is no tenant in {from}: nothing to copy")));
    }
    // Opening the target creates its file: not before there is something to copy.
    wiring::create_file(&to)?.iter().for_each(say);
    let target = wiring::open_database(&to, &SystemClock, DatabaseClient::NewDatabase).await?;
    let mut wrong = Vec::new();
    for served in tenants {
        wrong.extend(copy(&source, &*target, &served).await?);
    }
    say_duration(started.elapsed());
    if wrong.is_empty() { Ok(()) } else { Err(Failure { exit: Exit::FoundWrong, messages: wrong }) }
}

/// Source and target, which must differ.
async fn ends(arguments: &Arguments) -> Result<(DatabaseUrl, DatabaseUrl), Failure> {
    let from = DatabaseUrl::parse_option("--from (or POINTBOOK_COPY_FROM)", &arguments.from)?;
    let to = DatabaseUrl::parse_option("--to (or POINTBOOK_COPY_TO)", &arguments.to)?;
    if let DatabaseUrl::Sqlite(path) = &from
        && !path.exists()
    {
        return Err(Failure::input(format!("there is no database {from}: nothing to copy from")));
    }
    if wiring::is_one_database(&from, &to).await? {
        return Err(Failure::input(format!("{from} and {to} are the same database")));
    }
    Ok((from, to))
}

/// Copies, compares and audits a tenant; returns what is wrong then.
async fn copy(
    source: &Service,
    target: &dyn Database,
    served: &ServedTenant,
) -> Result<Vec<String>, Failure> {
    let name = served.name().to_string();
    let report = match copy_rows(source, target, served).await {
        Ok(report) => report,
        Err(error) => return refused(&name, &error).map(|message| vec![message]),
    };
    let CopyReport { added, changed, removed, source: copied, target: kept } = &report;
    let (rows, sha256) = (kept.rows(), kept.sha256());
    print(format_args!(
        "{name}: {rows} rows, {added} added, {changed} changed, {removed} removed, sha256 {sha256}\n"
    ))?;
    let differing = copied.differing(kept);
    if differing.is_empty() {
        return audit_both(source, target, served).await;
    }
    // An audit of a half-done copy would help no one.
    Ok(vec![format!(
        "{name}: the target differs from the source in {}, since another process writes in it: \
         end that, audit the target, and run the copy again",
        differing.join(", ")
    )])
}

/// Copies a tenant, and shows how many rows are done: on a terminal a line that changes, elsewhere a line now and then.
async fn copy_rows(
    source: &Service,
    target: &dyn Database,
    served: &ServedTenant,
) -> Result<CopyReport, CopyError> {
    const LINE_EVERY: Duration = Duration::from_secs(5);
    // Hidden where the standard error is no terminal.
    let spinner = ProgressBar::new_spinner();
    let mut last_at = Instant::now();
    let show = |doing: &'static str, rows: u64| {
        let line = format!("{}: {doing}, {rows} rows", served.name());
        if !spinner.is_hidden() {
            spinner.set_message(line);
            spinner.tick();
        } else if last_at.elapsed() >= LINE_EVERY {
            last_at = Instant::now();
            say(line);
        }
    };
    let copied = copy_tenant(&*source.database, target, &served.tenant, show).await;
    spinner.finish_and_clear();
    copied
}

/// Audits both sides of a tenant; returns what is wrong then.
async fn audit_both(
    source: &Service,
    target: &dyn Database,
    served: &ServedTenant,
) -> Result<Vec<String>, Failure> {
    let (name, mut counts, mut wrong) = (served.name(), Vec::new(), Vec::new());
    for (side, database) in [("source", &*source.database), ("target", target)] {
        let label = format!("{side} {name}");
        let found = audit::audit_tenant(&label, &*database.tenant(&served.tenant.id)).await?;
        say(format_args!("{label}: {found}"));
        counts.push(found.to_string());
        if found.differences() > 0 {
            wrong.push(format!("{label}: the audit found {} differences", found.differences()));
        }
    }
    if counts.first() != counts.last() {
        say(format_args!(
            "{name}: what the source did since the copy began is not in it: run it again for that"
        ));
    }
    Ok(wrong)
}

/// The message of a tenant that cannot be copied: the others are. A failure of a database ends the command.
fn refused(name: &str, error: &CopyError) -> Result<String, Failure> {
    let (CopyError::Source(cause) | CopyError::Target(cause)) = error else {
        return Ok(format!("{name}: {error}"));
    };
    let mut failure = Failure::trouble(name, error);
    let again = match cause {
        StoreError::Unavailable(_) | StoreError::Overloaded => {
            "what was copied stays, and running the copy again is safe"
        }
        StoreError::Failed(_) | StoreError::Corrupt(_) => "what was copied before stays",
    };
    failure.messages.push(again.to_owned());
    Err(failure)
}
