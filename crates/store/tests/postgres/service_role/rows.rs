//! Tests which rows the service role can read and write.

use std::sync::Arc;

use pointbook_domain::Environment;
use pointbook_store::ports::Database;
use pointbook_store::postgres::{PostgresOptions, PostgresStore, PostgresUrl};
use pointbook_store::schema::TABLES;
use pointbook_store::tenants::set_clock::{ClockOutcome, ClockTarget, SetClock};
use pointbook_testkit::build;
use pointbook_testkit::build::{activity, recorded};
use pointbook_testkit::postgres::{Isolation, PostgresDatabase};
use tokio_postgres::Client;
use tokio_postgres::error::SqlState;

use crate::role;
use crate::role::{ROLE, migrated};

/// A database in which two tenants have a user u1 with an activity, and a connection with the service role. `acme` and
/// `other` are the ids of the tenants.
struct RoleFixture {
    service: Client,
    acme: String,
    other: String,
    database: PostgresDatabase,
}

impl RoleFixture {
    /// `None` without a PostgreSQL server.
    async fn new() -> Option<Self> {
        let database = migrated(Isolation::ReadCommitted).await?;
        let (acme, other) = (build::tenant("acme"), build::tenant("other"));
        let (url, options) =
            (PostgresUrl::parse(&database.url).unwrap(), PostgresOptions::new(build::noon()));
        let owner: Arc<dyn Database> = Arc::new(PostgresStore::connect(&url, &options).await.unwrap());
        for tenant in [&acme, &other] {
            owner.insert_tenant(tenant, &[]).await.unwrap();
        }
        role::hand_over(&database.url).await;
        let store = PostgresStore::connect(&url, &options).await.unwrap();
        for tenant in [&acme, &other] {
            let data = store.tenant(&tenant.id);
            data.write(build::history([recorded("u1", activity("first", 100))])).await.unwrap();
        }
        let service = role::connect(&database.url).await;
        let (acme, other) = (acme.id.as_str().to_owned(), other.id.as_str().to_owned());
        Some(Self { service, acme, other, database })
    }

    async fn count(&self, table: &str) -> i64 {
        let sql = format!("SELECT count(*) FROM {table}");
        self.service.query_one(&sql, &[]).await.unwrap().get(0)
    }

    /// Begins a transaction for a tenant.
    async fn begin(&self, tenant: &str) {
        self.service.batch_execute("BEGIN").await.unwrap();
        let set = "SELECT set_config('pointbook.tenant', $1, true)";
        self.service.query_one(set, &[&tenant]).await.unwrap();
    }

    async fn rollback(&self) {
        self.service.batch_execute("ROLLBACK").await.unwrap();
    }

    /// The error state of a statement, if it fails. Rolls back its transaction.
    async fn refusal(&self, sql: &str) -> Option<SqlState> {
        let error = self.service.execute(sql, &[]).await.err();
        self.rollback().await;
        error.map(|error| error.code().unwrap().clone())
    }

    /// The tables with rows of tenants.
    async fn tables(&self) -> Vec<String> {
        let with_tenant = "SELECT table_name::text FROM information_schema.columns
                           WHERE table_schema = current_schema() AND column_name = 'tenant_id'";
        let rows = role::connect(&self.database.url).await.query(with_tenant, &[]).await.unwrap();
        rows.iter().map(|row| row.get(0)).collect()
    }
}

#[tokio::test]
async fn statement_without_tenant_sees_no_rows() {
    let Some(fixture) = RoleFixture::new().await else { return };
    // An earlier transaction that named a tenant must not matter.
    fixture.begin(&fixture.acme).await;
    assert_eq!(fixture.count("users").await, 1);
    fixture.rollback().await;
    let tables = fixture.tables().await;
    assert_eq!(tables.len(), TABLES.len() - 1);
    for table in tables {
        assert_eq!(fixture.count(&table).await, 0, "{table}");
    }
    assert_eq!(fixture.service.execute("UPDATE users SET balance = 0", &[]).await.unwrap(), 0);
}

