//! The schema of this store, read from the system catalogue of PostgreSQL.

use std::collections::BTreeSet;

use pointbook_store::postgres::{PostgresOptions, PostgresStore, PostgresUrl};
use pointbook_testkit::build;
use pointbook_testkit::postgres::{PostgresDatabase, empty_database};
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, NoTls, Row};

use super::{Column, Kind, TableSchema, Tables};

/// A new database.
pub(super) struct Schema {
    client: Client,
    _database: PostgresDatabase,
}

/// The columns of a key, from an array of their numbers in a table.
const COLUMNS_OF: &str =
    "ARRAY(SELECT attname::text FROM unnest(numbers) WITH ORDINALITY AS key (number, place)
     JOIN pg_attribute ON attrelid = of_table AND attnum = number ORDER BY place)";

impl Schema {
    /// `None` without a PostgreSQL server.
    pub(super) async fn new() -> Option<Self> {
        let database = empty_database().await?;
        let (url, options) =
            (PostgresUrl::parse(&database.url).unwrap(), PostgresOptions::new(build::noon()));
        PostgresStore::migrate(&url, &options).await.unwrap();
        let (client, connection) = tokio_postgres::connect(&database.url, NoTls).await.unwrap();
        tokio::spawn(connection);
        Some(Self { client, _database: database })
    }

    /// Every table.
    pub(super) async fn tables(&self) -> Tables {
        let names = "SELECT relname::text FROM pg_class
                     WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'";
        let mut tables = Tables::new();
        for row in self.rows(names, &[]).await {
            let table: String = row.get(0);
            let schema = self.table_schema(&table).await;
            tables.insert(table, schema);
        }
        tables
    }

    async fn table_schema(&self, table: &str) -> TableSchema {
        let keys: BTreeSet<_> =
            self.keys(table, "u").await.into_iter().map(|(columns, ..)| columns).collect();
        TableSchema {
            columns: self.columns(table).await,
            primary_key: self.keys(table, "p").await.remove(0).0,
            unique_keys: keys,
            foreign_keys: self.keys(table, "f").await.into_iter().collect(),
        }
    }

    async fn columns(&self, table: &str) -> Vec<Column> {
        let sql =
            "SELECT column_name::text, data_type::text, is_nullable = 'NO' FROM information_schema.columns
                   WHERE table_schema = current_schema() AND table_name = $1 ORDER BY ordinal_position";
        let rows = self.rows(sql, &[&table]).await;
        let column = |row: Row| {
            let kind = match row.get(1) {
                "text" => Kind::Text,
                "bytea" => Kind::Bytes,
                "bigint" | "integer" | "boolean" => Kind::Integer,
                other => panic!("{table} has a column of type {other}"),
            };
            Column { name: row.get(0), kind, is_required: row.get(2) }
        };
        rows.into_iter().map(column).collect()
    }

    /// The constraints of one kind: their columns, and for foreign keys the table and columns that they refer to.
    async fn keys(&self, table: &str, kind: &str) -> Vec<(Vec<String>, String, Vec<String>)> {
        let columns =
            |of: &str, numbers: &str| COLUMNS_OF.replace("numbers", numbers).replace("of_table", of);
        let sql = format!(
            "SELECT {}, coalesce((SELECT relname::text FROM pg_class WHERE oid = confrelid), ''), {}
             FROM pg_constraint WHERE conrelid = $1::text::regclass AND contype = $2::text::\"char\"",
            columns("conrelid", "conkey"),
            columns("confrelid", "confkey"),
        );
        let rows = self.rows(&sql, &[&table, &kind]).await;
        rows.into_iter().map(|row| (row.get(0), row.get(1), row.get(2))).collect()
    }

    /// The table, the index and its first column.
    pub(super) async fn first_columns_of_indices(&self) -> Vec<(String, String, String)> {
        let sql = "SELECT indrelid::regclass::text, indexrelid::regclass::text, attname::text
                   FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = indkey[0]
                   JOIN pg_class ON pg_class.oid = indrelid
                   WHERE relnamespace = current_schema()::regnamespace";
        self.triples(sql).await
    }

    /// The table, the column and its collation.
    pub(super) async fn collations_of_texts(&self) -> Vec<(String, String, String)> {
        let sql = "SELECT table_name::text, column_name::text, coalesce(collation_name::text, 'that of the database')
                   FROM information_schema.columns
                   WHERE table_schema = current_schema() AND data_type = 'text'";
        self.triples(sql).await
    }

    /// The numbers of triggers, sequences and functions, without the internal triggers of foreign keys.
    pub(super) async fn triggers_sequences_and_functions(&self) -> [i64; 3] {
        let sql = "SELECT (SELECT count(*) FROM pg_trigger WHERE NOT tgisinternal),
                          (SELECT count(*) FROM pg_class WHERE relkind = 'S'),
                          (SELECT count(*) FROM pg_proc WHERE pronamespace = current_schema()::regnamespace)";
        let row = self.client.query_one(sql, &[]).await.unwrap();
        [row.get(0), row.get(1), row.get(2)]
    }

    async fn triples(&self, sql: &str) -> Vec<(String, String, String)> {
        let rows = self.rows(sql, &[]).await;
        rows.into_iter().map(|row| (row.get(0), row.get(1), row.get(2))).collect()
    }

    async fn rows(&self, sql: &str, params: &[&(dyn ToSql + Sync)]) -> Vec<Row> {
        self.client.query(sql, params).await.unwrap()
    }
}
