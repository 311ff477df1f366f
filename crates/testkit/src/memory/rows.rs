//! Runs queries by scanning every row.

use std::cmp::Ordering;

use async_trait::async_trait;
use pointbook_app::StoreResult;
use pointbook_app::commands::{CatalogueRow, RowChange};
use pointbook_app::ports::{Cell, PageOf, Query, Row, RowReader, RowStore};
use pointbook_app::tables::{Column, Table};
use pointbook_domain::PageRequest;
use pointbook_schema::rows::ProductRow;
use pointbook_schema::{
    AUDIT_CHAINS, AUDIT_ENTRIES, AWARDS, BACK_FILLS, BACK_TEST_RESULTS, BACK_TESTS, BUDGET_SHARES,
    CAMPAIGN_DAYS, CAMPAIGN_RUNS, CAMPAIGN_VERSIONS, COHORTS, Condition, DAILY_MEMBERS, DAILY_TOTALS,
    DATA_KEYS, FEED_BLOCKS, FEEDS, FIGURES, Group, MEMBER_FIGURES, OPERATOR_SESSIONS, OPERATORS, ORDERS,
    PICTURE_BYTES, PICTURES, PRODUCT_DAYS, PRODUCTS, TOKENS, TRANSACTIONS, USERS, VINTAGES, WEBHOOK_ATTEMPTS,
    WEBHOOK_PROGRESS, WEBHOOKS, Write, cells,
};

use super::{MemoryTenant, Rows, no_rows};

/// The tables whose rows this store keeps as they are.
const SMALL_TABLES: [&Table; 22] = [
    &OPERATORS,
    &OPERATOR_SESSIONS,
    &PICTURES,
    &PICTURE_BYTES,
    &WEBHOOKS,
    &WEBHOOK_PROGRESS,
    &WEBHOOK_ATTEMPTS,
    &CAMPAIGN_VERSIONS,
    &AWARDS,
    &BUDGET_SHARES,
    &BACK_FILLS,
    &BACK_TESTS,
    &BACK_TEST_RESULTS,
    &CAMPAIGN_RUNS,
    &FIGURES,
    &MEMBER_FIGURES,
    &DAILY_TOTALS,
    &DAILY_MEMBERS,
    &COHORTS,
    &VINTAGES,
    &CAMPAIGN_DAYS,
    &PRODUCT_DAYS,
];

#[async_trait]
impl RowReader for MemoryTenant {
    async fn rows(&self, query: &Query) -> StoreResult<Vec<Row>> {
        let bounds = (query.offset, query.limit);
        Ok(part(self.with(|rows| rows.found(query))??, bounds))
    }
}

#[async_trait]
impl RowStore for MemoryTenant {
    async fn few_rows(&self, query: &Query) -> StoreResult<Vec<Row>> {
        self.rows(query).await
    }

    async fn row_page(&self, query: &Query, page: PageRequest) -> StoreResult<PageOf<Row>> {
        let found = self.with(|rows| rows.found(query))??;
        let total = found.len() as u64;
        Ok(PageOf { items: part(found, (page.offset(), page.size.get())), total })
    }

    async fn row_snapshot(&self) -> StoreResult<Box<dyn RowReader>> {
        no_rows()
    }

    async fn write_rows(&self, table: &'static Table, rows: &[Row]) -> StoreResult<u64> {
        if !SMALL_TABLES.contains(&table) {
            return no_rows();
        }
        let write = |row: &Row| RowChange::Write(table, row.clone());
        self.with(|stored| rows.iter().map(write).for_each(|change| stored.change_row(&change)))?;
        Ok(rows.len() as u64)
    }

    async fn remove_rows(&self, _: &'static Table, _: &[Row]) -> StoreResult<()> {
        no_rows()
    }
}

fn part(rows: Vec<Row>, (offset, limit): (u64, u32)) -> Vec<Row> {
    rows.into_iter().skip(usize::try_from(offset).unwrap()).take(limit as usize).collect()
}

