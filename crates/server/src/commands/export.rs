//! `pointbook export`: writes an operator's data in the forms that an import takes.

use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use clap::Args;
use pointbook_app::ports::TenantData;

use super::{CommandResult, Context, Failure, Verdict, find_tenant, say, written};
use crate::export::{self, Cells, ExportError, OutputFile};
use crate::import::{Format, Kind};

/// The arguments of `export`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// What to write
    kind: Kind,

    /// The tenant: SLUG or SLUG/ENVIRONMENT
    #[arg(long)]
    tenant: String,

    /// The format [default: json for categories, jsonl for products, csv for users and activities; or as FILE is named]
    #[arg(long)]
    format: Option<Format>,

    /// A file instead of the standard output; compressed when its name ends with .gz
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// For a spreadsheet: CSV texts that begin like a formula get an apostrophe. Such a file is not for an import
    #[arg(long)]
    excel_safe: bool,
}

pub(super) async fn run(arguments: Arguments, context: &Context) -> CommandResult {
    let Arguments { kind, tenant, format, output, excel_safe } = arguments;
    let cells = if excel_safe { Cells::ExcelSafe } else { Cells::Exact };
    let service = context.open_read_only().await?;
    let tenant = find_tenant(&service, &tenant)?;
    let rows = match output {
        Some(path) => Some(to_file(&*tenant.data, kind, format, cells, &path).await?),
        None => to_stdout(&*tenant.data, kind, format, cells).await?,
    };
    if let Some(rows) = rows {
        say(format_args!("{kind}: {rows} written"));
    }
    Ok(Verdict::Fine)
}

/// How many rows were written; none when the reader had seen enough before the last one.
async fn to_stdout(
    data: &dyn TenantData,
    kind: Kind,
    format: Option<Format>,
    cells: Cells,
) -> Result<Option<u64>, Failure> {
    let mut stdout = BufWriter::new(io::stdout());
    match export::run(data, kind, format, cells, &mut stdout).await {
        Ok(rows) => Ok(Some(rows)),
        Err(error) => failure(error, |error| written(Err(error))),
    }
}

async fn to_file(
    data: &dyn TenantData,
    kind: Kind,
    format: Option<Format>,
    cells: Cells,
    path: &Path,
) -> Result<u64, Failure> {
    let trouble =
        |error: io::Error| Failure::file(&format!("cannot write {}", path.display()), &error, &error);
    let format = format.or_else(|| Format::of_path(path));
    let mut file = OutputFile::create(path).map_err(trouble)?;
    match export::run(data, kind, format, cells, &mut file).await {
        Ok(rows) => file.finish().map(|()| rows).map_err(trouble),
        Err(error) => failure(error, |error| Err(trouble(error))),
    }
}

/// An export that ended early; what is to be said of its output, the caller knows.
fn failure<T>(
    error: ExportError,
    of_output: impl FnOnce(io::Error) -> Result<T, Failure>,
) -> Result<T, Failure> {
    match error {
        ExportError::Usage(problem) => Err(Failure::input(problem)),
        ExportError::Output(error) => of_output(error),
        ExportError::Store(error) => Err(error.into()),
    }
}
