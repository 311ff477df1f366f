//! Reads and replaces the category tree.

use pointbook_domain::CategoryTree;

use crate::postgres::connection::{Connection, Transaction};
use crate::postgres::error::Outcome;
use crate::schema::rows::{NO_CATEGORIES, TreeRow, tree_of};
use crate::schema::{Dialect, OnConflict, Statement};
use crate::{select, statement};

pub(crate) async fn read(database: &Connection, tenant: &str) -> Outcome<CategoryTree> {
    Ok(tree_of(&read_text(database, tenant).await?)?)
}

/// The tree as text.
pub(crate) async fn read_text(database: &Connection, tenant: &str) -> Outcome<String> {
    let found: Vec<TreeRow> = database.all(select!(TreeRow, "WHERE tenant_id = $1"), &[&tenant]).await?;
    Ok(found.into_iter().next().map_or_else(|| NO_CATEGORIES.to_owned(), |row| row.categories))
}

/// The caller holds the lock on the version's row, so no other transaction writes the tree.
pub(crate) async fn replace(database: &Transaction, tenant: &str, categories: &str) -> Outcome<()> {
    let insert = statement!(Statement::insert::<TreeRow>(Dialect::Postgres, OnConflict::Replace));
    database.write_all(insert, tenant, &[TreeRow { categories: categories.to_owned() }]).await
}
