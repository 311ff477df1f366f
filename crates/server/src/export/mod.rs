//! Bringing an operator's data out, in the forms that an import takes in: importing an export
//! elsewhere gives the same data. Read page by page, so memory stays bounded.

mod activities;
mod categories;
mod error;
mod file;
mod products;
mod row_writer;
mod users;

use std::io::Write;

use pointbook_app::ports::TenantData;

pub use error::ExportError;
pub use file::OutputFile;
pub use row_writer::Cells;
use row_writer::RowWriter;
pub(crate) use row_writer::io_error;

use crate::import::{Format, Kind};

/// Writes everything of this kind, by id (activities by user, then in order of recording); gives
/// how many rows. Without a format it takes the kind's own.
///
/// # Errors
/// [`ExportError`]; the output is not whole then.
pub async fn run(
    data: &dyn TenantData,
    kind: Kind,
    format: Option<Format>,
    cells: Cells,
    output: &mut (dyn Write + Send),
) -> Result<u64, ExportError> {
    let written = match (kind, format) {
        (Kind::Categories, None | Some(Format::Json)) => categories::export(data, output).await?,
        (Kind::Products, None | Some(Format::Jsonl)) => {
            products::export(data, RowWriter::jsonl(output)).await?
        }
        (Kind::Products, Some(Format::Csv)) => products::export(data, RowWriter::csv(output, cells)).await?,
        (Kind::Users, None | Some(Format::Csv)) => users::export(data, RowWriter::csv(output, cells)).await?,
        (Kind::Users, Some(Format::Jsonl)) => users::export(data, RowWriter::jsonl(output)).await?,
        (Kind::Activities, None | Some(Format::Csv)) => {
            activities::export(data, RowWriter::csv(output, cells)).await?
        }
        (Kind::Activities, Some(Format::Jsonl)) => activities::export(data, RowWriter::jsonl(output)).await?,
        (Kind::Categories, Some(Format::Csv | Format::Jsonl)) => {
            return Err(ExportError::Usage("categories are written as json".to_owned()));
        }
        (Kind::Products | Kind::Users | Kind::Activities, Some(Format::Json)) => {
            return Err(ExportError::Usage(format!("{kind} are written as jsonl or csv")));
        }
    };
    output.flush()?;
    Ok(written)
}
