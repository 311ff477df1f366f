//! Migrates the schema of a file.

use pointbook_domain::Timestamp;
use rusqlite::{Connection, Transaction, TransactionBehavior};

use crate::sqlite::error::OpenFailure;
use crate::sqlite::options::SqliteOptions;
use crate::sqlite::retry::while_busy;

/// A change of the schema. Both databases use the same number for it.
struct Migration {
    number: u32,
    name: &'static str,
    sql: &'static str,
}

macro_rules! migrations {
    ($($number:literal $name:literal,)*) => {
        &[$(Migration { number: $number, name: $name, sql: include_str!(concat!("../../migrations/sqlite/", $name, ".sql")) },)*]
    };
}

/// All migrations, ordered by number.
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
    13 "0013_create_tenant_secrets",
    14 "0014_add_token_label",
    15 "0015_carry_rate_limits",
    16 "0016_create_jobs",
    17 "0017_add_token_scopes",
    18 "0018_create_audit_log",
    19 "0019_create_data_keys",
    20 "0020_add_tenant_clock",
    21 "0021_create_feed",
    22 "0022_create_webhooks",
    23 "0023_create_operators",
    24 "0024_add_campaign_columns",
    25 "0025_fill_earned_counts",
    26 "0026_create_campaigns",
    27 "0027_create_back_tests",
    28 "0028_create_campaign_runs",
    29 "0029_create_back_fills",
    30 "0030_create_figures",
    31 "0031_create_operator_sessions",
    32 "0032_add_figures_columns",
    33 "0033_create_pictures",
    34 "0034_create_category_trees",
    35 "0035_fill_category_trees",
    36 "0036_drop_categories",
    37 "0037_add_session_use",
};

/// Runs all pending migrations in one transaction. Only reads an up-to-date file, so that it opens while another process
/// writes.
pub(crate) fn to_newest(connection: &mut Connection, options: &SqliteOptions) -> Result<(), OpenFailure> {
    let found = recorded_schema(&connection.transaction()?)?;
    if pending(found).next().is_none() {
        return Ok(());
    }
    while_busy(connection, options, |connection| migrate(connection, options.now))
}

/// Fails unless the file has the schema of this version. Only reads.
pub(crate) fn check(connection: &Connection) -> Result<(), OpenFailure> {
    let known = known_schema();
    match recorded(connection)? {
        0 => Err(OpenFailure::Empty),
        found if found < known => Err(OpenFailure::OlderSchema { found, known }),
        _ => Ok(()),
    }
}

/// The number of the newest migration in the file; 0 when it has no tables. Only reads.
pub(crate) fn recorded(connection: &Connection) -> Result<u32, OpenFailure> {
    recorded_schema(&connection.unchecked_transaction()?)
}

/// The number of the newest migration of this version.
fn known_schema() -> u32 {
    MIGRATIONS.last().map_or(0, |newest| newest.number)
}

/// Takes the write lock and runs the migrations that are still pending. Another process may have run them already.
fn migrate(connection: &Connection, now: Timestamp) -> Result<(), OpenFailure> {
    let transaction = Transaction::new_unchecked(connection, TransactionBehavior::Immediate)?;
    let found = recorded_schema(&transaction)?;
    if found == 0 {
        transaction.execute_batch(CREATE_RECORD)?;
    }
    for migration in pending(found) {
        transaction.execute_batch(migration.sql)?;
        transaction.execute(
            "INSERT INTO schema_migrations (number, name, applied_at) VALUES (?1, ?2, ?3)",
            (migration.number, migration.name, now.as_micros()),
        )?;
    }
    Ok(transaction.commit()?)
}

/// The migrations after number `found`.
fn pending(found: u32) -> impl Iterator<Item = &'static Migration> {
    MIGRATIONS.iter().filter(move |migration| migration.number > found)
}

/// Creates the table that records the applied migrations.
const CREATE_RECORD: &str = "CREATE TABLE IF NOT EXISTS schema_migrations (
    number     INTEGER NOT NULL PRIMARY KEY,
    name       TEXT    NOT NULL,
    applied_at INTEGER NOT NULL
) STRICT";

/// The number of the newest migration in the file; 0 for a new file. Only reads.
fn recorded_schema(transaction: &Transaction<'_>) -> Result<u32, OpenFailure> {
    let tables = "SELECT count(*), count(*) FILTER (WHERE name = 'schema_migrations')
                  FROM sqlite_schema WHERE type = 'table'";
    let (tables, records): (u32, u32) =
        transaction.query_row(tables, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
    match (tables, records) {
        (0, _) => return Ok(0),
        (_, 0) => return Err(OpenFailure::Foreign),
        _ => {}
    }
    let newest = "SELECT coalesce(max(number), 0) FROM schema_migrations";
    let found = transaction.query_row(newest, [], |row| row.get(0))?;
    let known = known_schema();
    if found > known { Err(OpenFailure::NewerSchema { found, known }) } else { Ok(found) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn migration_numbers_have_no_gap() {
        assert!(
            MIGRATIONS
                .iter()
                .all(|migration| migration.name.starts_with(&format!("{:04}_", migration.number)))
        );
        assert!(
            MIGRATIONS.iter().map(|migration| migration.number).eq(1..=MIGRATIONS.len().try_into().unwrap())
        );
    }
}
