//! Splits a database by tenant with Citus. The rows of a tenant are on one of several servers. Every server has the list of
//! tenants and the version of the schema.

use crate::postgres::connection::Connection;
use crate::postgres::error::{ConnectError, Outcome};
use crate::postgres::migrate;
use crate::postgres::pool::{Pool, PostgresOptions};
use crate::schema::{TABLES, TENANTS};

/// The settings for splitting tables. Without the first, Citus keeps foreign keys of tables that are not split yet on the
/// coordinator. Without the second, it changes shards in parallel, which a transaction with both kinds of tables may not.
const SETTINGS: [&str; 2] = [
    "SET LOCAL citus.enable_local_reference_table_foreign_keys TO off",
    "SET LOCAL citus.multi_shard_modify_mode TO 'sequential'",
];

/// Whether the rows of users are split by tenant.
pub(crate) async fn is_split(database: &Connection) -> Outcome<bool> {
    Ok(has_citus(database).await? && !is_missing(database, "users").await?)
}

async fn has_citus(database: &Connection) -> Outcome<bool> {
    let select = "SELECT to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL";
    let (has_citus,) = database.only("pg_class", select, &[]).await?;
    Ok(has_citus)
}

/// Whether Citus does not know a table.
async fn is_missing(database: &Connection, table: &str) -> Outcome<bool> {
    let select = "SELECT NOT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = $1::text::regclass)";
    let (is_missing,) = database.only("pg_dist_partition", select, &[&table]).await?;
    Ok(is_missing)
}

/// Splits every table that is not split yet, in one transaction. Returns their names. The owner of the tables must run this.
pub(crate) async fn split(pool: &Pool, options: &PostgresOptions) -> Outcome<Vec<&'static str>> {
    let connection = pool.connection().await?;
    if !has_citus(&connection).await? {
        return Err(ConnectError::NoCitus.into());
    }
    let transaction = connection.begin("BEGIN ISOLATION LEVEL READ COMMITTED").await?;
    migrate::lock(&transaction, options).await?;
    for setting in SETTINGS {
        transaction.batch(setting).await?;
    }
    let mut done = Vec::new();
    for (table, distribute) in distributions() {
        if is_missing(&transaction, table).await? {
            transaction.batch(&distribute).await?;
            done.push(table);
        }
    }
    transaction.end(Ok(done)).await
}

/// Splits the tables that a migration added, if the database is split.
pub(crate) async fn keep_split(pool: &Pool, options: &PostgresOptions) -> Outcome<()> {
    let connection = pool.connection().await?;
    let is_split = is_split(&connection).await?;
    drop(connection);
    if is_split { split(pool, options).await.map(drop) } else { Ok(()) }
}

/// The tables with the statement that splits each, after the tables that they refer to.
fn distributions() -> impl Iterator<Item = (&'static str, String)> {
    let of_tenants = TABLES.iter().map(|table| {
        let name = table.name;
        let distribute = if *table == TENANTS {
            format!("SELECT create_reference_table('{name}')")
        } else if name == FIRST_SPLIT {
            format!("SELECT create_distributed_table('{name}', 'tenant_id')")
        } else {
            format!(
                "SELECT create_distributed_table('{name}', 'tenant_id', colocate_with => '{FIRST_SPLIT}')"
            )
        };
        (name, distribute)
    });
    // Every server has this table, so that instances may connect to any of them.
    let schema = ("schema_migrations", "SELECT create_reference_table('schema_migrations')".to_owned());
    of_tenants.chain([schema])
}

/// The first table that is split. All others are stored on the same server as its rows.
const FIRST_SPLIT: &str = "users";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_of_tenant_are_colocated_with_users() {
        let all: Vec<_> = distributions().collect();
        assert_eq!(all.len(), TABLES.len() + 1);
        assert_eq!(all[0], ("tenants", "SELECT create_reference_table('tenants')".to_owned()));
        assert_eq!(all[1].1, "SELECT create_distributed_table('users', 'tenant_id')");
        for (name, distribute) in &all[2..TABLES.len()] {
            let expected =
                format!("SELECT create_distributed_table('{name}', 'tenant_id', colocate_with => 'users')");
            assert_eq!(*distribute, expected);
        }
    }
}
