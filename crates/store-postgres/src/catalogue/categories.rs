//! The category tree.

use pointbook_domain::category::{CategoryEntry, EntryParent};
use pointbook_domain::{CategoryId, CategoryTree};
use tokio_postgres::Row;

use crate::connection::{Connection, Transaction};
use crate::error::Outcome;
use crate::row::{Record, wrong};

pub(crate) async fn read(database: &Connection, tenant: &str) -> Outcome<CategoryTree> {
    let select = "SELECT id, parent_id, label FROM categories WHERE tenant_id = $1 ORDER BY position, id";
    let rows = database.rows(select, &[&tenant]).await?;
    let entries: Vec<CategoryEntry> = rows.iter().map(read_entry).collect::<Outcome<_>>()?;
    CategoryTree::from_entries(entries).map_err(|errors| {
        let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
        wrong("categories", tenant, errors.join(", "))
    })
}

fn read_entry(row: &Row) -> Outcome<CategoryEntry> {
    let record = Record::new("categories", 1, row);
    let parent = record.read_optional(1, |id: &str| CategoryId::new(id))?;
    Ok(CategoryEntry {
        id: record.read(0, |id: &str| CategoryId::new(id))?,
        label: record.get(2)?,
        parent: parent.map_or(EntryParent::None, EntryParent::Named),
    })
}

/// Deletes the tree and inserts the new one. The transaction that holds the version's row is alone with the tree.
pub(crate) async fn replace(database: &Transaction, tenant: &str, tree: &CategoryTree) -> Outcome<()> {
    database.execute("DELETE FROM categories WHERE tenant_id = $1", &[&tenant]).await?;
    insert(database, tenant, tree).await
}

/// One statement, so that the reference to a parent is looked at when all of them are there.
async fn insert(database: &Transaction, tenant: &str, tree: &CategoryTree) -> Outcome<()> {
    let (mut ids, mut parents) = (Vec::new(), Vec::new());
    let (mut positions, mut labels) = (Vec::new(), Vec::new());
    tree.visit(&mut |category, parent, position| {
        ids.push(category.id.as_str());
        parents.push(parent.map(|parent| parent.id.as_str()));
        // Memory holds fewer siblings than there are such numbers.
        positions.push(i64::try_from(position).unwrap_or(i64::MAX));
        labels.push(category.label.as_str());
    });
    let insert = "INSERT INTO categories (tenant_id, id, parent_id, position, label)
                  SELECT $1::TEXT, given.id, given.parent_id, given.position, given.label
                  FROM unnest($2::TEXT[], $3::TEXT[], $4::BIGINT[], $5::TEXT[])
                      AS given (id, parent_id, position, label)";
    database.execute(insert, &[&tenant, &ids, &parents, &positions, &labels]).await?;
    Ok(())
}
