use async_trait::async_trait;

use super::StoreResult;
use crate::tables::Table;

/// One value of a row, as every database keeps it. Truth is 0 or 1.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cell {
    /// Nothing.
    Null,
    /// A whole number.
    Integer(i64),
    /// A text, ordered by its bytes.
    Text(Box<str>),
    /// Bytes.
    Bytes(Box<[u8]>),
}

/// The values of a row, in the order of [`Table::columns`]: all but the tenant's id.
pub type Row = Vec<Cell>;

/// The rows of one tenant as they stand, for copying and comparing: whatever the use cases make of them,
/// they arrive unchanged.
#[async_trait]
pub trait RowStore {
    /// At most `limit` rows whose key is above that of `after`, in the order of the key.
    async fn rows_after(
        &self,
        table: &'static Table,
        after: Option<&Row>,
        limit: u32,
    ) -> StoreResult<Vec<Row>>;

    /// Inserts rows of different keys, all or none, each in place of one with the same key; in a table that
    /// is append-only it inserts those that are new. Gives how many it wrote.
    ///
    /// # Errors
    /// Also when the database cannot hold a value; table, key and column are named.
    async fn write_rows(&self, table: &'static Table, rows: &[Row]) -> StoreResult<u64>;

    /// Removes the rows with the keys of these, all or none; never called for a table that is append-only.
    async fn remove_rows(&self, table: &'static Table, rows: &[Row]) -> StoreResult<()>;
}
