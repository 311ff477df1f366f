//! The databases that are written to: one through the server, a copy by the bare driver.

use std::path::PathBuf;

use anyhow::Result;
use pointbook_operate::pointbook::Pointbook;

use super::super::data::{self, Dataset, copy};
use super::super::writers::Writers;
use super::Kind;

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
pub(super) struct WriteDatabases {
    pub(super) pointbook: Pointbook,
    pub(super) bare_database: PathBuf,
    pub(super) writers: Writers,
}

impl WriteDatabases {
    /// Copies the database of the reads, and adds users, points and a product.
    pub(super) fn prepare() -> Result<Self> {
        let (folder, template) = (data::folder()?, Dataset::Writes.prepare()?.path);
        let (database, bare_database) = (folder.join("writes.db"), folder.join("writes-bare.db"));
        copy(&template, &database)?;
        let pointbook = Pointbook::new(&database);
        let writers = Writers::add(&pointbook, &folder)?;
        copy(&database, &bare_database)?;
        Ok(Self { pointbook, bare_database, writers })
    }
}
