//! `pointbook export`: writes a tenant's data in the formats that an import reads, and its notes.

use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use clap::Args;

use super::{CommandResult, Context, DatabaseClient, Failure, find_tenant, say, written};
use crate::export::{self, Cells, ExportError, Exported, OutputFile};
use crate::import::Format;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// What to export
    kind: Exported,

    /// The tenant: SLUG or SLUG/ENVIRONMENT
    #[arg(long)]
    tenant: String,

    /// The format [default: as the name of FILE says; else json for categories, jsonl for products, csv for users,
    /// activities and notes]
    #[arg(long)]
    format: Option<Format>,

    /// Write to this file instead of the standard output; a name that ends with .gz compresses it
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// For spreadsheets: put an apostrophe before what a spreadsheet would run as a formula, at the beginning of a CSV
    /// cell and within it. Do not import such a file
    #[arg(long)]
    excel_safe: bool,
}

pub(crate) async fn run(arguments: Arguments, context: &Context) -> CommandResult {
    let Arguments { kind, tenant, format, output, excel_safe } = arguments;
    let cells = if excel_safe { Cells::ExcelSafe } else { Cells::Exact };
    let service = context.open_as(DatabaseClient::ReadOnly).await?;
    let tenant = find_tenant(&service, &tenant)?;
    let rows = if let Some(path) = output {
        let trouble =
            |error: io::Error| Failure::file(&format!("cannot write {}", path.display()), &error, &error);
        let format = format.or_else(|| Format::of_path(&path));
        refuse_other_formats(&path, format)?;
        let mut file = OutputFile::create(&path).map_err(trouble)?;
        let exported = export::run(&*tenant.data, kind, format, cells, &mut file).await;
        let rows = of_output(exported)?.and_then(|rows| file.finish().map(|()| rows)).map_err(trouble)?;
        Some(rows)
    } else {
        let mut stdout = BufWriter::new(io::stdout());
        let exported = of_output(export::run(&*tenant.data, kind, format, cells, &mut stdout).await)?;
        let rows = exported.as_ref().ok().copied();
        written(exported.map(drop))?;
        rows
    };
    if let Some(rows) = rows {
        say(format_args!("{kind}: {rows} written"));
    }
    Ok(())
}

/// A name such as `users.xlsx` promises a format that the program does not write.
fn refuse_other_formats(path: &Path, format: Option<Format>) -> CommandResult {
    let stem =
        path.extension().filter(|end| end.eq_ignore_ascii_case("gz")).and(path.file_stem()).map(Path::new);
    let named = stem.unwrap_or(path).extension();
    match (format, named) {
        (None, Some(end)) => Err(Failure::input(format!(
            "cannot write a .{} file: name it .csv, .jsonl or .json, or give --format",
            end.display()
        ))),
        (Some(_), _) | (None, None) => Ok(()),
    }
}

/// Separates a write error, which the caller reports with the name of the output.
fn of_output(exported: Result<u64, ExportError>) -> Result<io::Result<u64>, Failure> {
    match exported {
        Ok(rows) => Ok(Ok(rows)),
        Err(ExportError::Output(error)) => Ok(Err(error)),
        Err(ExportError::Usage(problem)) => Err(Failure::input(problem)),
        Err(ExportError::Store(error)) => Err(error.into()),
    }
}
