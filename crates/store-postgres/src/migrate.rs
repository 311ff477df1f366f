//! Bringing a database's schema up to date.

use pointbook_domain::Timestamp;

use crate::connection::{Connection, Transaction};
use crate::error::ConnectError;
use crate::row::{Record, count};

/// A change of the schema, under the number that both databases give it.
struct Migration {
    number: u32,
    name: &'static str,
    sql: &'static str,
}

macro_rules! migrations {
    ($($number:literal $name:literal,)*) => {
        &[$(Migration { number: $number, name: $name, sql: include_str!(concat!("../migrations/", $name, ".sql")) },)*]
    };
}

/// All of them, by number.
const MIGRATIONS: &[Migration] = migrations! {
    1 "0001_create_tenants",
    2 "0002_create_users",
    3 "0003_create_tokens",
    4 "0004_create_catalogue",
    5 "0005_create_ledger",
    6 "0006_create_orders",
    7 "0007_create_request_keys",
    8 "0008_add_product_stock_counts",
    9 "0009_fill_product_stock_supplied",
    10 "0010_index_categories_by_parent",
    11 "0011_add_low_stock_threshold",
    12 "0012_fill_low_stock_threshold",
};

/// Where the migrations of a database are recorded.
const CREATE_RECORD: &str = "CREATE TABLE IF NOT EXISTS schema_migrations (
    number     BIGINT NOT NULL PRIMARY KEY,
    name       TEXT COLLATE \"C\" NOT NULL,
    applied_at BIGINT NOT NULL
)";

/// Fails unless the schema is this program's. Only reads.
pub(crate) async fn check(connection: &Connection) -> Result<(), ConnectError> {
    let (found, known) = (recorded_schema(connection).await?, known());
    if found < known { Err(ConnectError::OlderSchema { found, known }) } else { Ok(()) }
}

/// Runs the migrations that the database lacks, all or none; gives how many.
pub(crate) async fn to_newest(connection: Connection, now: Timestamp) -> Result<usize, ConnectError> {
    // Where there is nothing yet, two may create the same table, and the slower one is told so by an error.
    if recorded_schema(&connection).await? == 0 && connection.batch(CREATE_RECORD).await.is_err() {
        connection.batch(CREATE_RECORD).await?;
    }
    let transaction = connection.begin("BEGIN ISOLATION LEVEL READ COMMITTED").await?;
    let lacking = migrate(&transaction, now).await?;
    Ok(transaction.end(Ok(lacking)).await?)
}

/// Runs what is missing now that nobody else migrates: another process may have been faster.
async fn migrate(transaction: &Transaction, now: Timestamp) -> Result<usize, ConnectError> {
    transaction.batch("LOCK TABLE schema_migrations IN EXCLUSIVE MODE").await?;
    let found = recorded_schema(transaction).await?;
    let lacking = MIGRATIONS.iter().filter(|migration| migration.number > found);
    for migration in lacking.clone() {
        transaction.batch(migration.sql).await?;
        let record = "INSERT INTO schema_migrations (number, name, applied_at) VALUES ($1, $2, $3)";
        let number = i64::from(migration.number);
        transaction.execute(record, &[&number, &migration.name, &now.as_micros()]).await?;
    }
    Ok(lacking.count())
}

/// The newest migration of this program.
fn known() -> u32 {
    MIGRATIONS.last().map_or(0, |newest| newest.number)
}

/// The number of the newest migration in the database; 0 for an empty database. Only reads.
async fn recorded_schema(connection: &Connection) -> Result<u32, ConnectError> {
    let tables = "SELECT count(*), count(*) FILTER (WHERE table_name = 'schema_migrations')
                  FROM information_schema.tables WHERE table_schema = current_schema()";
    let Some(row) = connection.row(tables, &[]).await? else { return Ok(0) };
    let record = Record::new("information_schema.tables", 0, &row);
    match (record.get::<i64>(0)?, record.get::<i64>(1)?) {
        (0, _) => return Ok(0),
        (_, 0) => return Err(ConnectError::Foreign),
        _ => {}
    }
    let newest = "SELECT coalesce(max(number), 0) FROM schema_migrations";
    let Some(row) = connection.row(newest, &[]).await? else { return Ok(0) };
    let (found, known) = (Record::new("schema_migrations", 0, &row).read(0, count)?, known());
    if found > known { Err(ConnectError::NewerSchema { found, known }) } else { Ok(found) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn migrations_are_numbered_without_a_gap() {
        let numbers = MIGRATIONS.iter().map(|migration| migration.number);
        assert!(numbers.eq(1..=MIGRATIONS.len().try_into().unwrap()));
        let is_named =
            |migration: &Migration| migration.name.starts_with(&format!("{:04}_", migration.number));
        assert!(MIGRATIONS.iter().all(is_named));
    }
}
