//! `pointbook copy`: tenants with all that is stored of them, from one database into another.

use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget};
use pointbook_app::ports::Database;
use pointbook_app::{CopyError, CopyReport, ServedTenant, Service, StoreError, copy_tenant};

use super::context::NOTHING_KEPT;
use super::{
    CommandResult, Exit, Failure, NoDatabase, Verdict, audit, find_tenant, print, say, say_duration,
};
use crate::sources::SystemClock;
use crate::wiring::{self, DatabaseClient, DatabaseUrl};

/// Below the arguments in `--help`.
const NOTES: &str = "\
What the target has of a tenant becomes what the source has: users, tokens, products and all else are added, replaced
or removed; of the ledger, rows are only ever added, and a target whose ledger has others is refused. A tenant is copied
as it is at the beginning, whatever the source does meanwhile. Run again, a copy goes on where it was interrupted, and
takes in what the source did since. At the end both sides are compared, and audited. The source is only read: its schema,
and that of a PostgreSQL server on either side, is made by `pointbook migrate`.";

/// The arguments.
#[derive(Debug, Args)]
#[command(after_help = NOTES)]
pub struct Arguments {
    /// No database.
    #[command(flatten)]
    pub no_database: NoDatabase,

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

/// Copies one tenant, or all.
pub(super) async fn run(arguments: Arguments) -> CommandResult {
    let started = Instant::now();
    let Arguments { no_database: _, from, to, tenant } = arguments;
    let (from, to) = ends(&from, &to).await?;
    let source = wiring::open_service(&from, NOTHING_KEPT, DatabaseClient::ReadOnly).await?;
    let tenants = chosen(&source, &from, tenant.as_deref())?;
    // A file is made by opening it: not before there is something for it.
    wiring::create_file(&to)?.iter().for_each(say);
    let target = wiring::open_database(&to, &SystemClock, DatabaseClient::NewDatabase).await?;
    let mut wrong = Vec::new();
    for served in tenants {
        wrong.extend(copy(&source, &*target, &served).await?);
    }
    say_duration(started.elapsed());
    if wrong.is_empty() {
        Ok(Verdict::Fine)
    } else {
        Err(Failure { exit: Exit::FoundWrong, messages: wrong })
    }
}

/// Where both ends are, which must be two.
async fn ends(from: &str, to: &str) -> Result<(DatabaseUrl, DatabaseUrl), Failure> {
    let from = DatabaseUrl::parse_option("--from (or POINTBOOK_COPY_FROM)", from)?;
    let to = DatabaseUrl::parse_option("--to (or POINTBOOK_COPY_TO)", to)?;
    if let DatabaseUrl::Sqlite(path) = &from
        && !path.exists()
    {
        return Err(Failure::input(format!("there is no database {from}: nothing to copy from")));
    }
    if wiring::is_one_database(&from, &to, &SystemClock).await? {
        return Err(Failure::input(format!("{from} and {to} are the same database")));
    }
    Ok((from, to))
}

fn chosen(
    source: &Service,
    from: &DatabaseUrl,
    tenant: Option<&str>,
) -> Result<Vec<Arc<ServedTenant>>, Failure> {
    if let Some(text) = tenant {
        return Ok(vec![find_tenant(source, text)?]);
    }
    let all = source.directory().tenants().to_vec();
    if all.is_empty() {
        return Err(Failure::input(format!("there is no tenant in {from}: nothing to copy")));
    }
    Ok(all)
}

/// Copies a tenant, compares and audits; gives what is wrong then.
async fn copy(
    source: &Service,
    target: &dyn Database,
    served: &ServedTenant,
) -> Result<Vec<String>, Failure> {
    let name = served.name().to_string();
    let mut progress = Progress::start(&name);
    let copied =
        copy_tenant(&*source.database, target, &served.tenant, |doing, rows| progress.show(doing, rows));
    let copied = copied.await;
    progress.finish();
    let report = match copied {
        Ok(report) => report,
        Err(error) => return refused(&name, &error).map(|message| vec![message]),
    };
    print(format_args!("{name}: {}\n", result(&report)))?;
    match uneven(&name, &report) {
        // What an audit of something half done would find helps nobody.
        Some(message) => Ok(vec![message]),
        None => audit_both(source, target, served).await,
    }
}

/// Audits both sides of a tenant; gives what is wrong then.
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

fn result(report: &CopyReport) -> String {
    let CopyReport { added, changed, removed, source: _, target } = report;
    let (rows, sha256) = (target.rows(), target.sha256());
    format!("{rows} rows, {added} added, {changed} changed, {removed} removed, sha256 {sha256}")
}

/// What is to be done when the two sides are not the same after all.
fn uneven(name: &str, report: &CopyReport) -> Option<String> {
    let tables = report.source.differing(&report.target);
    (!tables.is_empty()).then(|| {
        let tables = tables.join(", ");
        format!(
            "{name}: the target differs from the source in {tables}, since somebody writes in it: \
             end that, audit the target, and run the copy again"
        )
    })
}

/// What keeps one tenant from being copied is told, and the others are copied; a failure ends all.
fn refused(name: &str, error: &CopyError) -> Result<String, Failure> {
    match error {
        CopyError::NameTaken
        | CopyError::BaseUrlTaken(_)
        | CopyError::LedgerWentOn(_)
        | CopyError::LedgersDiffer { .. }
        | CopyError::TargetInUse { .. } => Ok(format!("{name}: {error}")),
        CopyError::Source(cause) | CopyError::Target(cause) => {
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
    }
}

/// How often a line is written where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(5);

/// How far the copy of a tenant is: a line that changes on a terminal, a line now and then elsewhere.
struct Progress {
    name: String,
    spinner: Option<ProgressBar>,
    last_at: Instant,
}

impl Progress {
    fn start(name: &str) -> Self {
        let spinner = || ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        let spinner = io::stderr().is_terminal().then(spinner);
        Self { name: name.to_owned(), spinner, last_at: Instant::now() }
    }

    fn show(&mut self, doing: &'static str, rows: u64) {
        let line = format!("{}: {doing}, {rows} rows", self.name);
        if let Some(spinner) = &self.spinner {
            spinner.set_message(line);
            spinner.tick();
        } else if self.last_at.elapsed() >= LINE_EVERY {
            self.last_at = Instant::now();
            say(line);
        }
    }

    /// Takes the line away.
    fn finish(self) {
        if let Some(spinner) = self.spinner {
            spinner.finish_and_clear();
        }
    }
}
