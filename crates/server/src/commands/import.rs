//! `pointbook import`: takes an operator's data from a file or the standard input.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use clap::Args;
use pointbook_app::IdSource;
use pointbook_domain::TenantName;
use tokio::signal::unix::{SignalKind, signal};

use super::outcome::is_of_input;
use super::{CommandResult, Context, Exit, Failure, Verdict, find_tenant, print, say, say_duration};
use crate::import::{
    self, Ending, Format, ImportError, Input, Kind, Options, ProgressMode, Retirement, Stop, Summary, Target,
};
use crate::sources::UuidIds;

/// Below the arguments in `--help`.
const FORMATS: &str = "\
categories  a JSON array of {id, label, children, parent_id}; replaces the whole tree, or nothing
products    id (default: sku), sku, title, description, regular_price, sale_price, thumbnail, gallery, categories,
            stock (absent: as it was; new: unlimited), popular, published_at (absent: as it was; new: now),
            active; created or replaced by id
users       user_id, birth_date, locale
activities  user_id, type, source_id, points, bonus_breakdown, title, subtitle, created_at; unknown users are
            created, and what is recorded already is skipped

Rows are CSV with a header line, or JSONL; both also compressed by gzip. An empty CSV cell is an absent value; a list
in a cell is a JSON array, or texts with | between them. Bad rows are written to the reject file with their line and
everything that is wrong with them, and the good ones are kept. Correct the cells of a CSV reject file and import it:
its columns line and reason are ignored. Importing users or activities again changes nothing. A product
file with a stock column sets the stock anew, so pieces that were sold meanwhile come back.";

/// The arguments of `import`.
#[derive(Debug, Args)]
#[command(after_help = FORMATS)]
pub struct Arguments {
    /// What the file holds
    kind: Kind,

    /// The file: .csv, .jsonl, .ndjson or .json, also with .gz; - is the standard input
    file: PathBuf,

    /// The tenant: SLUG or SLUG/ENVIRONMENT
    #[arg(long)]
    tenant: String,

    /// The format, where neither the name nor the beginning tells it
    #[arg(long)]
    format: Option<Format>,

    /// Retire the products that the file lacks, if every row is good
    #[arg(long)]
    replace: bool,

    /// Where rejected rows go [default: FILE.rejects.csv; SLUG.ENVIRONMENT.KIND.rejects.csv for the standard input]
    #[arg(long, value_name = "FILE")]
    rejects: Option<PathBuf>,
}

pub(super) async fn run(arguments: Arguments, context: &Context) -> CommandResult {
    let started = Instant::now();
    let Arguments { kind, file, tenant, format, replace, rejects } = arguments;
    let service = context.open_once().await?;
    let tenant = find_tenant(&service, &tenant)?;
    let input = open(&file, format)?;
    let rejects = rejects.unwrap_or_else(|| default_rejects(&tenant.name(), kind, &file));
    let options = Options {
        replace,
        rejects: Some(rejects.clone()),
        progress: progress(),
        stop: interrupt(kind),
        ..Options::default()
    };
    let ids: Arc<dyn IdSource> = Arc::new(UuidIds);
    let target = Target { tenant: &tenant, clock: &service.clock, ids: &ids };
    let summary = import::run(target, kind, input, options).await;
    let summary = summary.map_err(|error| failure(&file, error))?;
    print(format_args!("{summary}\n"))?;
    if summary.unknown_categories.products > 0 {
        say(format_args!("{}", summary.unknown_categories));
    }
    say_duration(started.elapsed());
    judge(&summary, &rejects)
}

fn open(file: &Path, format: Option<Format>) -> Result<Input, Failure> {
    if is_stdin(file) {
        return Ok(Input::reader(io::stdin(), format));
    }
    let input = Input::file(file, format);
    input.map_err(|error| Failure::input(format!("cannot open {}: {error}", file.display())))
}

fn is_stdin(file: &Path) -> bool {
    file.as_os_str() == "-"
}

fn default_rejects(tenant: &TenantName, kind: Kind, file: &Path) -> PathBuf {
    if is_stdin(file) {
        return format!("{}.{}.{kind}.rejects.csv", tenant.slug, tenant.environment).into();
    }
    let mut name = file.as_os_str().to_owned();
    name.push(".rejects.csv");
    name.into()
}

pub(super) fn progress() -> ProgressMode {
    if io::stderr().is_terminal() { ProgressMode::Bar } else { ProgressMode::Lines(|line| say(line)) }
}

/// Done when the user asks the program to end, which is heard from now on. A category tree is
/// stored in one commit: there the signal ends the program as it always does.
pub(super) fn interrupt(kind: Kind) -> Stop {
    if kind == Kind::Categories {
        return Box::pin(std::future::pending());
    }
    match signal(SignalKind::interrupt()) {
        Ok(mut interrupts) => Box::pin(async move {
            let _ = interrupts.recv().await;
        }),
        Err(_) => Box::pin(std::future::pending()),
    }
}

/// Says what a person has to know beside the numbers.
pub(super) fn judge(summary: &Summary, rejects: &Path) -> CommandResult {
    let mut messages = Vec::new();
    if let Some(first) = &summary.first_reject {
        let (count, path) = (summary.rejected, rejects.display());
        messages.push(format!(
            "{count} of {} rows rejected, see {path}; the first on line {}: {}",
            summary.read, first.line, first.reason
        ));
    }
    messages.extend(not_retired(summary));
    let reached = reached(summary.last_line);
    let again = "what was read before is kept, and running the import again is safe";
    match &summary.ending {
        Ending::Complete if messages.is_empty() => return Ok(Verdict::Fine),
        Ending::Complete => return Err(Failure { exit: Exit::FoundWrong, messages }),
        Ending::Interrupted => {
            messages.push(format!("interrupted {reached}: {again}"));
            return Err(Failure { exit: Exit::Interrupted, messages });
        }
        Ending::InputBroke(error) => {
            messages.push(format!("the input broke off {reached}: {error}; {again}"));
            if is_of_input(error.kind()) {
                return Err(Failure { exit: Exit::Input, messages });
            }
        }
        Ending::StoreFailed(error) => {
            let doing = format!("the import ended {reached}; {again}");
            messages.extend(Failure::trouble(&doing, error).messages);
        }
    }
    Err(Failure { exit: Exit::Trouble, messages })
}

/// What `--replace` left undone.
fn not_retired(summary: &Summary) -> Option<String> {
    match (summary.retirement, &summary.ending) {
        (Retirement::LeftOut(reason), _) => Some(format!("no product was retired, because {reason}")),
        (Retirement::NotAsked, _) | (Retirement::Retired(_), Ending::Complete) => None,
        (Retirement::Retired(_), _) => Some("not every product that the input lacks was retired".to_owned()),
    }
}

fn reached(last_line: u64) -> String {
    if last_line == 0 {
        "before the first row".to_owned()
    } else {
        format!("after the row on line {last_line}")
    }
}

fn failure(file: &Path, error: ImportError) -> Failure {
    let name = if is_stdin(file) { "the standard input".to_owned() } else { file.display().to_string() };
    match error {
        ImportError::Usage(problem) => Failure::input(format!("{name}: {problem}; nothing was imported")),
        ImportError::Content(problems) => {
            let mut messages = vec![format!("{name}: {problems}")];
            messages.push("the category tree was left as it is".to_owned());
            Failure { exit: Exit::FoundWrong, messages }
        }
        ImportError::Store(error) => error.into(),
        ImportError::Unreadable(ref cause) | ImportError::Rejects { error: ref cause, .. } => {
            Failure::file(&name, &error, cause)
        }
    }
}
