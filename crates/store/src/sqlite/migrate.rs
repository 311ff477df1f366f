//! Migrates the schema of a file.

use pointbook_domain::Timestamp;
use rusqlite::{Connection, Transaction, TransactionBehavior};

use crate::migrations::{BEFORE_THE_FIRST, RECORD, known, pending};
use crate::schema::Dialect;
use crate::sqlite::error::OpenFailure;
use crate::sqlite::options::SqliteOptions;
use crate::sqlite::retry::while_busy;

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
    let known = known();
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

/// Takes the write lock and runs the migrations that are still pending. Another process may have run them already.
fn migrate(connection: &Connection, now: Timestamp) -> Result<(), OpenFailure> {
    let transaction = Transaction::new_unchecked(connection, TransactionBehavior::Immediate)?;
    let found = recorded_schema(&transaction)?;
    if found == 0 {
        transaction.execute_batch(&RECORD.sql(Dialect::Sqlite).concat())?;
    }
    for (number, migration) in pending(found) {
        transaction.execute_batch(&migration.sql(Dialect::Sqlite).concat())?;
        transaction.execute(
            "INSERT INTO schema_migrations (number, name, applied_at) VALUES (?1, ?2, ?3)",
            (number, migration.name, now.as_micros()),
        )?;
    }
    Ok(transaction.commit()?)
}

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
    let newest = "SELECT coalesce(max(number), 0), coalesce(max(name = ?1), 0) FROM schema_migrations";
    let (found, is_older_than_all): (u32, bool) =
        transaction.query_row(newest, [BEFORE_THE_FIRST], |row| Ok((row.get(0)?, row.get(1)?)))?;
    if is_older_than_all {
        return Err(OpenFailure::BeforeTheFirst);
    }
    let known = known();
    if found > known { Err(OpenFailure::NewerSchema { found, known }) } else { Ok(found) }
}
