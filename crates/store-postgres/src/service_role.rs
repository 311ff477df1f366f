//! The role that the service connects as: what it may do, and of whose rows. The owner of the tables may do
//! everything.

use tokio_postgres::Row;

use crate::connection::{Connection, Transaction};
use crate::error::{ConnectError, Outcome};
use crate::migrate;
use crate::pool::{Pool, PostgresOptions};
use crate::row::{Record, missing};

/// What the service does with the rows of each table. None of the ledger is ever changed or removed; the list of
/// tenants is the owner's.
const RIGHTS: [(&str, &str); 13] = [
    ("schema_migrations", "SELECT"),
    ("tenants", "SELECT"),
    ("users", "SELECT, INSERT, UPDATE"),
    ("tokens", "SELECT, INSERT, UPDATE, DELETE"),
    ("categories", "SELECT, INSERT, UPDATE, DELETE"),
    ("products", "SELECT, INSERT, UPDATE"),
    ("catalogue_versions", "SELECT, INSERT, UPDATE"),
    ("transactions", "SELECT, INSERT"),
    ("history_days", "SELECT, INSERT, UPDATE"),
    ("orders", "SELECT, INSERT, UPDATE"),
    ("request_keys", "SELECT, INSERT, UPDATE, DELETE"),
    ("tenant_secrets", "SELECT, INSERT"),
    ("jobs", "SELECT, INSERT, UPDATE, DELETE"),
];

/// Those without rows of a tenant.
const OF_NOBODY: [&str; 2] = ["schema_migrations", "tenants"];

/// The rows that a policy lets through, and how PostgreSQL repeats that.
const IS_OF_TENANT: &str = "tenant_id = current_setting('pointbook.tenant', true)";
const IS_OF_TENANT_STORED: &str = "(tenant_id = current_setting('pointbook.tenant'::text, true))";

/// An instance finds out in one statement which jobs are due, for any number of tenants. A transaction that names
/// `*`, which is no tenant's id, sees the jobs of all tenants and nothing else, and writes none.
const SHOW_JOBS: &str = "CREATE POLICY of_all_tenants ON jobs FOR SELECT
                         USING (current_setting('pointbook.tenant', true) = '*')";

/// Gives a role what the service needs and nothing else, and holds it to one tenant at a time. To be done by
/// the owner of the tables; again after migrations.
pub(crate) async fn set_up(
    pool: &Pool,
    options: &PostgresOptions,
    role: &str,
) -> Outcome<Result<(), ConnectError>> {
    let transaction = pool.connection().await?.begin("BEGIN ISOLATION LEVEL READ COMMITTED").await?;
    // Granting is no statement that two can do at once.
    migrate::lock(&transaction, options).await?;
    let allowed = match check(&transaction, role).await? {
        Ok(()) => grant(&transaction, role).await?,
        refused => refused,
    };
    if allowed.is_err() {
        return Ok(allowed);
    }
    transaction.end(Ok(allowed)).await
}

async fn grant(transaction: &Transaction, role: &str) -> Outcome<Result<(), ConnectError>> {
    let quoted = format!("\"{}\"", role.replace('"', "\"\""));
    let schema = schema(transaction).await?;
    transaction.batch(&format!("GRANT USAGE ON SCHEMA {schema} TO {quoted}")).await?;
    // Anew each time, as the only permissive policy beside that of the tenants.
    transaction.batch("DROP POLICY IF EXISTS of_all_tenants ON jobs").await?;
    for (table, rights) in RIGHTS {
        if !OF_NOBODY.contains(&table)
            && let Err(refused) = protect(transaction, table).await?
        {
            return Ok(Err(refused));
        }
        let granted = format!("REVOKE ALL ON {table} FROM {quoted}; GRANT {rights} ON {table} TO {quoted}");
        transaction.batch(&granted).await?;
    }
    transaction.batch(SHOW_JOBS).await?;
    protect_active_tokens(transaction).await?;
    check_ledger(transaction, role).await
}

/// The service removes tokens that ended, so a token that cannot have ended is out of its reach.
async fn protect_active_tokens(database: &Transaction) -> Outcome<()> {
    for row in policies(database, "tokens").await? {
        if Record::new("pg_policy", 0, &row).get::<&str>(0)? == "only_ended" {
            return Ok(());
        }
    }
    let policy = "CREATE POLICY only_ended ON tokens AS RESTRICTIVE FOR DELETE
                  USING (revoked_at IS NOT NULL OR expires_at IS NOT NULL)";
    database.batch(policy).await
}

