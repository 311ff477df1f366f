//! Tests of roles that the setup refuses, and of rights and policies that it corrects.

use futures_util::future::join_all;
use pointbook_store::postgres::{ConnectError, PostgresOptions, PostgresStore, PostgresUrl};
use pointbook_store::schema::TABLES;
use pointbook_testkit::build;
use pointbook_testkit::postgres::{Isolation, PostgresDatabase};

use crate::role;
use crate::role::{ROLE, migrated};

async fn set_up(database: &PostgresDatabase, role: &str) -> Result<(), ConnectError> {
    let url = PostgresUrl::parse(&database.url).unwrap();
    PostgresStore::set_up_service_role(&url, &PostgresOptions::new(build::noon()), role).await
}

#[tokio::test]
async fn superuser_and_unknown_role_are_refused() {
    let Some(database) = migrated(Isolation::ReadCommitted).await else { return };
    let owner = role::connect(&database.url).await;
    let name: String = owner.query_one("SELECT current_user::text", &[]).await.unwrap().get(0);
    for (role, part) in [(name.as_str(), "superuser"), ("pointbook test \"unknown\"", "CREATE ROLE")] {
        let refused = set_up(&database, role).await.unwrap_err();
        assert!(matches!(refused, ConnectError::Role { .. }), "{refused:?}");
        assert!(refused.to_string().contains(part), "{refused}");
    }
}

#[tokio::test]
async fn role_with_rights_of_public_is_refused() {
    let Some(database) = migrated(Isolation::ReadCommitted).await else { return };
    let owner = role::connect(&database.url).await;
    owner.batch_execute("GRANT UPDATE ON transactions TO PUBLIC").await.unwrap();
    let refused = set_up(&database, ROLE).await.unwrap_err();
    assert!(refused.to_string().contains("may change the ledger"), "{refused}");
    owner.batch_execute("REVOKE ALL ON transactions FROM PUBLIC").await.unwrap();
    owner.batch_execute("GRANT UPDATE ON tenants TO PUBLIC").await.unwrap();
    let refused = set_up(&database, ROLE).await.unwrap_err();
    assert!(refused.to_string().contains("may change the tenants"), "{refused}");
}

#[tokio::test]
async fn permissive_policy_of_another_program_is_refused() {
    let Some(database) = migrated(Isolation::ReadCommitted).await else { return };
    let owner = role::connect(&database.url).await;
    owner.batch_execute("CREATE POLICY reports ON orders FOR SELECT USING (true)").await.unwrap();
    let refused = set_up(&database, ROLE).await.unwrap_err();
    assert!(matches!(refused, ConnectError::Policy { table: "orders", .. }), "{refused:?}");
    assert!(refused.to_string().contains("the policy reports of the table orders"), "{refused}");
    owner.batch_execute("DROP POLICY reports ON orders").await.unwrap();
    let narrower = "CREATE POLICY narrower ON orders AS RESTRICTIVE USING (id <> 'x')";
    owner.batch_execute(narrower).await.unwrap();
    set_up(&database, ROLE).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_setups_succeed() {
    let Some(database) = migrated(Isolation::ReadCommitted).await else { return };
    let owner = role::connect(&database.url).await;
    owner.batch_execute("DROP POLICY of_tenant ON orders").await.unwrap();
    for done in join_all((0..6).map(|_| set_up(&database, ROLE))).await {
        done.unwrap();
    }
}

#[tokio::test]
async fn repeated_setup_revokes_extra_rights() {
    let Some(database) = migrated(Isolation::ReadCommitted).await else { return };
    let owner = role::connect(&database.url).await;
    owner.batch_execute(&format!("GRANT DELETE ON transactions TO {ROLE}")).await.unwrap();
    set_up(&database, ROLE).await.unwrap();
    let may = "SELECT has_table_privilege($1::text, 'transactions', 'DELETE')";
    assert!(!owner.query_one(may, &[&ROLE]).await.unwrap().get::<_, bool>(0));
}

#[tokio::test]
async fn repeated_setup_restores_policies() {
    let Some(database) = migrated(Isolation::ReadCommitted).await else { return };
    let owner = role::connect(&database.url).await;
    owner.batch_execute("ALTER TABLE users DISABLE ROW LEVEL SECURITY").await.unwrap();
    owner.batch_execute("DROP POLICY of_tenant ON orders").await.unwrap();
    owner.batch_execute("ALTER POLICY of_tenant ON tokens USING (true)").await.unwrap();
    owner.batch_execute("ALTER POLICY of_tenant ON products WITH CHECK (true)").await.unwrap();
    set_up(&database, ROLE).await.unwrap();
    let protected = "SELECT count(*) FROM pg_policy JOIN pg_class ON pg_class.oid = polrelid
         WHERE relrowsecurity AND pg_get_expr(polqual, polrelid) <> 'true'
             AND pg_get_expr(polqual, polrelid) = pg_get_expr(polwithcheck, polrelid)";
    let count: i64 = owner.query_one(protected, &[]).await.unwrap().get(0);
    assert_eq!(usize::try_from(count).unwrap(), TABLES.len() - 1);
}
