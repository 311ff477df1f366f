//! `pointbook import`: imports a tenant's data from a file or the standard input.

use std::io;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use clap::Args;
use pointbook_domain::TenantName;
use pointbook_store::IdSource;
use pointbook_store::database_health::with_causes;
use tokio::signal::unix::{SignalKind, signal};

use super::{CommandResult, Context, DatabaseClient, Exit, Failure, find_tenant, print, say, say_duration};
use crate::failure::is_input_error;
use crate::import;
use crate::import::{
    Effect, Ending, Format, ImportError, Input, Kind, Options, ProgressMode, Retirement, Stop, Summary,
    Target,
};
use crate::sources::{UuidIds, command_line};

/// Shown below the arguments.
const FORMATS: &str = "\
categories  a JSON array of {id, label, children, parent_id}; replaces the whole tree, all or nothing
products    id (default: sku), sku, title, description, regular_price, sale_price, thumbnail, gallery, categories,
            stock (absent: unchanged; new product: unlimited), popular, published_at (absent: unchanged; new
            product: now), active; a product with the same id is replaced
users       user_id, birth_date, locale; a user with the same id gets this profile, without the columns that the file
            lacks
activities  user_id, type, source_id, points, bonus_breakdown, title, subtitle, created_at, attributes (a JSON object
            of strings); unknown users are created, and activities that are already recorded are skipped

Rows are CSV with a header line, or JSONL; both may be compressed with gzip. An empty CSV cell is an absent value. A
list in a cell is a JSON array, or strings separated by |. Good rows are imported. Rejected rows go to the reject file,
with their line number and every reason. Correct the cells of the reject file and import that file: its columns line
and reason are ignored. Importing users or activities again changes nothing. Importing products with a stock column
sets the stock again, so pieces that were sold since the file was made come back.";

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
#[command(after_help = FORMATS)]
pub(crate) struct Arguments {
    /// What the file contains
    kind: Kind,

    /// The file: .csv, .jsonl, .ndjson or .json, each also with .gz; - reads the standard input
    file: PathBuf,

    /// The tenant: SLUG or SLUG/ENVIRONMENT
    #[arg(long)]
    tenant: String,

    /// The format [default: detected from the name or the content]
    #[arg(long)]
    format: Option<Format>,

    /// Retire products that are not in the file, unless a row is rejected
    #[arg(long)]
    replace: bool,

    /// Let campaigns add bonuses to activities that have no `bonus_breakdown`; an empty list counts as one
    #[arg(long)]
    apply_rules: bool,

    /// Only try the rows: check all of them as the import does, and store nothing
    #[arg(long)]
    dry_run: bool,

    /// The file for rejected rows [default: FILE.rejects.csv; SLUG.ENVIRONMENT.KIND.rejects.csv for the standard input]
    #[arg(long, value_name = "FILE")]
    rejects: Option<PathBuf>,

    /// Print JSON: the row counts, and `rejects`, the file with rejected rows (null without any)
    #[arg(long)]
    json: bool,
}

pub(crate) async fn run(arguments: Arguments, context: &Context) -> CommandResult {
    let started = Instant::now();
    let Arguments { kind, file, tenant, format, replace, apply_rules, dry_run, rejects, json } = arguments;
    let service = context.open_as(DatabaseClient::Command).await?;
    let tenant = find_tenant(&service, &tenant)?;
    let input = if is_stdin(&file) {
        Input::reader(io::stdin(), format)
    } else {
        Input::file(&file, format)
            .map_err(|error| Failure::input(format!("cannot open {}: {error}", file.display())))?
    };
    let rejects = rejects.unwrap_or_else(|| default_rejects(&tenant.name(), kind, &file));
    let options = Options {
        replace,
        apply_rules,
        effect: Effect::of_dry_run(dry_run),
        rejects: Some(rejects.clone()),
        progress: progress(),
        stop: interrupt(kind),
        ..Options::default()
    };
    let ids: Arc<dyn IdSource> = Arc::new(UuidIds);
    let target =
        Target { tenant: &tenant, clock: &service.clock_of(&tenant), ids: &ids, by: &command_line().into() };
    let summary = import::run(target, kind, input, options).await;
    let summary = summary.map_err(|error| failure(&file, error))?;
    if json {
        print_json(&summary, &rejects)?;
    } else {
        print(format_args!("{summary}\n"))?;
    }
    say_lacking_columns(&summary);
    if let Some(new) = summary.new_users.as_ref().filter(|new| new.count() > 0) {
        say(new);
    }
    if summary.unknown_categories.products > 0 {
        say(&summary.unknown_categories);
    }
    say_duration(started.elapsed());
    judge(&summary, &rejects)
}

