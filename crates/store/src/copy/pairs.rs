//! The rows of one table on both sides of a copy, side by side in the order of the key.

use std::cmp::Ordering;

use super::error::CopyError;
use crate::copy::table_cursor::TableCursor;
use crate::ports::{Row, RowReader};
use crate::schema::Table;

/// Two rows with the same key, or one row without a counterpart.
pub(crate) enum Pair {
    /// Only the source has it.
    Lacking(Row),
    Both {
        source: Row,
        target: Row,
    },
    /// Only the target has it.
    Extra(Row),
}

/// Walks along both sides, a page of each in memory.
pub(crate) struct Pairs<'d> {
    table: &'static Table,
    source: TableCursor<'d>,
    target: TableCursor<'d>,
}

impl<'d> Pairs<'d> {
    pub(crate) fn new(source: &'d dyn RowReader, target: &'d dyn RowReader, table: &'static Table) -> Self {
        Self { table, source: TableCursor::new(source, table), target: TableCursor::new(target, table) }
    }

    /// The next pair; `None` at the end.
    pub(crate) async fn next(&mut self) -> Result<Option<Pair>, CopyError> {
        let (source, target) = tokio::join!(self.source.fill(), self.target.fill());
        source.map_err(CopyError::Source)?;
        target.map_err(CopyError::Target)?;
        let order = match (self.source.first(), self.target.first()) {
            (Some(source), Some(target)) => self.table.key_of(source).cmp(self.table.key_of(target)),
            // What there is comes before the end of the other side.
            (source, target) => source.is_none().cmp(&target.is_none()),
        };
        Ok(match order {
            Ordering::Less => self.source.take().map(Pair::Lacking),
            Ordering::Greater => self.target.take().map(Pair::Extra),
            Ordering::Equal => {
                let both = self.source.take().zip(self.target.take());
                both.map(|(source, target)| Pair::Both { source, target })
            }
        })
    }
}
