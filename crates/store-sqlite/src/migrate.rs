//! Bringing a file's schema up to date.

use pointbook_domain::Timestamp;
use rusqlite::{Connection, Transaction, TransactionBehavior};

use crate::error::OpenFailure;

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
};

/// Runs the migrations that the file lacks, all or none.
pub(crate) fn to_newest(connection: &mut Connection, now: Timestamp) -> Result<(), OpenFailure> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let found = recorded_schema(&transaction)?;
    let known = MIGRATIONS.last().map_or(0, |newest| newest.number);
    if found > known {
        return Err(OpenFailure::NewerSchema { found, known });
    }
    for migration in MIGRATIONS.iter().filter(|migration| migration.number > found) {
        transaction.execute_batch(migration.sql)?;
        transaction.execute(
            "INSERT INTO schema_migrations (number, name, applied_at) VALUES (?1, ?2, ?3)",
            (migration.number, migration.name, now.as_micros()),
        )?;
    }
    Ok(transaction.commit()?)
}

/// The number of the newest migration in the file; 0 for a new file.
fn recorded_schema(transaction: &Transaction<'_>) -> Result<u32, OpenFailure> {
    let tables = "SELECT count(*), count(*) FILTER (WHERE name = 'schema_migrations')
                  FROM sqlite_schema WHERE type = 'table'";
    let (tables, ours): (u32, u32) =
        transaction.query_row(tables, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
    if tables > 0 && ours == 0 {
        return Err(OpenFailure::Foreign);
    }
    transaction.execute_batch(
        "CREATE TABLE IF NOT EXISTS schema_migrations (
             number     INTEGER NOT NULL PRIMARY KEY,
             name       TEXT    NOT NULL,
             applied_at INTEGER NOT NULL
         ) STRICT",
    )?;
    let newest = "SELECT coalesce(max(number), 0) FROM schema_migrations";
    Ok(transaction.query_row(newest, [], |row| row.get(0))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn migrations_are_numbered_without_a_gap() {
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
