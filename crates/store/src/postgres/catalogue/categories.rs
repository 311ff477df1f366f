//! Reads the category tree.

use pointbook_domain::CategoryTree;

use crate::postgres::connection::Connection;
use crate::postgres::error::Outcome;
use crate::schema::rows::{NO_CATEGORIES, TreeRow, tree_of};
use crate::select;

pub(crate) async fn read(database: &Connection, tenant: &str) -> Outcome<CategoryTree> {
    Ok(tree_of(&read_text(database, tenant).await?)?)
}

/// The tree as text.
async fn read_text(database: &Connection, tenant: &str) -> Outcome<String> {
    let found: Vec<TreeRow> = database.all(select!(TreeRow, "WHERE tenant_id = $1"), &[&tenant]).await?;
    Ok(found.into_iter().next().map_or_else(|| NO_CATEGORIES.to_owned(), |row| row.categories.to_string()))
}
