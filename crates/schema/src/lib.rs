//! The tables of a tenant, each declared once: its columns, its key, what a copy and the service's role need to know of it
//! ([`TABLES`]), and in which of its columns the types of the domain stand ([`rows`]).
//!
//! From the declarations come the SQL of both databases, the readers of rows and their errors. A store adds a [`Source`] for
//! the rows of its driver, and the statements that are more than a list of columns.

#[macro_use]
mod columns;
pub mod audit;
pub mod bonuses;
mod cell;
mod query;
pub mod rows;
mod scalars;
pub mod settings;
mod source;
mod statement;
mod table;
mod tables;

pub use cell::{Cell, CellRef, Row};
pub use columns::{Columns, Group, Read, Write, cells};
pub use query::{Condition, Query};
pub use scalars::{ColumnAt, RawText};
pub use source::{Corrupt, Record, Source};
pub use statement::{Dialect, OnConflict, Statement, count_rows, remove_rows};
pub use table::{AppendOnly, Column, Kind, Table};
pub use tables::{
    CATALOGUE_VERSIONS, CATEGORIES, HISTORY_DAYS, JOBS, ORDERS, PRODUCTS, REQUEST_KEYS, TABLES,
    TENANT_SECRETS, TENANTS, TOKENS, TRANSACTIONS, USERS,
};
