//! Reading all of a tenant's rows in a table, page by page.

use std::collections::VecDeque;

use crate::ports::{Row, RowReader, StoreResult};
use crate::schema::Table;

/// A place in a table, with a page of the rows that follow.
pub(crate) struct TableCursor<'d> {
    data: &'d dyn RowReader,
    table: &'static Table,
    rows: VecDeque<Row>,
    last: Option<Row>,
    is_at_end: bool,
}

impl<'d> TableCursor<'d> {
    pub(crate) fn new(data: &'d dyn RowReader, table: &'static Table) -> Self {
        Self { data, table, rows: VecDeque::new(), last: None, is_at_end: false }
    }

    /// Reads the next page where the one before is used up.
    pub(crate) async fn fill(&mut self) -> StoreResult<()> {
        if self.rows.is_empty() && !self.is_at_end {
            let limit = self.table.rows_per_page;
            let page = self.data.rows_after(self.table, self.last.as_ref(), limit).await?;
            self.is_at_end = page.len() < limit as usize;
            self.last = page.last().cloned();
            self.rows = page.into();
        }
        Ok(())
    }

    /// The next row of the page; none at the end of the table, once it was filled.
    pub(crate) fn first(&self) -> Option<&Row> {
        self.rows.front()
    }

    /// The same, taken out.
    pub(crate) fn take(&mut self) -> Option<Row> {
        self.rows.pop_front()
    }
}
