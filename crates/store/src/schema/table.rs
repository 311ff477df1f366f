use std::fmt;

use crate::schema::{Cell, Row};

/// The kind of values in a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A signed number of at most 64 bits.
    Integer,
    /// 0 or 1.
    Truth,
    Text,
    Bytes,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Column {
    /// The name in both databases.
    pub name: &'static str,
    pub kind: Kind,
}

impl Column {
    /// The PostgreSQL type of its parameters.
    pub(crate) fn sql_type(self) -> &'static str {
        match self.kind {
            Kind::Integer => "bigint",
            Kind::Truth => "boolean",
            Kind::Text => "text",
            Kind::Bytes => "bytea",
        }
    }
}

/// The error for removing rows of an append-only table, which has this name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AppendOnly(&'static str);

impl fmt::Display for AppendOnly {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rows of table {} cannot be removed: it is append-only", self.0)
    }
}

impl std::error::Error for AppendOnly {}

/// What a command locks on PostgreSQL when it needs rows of a table. On SQLite one command writes at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lock {
    /// The rows that it needs.
    Rows,
    /// The rows that it names by their keys. Rows of ranges are locked only when the command is decided again. Then it may change a row
    /// that another writer holds, which does not wait: it is decided again.
    NamedRows,
    /// Nothing. The rows are only added, and the row of their user is locked before.
    OfUser,
    /// The version of the catalogue, so that commands that change such tables take turns.
    Turn,
}

/// A table with a tenant's rows.
#[derive(Debug, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "the facts are independent, and a declaration names only those that are true"
)]
pub struct Table {
    /// The name in both databases.
    pub name: &'static str,
    /// The column with the tenant's id. It comes first in the key and in the table.
    pub tenant_column: &'static str,
    /// All other columns, in order.
    pub columns: &'static [Column],
    /// How many of the first [`Self::columns`] form the key, together with the tenant. With 0, a tenant has one row.
    pub key_columns: usize,
    /// The index in [`Self::columns`] of the column that only grows when rows are recorded.
    pub growing_column: Option<usize>,
    /// The columns with the times at which something happened, as the clock of the tenant showed them. Plans such as the expiry
    /// of a token are not among them.
    pub event_columns: &'static [&'static str],
    /// The SQLite index on `user_id`; `None` when the key begins with it or the table has no user.
    pub user_index: Option<&'static str>,
    /// Whether rows are never changed or removed.
    pub is_append_only: bool,
    /// Whether instances keep the rows in memory and the catalogue version covers them.
    pub is_catalogue: bool,
    /// Whether the first column is the version of the catalogue. Instances read it to notice changes. A tenant has
    /// one row.
    pub is_version: bool,
    /// Whether a copy of the tenant includes its rows.
    pub is_copied: bool,
    /// How many rows are in memory at once. Tables with large rows have smaller pages.
    pub rows_per_page: u32,
    /// What a command locks when it needs rows. A store locks tables in the order of [`Self::lock_order`].
    pub lock: Lock,
    pub lock_order: u8,
    /// The columns that must still have the values that were read when a command changes a row.
    pub guards: &'static [&'static str],
    /// Numbers that commands change by a difference, so that two writers need not see each other.
    pub counters: &'static [&'static str],
    /// The rights of the service role on PostgreSQL. It cannot change or remove ledger rows, and only the owner can
    /// write tenants.
    pub rights: &'static str,
}

impl Table {
    /// The column with this name. For an unknown name, the statement fails in the database.
    pub fn column(&self, name: &'static str) -> Column {
        let known = self.columns.iter().find(|column| column.name == name);
        known.copied().unwrap_or(Column { name, kind: Kind::Text })
    }

    /// The columns of the key, without the tenant column.
    pub fn key(&self) -> &'static [Column] {
        self.columns.get(..self.key_columns).unwrap_or_default()
    }

    /// The key values of a row.
    pub fn key_of<'r>(&self, row: &'r Row) -> &'r [Cell] {
        row.get(..self.key_columns).unwrap_or(row)
    }

    /// Checks that rows of this table may be removed.
    ///
    /// # Errors
    /// [`AppendOnly`] for the ledger.
    pub fn check_removable(&self) -> Result<(), AppendOnly> {
        if self.is_append_only { Err(AppendOnly(self.name)) } else { Ok(()) }
    }

    /// The names of columns, joined by commas.
    pub fn names(columns: &[Column]) -> String {
        columns.iter().map(|column| column.name).collect::<Vec<_>>().join(", ")
    }

    /// Table and key of a row, for messages.
    pub fn describe(&self, row: &Row) -> String {
        let key: Vec<_> = self.key_of(row).iter().map(Cell::describe).collect();
        format!("table {}, key ({})", self.name, key.join(", "))
    }
}
