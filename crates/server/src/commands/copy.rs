//! `pointbook copy`: tenants with all that is stored of them, from one database into another.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget};
use pointbook_app::ports::Database;
use pointbook_app::{CopyError, CopyReport, ServedTenant, Service, copy_tenant};

use super::context::NOTHING_KEPT;
use super::{CommandResult, Exit, Failure, Verdict, audit, find_tenant, print, say};
use crate::sources::SystemClock;
use crate::wiring::{self, DatabaseUrl};

/// Below the arguments in `--help`.
const NOTES: &str = "\
What the target has of a tenant becomes what the source has: users, tokens, products and all else are added, replaced
or removed; of the ledger, rows are only ever added, and a target whose ledger has others is refused. Run again, a copy
goes on where it was interrupted, and takes in what the source did since. At the end both sides are read and compared,
and audited. The schema of a PostgreSQL server is made by `pointbook migrate` first.";

/// The arguments.
#[derive(Debug, Args)]
#[command(after_help = NOTES)]
pub struct Arguments {
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
    let Arguments { from, to, tenant } = arguments;
    let (source, target) = open(&from, &to).await?;
    let tenants = match &tenant {
        Some(text) => vec![find_tenant(&source, text)?],
        None => source.directory().tenants().to_vec(),
    };
    let mut wrong = Vec::new();
    for served in tenants {
        wrong.extend(copy(&source, &*target, &served).await?);
    }
    say(format_args!("took {:.1} s", started.elapsed().as_secs_f64()));
    if wrong.is_empty() {
        Ok(Verdict::Fine)
    } else {
        Err(Failure { exit: Exit::FoundWrong, messages: wrong })
    }
}

/// Opens both ends, which must be two.
async fn open(from: &str, to: &str) -> Result<(Service, std::sync::Arc<dyn Database>), Failure> {
    let from = DatabaseUrl::parse_option("--from (or POINTBOOK_COPY_FROM)", from)?;
    let to = DatabaseUrl::parse_option("--to (or POINTBOOK_COPY_TO)", to)?;
    if let DatabaseUrl::Sqlite(path) = &from
        && !path.exists()
    {
        return Err(Failure::input(format!("there is no file {}: nothing to copy from", path.display())));
    }
    if wiring::is_one_database(&from, &to, &SystemClock).await? {
        return Err(Failure::input(format!("{from} and {to} are the same database")));
    }
    Ok((wiring::open_service(&from, NOTHING_KEPT).await?, wiring::open_database(&to, &SystemClock).await?))
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
    let mut wrong: Vec<_> = uneven(&name, &report).into_iter().collect();
    let copy = target.tenant(&served.tenant.id);
    for (side, data) in [("source", &*served.data), ("target", &*copy)] {
        let label = format!("{side} {name}");
        let found = audit::audit_tenant(&label, data, false).await?;
        say(format_args!("{label}: {found}"));
        if found.differences() > 0 {
            wrong.push(format!("{label}: the audit found {} differences", found.differences()));
        }
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
            "{name}: source and target differ in {tables}, since one of them was written to meanwhile: \
             stop what writes and run the copy again"
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
        | CopyError::TargetInUse => Ok(format!("{name}: {error}")),
        CopyError::Source(_) | CopyError::Target(_) => {
            let mut failure = Failure::trouble(name, error);
            failure.messages.push("what was copied stays, and running the copy again is safe".to_owned());
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
