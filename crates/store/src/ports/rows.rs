use async_trait::async_trait;
use pointbook_domain::PageRequest;

use super::{PageOf, StoreResult};
use crate::schema::{Group, Query, Read, Row, Table};

/// Reads the rows of one tenant.
#[async_trait]
pub trait RowReader: Send + Sync {
    /// The rows of a query, in its order, with its columns.
    async fn rows(&self, query: &Query) -> StoreResult<Vec<Row>>;

    /// All columns of at most `limit` rows whose key is above that of `after`, in the order of the key.
    async fn rows_after(
        &self,
        table: &'static Table,
        after: Option<&Row>,
        limit: u32,
    ) -> StoreResult<Vec<Row>> {
        let after = after.map(|row| table.key_of(row).to_vec());
        if after.as_ref().is_some_and(Vec::is_empty) {
            return Ok(Vec::new());
        }
        self.rows(&Query::of_table("rows_after", table).after(after.as_ref()).limit(limit)).await
    }
}

/// The rows of one tenant. A [`Query`] needs no statement of a store.
#[async_trait]
pub trait RowStore: RowReader {
    /// The id of the tenant, for messages.
    fn tenant(&self) -> &str;

    /// As [`RowReader::rows`], for a query that matches few rows and for which a request waits.
    async fn few_rows(&self, query: &Query) -> StoreResult<Vec<Row>>;

    /// A page of the rows of a query, and the number of all rows at the same moment. The page replaces the query's limit and
    /// offset.
    async fn row_page(&self, query: &Query, page: PageRequest) -> StoreResult<PageOf<Row>>;

    /// How many rows a query has.
    async fn count(&self, query: &Query) -> StoreResult<u64>;

    /// All rows of all tables as they are now, even while others write. Hold it only as long as needed, because the database
    /// keeps the old rows meanwhile.
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
    /// For every append-only table: see [`Table::check_removable`].
    async fn remove_rows(&self, table: &'static Table, rows: &[Row]) -> StoreResult<()>;

    /// Removes the rows of a query, in its order and up to its limit, as a write of the service. Leaves out rows that another writer
    /// holds. Returns how many it removed.
    async fn remove_some(&self, query: &Query) -> StoreResult<u32>;
}

/// What a query names, in its order.
///
/// # Errors
/// When the store fails, or a row is not what it should be.
pub async fn read_all<T: Group + for<'r> Read<'r>>(
    store: &(impl RowReader + ?Sized),
    query: Query,
) -> StoreResult<Vec<T>> {
    let rows = store.rows(&query).await?;
    read(&query, &rows)
}

/// What a query names that matches few rows, and for which a request waits.
///
/// # Errors
/// As [`read_all`].
pub(super) async fn read_few<T: Group + for<'r> Read<'r>>(
    store: &(impl RowStore + ?Sized),
    query: Query,
) -> StoreResult<Vec<T>> {
    let rows = store.few_rows(&query).await?;
    read(&query, &rows)
}

/// The one that a query names.
///
/// # Errors
/// As [`read_all`].
pub async fn read_one<T: Group + for<'r> Read<'r>>(
    store: &(impl RowStore + ?Sized),
    query: Query,
) -> StoreResult<Option<T>> {
    Ok(read_few(store, query.limit(1)).await?.pop())
}

/// A page of what a query names.
///
/// # Errors
/// As [`read_all`].
pub async fn read_page<T: Group + for<'r> Read<'r>>(
    store: &(impl RowStore + ?Sized),
    query: Query,
    page: PageRequest,
) -> StoreResult<PageOf<T>> {
    let PageOf { items, total } = store.row_page(&query, page).await?;
    Ok(PageOf { items: read(&query, &items)?, total })
}

fn read<T: Group + for<'r> Read<'r>>(query: &Query, rows: &[Row]) -> StoreResult<Vec<T>> {
    Ok(query.read(rows)?)
}
