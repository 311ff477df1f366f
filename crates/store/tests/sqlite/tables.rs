//! Tests that the declared tables are those of the database, so that a copy includes everything.

use std::collections::BTreeSet;

use pointbook_store::schema::{Column, Kind, TABLES};
use pointbook_testkit::sqlite::new_file;
use rusqlite::{Connection, Row};

fn new_schema() -> (tempfile::TempDir, Connection) {
    let (folder, path, _) = new_file();
    (folder, Connection::open(path).unwrap())
}

fn rows<T>(database: &Connection, sql: &str, read: impl Fn(&Row<'_>) -> rusqlite::Result<T>) -> Vec<T> {
    let mut select = database.prepare(sql).unwrap();
    select.query_map([], |row| read(row)).unwrap().map(Result::unwrap).collect()
}

#[test]
fn every_table_is_listed() {
    let (_folder, database) = new_schema();
    let sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'schema_migrations'";
    let stored: BTreeSet<String> = rows(&database, sql, |row| row.get(0)).into_iter().collect();
    let listed: BTreeSet<String> = TABLES.iter().map(|table| table.name.to_owned()).collect();
    assert_eq!(stored, listed);
}

#[test]
fn columns_are_listed_in_database_order() {
    let (_folder, database) = new_schema();
    for table in &TABLES {
        let sql = format!("SELECT name, type, pk FROM pragma_table_info('{}') ORDER BY cid", table.name);
        let stored: Vec<(String, String, u32)> =
            rows(&database, &sql, |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)));
        let column = |(index, column): (usize, &Column)| {
            let kind = match column.kind {
                Kind::Integer | Kind::Truth => "INTEGER",
                Kind::Text => "TEXT",
                Kind::Bytes => "BLOB",
            };
            let position_in_key =
                if index < table.key_columns { u32::try_from(index).unwrap() + 2 } else { 0 };
            (column.name.to_owned(), kind.to_owned(), position_in_key)
        };
        let tenant = (table.tenant_column.to_owned(), "TEXT".to_owned(), 1);
        let listed: Vec<_> =
            std::iter::once(tenant).chain(table.columns.iter().enumerate().map(column)).collect();
        assert_eq!(stored, listed, "{}", table.name);
    }
}

/// A copy writes the tables in their order.
#[test]
fn every_table_comes_after_tables_it_refers_to() {
    let (_folder, database) = new_schema();
    let mut count = 0;
    for (index, table) in TABLES.iter().enumerate() {
        let sql = format!("SELECT \"table\", \"from\" FROM pragma_foreign_key_list('{}')", table.name);
        let parents: Vec<(String, String)> = rows(&database, &sql, |row| Ok((row.get(0)?, row.get(1)?)));
        for (parent, column) in parents.iter().filter(|(_, column)| column != "tenant_id") {
            count += 1;
            let comes_before = TABLES[..index].iter().any(|before| before.name == parent);
            assert!(comes_before, "{} refers to {parent} by {column}", table.name);
        }
        let is_tenant = table.name == "tenants";
        assert_eq!(parents.iter().any(|(_, column)| column == "tenant_id"), !is_tenant, "{}", table.name);
    }
    assert!(count > 0, "no table refers to another one");
}