#[tokio::test]
async fn rows_of_another_tenant_cannot_be_read_or_written() {
    let Some(fixture) = RoleFixture::new().await else { return };
    let RoleFixture { acme, other, .. } = &fixture;
    for table in ["users", "transactions"] {
        fixture.begin(acme).await;
        assert_eq!(fixture.count(&format!("{table} WHERE tenant_id = '{acme}'")).await, 1, "{table}");
        assert_eq!(fixture.count(&format!("{table} WHERE tenant_id = '{other}'")).await, 0, "{table}");
        fixture.rollback().await;
    }
    fixture.begin(acme).await;
    let update = format!("UPDATE users SET balance = 1 WHERE tenant_id = '{other}'");
    assert_eq!(fixture.service.execute(&update, &[]).await.unwrap(), 0);
    fixture.rollback().await;
    for sql in [
        format!("INSERT INTO catalogue_versions (tenant_id, version) VALUES ('{other}', 1)"),
        format!("UPDATE users SET tenant_id = '{other}', id = 'u2'"),
        format!("INSERT INTO request_keys VALUES ('{other}', 'p', 'k', sha256(''), '', 0, 0)"),
    ] {
        fixture.begin(acme).await;
        assert_eq!(fixture.refusal(&sql).await, Some(SqlState::INSUFFICIENT_PRIVILEGE), "{sql}");
    }
}

/// An instance finds the due jobs in one statement. It changes a job as its tenant.
#[tokio::test]
async fn only_jobs_of_all_tenants_can_be_read() {
    let Some(fixture) = RoleFixture::new().await else { return };
    for tenant in [&fixture.acme, &fixture.other] {
        fixture.begin(tenant).await;
        let insert = format!(
            "INSERT INTO jobs (tenant_id, name, key, next_run_at, attempts) VALUES ('{tenant}', 'a', '', 0, 0)"
        );
        assert_eq!(fixture.service.execute(&insert, &[]).await.unwrap(), 1);
        fixture.service.batch_execute("COMMIT").await.unwrap();
    }
    fixture.begin("*").await;
    assert_eq!(fixture.count("jobs").await, 2);
    for table in [
        "users",
        "transactions",
        "tokens",
        "request_keys",
        "tenant_secrets",
        "data_keys",
        "operators",
        "operator_sessions",
        "pictures",
        "picture_bytes",
        "webhooks",
        "audit_entries",
    ] {
        assert_eq!(fixture.count(table).await, 0, "{table}");
    }
    assert_eq!(fixture.service.execute("UPDATE jobs SET attempts = 1", &[]).await.unwrap(), 0);
    assert_eq!(fixture.service.execute("DELETE FROM jobs", &[]).await.unwrap(), 0);
    fixture.rollback().await;
    fixture.begin(&fixture.acme).await;
    assert_eq!(fixture.count("jobs").await, 1);
    fixture.rollback().await;
    assert_eq!(fixture.count("jobs").await, 0);
}

/// The service removes tokens some time after they ended. It cannot remove one that cannot have ended.
#[tokio::test]
async fn only_revoked_or_expiring_tokens_can_be_removed() {
    let Some(fixture) = RoleFixture::new().await else { return };
    fixture.begin(&fixture.acme).await;
    let insert = format!(
        "INSERT INTO tokens (tenant_id, hash, kind, created_at, networks, expires_at, revoked_at) VALUES
         ('{0}', sha256('active'), 'super_user', 0, '', NULL, NULL),
         ('{0}', sha256('expired'), 'super_user', 0, '', 1, NULL),
         ('{0}', sha256('revoked'), 'super_user', 0, '', NULL, 1)",
        fixture.acme
    );
    assert_eq!(fixture.service.execute(&insert, &[]).await.unwrap(), 3);
    assert_eq!(fixture.service.execute("DELETE FROM tokens", &[]).await.unwrap(), 2);
    assert_eq!(fixture.count("tokens WHERE expires_at IS NULL AND revoked_at IS NULL").await, 1);
    fixture.rollback().await;
}

#[tokio::test]
async fn tenants_cannot_be_removed() {
    let Some(fixture) = RoleFixture::new().await else { return };
    let (url, options) =
        (PostgresUrl::parse(&fixture.database.url).unwrap(), PostgresOptions::new(build::noon()));
    let service: Arc<dyn Database> = Arc::new(PostgresStore::connect(&url, &options).await.unwrap());
    assert!(!service.may_remove_tenants().await.unwrap());
    assert!(service.remove_tenant_rows(&build::tenant("acme").id, 10).await.is_err());
    assert_eq!(service.tenants().await.unwrap().len(), 2);
}

