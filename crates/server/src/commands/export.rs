//! `pointbook export`: writes an operator's data in the forms that an import takes.

use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use clap::Args;
use pointbook_app::ports::TenantData;

use super::{CommandResult, Context, Failure, Verdict, find_tenant};
use crate::export::{self, ExportError, OutputFile};
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
}

pub(super) async fn run(arguments: Arguments, context: &Context) -> CommandResult {
    let Arguments { kind, tenant, format, output } = arguments;
    let service = context.open_once().await?;
    let tenant = find_tenant(&service, &tenant)?;
    let written = match output {
        Some(path) => to_file(&*tenant.data, kind, format, &path).await?,
        None => to_stdout(&*tenant.data, kind, format).await?,
    };
    eprintln!("{kind}: {written} written");
    Ok(Verdict::Fine)
}

async fn to_stdout(data: &dyn TenantData, kind: Kind, format: Option<Format>) -> Result<u64, Failure> {
    let mut stdout = BufWriter::new(io::stdout());
    let written = export::run(data, kind, format, &mut stdout).await;
    written.map_err(|error| match error {
        ExportError::Output(error) => Failure::output(&error),
        ExportError::Usage(_) | ExportError::Store(_) => failure(error),
    })
}

async fn to_file(
    data: &dyn TenantData,
    kind: Kind,
    format: Option<Format>,
    path: &Path,
) -> Result<u64, Failure> {
    let trouble = |error: io::Error| Failure::trouble(&format!("cannot write {}", path.display()), &error);
    let format = format.or_else(|| Format::of_path(path));
    let mut file = OutputFile::create(path).map_err(trouble)?;
    let written = export::run(data, kind, format, &mut file).await.map_err(|error| match error {
        ExportError::Output(error) => trouble(error),
        ExportError::Usage(_) | ExportError::Store(_) => failure(error),
    })?;
    file.finish().map_err(trouble)?;
    Ok(written)
}

fn failure(error: ExportError) -> Failure {
    match error {
        ExportError::Usage(problem) => Failure::input(problem),
        ExportError::Output(error) => Failure::output(&error),
        ExportError::Store(error) => error.into(),
    }
}
