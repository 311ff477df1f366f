//! `pointbook copy`: copies tenants with all their data from one database into another.

use std::time::Instant;

use clap::Args;
use pointbook_store::copy::{CopyError, CopyReport, copy_tenant};
use pointbook_store::ports::Database;
use pointbook_store::{ServedTenant, Service, StoreError};

use super::progress::Progress;
use super::{CommandResult, Exit, Failure, NoDatabase, audit, find_tenants, print, say, say_duration};
use crate::sources::SystemClock;
use crate::wiring;
use crate::wiring::{DatabaseClient, DatabaseUrl, NO_CACHES};

/// Shown below the arguments.
const NOTES: &str = "\
The command makes the tenant's data in the target equal to the source: it adds, replaces or removes users, tokens,
products and all other rows. To the ledger it only adds rows, and it refuses a target whose ledger has other rows.
It copies a tenant as of the start of the copy; later changes of the source are not included. Run it again to continue
an interrupted copy or to include later changes. At the end it compares and audits both sides. It never writes to the
source. Run `pointbook migrate` first to create the schema of the source, and of a target on PostgreSQL.";

#[derive(Debug, Args)]
#[command(after_help = NOTES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    no_database: NoDatabase,

    /// The database to copy from: sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/NAME
    // Read by `wiring`, as `--database` is.
    #[arg(long, value_name = "URL", env = "POINTBOOK_COPY_FROM", hide_env_values = true)]
    from: String,

    /// The database to copy to
    #[arg(long, value_name = "URL", env = "POINTBOOK_COPY_TO", hide_env_values = true)]
    to: String,

    /// Only this tenant: SLUG or SLUG/ENVIRONMENT
    #[arg(long, value_name = "TENANT")]
    tenant: Option<String>,
}

pub(crate) async fn run(arguments: Arguments) -> CommandResult {
    let started = Instant::now();
    let (from, to) = parse_urls(&arguments).await?;
    let source = wiring::open_service(&from, NO_CACHES, DatabaseClient::ReadOnly).await?;
    let tenants = find_tenants(&source, arguments.tenant.as_deref())?;
    if tenants.is_empty() {
        return Err(Failure::input(format!("{from} has no tenants: nothing to copy")));
    }
    // Opening the target creates its file, so it comes after the check that there is something to copy.
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
async fn parse_urls(arguments: &Arguments) -> Result<(DatabaseUrl, DatabaseUrl), Failure> {
    let from = DatabaseUrl::parse_option("--from (or POINTBOOK_COPY_FROM)", &arguments.from)?;
    let to = DatabaseUrl::parse_option("--to (or POINTBOOK_COPY_TO)", &arguments.to)?;
    if let DatabaseUrl::Sqlite(path) = &from
        && !path.exists()
    {
        return Err(Failure::input(format!("the database {from} does not exist: nothing to copy")));
    }
    if wiring::is_one_database(&from, &to).await? {
        return Err(Failure::input(format!("{from} and {to} are the same database")));
    }
    Ok((from, to))
}

/// Copies, compares and audits a tenant. Returns a message for each problem.
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
    // There is no point in an audit of a copy that differs.
    Ok(vec![format!(
        "{name}: the target differs from the source in {}, because another process writes to the target: \
         stop that process, audit the target, and run the copy again",
        differing.join(", ")
    )])
}

/// Copies a tenant and shows its progress.
async fn copy_rows(
    source: &Service,
    target: &dyn Database,
    served: &ServedTenant,
) -> Result<CopyReport, CopyError> {
    let mut progress = Progress::start();
    let show =
        |doing: &'static str, rows: u64| progress.show(format!("{}: {doing}, {rows} rows", served.name()));
    copy_tenant(&*source.database, target, &served.tenant, show).await
}

/// Audits both sides of a tenant. Returns a message for each problem.
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
            "{name}: the source changed after the copy began: run the copy again to include the changes"
        ));
    }
    Ok(wrong)
}

/// Returns the message for a tenant that cannot be copied; the command then copies the others. Fails when a database
/// failed, which ends the command.
fn refused(name: &str, error: &CopyError) -> Result<String, Failure> {
    let (CopyError::Source(cause) | CopyError::Target(cause)) = error else {
        return Ok(format!("{name}: {error}"));
    };
    let mut failure = Failure::trouble(name, error);
    let again = match cause {
        StoreError::Unavailable(_) | StoreError::Overloaded => {
            "copied rows are kept, and it is safe to run the copy again"
        }
        StoreError::Failed(_) | StoreError::Corrupt(_) => "rows that were copied before are kept",
    };
    failure.messages.push(again.to_owned());
    Err(failure)
}
