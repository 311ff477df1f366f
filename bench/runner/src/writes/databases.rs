//! The databases of the writes: the server writes to one, and the bare driver to a copy.

use std::path::PathBuf;

use anyhow::Result;
use pointbook_operate::pointbook::Pointbook;

use super::super::data::{self, Dataset, copy};
use super::super::writers::Writers;
use super::Kind;

/// The user whose history is read. It has 500 rows.
pub(super) const READER: &str = "user-50";

/// The prefix of the users' ids.
pub(super) fn prefix(kind: Kind) -> &'static str {
    match kind {
        Kind::ManyUsers => "writer-",
        Kind::OneUser => "single",
        Kind::Orders => "buyer-",
    }
}

/// Both databases, and the tokens of the writers.
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
