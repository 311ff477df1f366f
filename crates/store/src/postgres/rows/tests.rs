use pointbook_testkit::build;
use pointbook_testkit::postgres::empty_database;
use tokio_postgres::NoTls;
use tokio_postgres::types::ToSql;

use super::*;
use crate::postgres::raw_rows::values;
use crate::postgres::{PostgresOptions, PostgresStore, PostgresUrl};
use crate::schema::{Cell, Column, Kind, TABLES};

/// New rows, for which the database has no statistics yet.
const FILL: &str =
    "INSERT INTO tenants VALUES ('acme', 'acme', 'production', 'https://acme.example/api', 'a', 'en', '{}', 0, 0);
     INSERT INTO users SELECT 'acme', n::text, 0, 0, 0, decode(repeat('00', 32), 'hex'), NULL, NULL, NULL, 0, NULL, ''
     FROM generate_series(1, 10000) AS n;
     INSERT INTO awards SELECT 'acme', id, 'spring', 1, 1, 1, 1, NULL FROM users";

#[tokio::test]
async fn page_of_table_is_range_of_primary_key() {
    let Some(database) = empty_database().await else { return };
    let url = PostgresUrl::parse(&database.url).unwrap();
    PostgresStore::migrate(&url, &PostgresOptions::new(build::noon())).await.unwrap();
    let (client, connection) = tokio_postgres::connect(&database.url, NoTls).await.unwrap();
    tokio::spawn(connection);
    client.batch_execute(&format!("{FILL}; BEGIN; {READ_ALONG_INDEX}")).await.unwrap();
    for table in TABLES.iter().filter(|table| table.key_columns > 0) {
        let key: Vec<Cell> = table.key().iter().map(some).collect();
        let query = Query::of_table("rows_after", table).after(Some(&key));
        let key = values(&query);
        let mut params: Vec<&(dyn ToSql + Sync)> = vec![&"acme"];
        params.extend(key.iter().map(|value| &**value as &(dyn ToSql + Sync)));
        let bounds: [&(dyn ToSql + Sync); 2] = [&4_000_i64, &0_i64];
        params.extend(bounds);
        let explain = format!("EXPLAIN {}", query.select(Dialect::Postgres));
        let plan = client.query(&explain, &params).await.unwrap();
        let plan: Vec<String> = plan.iter().map(|line| line.get(0)).collect();
        let plan = plan.join("\n");
        assert!(plan.contains(&format!("{}_pkey", table.name)) && !plan.contains("Sort"), "{plan}");
    }
}

/// Any value of a column.
fn some(column: &Column) -> Cell {
    match column.kind {
        Kind::Integer | Kind::Truth => Cell::Integer(1),
        Kind::Text => Cell::Text("a".into()),
        Kind::Bytes => Cell::Bytes([1].into()),
    }
}