/// Whether the database shows rows of a tenant only to transactions that name it. That depends on the role
/// which the connection was made as.
pub(crate) async fn is_held_to_tenants(connection: &Connection) -> Outcome<bool> {
    let row = connection.row("SELECT row_security_active('users')", &[]).await?;
    let row = row.ok_or_else(|| missing("users", "row_security_active"))?;
    Record::new("users", 0, &row).get(0)
}

/// Rows are seen and written by a transaction that names their tenant, and nothing by one that names none.
/// Policies take a table for themselves: one that is there already is left alone.
async fn protect(database: &Transaction, table: &'static str) -> Outcome<Result<(), ConnectError>> {
    let mut is_protected = false;
    for row in policies(database, table).await? {
        let record = Record::new("pg_policy", 0, &row);
        match (record.get::<&str>(0)?, record.get::<bool>(1)?) {
            ("of_tenant", _) => is_protected = record.get(2)?,
            // What one permissive policy lets through, the others do not hold back.
            (policy, true) => return Ok(Err(ConnectError::Policy { table, policy: policy.to_owned() })),
            (_, false) => {}
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
    Ok(Ok(()))
}

/// Every policy of a table: its name, whether it lets rows through, and whether it is in force and says for
/// everybody what ours says.
async fn policies(database: &Transaction, table: &str) -> Outcome<Vec<Row>> {
    let select = "SELECT polname::text, polpermissive,
                         relrowsecurity AND polpermissive AND polcmd = '*' AND polroles = '{0}'
                         AND pg_get_expr(polqual, polrelid) IS NOT DISTINCT FROM $2::text
                         AND pg_get_expr(polwithcheck, polrelid) IS NOT DISTINCT FROM $2::text
                  FROM pg_class JOIN pg_policy ON polrelid = pg_class.oid
                  WHERE relnamespace = current_schema()::regnamespace AND relname = $1::text ORDER BY polname";
    database.rows(select, &[&table, &IS_OF_TENANT_STORED]).await
}

/// The name of the schema, as statements write it.
async fn schema(database: &Transaction) -> Outcome<String> {
    let row = database.row("SELECT quote_ident(current_schema())", &[]).await?;
    let row = row.ok_or_else(|| missing("pg_namespace", "current_schema"))?;
    Record::new("pg_namespace", 0, &row).get(0)
}

/// Policies hold for neither superusers nor the owner.
async fn check(database: &Transaction, role: &str) -> Outcome<Result<(), ConnectError>> {
    let select = "SELECT rolsuper OR rolbypassrls, pg_has_role(pg_roles.oid, relowner, 'MEMBER')
                  FROM pg_roles, pg_class WHERE rolname = $1::text AND pg_class.oid = 'users'::regclass";
    let Some(row) = database.row(select, &[&role]).await? else {
        return Ok(Err(refused(role, "there is none of this name: CREATE ROLE makes one")));
    };
    let record = Record::new("pg_roles", 0, &row);
    Ok(match (record.get(0)?, record.get(1)?) {
        (true, _) => {
            Err(refused(role, "nothing keeps a superuser, or one with BYPASSRLS, from the rows of others"))
        }
        (_, true) => Err(refused(role, "it is the owner of the tables, or a member of that role")),
        (false, false) => Ok(()),
    })
}

/// What was granted to everybody, or to another role that this one is a member of, was not revoked here.
async fn check_ledger(database: &Transaction, role: &str) -> Outcome<Result<(), ConnectError>> {
    let select = "SELECT has_table_privilege($1::text, 'transactions', 'UPDATE, DELETE, TRUNCATE'),
                         has_table_privilege($1::text, 'tenants', 'INSERT, UPDATE, DELETE, TRUNCATE')";
    let row = database.row(select, &[&role]).await?;
    let row = row.ok_or_else(|| missing("transactions", "has_table_privilege"))?;
    let record = Record::new("transactions", 0, &row);
    Ok(match (record.get(0)?, record.get(1)?) {
        (true, _) => Err(refused(role, "it may change the ledger, as PUBLIC or as a member of another role")),
        (_, true) => {
            Err(refused(role, "it may change the tenants, as PUBLIC or as a member of another role"))
        }
        (false, false) => Ok(()),
    })
}

fn refused(role: &str, why: &'static str) -> ConnectError {
    ConnectError::Role { role: role.to_owned(), why }
}
