use std::fmt;

use crate::{Cell, Row};

/// What stands in a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A whole number of at most 64 bits.
    Integer,
    /// 0 or 1.
    Truth,
    Text,
    Bytes,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    /// Its name in both databases.
    pub name: &'static str,
    /// What stands in it.
    pub kind: Kind,
}

impl Column {
    /// What PostgreSQL gets its values as.
    pub(crate) fn sql_type(self) -> &'static str {
        match self.kind {
            Kind::Integer => "bigint",
            Kind::Truth => "boolean",
            Kind::Text => "text",
            Kind::Bytes => "bytea",
        }
    }
}

/// No row of this table is ever removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AppendOnly(&'static str);

impl fmt::Display for AppendOnly {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no row of {} is ever removed", self.0)
    }
}

impl std::error::Error for AppendOnly {}

/// A table with a tenant's rows.
#[derive(Debug, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a fact of its own, and a declaration names those that hold"
)]
pub struct Table {
    /// Its name in both databases.
    pub name: &'static str,
    /// The column with the tenant's id, which comes first in the key and in the table.
    pub tenant_column: &'static str,
    /// All other columns, in order.
    pub columns: &'static [Column],
    /// How many of [`Self::columns`] make up the key, with the tenant: the first ones. With none, a tenant
    /// has one row.
    pub key_columns: usize,
    /// Which of [`Self::columns`] names another row of this table.
    pub parent_column: Option<usize>,
    /// Which of [`Self::columns`] only ever grows, with what is recorded.
    pub growing_column: Option<usize>,
    /// The index of SQLite that finds the rows of a `user_id`; `None` where the key does, or no rows have a user.
    pub user_index: Option<&'static str>,
    /// Whether a row stays for ever as it was written.
    pub is_append_only: bool,
    /// Whether what stands in it is what servers keep in memory and the version speaks of.
    pub is_catalogue: bool,
    /// Whether it is the version of the catalogue, in its first column: servers look at it to see that
    /// something else changed. A tenant has one row in it.
    pub is_version: bool,
    /// Whether a copy of the tenant takes its rows along.
    pub is_copied: bool,
    /// How many rows are in memory at once, by what the largest take.
    pub rows_per_page: u32,
    /// What the role of the service may do with its rows on PostgreSQL. None of the ledger is ever changed or removed; the
    /// list of tenants is the owner's.
    pub rights: &'static str,
}

impl Table {
    /// The column of this name. A name that the table does not have fails in the database.
    pub fn column(&self, name: &'static str) -> Column {
        let known = self.columns.iter().find(|column| column.name == name);
        known.copied().unwrap_or(Column { name, kind: Kind::Text })
    }

    /// The columns of the key, without the tenant's.
    pub fn key(&self) -> &'static [Column] {
        self.columns.get(..self.key_columns).unwrap_or_default()
    }

    /// The values of a row's key.
    pub fn key_of<'r>(&self, row: &'r Row) -> &'r [Cell] {
        row.get(..self.key_columns).unwrap_or(row)
    }

    /// Succeeds where rows may be removed.
    ///
    /// # Errors
    /// For the ledger: no row leaves it, least of all by a copy.
    pub fn check_removable(&self) -> Result<(), AppendOnly> {
        if self.is_append_only { Err(AppendOnly(self.name)) } else { Ok(()) }
    }

    /// The names of columns, one after the other.
    pub fn names(columns: &[Column]) -> String {
        columns.iter().map(|column| column.name).collect::<Vec<_>>().join(", ")
    }

    /// A row, as it is named to people.
    pub fn describe(&self, row: &Row) -> String {
        let key: Vec<_> = self.key_of(row).iter().map(Cell::describe).collect();
        format!("table {}, key ({})", self.name, key.join(", "))
    }
}
