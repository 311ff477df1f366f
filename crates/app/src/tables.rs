//! The tables of a tenant, for what works on all of them alike: copying and comparing. The tests of both
//! stores hold this list against their schema.

use crate::ports::{Cell, Row};
use crate::{StoreError, StoreResult};

/// What stands in a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A whole number of at most 64 bits.
    Integer,
    /// 0 or 1.
    Truth,
    /// Text.
    Text,
    /// Bytes.
    Bytes,
}

/// A column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    /// Its name in both databases.
    pub name: &'static str,
    /// What stands in it.
    pub kind: Kind,
}

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
}

impl Table {
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
    /// For a table that is append-only: nobody takes a row out of the ledger, a copy least of all.
    pub fn check_removable(&self) -> StoreResult<()> {
        if self.is_append_only {
            return Err(StoreError::Failed(format!("no row of {} is ever removed", self.name).into()));
        }
        Ok(())
    }

    /// The names of columns, one after the other.
    pub fn names(columns: &[Column]) -> String {
        columns.iter().map(|column| column.name).collect::<Vec<_>>().join(", ")
    }

    /// A row, as it is named to people.
    pub fn describe(&self, row: &Row) -> String {
        let cell = |cell: &Cell| match cell {
            Cell::Integer(number) => number.to_string(),
            Cell::Text(text) => format!("{text:?}"),
            // The hash of a token or a secret is never shown.
            Cell::Bytes(_) | Cell::Null => "?".to_owned(),
        };
        let key: Vec<_> = self.key_of(row).iter().map(cell).collect();
        format!("table {}, key ({})", self.name, key.join(", "))
    }
}

const fn integer(name: &'static str) -> Column {
    Column { name, kind: Kind::Integer }
}

const fn truth(name: &'static str) -> Column {
    Column { name, kind: Kind::Truth }
}

const fn text(name: &'static str) -> Column {
    Column { name, kind: Kind::Text }
}

const fn bytes(name: &'static str) -> Column {
    Column { name, kind: Kind::Bytes }
}

/// What most tables have in common.
const PLAIN: Table = Table {
    name: "",
    tenant_column: "tenant_id",
    columns: &[],
    key_columns: 1,
    parent_column: None,
    growing_column: None,
    is_append_only: false,
    is_catalogue: false,
    is_version: false,
    is_copied: true,
    rows_per_page: 4_000,
};

/// Every table with a tenant's rows, each after those that its rows point into. The tokens come last: nobody
/// gets in, to write into what is half there.
pub static TABLES: [Table; 12] = [
    TENANTS,
    USERS,
    CATEGORIES,
    PRODUCTS,
    TRANSACTIONS,
    HISTORY_DAYS,
    ORDERS,
    REQUEST_KEYS,
    TENANT_SECRETS,
    CATALOGUE_VERSIONS,
    JOBS,
    TOKENS,
];

const TENANTS: Table = Table {
    name: "tenants",
    tenant_column: "id",
    columns: &[
        text("slug"),
        text("environment"),
        text("base_url"),
        text("name"),
        text("locale"),
        text("settings"),
        integer("created_at"),
    ],
    key_columns: 0,
    ..PLAIN
};

const USERS: Table = Table {
    name: "users",
    columns: &[
        text("id"),
        integer("balance"),
        integer("day_count"),
        integer("last_seq"),
        bytes("last_hash"),
        integer("birth_date"),
        text("locale"),
        integer("disabled_at"),
        integer("created_at"),
    ],
    growing_column: Some(3),
    ..PLAIN
};

const CATEGORIES: Table = Table {
    name: "categories",
    columns: &[text("id"), text("parent_id"), integer("position"), text("label")],
    parent_column: Some(1),
    is_catalogue: true,
    ..PLAIN
};

const PRODUCTS: Table = Table {
    name: "products",
    columns: &[
        text("id"),
        text("sku"),
        text("title"),
        text("description"),
        text("description_source"),
        integer("regular_price"),
        integer("sale_price"),
        text("thumbnail"),
        text("gallery"),
        text("categories"),
        integer("stock"),
        truth("popular"),
        integer("published_at"),
        truth("active"),
        integer("version"),
        integer("retired_at"),
        integer("reserved"),
        integer("stock_supplied"),
    ],
    is_catalogue: true,
    rows_per_page: 400,
    ..PLAIN
};

const TRANSACTIONS: Table = Table {
    name: "transactions",
    columns: &[
        text("user_id"),
        integer("created_at"),
        text("id"),
        text("type"),
        text("source_id"),
        integer("points"),
        integer("bonus_points"),
        text("bonus_breakdown"),
        text("title"),
        text("subtitle"),
        integer("recorded_at"),
        integer("seq"),
        integer("balance_after"),
        bytes("hash"),
    ],
    key_columns: 3,
    is_append_only: true,
    ..PLAIN
};

const HISTORY_DAYS: Table = Table {
    name: "history_days",
    columns: &[text("user_id"), integer("day"), integer("transaction_count")],
    key_columns: 2,
    ..PLAIN
};

const ORDERS: Table = Table {
    name: "orders",
    columns: &[
        text("id"),
        text("number"),
        text("user_id"),
        text("product_id"),
        text("product_sku"),
        text("product_title"),
        integer("product_price"),
        integer("quantity"),
        integer("points"),
        truth("takes_stock"),
        text("status"),
        integer("created_at"),
        integer("fulfilled_at"),
        integer("cancelled_at"),
    ],
    ..PLAIN
};

const REQUEST_KEYS: Table = Table {
    name: "request_keys",
    columns: &[
        text("principal"),
        text("key"),
        bytes("fingerprint"),
        bytes("answer"),
        integer("created_at"),
        integer("last_used_at"),
    ],
    key_columns: 2,
    rows_per_page: 400,
    ..PLAIN
};

/// Copied like all else, so that keys that are derived from a secret stay the same where the tenant goes.
const TENANT_SECRETS: Table = Table {
    name: "tenant_secrets",
    columns: &[text("name"), bytes("value"), integer("created_at")],
    // Servers keep it in memory, and read it again with a catalogue that was replaced.
    is_catalogue: true,
    ..PLAIN
};

const CATALOGUE_VERSIONS: Table = Table {
    name: "catalogue_versions",
    columns: &[integer("version"), integer("low_stock_threshold")],
    key_columns: 0,
    is_version: true,
    ..PLAIN
};

/// Not copied: a row says when an instance on this database works next, or holds a lease there. What is to be done
/// stands in other tables, and the first instance on the target schedules the recurring jobs of a tenant anew.
const JOBS: Table = Table {
    name: "jobs",
    columns: &[
        text("name"),
        text("key"),
        integer("next_run_at"),
        integer("attempts"),
        text("lease_owner"),
        integer("lease_ends_at"),
        text("last_error"),
        integer("last_success_at"),
    ],
    key_columns: 2,
    is_copied: false,
    ..PLAIN
};

const TOKENS: Table = Table {
    name: "tokens",
    columns: &[
        bytes("hash"),
        text("kind"),
        text("user_id"),
        integer("created_at"),
        integer("expires_at"),
        integer("revoked_at"),
        text("label"),
    ],
    ..PLAIN
};
