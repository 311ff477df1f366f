//! Sets up the role of the service: its rights on tables, and the policies that limit it to the rows of one tenant. The
//! owner of the tables may do everything.

use crate::postgres::connection::{Connection, Transaction};
use crate::postgres::error::{ConnectError, Outcome};
use crate::postgres::migrate;
use crate::postgres::pool::{Pool, PostgresOptions};
use crate::schema::{TABLES, Table};

/// The condition of the policies, and the form in which PostgreSQL stores it.
const IS_OF_TENANT: &str = "tenant_id = current_setting('pointbook.tenant', true)";
const IS_OF_TENANT_STORED: &str = "(tenant_id = current_setting('pointbook.tenant'::text, true))";

/// Lets an instance find the due jobs of all tenants in one statement. A transaction that names `*`, which is not a valid
/// tenant id, reads the jobs of all tenants and no other rows. It cannot write jobs.
const SHOW_JOBS: &str = "CREATE POLICY of_all_tenants ON jobs FOR SELECT
                         USING (current_setting('pointbook.tenant', true) = '*')";

/// Numbers the blocks of the feeds.
const FEED_SEQUENCE: &str = "feed_blocks_ordinal_seq";

/// Grants a role exactly the rights that the service needs, and limits it to one tenant per transaction. The owner of the
/// tables must run this, and again after migrations.
pub(crate) async fn set_up(pool: &Pool, options: &PostgresOptions, role: &str) -> Outcome<()> {
    let transaction = pool.connection().await?.begin("BEGIN ISOLATION LEVEL READ COMMITTED").await?;
    // PostgreSQL fails concurrent GRANT statements on one table.
    migrate::lock(&transaction, options).await?;
    check(&transaction, role).await?;
    grant(&transaction, role).await?;
    transaction.end(Ok(())).await
}

async fn grant(transaction: &Transaction, role: &str) -> Outcome<()> {
    let quoted = format!("\"{}\"", role.replace('"', "\"\""));
    let (schema,): (String,) =
        transaction.only("pg_namespace", "SELECT quote_ident(current_schema())", &[]).await?;
    transaction.batch(&format!("GRANT USAGE ON SCHEMA {schema} TO {quoted}")).await?;
    // `copy` moves the sequence past the blocks that it brought along.
    transaction.batch(&format!("GRANT USAGE ON SEQUENCE {FEED_SEQUENCE} TO {quoted}")).await?;
    // `protect` refuses any other permissive policy, so this one is dropped first and created again below.
    transaction.batch("DROP POLICY IF EXISTS of_all_tenants ON jobs").await?;
    grant_on_table(transaction, "schema_migrations", "SELECT", &quoted).await?;
    for Table { name, tenant_column, rights, .. } in &TABLES {
        if *tenant_column == "tenant_id" {
            protect(transaction, name).await?;
        }
        grant_on_table(transaction, name, rights, &quoted).await?;
    }
    transaction.batch(SHOW_JOBS).await?;
    protect_active_tokens(transaction).await?;
    check_ledger(transaction, role).await
}

async fn grant_on_table(transaction: &Transaction, table: &str, rights: &str, role: &str) -> Outcome<()> {
    transaction
        .batch(&format!("REVOKE ALL ON {table} FROM {role}; GRANT {rights} ON {table} TO {role}"))
        .await
}

/// Lets the service delete only tokens that are revoked or have an expiry.
async fn protect_active_tokens(database: &Transaction) -> Outcome<()> {
    if policies(database, "tokens").await?.iter().any(|(name, ..)| name == "only_ended") {
        return Ok(());
    }
    let policy = "CREATE POLICY only_ended ON tokens AS RESTRICTIVE FOR DELETE
                  USING (revoked_at IS NOT NULL OR expires_at IS NOT NULL)";
    database.batch(policy).await
}

