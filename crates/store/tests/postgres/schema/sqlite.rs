//! The schema of the SQLite store.

use std::collections::{BTreeMap, BTreeSet};

use pointbook_store::sqlite::{SqliteOptions, SqliteStore};
use pointbook_testkit::build;
use rusqlite::types::FromSql;
use rusqlite::{Connection, Params};

use super::{Column, Kind, TableSchema, Tables};

/// Every table of a new file.
pub(super) fn tables() -> Tables {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.db");
    drop(SqliteStore::open(&path, &SqliteOptions::new(build::noon())).unwrap());
    let database = Connection::open(path).unwrap();
    let names: Vec<String> = column(&database, "SELECT name FROM sqlite_schema WHERE type = 'table'", []);
    names.into_iter().map(|table| (table.clone(), table_schema(&database, &table))).collect()
}

fn table_schema(database: &Connection, table: &str) -> TableSchema {
    let primary_key = "SELECT name FROM pragma_table_info(?1) WHERE pk > 0 ORDER BY pk";
    let unique = "SELECT name FROM pragma_index_list(?1) WHERE origin = 'u'";
    let unique: Vec<String> = column(database, unique, [table]);
    let key = "SELECT name FROM pragma_index_info(?1) ORDER BY seqno";
    TableSchema {
        columns: columns(database, table),
        primary_key: column(database, primary_key, [table]),
        unique_keys: unique.iter().map(|index| column(database, key, [index])).collect(),
        foreign_keys: foreign_keys(database, table),
    }
}

fn columns(database: &Connection, table: &str) -> Vec<Column> {
    let sql = "SELECT name, type, \"notnull\" FROM pragma_table_info(?1) ORDER BY cid";
    let mut select = database.prepare(sql).unwrap();
    let columns = select.query_map([table], |row| {
        let kind = match row.get::<_, String>(1)?.as_str() {
            "TEXT" => Kind::Text,
            "BLOB" => Kind::Bytes,
            "INTEGER" => Kind::Integer,
            other => panic!("{table} has a column of type {other}"),
        };
        Ok(Column { name: row.get(0)?, kind, is_required: row.get(2)? })
    });
    columns.unwrap().map(Result::unwrap).collect()
}

fn foreign_keys(database: &Connection, table: &str) -> BTreeSet<(Vec<String>, String, Vec<String>)> {
    let sql = "SELECT id, \"table\", \"from\", \"to\" FROM pragma_foreign_key_list(?1) ORDER BY id, seq";
    let mut select = database.prepare(sql).unwrap();
    let mut rows = select.query([table]).unwrap();
    let mut keys: BTreeMap<i64, (Vec<String>, String, Vec<String>)> = BTreeMap::new();
    while let Some(row) = rows.next().unwrap() {
        let (from, into, to) = keys.entry(row.get(0).unwrap()).or_default();
        *into = row.get(1).unwrap();
        from.push(row.get(2).unwrap());
        to.push(row.get(3).unwrap());
    }
    keys.into_values().collect()
}

/// The first column of all rows.
fn column<T: FromSql>(database: &Connection, sql: &str, params: impl Params) -> Vec<T> {
    let mut select = database.prepare(sql).unwrap();
    let values = select.query_map(params, |row| row.get(0)).unwrap();
    values.map(Result::unwrap).collect()
}
