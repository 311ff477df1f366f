//! Exports in the formats that an import reads. Importing an export elsewhere gives the same data. Notes have no import.
//! An export reads page by page, so memory stays bounded.

mod file;
mod kinds;
mod row_writer;

use std::fmt;
use std::io;
use std::io::Write;

pub use file::OutputFile;
use pointbook_store::StoreError;
use pointbook_store::ports::TenantData;
use row_writer::RowWriter;
pub use row_writer::{Cells, io_error};

use crate::import::{ACTIVITY_COLUMNS, Format, Kind, PRODUCT_COLUMNS, USER_COLUMNS};

/// What an export writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Exported {
    /// The category tree.
    Categories,
    /// The products of the gift store.
    Products,
    /// The profiles of users.
    Users,
    /// The activities of users, as rows of the ledger.
    Activities,
    /// What operators and back offices noted about users.
    Notes,
}

impl From<Kind> for Exported {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Categories => Self::Categories,
            Kind::Products => Self::Products,
            Kind::Users => Self::Users,
            Kind::Activities => Self::Activities,
        }
    }
}

impl fmt::Display for Exported {
    /// The same word as on the command line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Categories => "categories",
            Self::Products => "products",
            Self::Users => "users",
            Self::Activities => "activities",
            Self::Notes => "notes",
        })
    }
}

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

/// Writes all data of one kind, ordered by id (activities and notes by user, then by order of recording).
/// Returns the number of rows. Without a format, categories are JSON, products JSON Lines, the others CSV.
///
/// # Errors
/// [`ExportError`]. The output is then incomplete.
pub async fn run(
    data: &dyn TenantData,
    kind: impl Into<Exported>,
    format: Option<Format>,
    cells: Cells,
    output: &mut (dyn Write + Send),
) -> Result<u64, ExportError> {
    let kind = kind.into();
    let format = format.unwrap_or(match kind {
        Exported::Categories => Format::Json,
        Exported::Products => Format::Jsonl,
        Exported::Users | Exported::Activities | Exported::Notes => Format::Csv,
    });
    let written = match (kind, format) {
        (Exported::Categories, Format::Json) => kinds::categories(data, output).await?,
        (Exported::Categories, Format::Csv | Format::Jsonl) => {
            return Err(ExportError::Usage("categories can only be exported as json".to_owned()));
        }
        (_, Format::Json) => {
            return Err(ExportError::Usage(format!("{kind} can only be exported as jsonl or csv")));
        }
        (Exported::Products, _) => {
            kinds::products(data, RowWriter::new(format, &PRODUCT_COLUMNS, cells, output)?).await?
        }
        (Exported::Users, _) => {
            kinds::users(data, RowWriter::new(format, &USER_COLUMNS, cells, output)?).await?
        }
        (Exported::Activities, _) => {
            kinds::activities(data, RowWriter::new(format, &ACTIVITY_COLUMNS, cells, output)?).await?
        }
        (Exported::Notes, _) => {
            kinds::notes(data, RowWriter::new(format, &kinds::NOTE_COLUMNS, cells, output)?).await?
        }
    };
    output.flush()?;
    Ok(written)
}