/// Whether the database shows the rows of a tenant only to transactions that name it. That depends on the role of the
/// connection.
pub(crate) async fn is_held_to_tenants(connection: &Connection) -> Outcome<bool> {
    let (is_active,) = connection.only("users", "SELECT row_security_active('users')", &[]).await?;
    Ok(is_active)
}

/// Limits reads and writes of a table to transactions that name the tenant of the rows. Creating a policy locks the table,
/// so this function keeps an existing policy.
async fn protect(database: &Transaction, table: &'static str) -> Outcome<()> {
    let mut is_protected = false;
    for (policy, is_permissive, is_ours) in policies(database, table).await? {
        if policy == "of_tenant" {
            is_protected = is_ours;
        } else if is_permissive {
            // PostgreSQL shows a row if any permissive policy allows it.
            return Err(ConnectError::Policy { table, policy }.into());
        }
    }
    if !is_protected {
        let policy = format!(
            "DROP POLICY IF EXISTS of_tenant ON {table};
             CREATE POLICY of_tenant ON {table} USING ({IS_OF_TENANT}) WITH CHECK ({IS_OF_TENANT});
             ALTER TABLE {table} ENABLE ROW LEVEL SECURITY"
        );
        database.batch(&policy).await?;
    }
    Ok(())
}

/// Every policy of a table: its name, whether it is permissive, and whether it is active and equal to pointbook's policy for
/// all roles.
async fn policies(database: &Transaction, table: &str) -> Outcome<Vec<(String, bool, bool)>> {
    let select = "SELECT polname::text, polpermissive,
                         relrowsecurity AND polpermissive AND polcmd = '*' AND polroles = '{0}'
                         AND pg_get_expr(polqual, polrelid) IS NOT DISTINCT FROM $2::text
                         AND pg_get_expr(polwithcheck, polrelid) IS NOT DISTINCT FROM $2::text
                  FROM pg_class JOIN pg_policy ON polrelid = pg_class.oid
                  WHERE relnamespace = current_schema()::regnamespace AND relname = $1::text ORDER BY polname";
    database.all_of(("pg_policy", 0), select, &[&table, &IS_OF_TENANT_STORED]).await
}

/// Refuses a role that bypasses policies: superusers, roles with BYPASSRLS and the owner of the tables do.
async fn check(database: &Transaction, role: &str) -> Outcome<()> {
    let select = "SELECT rolsuper OR rolbypassrls, pg_has_role(pg_roles.oid, relowner, 'MEMBER')
                  FROM pg_roles, pg_class WHERE rolname = $1::text AND pg_class.oid = 'users'::regclass";
    match database.one_of(("pg_roles", 0), select, &[&role]).await? {
        None => refuse(role, "it does not exist: create it with CREATE ROLE"),
        Some((true, _)) => {
            refuse(role, "it is a superuser or has BYPASSRLS, so it can read the rows of every tenant")
        }
        Some((_, true)) => refuse(role, "it is the owner of the tables, or a member of that role"),
        Some((false, false)) => Ok(()),
    }
}

/// Refuses a role that still may change the ledger or the tenants, by a grant to PUBLIC or to a role that it belongs to.
async fn check_ledger(database: &Transaction, role: &str) -> Outcome<()> {
    let select = "SELECT has_table_privilege($1::text, 'transactions', 'UPDATE, DELETE, TRUNCATE'),
                         has_table_privilege($1::text, 'tenants', 'INSERT, UPDATE, DELETE, TRUNCATE')";
    match database.only("transactions", select, &[&role]).await? {
        (true, _) => refuse(role, "it may change the ledger, as PUBLIC or as a member of another role"),
        (_, true) => refuse(role, "it may change the tenants, as PUBLIC or as a member of another role"),
        (false, false) => Ok(()),
    }
}

fn refuse(role: &str, why: &'static str) -> Outcome<()> {
    Err(ConnectError::Role { role: role.to_owned(), why }.into())
}