/// Names the columns that a CSV file lacks, where that changes what is stored. Products have so many that one line names all.
fn say_lacking_columns(summary: &Summary) {
    match (summary.kind, summary.cleared_columns()) {
        (Kind::Products, columns @ [_, _, ..]) => {
            let columns = columns.join(", ");
            say(format_args!("the file has no columns {columns}: this clears them for every product in it"));
        }
        (kind, columns) => columns.iter().for_each(|column| {
            let row = if kind == Kind::Products { "product" } else { "user" };
            say(format_args!("the file has no column {column}: this clears it for every {row} in it"));
        }),
    }
    if let Some(column) = summary.activating_column() {
        say(format_args!("the file has no column {column}: this makes every product in it active"));
    }
}

fn print_json(summary: &Summary, rejects: &Path) -> CommandResult {
    let mut report = summary.to_json();
    let path = (summary.rejected > 0).then(|| rejects.display().to_string());
    report["rejects"] = path.into();
    print(format_args!("{report:#}\n"))
}

fn is_stdin(file: &Path) -> bool {
    file.as_os_str() == "-"
}

fn default_rejects(tenant: &TenantName, kind: Kind, file: &Path) -> PathBuf {
    if is_stdin(file) {
        return rejects_of(tenant, kind);
    }
    let mut name = file.as_os_str().to_owned();
    name.push(".rejects.csv");
    name.into()
}

/// The reject file of input that does not come from a file.
pub(super) fn rejects_of(tenant: &TenantName, kind: Kind) -> PathBuf {
    format!("{}.{}.{kind}.rejects.csv", tenant.slug, tenant.environment).into()
}

pub(super) fn progress() -> ProgressMode {
    if io::stderr().is_terminal() { ProgressMode::Bar } else { ProgressMode::Lines(|line| say(line)) }
}

/// Completes at SIGINT or SIGTERM, which then no longer end the program. For categories it never completes: the tree is stored in
/// one commit, so the default handler of the signal stays.
pub(super) fn interrupt(kind: Kind) -> Stop {
    if kind == Kind::Categories {
        return Box::pin(std::future::pending());
    }
    match (signal(SignalKind::interrupt()), signal(SignalKind::terminate())) {
        (Ok(mut interrupts), Ok(mut terminations)) => Box::pin(async move {
            tokio::select! {
                _ = interrupts.recv() => {}
                _ = terminations.recv() => {}
            }
        }),
        _ => Box::pin(std::future::pending()),
    }
}

/// Fails when the import rejected rows or stopped early.
pub(super) fn judge(summary: &Summary, rejects: &Path) -> CommandResult {
    let mut messages = Vec::new();
    if let Some(first) = &summary.first_reject {
        let (count, path) = (summary.rejected, rejects.display());
        messages.push(format!(
            "{count} of {} rows were rejected, see {path}; the first is on line {}: {}",
            summary.read, first.line, first.reason
        ));
    }
    messages.extend(not_retired(summary));
    let reached = match summary.last_line {
        0 => "before the first row".to_owned(),
        line => format!("after the row on line {line}"),
    };
    let again = "rows that were read before are kept, and it is safe to run the import again";
    let exit = match &summary.ending {
        Ending::Complete if messages.is_empty() => return Ok(()),
        Ending::Complete => Exit::FoundWrong,
        Ending::Interrupted => {
            messages.push(format!("interrupted {reached}: {again}"));
            Exit::Interrupted
        }
        Ending::InputBroke(error) => {
            messages.push(format!("the input broke off {reached}: {error}; {again}"));
            if is_input_error(error.kind()) { Exit::Input } else { Exit::Trouble }
        }
        Ending::StoreFailed(error) => {
            messages.push(format!("the import stopped {reached}: {}; {again}", with_causes(error)));
            Exit::Trouble
        }
    };
    Err(Failure { exit, messages })
}

/// Why `--replace` did not retire all products that the input lacks.
fn not_retired(summary: &Summary) -> Option<String> {
    match (summary.retirement, &summary.ending) {
        (Retirement::LeftOut(reason), _) => Some(format!("no product was retired, because {reason}")),
        (Retirement::NotAsked, _) | (Retirement::Retired(_), Ending::Complete) => None,
        (Retirement::Retired(_), _) => Some("some products that the input lacks were not retired".to_owned()),
    }
}

fn failure(file: &Path, error: ImportError) -> Failure {
    let name = if is_stdin(file) { "the standard input".to_owned() } else { file.display().to_string() };
    match error {
        ImportError::Usage(_) | ImportError::Input(_) | ImportError::Header(_) => {
            Failure::input(format!("{name}: {error}; nothing was imported"))
        }
        ImportError::Content(problems) => {
            let messages = [format!("{name}: {problems}"), "the category tree was not changed".to_owned()];
            Failure { exit: Exit::FoundWrong, messages: messages.into() }
        }
        ImportError::Store(error) => error.into(),
        ImportError::Unreadable(ref cause) | ImportError::Rejects { error: ref cause, .. } => {
            Failure::file(&name, &error, cause)
        }
    }
}
