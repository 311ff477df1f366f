//! Tests that both databases have the same tables, columns and keys, and that keys on PostgreSQL start with the tenant.

mod portable;
mod postgres;
mod sqlite;

use std::collections::{BTreeMap, BTreeSet};

use pointbook_store::schema::TABLES;

/// Tables that do not belong to a tenant.
const GLOBAL_TABLES: [&str; 2] = ["tenants", "schema_migrations"];

/// The properties of a table that both databases can describe.
#[derive(Debug, PartialEq, Eq)]
struct TableSchema {
    /// In database order.
    columns: Vec<Column>,
    primary_key: Vec<String>,
    unique_keys: BTreeSet<Vec<String>>,
    /// The columns, the table that they refer to, and its columns.
    foreign_keys: BTreeSet<(Vec<String>, String, Vec<String>)>,
}

#[derive(Debug, PartialEq, Eq)]
struct Column {
    name: String,
    kind: Kind,
    is_required: bool,
}

/// The kind of values in a column, as far as both databases distinguish it.
#[derive(Debug, PartialEq, Eq)]
enum Kind {
    Text,
    Bytes,
    /// SQLite has one type for whole numbers of any width and for booleans.
    Integer,
}

type Tables = BTreeMap<String, TableSchema>;

#[tokio::test]
async fn both_databases_have_the_same_tables_columns_and_keys() {
    let Some(database) = postgres::Schema::new().await else { return };
    let (postgres, sqlite) = (database.tables().await, sqlite::tables());
    assert_eq!(postgres.len(), TABLES.len() + 1);
    assert_eq!(postgres.keys().collect::<Vec<_>>(), sqlite.keys().collect::<Vec<_>>());
    for (table, schema) in &postgres {
        assert_eq!(Some(schema), sqlite.get(table), "{table}");
    }
}

#[tokio::test]
async fn keys_and_indices_of_tenant_tables_start_with_tenant() {
    let Some(database) = postgres::Schema::new().await else { return };
    let tables = database.tables().await;
    let of_tenants = || tables.iter().filter(|(table, _)| !GLOBAL_TABLES.contains(&table.as_str()));
    assert_eq!(of_tenants().count(), TABLES.len() - 1);
    for (table, schema) in of_tenants() {
        assert!(!schema.foreign_keys.is_empty(), "{table} does not refer to the tenant");
        let foreign = schema.foreign_keys.iter().map(|(columns, _, _)| columns);
        for key in schema.unique_keys.iter().chain([&schema.primary_key]).chain(foreign) {
            assert_eq!(key.first().unwrap(), "tenant_id", "{table}");
        }
    }
    let indices = database.first_columns_of_indices().await;
    assert!(indices.len() > of_tenants().count());
    for (table, index, column) in indices {
        let is_global = GLOBAL_TABLES.contains(&table.as_str());
        // An instance looks for the due jobs of all tenants.
        let is_of_all = index == "jobs_by_next_run";
        assert!(is_global || is_of_all || column == "tenant_id", "{table} {index}: {column}");
    }
}

/// Strings must be compared byte by byte, as in SQLite, with any default collation of the database.
#[tokio::test]
async fn every_text_column_has_collation_c() {
    let Some(database) = postgres::Schema::new().await else { return };
    let collations = database.collations_of_texts().await;
    assert!(collations.len() > 30);
    for (table, column, collation) in collations {
        assert_eq!(collation, "C", "{table} {column}");
    }
}

/// They would change rows without the service, or are not available on every PostgreSQL.
#[tokio::test]
async fn database_has_no_triggers_or_functions_and_one_sequence() {
    let Some(database) = postgres::Schema::new().await else { return };
    // The sequence orders the blocks of the feed (ADR 0035).
    assert_eq!(database.triggers_sequences_and_functions().await, [0, 1, 0]);
}
