use async_trait::async_trait;

use super::StoreResult;
use crate::tables::{Row, Table};

/// Reads the rows of one tenant as they stand, for copying and comparing.
#[async_trait]
pub trait RowReader: Send + Sync {
    /// At most `limit` rows whose key is above that of `after`, in the order of the key.
    async fn rows_after(
        &self,
        table: &'static Table,
        after: Option<&Row>,
        limit: u32,
    ) -> StoreResult<Vec<Row>>;
}

/// The rows of one tenant: whatever the use cases make of them, they arrive unchanged.
#[async_trait]
pub trait RowStore: RowReader {
    /// All rows of all tables as they are now, whatever is written while they are read. To be held no longer
    /// than needed: the database keeps what it shows.
    async fn row_snapshot(&self) -> StoreResult<Box<dyn RowReader>>;

    /// Inserts rows of different keys, all or none, each in place of one with the same key; in a table that
    /// is append-only it inserts those that are new. Gives how many it wrote.
    ///
    /// # Errors
    /// Also when the database cannot hold a value, and for good when another row has what only one may have;
    /// the table is named.
    async fn write_rows(&self, table: &'static Table, rows: &[Row]) -> StoreResult<u64>;

    /// Removes the rows with the keys of these, all or none.
    ///
    /// # Errors
    /// For every table that is append-only, whatever its rows: see [`Table::check_removable`].
    async fn remove_rows(&self, table: &'static Table, rows: &[Row]) -> StoreResult<()>;
}
