//! The version of the catalogue, which tells servers on the target that theirs was replaced.

use super::error::CopyError;
use crate::ports::{CatalogueVersion, Cell, Row, RowReader};
use crate::tables::{TABLES, Table};

/// The rows with the versions of both sides, where both have a catalogue. Their counts of writes have nothing
/// in common, so a replaced catalogue begins a generation of its own, and servers read it from the beginning.
pub(super) struct Versions {
    pub(super) table: &'static Table,
    source: Row,
    target: Row,
    is_replaced: bool,
}

impl Versions {
    /// None where one of them has none: nobody can have read the target's then.
    pub(super) async fn read(
        source: &dyn RowReader,
        target: &dyn RowReader,
    ) -> Result<Option<Self>, CopyError> {
        let Some(table) = TABLES.iter().find(|table| table.is_version) else { return Ok(None) };
        let first = async |side: &dyn RowReader| Ok(side.rows_after(table, None, 1).await?.pop());
        let source = first(source).await.map_err(CopyError::Source)?;
        let target = first(target).await.map_err(CopyError::Target)?;
        let both = source.zip(target);
        Ok(both.map(|(source, target)| Self { table, source, target, is_replaced: false }))
    }

    /// To be called before the target's catalogue is changed. Gives the row that is to be written first, if
    /// any: where both counted the same, a copy that is interrupted could not be told from one that is done.
    pub(super) fn begin(&mut self) -> Option<Row> {
        let is_first = !std::mem::replace(&mut self.is_replaced, true);
        let (source, target) = (version_in(&self.source), version_in(&self.target));
        (is_first && source.writes() == target.writes()).then(|| {
            self.target = with_version(&self.target, target.being_replaced());
            self.target.clone()
        })
    }

    /// The row that is to be written when all else is there, if any.
    pub(super) fn end(&self) -> Option<Row> {
        let is_other =
            self.is_replaced || without_generation(&self.source) != without_generation(&self.target);
        let version = version_in(&self.source).replacing(version_in(&self.target));
        is_other.then(|| with_version(&self.source, version))
    }
}

/// What a row says of the catalogue itself, the same in every copy.
pub(crate) fn without_generation(row: &Row) -> Row {
    with_version(row, CatalogueVersion(version_in(row).writes()))
}

fn version_in(row: &Row) -> CatalogueVersion {
    match row.first() {
        Some(Cell::Integer(version)) => CatalogueVersion(version.cast_unsigned()),
        _ => CatalogueVersion::default(),
    }
}

fn with_version(row: &Row, version: CatalogueVersion) -> Row {
    let version = Cell::Integer(version.0.cast_signed());
    std::iter::once(version).chain(row.iter().skip(1).cloned()).collect()
}
