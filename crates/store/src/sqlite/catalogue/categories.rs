//! Reads and replaces the category tree.

use pointbook_domain::CategoryTree;
use rusqlite::{Connection, Transaction};

use crate::schema::rows::{NO_CATEGORIES, TreeRow, tree_of};
use crate::schema::{Dialect, OnConflict, Statement};
use crate::sqlite::error::Outcome;
use crate::sqlite::row;
use crate::{select, statement};

pub(crate) fn read(database: &Connection, tenant: &str) -> Outcome<CategoryTree> {
    Ok(tree_of(&read_text(database, tenant)?)?)
}

/// The tree as text.
pub(crate) fn read_text(database: &Connection, tenant: &str) -> Outcome<String> {
    let select = select!(TreeRow, "WHERE tenant_id = ?1");
    let found: Option<TreeRow> = row::one(database, select, [tenant])?;
    Ok(found.map_or_else(|| NO_CATEGORIES.to_owned(), |row| row.categories))
}

pub(crate) fn replace(database: &Transaction<'_>, tenant: &str, categories: &str) -> Outcome<()> {
    let insert = statement!(Statement::insert::<TreeRow>(Dialect::Sqlite, OnConflict::Replace));
    row::write(database, insert, tenant, &TreeRow { categories: categories.to_owned() }).map(drop)
}
