//! Reads the category tree.

use pointbook_domain::CategoryTree;
use rusqlite::Connection;

use crate::schema::rows::{NO_CATEGORIES, TreeRow, tree_of};
use crate::select;
use crate::sqlite::error::Outcome;
use crate::sqlite::row;

pub(crate) fn read(database: &Connection, tenant: &str) -> Outcome<CategoryTree> {
    Ok(tree_of(&read_text(database, tenant)?)?)
}

/// The tree as text.
fn read_text(database: &Connection, tenant: &str) -> Outcome<String> {
    let select = select!(TreeRow, "WHERE tenant_id = ?1");
    let found: Option<TreeRow> = row::one(database, select, [tenant])?;
    Ok(found.map_or_else(|| NO_CATEGORIES.to_owned(), |row| row.categories.to_string()))
}