impl Rows {
    /// All rows that match a query, in its order.
    pub(super) fn found(&self, query: &Query) -> StoreResult<Vec<Row>> {
        let (columns, mut rows) = match query.table.name {
            name if name == USERS.name => all(self.users.keys().filter_map(|id| self.user(id))),
            name if name == ORDERS.name => all(self.orders.values().cloned()),
            name if name == TRANSACTIONS.name => all(self.entries.values().cloned()),
            name if name == TOKENS.name => all(self.tokens.values().cloned()),
            name if name == PRODUCTS.name => all(self.products.values().map(product_row)),
            name if name == FEED_BLOCKS.name => all(self.blocks.values().cloned()),
            name if name == FEEDS.name => all(self.feed.iter().copied()),
            name if name == AUDIT_ENTRIES.name => all(self.audit.values().cloned()),
            name if name == AUDIT_CHAINS.name => all(self.audit_chain.iter().cloned()),
            name if name == DATA_KEYS.name => all(self.data_key.clone().into_iter()),
            name if SMALL_TABLES.contains(&query.table) => {
                (query.table.columns.to_vec(), self.tables.get(name).cloned().unwrap_or_default())
            }
            _ => return no_rows(),
        };
        let value = |row: &Row, column: &Column| row[place(&columns, column)].clone();
        if !query.columns.iter().all(|column| columns.contains(column)) {
            return no_rows();
        }
        rows.retain(|row| {
            query.conditions.iter().all(|condition| holds(condition, query, |column| value(row, column)))
        });
        rows.sort_by(|a, b| {
            let order = compare(query.order.iter().map(|column| (value(a, column), value(b, column))));
            if query.is_descending { order.reverse() } else { order }
        });
        Ok(rows.iter().map(|row| query.columns.iter().map(|column| value(row, column)).collect()).collect())
    }
}

fn all<T: Group + Write>(items: impl Iterator<Item = T>) -> (Vec<Column>, Vec<Row>) {
    (T::list(), items.map(|item| cells(&item).into_iter().map(Cell::from).collect()).collect())
}

fn product_row(row: &CatalogueRow) -> ProductRow {
    let CatalogueRow { product, retired_at, reserved, version, supplied: stock_supplied } = row.clone();
    ProductRow { product, version: version.0, retired_at, reserved, stock_supplied }
}

fn place(columns: &[Column], column: &Column) -> usize {
    columns.iter().position(|other| other == column).unwrap()
}

fn compare(pairs: impl Iterator<Item = (Cell, Cell)>) -> Ordering {
    pairs.map(|(a, b)| a.cmp(&b)).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

fn holds(condition: &Condition, query: &Query, value: impl Fn(&Column) -> Cell) -> bool {
    match condition {
        Condition::Equal(column, wanted) => value(column) == *wanted,
        Condition::OneOf(columns, list) => is_listed(columns.iter().map(value).collect(), list),
        Condition::Null(column, is_null) => (value(column) == Cell::Null) == *is_null,
        Condition::Between(column, [first, last]) => (first..=last).contains(&&value(column)),
        Condition::FirstBetween(columns, [first, last]) => {
            let cell = columns.iter().map(value).find(|cell| *cell != Cell::Null);
            cell.is_some_and(|cell| (first..=last).contains(&&cell))
        }
        Condition::HasItem(column, list) => {
            let texts = |cell: &Cell| -> Vec<String> {
                let Cell::Text(json) = cell else { return Vec::new() };
                serde_json::from_str(json).unwrap()
            };
            let wanted = texts(list);
            texts(&value(column)).iter().any(|item| wanted.contains(item))
        }
        Condition::After(wanted) => {
            compare(query.order.iter().zip(wanted).map(|(column, wanted)| (value(column), wanted.clone())))
                .is_gt()
        }
        Condition::HasPart(columns, part) => columns.iter().any(|column| has_part(&value(column), part)),
    }
}

fn is_listed(key: Row, list: &Cell) -> bool {
    let Cell::Text(list) = list else { return false };
    let json = |cell: Cell| match cell {
        Cell::Integer(number) => number.into(),
        Cell::Text(text) => text.to_string().into(),
        Cell::Null | Cell::Bytes(_) => serde_json::Value::Null,
    };
    let key: Vec<serde_json::Value> = key.into_iter().map(json).collect();
    serde_json::from_str::<Vec<Vec<serde_json::Value>>>(list).unwrap().contains(&key)
}

fn has_part(cell: &Cell, part: &Cell) -> bool {
    match (cell, part) {
        (Cell::Text(text), Cell::Text(part)) => text.to_ascii_lowercase().contains(&**part),
        _ => false,
    }
}