#[tokio::test]
async fn service_sets_the_clock_of_a_staging_tenant_alone() {
    let Some(fixture) = RoleFixture::new().await else { return };
    let owner = role::connect(&fixture.database.url).await;
    let make_staging = "SET ROLE NONE; UPDATE tenants SET environment = 'staging' WHERE id = 'acme'";
    owner.batch_execute(make_staging).await.unwrap();
    let (url, options) =
        (PostgresUrl::parse(&fixture.database.url).unwrap(), PostgresOptions::new(build::noon()));
    let service: Arc<dyn Database> = Arc::new(PostgresStore::connect(&url, &options).await.unwrap());
    let set = async |tenant: &str| {
        let data = service.tenant(&build::tenant(tenant).id);
        let target = ClockTarget::Forward { seconds: 60 };
        data.write(SetClock { environment: Environment::Staging, real_now: build::noon(), target }).await
    };
    let now = build::at(60_000_000);
    assert_eq!(set("acme").await.unwrap(), ClockOutcome::Set { now });
    set("other").await.unwrap_err();
    let clocks: Vec<_> =
        service.tenants().await.unwrap().iter().map(|tenant| tenant.clock.is_none()).collect();
    assert_eq!(clocks, [false, true], "the database refuses the clock of a production tenant");
}

#[tokio::test]
async fn ledger_is_append_only() {
    let Some(fixture) = RoleFixture::new().await else { return };
    for sql in [
        "UPDATE transactions SET points = 1",
        "UPDATE transactions SET title = title",
        "DELETE FROM transactions",
        "TRUNCATE transactions",
        "SELECT 1 FROM transactions FOR UPDATE",
        "DELETE FROM users",
        "DELETE FROM orders",
        "ALTER TABLE transactions DISABLE ROW LEVEL SECURITY",
        "DROP POLICY of_tenant ON transactions",
        "DELETE FROM schema_migrations",
        "DELETE FROM tenants",
        "UPDATE tenants SET name = name",
        "UPDATE tenants SET environment = 'staging', clock_offset = 1",
        "INSERT INTO tenants SELECT * FROM tenants",
    ] {
        fixture.begin(&fixture.acme).await;
        assert_eq!(fixture.refusal(sql).await, Some(SqlState::INSUFFICIENT_PRIVILEGE), "{sql}");
    }
}

/// A new table needs rights for the service, and a policy if it has rows of tenants.
#[tokio::test]
async fn every_table_has_rights_and_tenant_tables_have_policies() {
    let Some(fixture) = RoleFixture::new().await else { return };
    let tables = "SELECT relname::text, relrowsecurity, has_table_privilege($1::text, pg_class.oid, 'SELECT'),
                         EXISTS (SELECT 1 FROM pg_attribute WHERE attrelid = pg_class.oid AND attname = 'tenant_id'),
                         array(SELECT pg_get_expr(polqual, polrelid) FROM pg_policy WHERE polrelid = pg_class.oid
                               ORDER BY polname <> 'of_tenant')
                  FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace";
    let rows = fixture.service.query(tables, &[&ROLE]).await.unwrap();
    assert_eq!(rows.len(), TABLES.len() + 1);
    for row in rows {
        let (table, is_protected, is_readable): (String, bool, bool) = (row.get(0), row.get(1), row.get(2));
        let (has_tenant, policies): (bool, Vec<String>) = (row.get(3), row.get(4));
        let mut expected = vec!["(tenant_id = current_setting('pointbook.tenant'::text, true))"];
        if table == "tokens" {
            // The removal of old tokens cannot delete a token that is still active.
            expected.push("((revoked_at IS NOT NULL) OR (expires_at IS NOT NULL))");
        }
        if table == "jobs" {
            // One statement looks for due jobs of all tenants.
            expected.push("(current_setting('pointbook.tenant'::text, true) = '*'::text)");
        }
        assert!(is_readable, "{table} must be readable for the service");
        assert_eq!(is_protected, has_tenant, "{table}");
        assert_eq!(policies, if has_tenant { &expected[..] } else { &[] }, "{table}");
    }
}
