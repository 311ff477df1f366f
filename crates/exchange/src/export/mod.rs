//! Exports in the formats that an import reads. Importing an export elsewhere gives the same data.
//! An export reads page by page, so memory stays bounded.

mod file;
mod kinds;
mod row_writer;

use std::io;
use std::io::Write;

pub use file::OutputFile;
use pointbook_store::StoreError;
use pointbook_store::ports::TenantData;
use row_writer::RowWriter;
pub use row_writer::{Cells, io_error};

use crate::import::{ACTIVITY_COLUMNS, Format, Kind, PRODUCT_COLUMNS, USER_COLUMNS};

/// Why an export failed. The output is then incomplete.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// An export does not support this format for this kind. Nothing was written.
    #[error("{0}")]
    Usage(String),
    /// The output could not be written.
    #[error("the output cannot be written")]
    Output(#[from] io::Error),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Writes all data of one kind, ordered by id (activities by user, then by order of recording).
/// Returns the number of rows. Without a format, categories are JSON, products JSON Lines, the others CSV.
///
/// # Errors
/// [`ExportError`]. The output is then incomplete.
pub async fn run(
    data: &dyn TenantData,
    kind: Kind,
    format: Option<Format>,
    cells: Cells,
    output: &mut (dyn Write + Send),
) -> Result<u64, ExportError> {
    let format = format.unwrap_or(match kind {
        Kind::Categories => Format::Json,
        Kind::Products => Format::Jsonl,
        Kind::Users | Kind::Activities => Format::Csv,
    });
    let written = match (kind, format) {
        (Kind::Categories, Format::Json) => kinds::categories(data, output).await?,
        (Kind::Categories, Format::Csv | Format::Jsonl) => {
            return Err(ExportError::Usage("categories can only be exported as json".to_owned()));
        }
        (_, Format::Json) => {
            return Err(ExportError::Usage(format!("{kind} can only be exported as jsonl or csv")));
        }
        (Kind::Products, _) => {
            kinds::products(data, RowWriter::new(format, &PRODUCT_COLUMNS, cells, output)?).await?
        }
        (Kind::Users, _) => kinds::users(data, RowWriter::new(format, &USER_COLUMNS, cells, output)?).await?,
        (Kind::Activities, _) => {
            kinds::activities(data, RowWriter::new(format, &ACTIVITY_COLUMNS, cells, output)?).await?
        }
    };
    output.flush()?;
    Ok(written)
}
