//! The databases that are written to: one through the server, a copy by the bare driver.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;

use super::super::writers::Writers;
use super::super::{data_folder, prepare};
use super::Kind;
use crate::pointbook::Pointbook;

/// Products in the catalogue beside the one that is ordered.
const PRODUCTS: u32 = 1_000;
/// Whose history is read; they have 500 rows.
pub(super) const READER: &str = "user-50";

/// What users' ids begin with.
pub(super) fn prefix(kind: Kind) -> &'static str {
    match kind {
        Kind::ManyUsers => "writer-",
        Kind::OneUser => "single",
        Kind::Orders => "buyer-",
    }
}

/// Both databases, and who may write.
pub(super) struct Ground {
    pub(super) pointbook: Pointbook,
    pub(super) bare_database: PathBuf,
    pub(super) writers: Writers,
}

impl Ground {
    /// Copies the database of the reads, and adds users, points and a product.
    pub(super) fn prepare() -> Result<Self> {
        let (folder, template) = (data_folder()?, prepare(PRODUCTS)?);
        let (database, bare_database) = (folder.join("writes.db"), folder.join("writes-bare.db"));
        copy(&template, &database)?;
        let pointbook = Pointbook::new(&database);
        let writers = Writers::add(&pointbook, &folder)?;
        copy(&database, &bare_database)?;
        Ok(Self { pointbook, bare_database, writers })
    }
}

/// Copies a database that nobody has open, with the log that a killed server may have left.
fn copy(from: &Path, to: &Path) -> Result<()> {
    for suffix in ["db", "db-wal", "db-shm"] {
        let (source, target) = (from.with_extension(suffix), to.with_extension(suffix));
        if target.exists() {
            fs::remove_file(&target)?;
        }
        // The third file is an index of the second, made anew when it is missing.
        if source.exists() && suffix != "db-shm" {
            fs::copy(source, target)?;
        }
    }
    Ok(())
}
