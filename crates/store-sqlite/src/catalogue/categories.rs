//! Reads and replaces the category tree.

use pointbook_domain::CategoryTree;
use pointbook_schema::rows::{CategoryRow, NewCategory, category_tree, new_categories};
use pointbook_schema::{Dialect, OnConflict, Statement, select, statement};
use rusqlite::{Connection, Transaction};

use crate::error::Outcome;
use crate::row;

pub(crate) fn read(database: &Connection, tenant: &str) -> Outcome<CategoryTree> {
    let select = select!(CategoryRow, "WHERE tenant_id = ?1 ORDER BY position, id");
    Ok(category_tree(tenant, row::all(database, select, [tenant])?)?)
}

/// Deletes the tree and inserts the new one, parents first.
pub(crate) fn replace(database: &Transaction<'_>, tenant: &str, tree: &CategoryTree) -> Outcome<()> {
    database.execute("DELETE FROM categories WHERE tenant_id = ?1", [tenant])?;
    let insert = statement!(Statement::insert::<NewCategory<'_>>(Dialect::Sqlite, OnConflict::Fail));
    new_categories(tree).iter().try_for_each(|row| row::write(database, insert, tenant, row).map(drop))
}
