//! The category tree.

use std::collections::HashMap;

use pointbook_domain::category::MAX_CATEGORY_DEPTH;
use pointbook_domain::{Category, CategoryId, CategoryTree};
use rusqlite::{Connection, Transaction, params};

use crate::error::Outcome;
use crate::row::{Record, wrong};

/// Siblings in their order: ids and labels.
type Level = Vec<(CategoryId, String)>;

pub(crate) fn read(database: &Connection, tenant: &str) -> Outcome<CategoryTree> {
    let mut select = database.prepare_cached(
        "SELECT id, parent_id, label FROM categories WHERE tenant_id = ?1 ORDER BY position, id",
    )?;
    let mut rows = select.query([tenant])?;
    let mut roots = Level::new();
    let mut children: HashMap<CategoryId, Level> = HashMap::new();
    while let Some(row) = rows.next()? {
        let record = Record::new("categories", 1, row);
        let category = (record.read(0, |id: Box<str>| CategoryId::new(id))?, record.get(2)?);
        match record.read_optional(1, |id: Box<str>| CategoryId::new(id))? {
            None => roots.push(category),
            Some(parent) => children.entry(parent).or_default().push(category),
        }
    }
    let roots = build(roots, &mut children, 1);
    if !children.is_empty() {
        return Err(wrong("categories", tenant, "a circle, or deeper than a tree may be"));
    }
    CategoryTree::new(roots).map_err(|error| wrong("categories", tenant, error))
}

/// Every level is taken out as it is built, so that a circle ends; the depth is bounded, so that the
/// stack is.
fn build(level: Level, children: &mut HashMap<CategoryId, Level>, depth: usize) -> Vec<Category> {
    let category = |(id, label)| {
        let below = if depth < MAX_CATEGORY_DEPTH { children.remove(&id) } else { None };
        let children = build(below.unwrap_or_default(), children, depth + 1);
        Category { id, label, children }
    };
    level.into_iter().map(category).collect()
}

/// Deletes the tree and inserts the new one, parents first.
pub(crate) fn replace(database: &Transaction<'_>, tenant: &str, tree: &CategoryTree) -> Outcome<()> {
    database.execute("DELETE FROM categories WHERE tenant_id = ?1", [tenant])?;
    insert(database, tenant, tree)
}

fn insert(database: &Transaction<'_>, tenant: &str, tree: &CategoryTree) -> Outcome<()> {
    let mut insert = database.prepare_cached(
        "INSERT INTO categories (tenant_id, id, parent_id, position, label) VALUES (?1, ?2, ?3, ?4, ?5)",
    )?;
    let mut inserted = Ok(());
    tree.visit(&mut |category, parent, position| {
        let parent = parent.map(|parent| parent.id.as_str());
        let row = params![tenant, category.id.as_str(), parent, position.cast_signed(), category.label];
        if inserted.is_ok() {
            inserted = insert.execute(row).map(|_| ());
        }
    });
    Ok(inserted?)
}
