//! Migrates the schema of a database.

use crate::migrations::{BEFORE_THE_FIRST, RECORD, known, pending};
use crate::postgres::citus;
use crate::postgres::connection::{Connection, Transaction};
use crate::postgres::error::{ConnectError, Outcome};
use crate::postgres::pool::{Pool, PostgresOptions};
use crate::postgres::retry::with_retries;
use crate::schema::Dialect;

/// Fails unless the database has the schema of this version. Only reads.
pub(crate) async fn check(connection: &Connection) -> Result<(), ConnectError> {
    let (found, known) = (usable_schema(connection).await?, known());
    if found < known { Err(ConnectError::OlderSchema { found, known }) } else { Ok(()) }
}

/// Runs all pending migrations. Returns their number. Each is a separate transaction, so that the locks of one are free before
/// the next one, which may take long to change rows.
pub(crate) async fn to_newest(pool: &Pool, options: &PostgresOptions) -> Result<usize, ConnectError> {
    let mut done = 0;
    while with_retries(options.retry_for(), || next(pool, options)).await? {
        done += 1;
    }
    with_retries(options.retry_for(), || citus::keep_split(pool, options)).await?;
    Ok(done)
}

/// Runs the first pending migration. Returns whether one was pending.
async fn next(pool: &Pool, options: &PostgresOptions) -> Outcome<bool> {
    let connection = pool.connection().await?;
    match usable_schema(&connection).await? {
        // When two processes create the table at once, one gets an error and retries.
        0 => connection.batch(&RECORD.sql(Dialect::Postgres).concat()).await?,
        found if found == known() => return Ok(false),
        _ => {}
    }
    let transaction = connection.begin("BEGIN ISOLATION LEVEL READ COMMITTED").await?;
    lock(&transaction, options).await?;
    // Another process may have run the migration already.
    let found = usable_schema(&transaction).await?;
    let Some((number, migration)) = pending(found).next() else { return Ok(false) };
    for statement in migration.sql(Dialect::Postgres) {
        transaction.batch(&statement).await?;
    }
    let record = "INSERT INTO schema_migrations (number, name, applied_at) VALUES ($1, $2, $3)";
    transaction.execute(record, &[&i64::from(number), &migration.name, &options.now.as_micros()]).await?;
    transaction.end(Ok(true)).await
}

/// Waits until no other process changes the schema. This lock blocks no requests. Later locks have a timeout, because other
/// transactions wait behind them.
pub(crate) async fn lock(transaction: &Transaction, options: &PostgresOptions) -> Outcome<()> {
    transaction.batch("LOCK TABLE schema_migrations IN EXCLUSIVE MODE").await?;
    transaction.batch(&format!("SET LOCAL lock_timeout = {}", options.lock_timeout_ms)).await
}

/// The number of the newest migration in the database; 0 for an empty database. Fails when this version cannot use the
/// schema. Only reads.
async fn usable_schema(connection: &Connection) -> Outcome<u32> {
    // The tables and views of extensions do not count.
    let tables = "SELECT count(*), count(*) FILTER (WHERE relname = 'schema_migrations') FROM pg_class
                  WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'f')
                      AND NOT EXISTS (SELECT FROM pg_depend
                          WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype = 'e')";
    match connection.only("pg_class", tables, &[]).await? {
        (0_u64, _) => return Ok(0),
        (_, 0_u64) => return Err(ConnectError::Foreign.into()),
        _ => {}
    }
    let newest =
        "SELECT coalesce(max(number), 0), coalesce(bool_or(name = $1), FALSE) FROM schema_migrations";
    let (found, is_older_than_all) =
        connection.only("schema_migrations", newest, &[&BEFORE_THE_FIRST]).await?;
    if is_older_than_all {
        return Err(ConnectError::BeforeTheFirst.into());
    }
    let known = known();
    if found > known { Err(ConnectError::NewerSchema { found, known }.into()) } else { Ok(found) }
}
