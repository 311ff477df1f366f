//! The role that the service connects as: what it may do, and of whose rows. The owner of the tables may do
//! everything.

use pointbook_schema::{TABLES, Table};

use crate::connection::{Connection, Transaction};
use crate::error::{ConnectError, Outcome};
use crate::migrate;
use crate::pool::{Pool, PostgresOptions};

/// The rows that a policy lets through, and how PostgreSQL repeats that.
const IS_OF_TENANT: &str = "tenant_id = current_setting('pointbook.tenant', true)";
const IS_OF_TENANT_STORED: &str = "(tenant_id = current_setting('pointbook.tenant'::text, true))";

/// An instance finds out in one statement which jobs are due, for any number of tenants. A transaction that names
/// `*`, which is no tenant's id, sees the jobs of all tenants and nothing else, and writes none.
const SHOW_JOBS: &str = "CREATE POLICY of_all_tenants ON jobs FOR SELECT
                         USING (current_setting('pointbook.tenant', true) = '*')";

/// Gives a role what the service needs and nothing else, and holds it to one tenant at a time. To be done by
/// the owner of the tables; again after migrations.
pub(crate) async fn set_up(pool: &Pool, options: &PostgresOptions, role: &str) -> Outcome<()> {
    let transaction = pool.connection().await?.begin("BEGIN ISOLATION LEVEL READ COMMITTED").await?;
    // Granting is no statement that two can do at once.
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
    // Anew each time, as the only permissive policy beside that of the tenants.
    transaction.batch("DROP POLICY IF EXISTS of_all_tenants ON jobs").await?;
    give(transaction, "schema_migrations", "SELECT", &quoted).await?;
    for Table { name, tenant_column, rights, .. } in &TABLES {
        if *tenant_column == "tenant_id" {
            protect(transaction, name).await?;
        }
        give(transaction, name, rights, &quoted).await?;
    }
    transaction.batch(SHOW_JOBS).await?;
    protect_active_tokens(transaction).await?;
    check_ledger(transaction, role).await
}

async fn give(transaction: &Transaction, table: &str, rights: &str, role: &str) -> Outcome<()> {
    transaction
        .batch(&format!("REVOKE ALL ON {table} FROM {role}; GRANT {rights} ON {table} TO {role}"))
        .await
}

/// The service removes tokens that ended, so a token that cannot have ended is out of its reach.
async fn protect_active_tokens(database: &Transaction) -> Outcome<()> {
    if policies(database, "tokens").await?.iter().any(|(name, ..)| name == "only_ended") {
        return Ok(());
    }
    let policy = "CREATE POLICY only_ended ON tokens AS RESTRICTIVE FOR DELETE
                  USING (revoked_at IS NOT NULL OR expires_at IS NOT NULL)";
    database.batch(policy).await
}

/// Whether the database shows rows of a tenant only to transactions that name it. That depends on the role
/// which the connection was made as.
pub(crate) async fn is_held_to_tenants(connection: &Connection) -> Outcome<bool> {
    let (is_active,) = connection.only("users", "SELECT row_security_active('users')", &[]).await?;
    Ok(is_active)
}

/// Rows are seen and written by a transaction that names their tenant, and nothing by one that names none.
/// Policies take a table for themselves: one that is there already is left alone.
async fn protect(database: &Transaction, table: &'static str) -> Outcome<()> {
    let mut is_protected = false;
    for (policy, is_permissive, is_ours) in policies(database, table).await? {
        if policy == "of_tenant" {
            is_protected = is_ours;
        } else if is_permissive {
            // What one permissive policy lets through, the others do not hold back.
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

/// Every policy of a table: its name, whether it lets rows through, and whether it is in force and says for
/// everybody what ours says.
async fn policies(database: &Transaction, table: &str) -> Outcome<Vec<(String, bool, bool)>> {
    let select = "SELECT polname::text, polpermissive,
                         relrowsecurity AND polpermissive AND polcmd = '*' AND polroles = '{0}'
                         AND pg_get_expr(polqual, polrelid) IS NOT DISTINCT FROM $2::text
                         AND pg_get_expr(polwithcheck, polrelid) IS NOT DISTINCT FROM $2::text
                  FROM pg_class JOIN pg_policy ON polrelid = pg_class.oid
                  WHERE relnamespace = current_schema()::regnamespace AND relname = $1::text ORDER BY polname";
    database.all_of(("pg_policy", 0), select, &[&table, &IS_OF_TENANT_STORED]).await
}

/// Policies hold for neither superusers nor the owner.
async fn check(database: &Transaction, role: &str) -> Outcome<()> {
    let select = "SELECT rolsuper OR rolbypassrls, pg_has_role(pg_roles.oid, relowner, 'MEMBER')
                  FROM pg_roles, pg_class WHERE rolname = $1::text AND pg_class.oid = 'users'::regclass";
    match database.one_of(("pg_roles", 0), select, &[&role]).await? {
        None => refuse(role, "there is none of this name: CREATE ROLE makes one"),
        Some((true, _)) => {
            refuse(role, "nothing keeps a superuser, or one with BYPASSRLS, from the rows of others")
        }
        Some((_, true)) => refuse(role, "it is the owner of the tables, or a member of that role"),
        Some((false, false)) => Ok(()),
    }
}

/// What was granted to everybody, or to another role that this one is a member of, was not revoked here.
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
