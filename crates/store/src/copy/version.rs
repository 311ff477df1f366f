//! The version of the catalogue, which tells servers on the target that theirs was replaced.

use super::error::CopyError;
use crate::ports::{CatalogueVersion, Cell, Row, RowReader};
use crate::schema::{TABLES, Table};

/// The version rows of both sides, when both have a catalogue. The two sides count their writes independently. So a replaced
/// catalogue begins a new generation, and servers read it from the beginning.
pub(crate) struct Versions {
    pub(crate) table: &'static Table,
    source: Row,
    target: Row,
    is_replaced: bool,
}

impl Versions {
    /// `None` when one side has no catalogue: then no server has read the target's.
    pub(crate) async fn read(
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

    /// Call it before the first change of the target's catalogue. Returns the row to write first, if any. Without it, an
    /// interrupted copy of a catalogue with the same count would look complete.
    pub(crate) fn begin(&mut self) -> Option<Row> {
        let is_first = !std::mem::replace(&mut self.is_replaced, true);
        let (source, target) = (version_in(&self.source), version_in(&self.target));
        (is_first && source.writes() == target.writes()).then(|| {
            self.target = with_version(&self.target, target.being_replaced());
            self.target.clone()
        })
    }

    /// The row that is to be written when all else is there, if any.
    pub(crate) fn end(&self) -> Option<Row> {
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
