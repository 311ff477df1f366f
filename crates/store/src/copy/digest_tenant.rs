//! The digest of all that a copy of a tenant takes along: equal where two databases hold the same of it.

use sha2::{Digest, Sha256};

use crate::copy::table_cursor::TableCursor;
use crate::copy::version::without_generation;
use crate::ports::{Cell, Row, RowReader, StoreResult};
use crate::schema::{TABLES, Table};

/// What is stored of a tenant, in short.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TenantDigest {
    /// One entry per table that is copied, in the order of [`TABLES`].
    pub tables: Vec<TableDigest>,
}

/// What stands in a table, in short.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TableDigest {
    pub table: &'static str,
    pub rows: u64,
    /// The SHA-256 of these rows in the order of their keys.
    pub sha256: [u8; 32],
}

impl TenantDigest {
    /// The SHA-256 over those of all tables, in hexadecimal digits.
    pub fn sha256(&self) -> String {
        let mut hasher = Sha256::new();
        for TableDigest { table, rows, sha256 } in &self.tables {
            hasher.update(table);
            hasher.update(rows.to_be_bytes());
            hasher.update(sha256);
        }
        data_encoding::HEXLOWER.encode(&hasher.finalize())
    }

    /// How many rows there are altogether.
    pub fn rows(&self) -> u64 {
        self.tables.iter().map(|table| table.rows).sum()
    }

    /// The tables that are not the same in both.
    pub fn differing(&self, other: &Self) -> Vec<&'static str> {
        let pairs = self.tables.iter().zip(&other.tables);
        pairs.filter(|(one, other)| one != other).map(|(one, _)| one.table).collect()
    }
}

/// Reads all that is stored for a tenant, page by page.
pub async fn digest_tenant(data: &dyn RowReader) -> StoreResult<TenantDigest> {
    let mut tables = Vec::with_capacity(TABLES.len());
    for table in TABLES.iter().filter(|table| table.is_copied) {
        tables.push(digest_table(data, table).await?);
    }
    Ok(TenantDigest { tables })
}

async fn digest_table(data: &dyn RowReader, table: &'static Table) -> StoreResult<TableDigest> {
    let (mut cursor, mut hasher, mut rows) = (TableCursor::new(data, table), Sha256::new(), 0);
    loop {
        cursor.fill().await?;
        let Some(row) = cursor.take() else {
            return Ok(TableDigest { table: table.name, rows, sha256: hasher.finalize().into() });
        };
        rows += 1;
        add(&mut hasher, &if table.is_version { without_generation(&row) } else { row });
    }
}

/// Adds a row, each value with its kind and its length, so that no two rows read alike.
fn add(hasher: &mut Sha256, row: &Row) {
    for cell in row {
        let (kind, value) = match cell {
            Cell::Null => (0, &[][..]),
            Cell::Integer(number) => (1, &number.to_be_bytes()[..]),
            Cell::Text(text) => (2, text.as_bytes()),
            Cell::Bytes(bytes) => (3, &bytes[..]),
        };
        hasher.update([kind]);
        hasher.update((value.len() as u64).to_be_bytes());
        hasher.update(value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest(row: &Row) -> [u8; 32] {
        let mut hasher = Sha256::new();
        add(&mut hasher, row);
        hasher.finalize().into()
    }

    #[test]
    fn rows_that_differ_have_digests_that_differ() {
        let text = |text: &str| Cell::Text(text.into());
        let rows = [
            vec![text("ab"), text("c")],
            vec![text("a"), text("bc")],
            vec![text(""), text("abc")],
            vec![Cell::Null, text("abc")],
            vec![Cell::Bytes((*b"ab").into()), text("c")],
            vec![Cell::Integer(0), text("c")],
            vec![Cell::Integer(1), text("c")],
        ];
        for (place, one) in rows.iter().enumerate() {
            for other in &rows[..place] {
                assert_ne!(digest(one), digest(other), "{one:?} {other:?}");
            }
        }
    }
}
