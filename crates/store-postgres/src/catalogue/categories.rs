//! Reads and replaces the category tree.

use pointbook_domain::CategoryTree;
use pointbook_schema::rows::{CategoryRow, NewCategory, category_tree, new_categories};
use pointbook_schema::{Dialect, OnConflict, Statement, select, statement};

use crate::connection::{Connection, Transaction};
use crate::error::Outcome;

pub(crate) async fn read(database: &Connection, tenant: &str) -> Outcome<CategoryTree> {
    let select = select!(CategoryRow, "WHERE tenant_id = $1 ORDER BY position, id");
    Ok(category_tree(tenant, database.all(select, &[&tenant]).await?)?)
}

/// Deletes the tree and inserts the new one. The caller holds the lock on the version's row, so no other transaction writes the
/// tree. A single statement inserts all categories, so that PostgreSQL checks parents after all rows exist.
pub(crate) async fn replace(database: &Transaction, tenant: &str, tree: &CategoryTree) -> Outcome<()> {
    database.execute("DELETE FROM categories WHERE tenant_id = $1", &[&tenant]).await?;
    let insert = statement!(Statement::insert::<NewCategory<'_>>(Dialect::Postgres, OnConflict::Fail));
    database.write_all(insert, tenant, &new_categories(tree)).await
}
