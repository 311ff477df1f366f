//! Webhooks that two instances add.

use pointbook_testkit::build::product;
use pointbook_testkit::conformance::keep_the_limit_of_webhooks;

use super::fixture::WaitingFixture;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_instances_keep_the_limit_of_webhooks() {
    let Some(fixture) = WaitingFixture::with(product("mug")).await else { return };
    keep_the_limit_of_webhooks([fixture.data.clone(), fixture.elsewhere().await]).await;
}
