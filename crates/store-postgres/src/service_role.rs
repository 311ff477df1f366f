//! The role that the service connects as: what it may do, and of whose rows. The owner of the tables may do
//! everything.

use crate::connection::{Connection, Transaction};
use crate::error::{ConnectError, Outcome};
use crate::row::{Record, missing};

/// What the service does with the rows of each table. None of the ledger is ever changed or removed.
const RIGHTS: [(&str, &str); 11] = [
    ("schema_migrations", "SELECT"),
    ("tenants", "SELECT, INSERT, UPDATE"),
    ("users", "SELECT, INSERT, UPDATE"),
    ("tokens", "SELECT, INSERT, UPDATE"),
    ("categories", "SELECT, INSERT, UPDATE, DELETE"),
    ("products", "SELECT, INSERT, UPDATE"),
    ("catalogue_versions", "SELECT, INSERT, UPDATE"),
    ("transactions", "SELECT, INSERT"),
    ("history_days", "SELECT, INSERT, UPDATE"),
    ("orders", "SELECT, INSERT, UPDATE"),
    ("request_keys", "SELECT, INSERT, UPDATE, DELETE"),
];

/// Those without rows of a tenant.
const OF_NOBODY: [&str; 2] = ["schema_migrations", "tenants"];

/// Policies take a table for themselves. Who waits longer for one is in the way of the service.
const BEGIN: &str = "BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = 5000";

/// Gives a role what the service needs and nothing else, and holds it to one tenant at a time. To be done by
/// the owner of the tables; again after migrations.
pub(crate) async fn set_up(connection: Connection, role: &str) -> Result<(), ConnectError> {
    let transaction = connection.begin(BEGIN).await?;
    check(&transaction, role).await?;
    let quoted = format!("\"{}\"", role.replace('"', "\"\""));
    let schema = schema(&transaction).await?;
    transaction.batch(&format!("GRANT USAGE ON SCHEMA {schema} TO {quoted}")).await?;
    for (table, rights) in RIGHTS {
        if !OF_NOBODY.contains(&table) && !has_policy(&transaction, table).await? {
            transaction.batch(&policy(table)).await?;
        }
        let granted = format!("REVOKE ALL ON {table} FROM {quoted}; GRANT {rights} ON {table} TO {quoted}");
        transaction.batch(&granted).await?;
    }
    check_ledger(&transaction, role).await?;
    Ok(transaction.end(Ok(())).await?)
}

/// Whether the database shows rows of a tenant only to transactions that name it. That depends on the role
/// which the connection was made as.
pub(crate) async fn is_held_to_tenants(connection: &Connection) -> Outcome<bool> {
    let row = connection.row("SELECT row_security_active('users')", &[]).await?;
    let row = row.ok_or_else(|| missing("users", "row_security_active"))?;
    Record::new("users", 0, &row).get(0)
}

/// Rows are seen and written by a transaction that names their tenant, and nothing by one that names none.
fn policy(table: &str) -> String {
    const IS_OF_TENANT: &str = "tenant_id = current_setting('pointbook.tenant', true)";
    format!(
        "DROP POLICY IF EXISTS of_tenant ON {table};
         CREATE POLICY of_tenant ON {table} USING ({IS_OF_TENANT}) WITH CHECK ({IS_OF_TENANT});
         ALTER TABLE {table} ENABLE ROW LEVEL SECURITY"
    )
}

async fn has_policy(database: &Transaction, table: &str) -> Outcome<bool> {
    let select = "SELECT relrowsecurity FROM pg_class JOIN pg_policy ON polrelid = pg_class.oid
                  WHERE relnamespace = current_schema()::regnamespace AND relname = $1::text
                      AND polname = 'of_tenant'";
    let row = database.row(select, &[&table]).await?;
    row.map_or(Ok(false), |row| Record::new("pg_class", 0, &row).get(0))
}

/// The name of the schema, as statements write it.
async fn schema(database: &Transaction) -> Outcome<String> {
    let row = database.row("SELECT quote_ident(current_schema())", &[]).await?;
    let row = row.ok_or_else(|| missing("pg_namespace", "current_schema"))?;
    Record::new("pg_namespace", 0, &row).get(0)
}

/// Policies hold for neither superusers nor the owner.
async fn check(database: &Transaction, role: &str) -> Result<(), ConnectError> {
    let select = "SELECT rolsuper OR rolbypassrls, pg_has_role(pg_roles.oid, relowner, 'MEMBER')
                  FROM pg_roles, pg_class WHERE rolname = $1::text AND pg_class.oid = 'users'::regclass";
    let row = database.row(select, &[&role]).await?;
    let row = row.ok_or_else(|| refused(role, "there is none of this name: CREATE ROLE makes one"))?;
    let record = Record::new("pg_roles", 0, &row);
    if record.get(0)? {
        return Err(refused(
            role,
            "nothing keeps a superuser, or one with BYPASSRLS, from the rows of others",
        ));
    }
    if record.get(1)? {
        return Err(refused(role, "it is the owner of the tables, or a member of that role"));
    }
    Ok(())
}

/// What was granted to everybody, or to another role that this one is a member of, was not revoked here.
async fn check_ledger(database: &Transaction, role: &str) -> Result<(), ConnectError> {
    let select = "SELECT has_table_privilege($1::text, 'transactions', 'UPDATE, DELETE, TRUNCATE')";
    let row = database.row(select, &[&role]).await?;
    let row = row.ok_or_else(|| missing("transactions", "has_table_privilege"))?;
    if Record::new("transactions", 0, &row).get(0)? {
        return Err(refused(role, "it may change the ledger, as PUBLIC or as a member of another role"));
    }
    Ok(())
}

fn refused(role: &str, why: &'static str) -> ConnectError {
    ConnectError::Role { role: role.to_owned(), why }
}
