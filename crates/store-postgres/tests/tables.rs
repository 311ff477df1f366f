//! Tests that the declared tables are those of the database, so that a copy includes everything.

use std::collections::BTreeSet;

use pointbook_app::tables::{Column, Kind, TABLES};
use pointbook_store_postgres::{PostgresOptions, PostgresStore, PostgresUrl};
use pointbook_testkit::build;
use pointbook_testkit::postgres::empty_database;
use tokio_postgres::NoTls;

/// Table, column and type. `tests/schema` compares the schemas of both stores.
type Columns = BTreeSet<(String, String, String)>;

#[tokio::test]
async fn every_column_is_listed_with_its_kind() {
    let Some(database) = empty_database().await else { return };
    let url = PostgresUrl::parse(&database.url).unwrap();
    PostgresStore::migrate(&url, &PostgresOptions::new(build::noon())).await.unwrap();
    let (client, connection) = tokio_postgres::connect(&database.url, NoTls).await.unwrap();
    tokio::spawn(connection);
    let sql = "SELECT table_name::text, column_name::text, data_type::text FROM information_schema.columns
               WHERE table_schema = current_schema() AND table_name <> 'schema_migrations'";
    let widened = |kind: String| if kind == "integer" { "bigint".to_owned() } else { kind };
    let rows = client.query(sql, &[]).await.unwrap();
    let stored: Columns = rows.iter().map(|row| (row.get(0), row.get(1), widened(row.get(2)))).collect();
    assert_eq!(stored, listed());
}

fn listed() -> Columns {
    let mut listed = Columns::new();
    for table in &TABLES {
        let tenant = Column { name: table.tenant_column, kind: Kind::Text };
        listed.extend([tenant].iter().chain(table.columns).map(|Column { name, kind }| {
            let kind = match kind {
                Kind::Integer => "bigint",
                Kind::Truth => "boolean",
                Kind::Text => "text",
                Kind::Bytes => "bytea",
            };
            (table.name.to_owned(), (*name).to_owned(), kind.to_owned())
        }));
    }
    listed
}
