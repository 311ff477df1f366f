//! Both databases have the same tables, columns and keys, and on PostgreSQL too the tenant leads them.
#![expect(clippy::unwrap_used, reason = "what cannot happen ends a test")]

mod postgres;
mod sqlite;

use std::collections::{BTreeMap, BTreeSet};

/// Tables that do not belong to a tenant.
const GLOBAL_TABLES: [&str; 2] = ["tenants", "schema_migrations"];

/// What both databases can say of a table.
#[derive(Debug, PartialEq, Eq)]
struct Shape {
    /// In their order.
    columns: Vec<Column>,
    primary_key: Vec<String>,
    unique_keys: BTreeSet<Vec<String>>,
    /// Columns, the table that they point into, and the columns there.
    foreign_keys: BTreeSet<(Vec<String>, String, Vec<String>)>,
}

#[derive(Debug, PartialEq, Eq)]
struct Column {
    name: String,
    kind: Kind,
    is_required: bool,
}

/// What a column holds, as far as both databases tell it apart.
#[derive(Debug, PartialEq, Eq)]
enum Kind {
    Text,
    Bytes,
    /// SQLite has one type for whole numbers of any width and for truth values.
    Integer,
}

type Tables = BTreeMap<String, Shape>;

#[tokio::test]
async fn both_databases_have_the_same_tables_columns_and_keys() {
    let Some(database) = postgres::Schema::new().await else { return };
    let (here, there) = (database.tables().await, sqlite::tables());
    assert_eq!(here.len(), 13);
    assert_eq!(here.keys().collect::<Vec<_>>(), there.keys().collect::<Vec<_>>());
    for (table, shape) in &here {
        assert_eq!(Some(shape), there.get(table), "{table}");
    }
}

#[tokio::test]
async fn the_tenant_leads_every_key_and_index_of_a_tenants_table() {
    let Some(database) = postgres::Schema::new().await else { return };
    let tables = database.tables().await;
    let of_tenants = || tables.iter().filter(|(table, _)| !GLOBAL_TABLES.contains(&table.as_str()));
    assert_eq!(of_tenants().count(), 11);
    for (table, shape) in of_tenants() {
        assert!(!shape.foreign_keys.is_empty(), "{table} belongs to nobody");
        let foreign = shape.foreign_keys.iter().map(|(columns, _, _)| columns);
        for key in shape.unique_keys.iter().chain([&shape.primary_key]).chain(foreign) {
            assert_eq!(key.first().unwrap(), "tenant_id", "{table}");
        }
    }
    let indices = database.first_columns_of_indices().await;
    assert!(indices.len() > of_tenants().count());
    for (table, index, column) in indices {
        let is_global = GLOBAL_TABLES.contains(&table.as_str());
        // An instance looks for the jobs of all tenants that are due.
        let is_of_all = index == "jobs_by_next_run";
        assert!(is_global || is_of_all || column == "tenant_id", "{table} {index}: {column}");
    }
}

/// So that texts are compared and ordered byte by byte, as in SQLite, whatever the database was made with.
#[tokio::test]
async fn every_text_is_ordered_by_its_bytes() {
    let Some(database) = postgres::Schema::new().await else { return };
    let collations = database.collations_of_texts().await;
    assert!(collations.len() > 30);
    for (table, column, collation) in collations {
        assert_eq!(collation, "C", "{table} {column}");
    }
}

/// Each of them is something that the program would not know of, or that is not there on every PostgreSQL.
#[tokio::test]
async fn the_database_does_nothing_by_itself() {
    let Some(database) = postgres::Schema::new().await else { return };
    assert_eq!(database.triggers_sequences_and_functions().await, [0, 0, 0]);
}
