//! Changes of tenants with concurrent writes.

use pointbook_domain::{BaseUrl, Tenant};
use pointbook_store::postgres::PostgresOptions;
use pointbook_testkit::build;
use pointbook_testkit::build::product;
use tokio_postgres::error::SqlState;

use super::fixture::WaitingFixture;

/// The lock that every write to a tenant's tables takes for its foreign key.
const REFER: &str = "SELECT 1 FROM tenants WHERE id = 'acme' FOR KEY SHARE";

/// A constant stream of writes must not delay the change without end.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn change_of_base_url_goes_before_later_writes() {
    let Some(fixture) = WaitingFixture::with(product("mug")).await else { return };
    let moved =
        Tenant { base_url: BaseUrl::parse("https://moved.example/api").unwrap(), ..build::tenant("acme") };
    let patient = PostgresOptions { lock_timeout_ms: 60_000, ..PostgresOptions::new(build::noon()) };
    let (store, later) = (fixture.instance(&patient).await, fixture.another().await);
    fixture.meanwhile(&format!("BEGIN; {REFER}")).await;
    let update = tokio::spawn(async move { store.update_tenant(&moved, &[]).await });
    fixture.until_waiting(&update).await;
    let refused = later.batch_execute(&format!("SET lock_timeout = 1; {REFER}")).await.unwrap_err();
    assert_eq!(refused.code(), Some(&SqlState::LOCK_NOT_AVAILABLE), "{refused}");
    fixture.meanwhile("COMMIT").await;
    update.await.unwrap().unwrap();
    let now = "SELECT base_url FROM tenants WHERE id = 'acme'";
    assert_eq!(later.query_one(now, &[]).await.unwrap().get::<_, &str>(0), "https://moved.example/api");
}

#[tokio::test]
async fn other_changes_of_tenant_do_not_wait_for_writes() {
    let Some(fixture) = WaitingFixture::with(product("mug")).await else { return };
    fixture.meanwhile(&format!("BEGIN; {REFER}")).await;
    let renamed = Tenant { name: "Acme".to_owned(), ..build::tenant("acme") };
    fixture.instance(&PostgresOptions::new(build::noon())).await.update_tenant(&renamed, &[]).await.unwrap();
}
