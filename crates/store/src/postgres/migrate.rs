//! Migrates the schema of a database.

use crate::postgres::citus;
use crate::postgres::connection::{Connection, Transaction};
use crate::postgres::error::{ConnectError, Outcome};
use crate::postgres::pool::{Pool, PostgresOptions};
use crate::postgres::retry::with_retries;

macro_rules! migrations {
    ($($name:literal,)*) => {
        &[$(($name, include_str!(concat!("../../migrations/postgres/", $name, ".sql"))),)*]
    };
}

/// The names and the SQL of all migrations. The number of a migration is its position, from 1.
const MIGRATIONS: &[(&str, &str)] = migrations! {
    "0001_create_tenants",
    "0002_create_users",
    "0003_create_tokens",
    "0004_create_catalogue",
    "0005_create_ledger",
    "0006_create_orders",
    "0007_create_request_keys",
    "0008_add_product_stock_counts",
    "0009_fill_product_stock_supplied",
    "0010_index_categories_by_parent",
    "0011_add_low_stock_threshold",
    "0012_fill_low_stock_threshold",
    "0013_create_tenant_secrets",
    "0014_add_token_label",
    "0015_carry_rate_limits",
    "0016_create_jobs",
    "0017_add_token_scopes",
    "0018_create_audit_log",
    "0019_create_data_keys",
    "0020_add_tenant_clock",
    "0021_create_feed",
    "0022_create_webhooks",
    "0023_create_operators",
    "0024_add_campaign_columns",
    "0025_fill_earned_counts",
    "0026_create_campaigns",
    "0027_create_back_tests",
    "0028_create_campaign_runs",
    "0029_create_back_fills",
    "0030_create_figures",
    "0031_create_operator_sessions",
    "0032_add_figures_columns",
    "0033_create_pictures",
    "0034_create_category_trees",
    "0035_fill_category_trees",
    "0036_drop_categories",
    "0037_add_session_use",
};

/// Creates the table that records the applied migrations.
const CREATE_RECORD: &str = "CREATE TABLE IF NOT EXISTS schema_migrations (
    number     BIGINT NOT NULL PRIMARY KEY,
    name       TEXT COLLATE \"C\" NOT NULL,
    applied_at BIGINT NOT NULL
)";

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
        0 => connection.batch(CREATE_RECORD).await?,
        found if found == known() => return Ok(false),
        _ => {}
    }
    let transaction = connection.begin("BEGIN ISOLATION LEVEL READ COMMITTED").await?;
    lock(&transaction, options).await?;
    // Another process may have run the migration already.
    let found = usable_schema(&transaction).await?;
    let Some((name, sql)) = MIGRATIONS.get(found as usize) else { return Ok(false) };
    for statement in statements(sql) {
        transaction.batch(statement).await?;
    }
    let record = "INSERT INTO schema_migrations (number, name, applied_at) VALUES ($1, $2, $3)";
    transaction.execute(record, &[&(i64::from(found) + 1), name, &options.now.as_micros()]).await?;
    transaction.end(Ok(true)).await
}

/// The statements of a migration, each with the comment before it. Citus accepts only one at a time.
fn statements(sql: &str) -> impl Iterator<Item = &str> {
    sql.split_inclusive(";\n")
}

/// Waits until no other process changes the schema. This lock blocks no requests. Later locks have a timeout, because other
/// transactions wait behind them.
pub(crate) async fn lock(transaction: &Transaction, options: &PostgresOptions) -> Outcome<()> {
    transaction.batch("LOCK TABLE schema_migrations IN EXCLUSIVE MODE").await?;
    transaction.batch(&format!("SET LOCAL lock_timeout = {}", options.lock_timeout_ms)).await
}

/// The number of the newest migration of this version.
fn known() -> u32 {
    u32::try_from(MIGRATIONS.len()).unwrap_or(u32::MAX)
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
    let newest = "SELECT coalesce(max(number), 0) FROM schema_migrations";
    let (found,) = connection.only("schema_migrations", newest, &[]).await?;
    let known = known();
    if found > known { Err(ConnectError::NewerSchema { found, known }.into()) } else { Ok(found) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Citus refuses several statements at once, and a constraint without a name on a new column.
    #[test]
    fn migration_parts_are_single_statements_that_citus_accepts() {
        for (name, sql) in MIGRATIONS {
            for statement in statements(sql) {
                let is_code = |line: &&str| !line.starts_with("--");
                let code: String = statement.lines().filter(is_code).collect();
                assert!(statement.ends_with(";\n") && code.matches(';').count() == 1, "{name}: {statement}");
                let is_named =
                    !code.contains("ADD COLUMN") || !code.contains("CHECK") || code.contains("CONSTRAINT");
                assert!(is_named, "{name}: {statement}");
            }
        }
    }

    #[test]
    fn migration_numbers_have_no_gap() {
        for ((name, _), number) in MIGRATIONS.iter().zip(1..) {
            assert!(name.starts_with(&format!("{number:04}_")), "{name}");
        }
    }
}
