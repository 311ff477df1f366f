//! Webhooks that two instances add, and points that both end.

use pointbook_testkit::build::product;
use pointbook_testkit::conformance::{
    keep_points_to_their_end, keep_returns_within_their_row, keep_the_limit_of_webhooks,
};

use super::fixture::WaitingFixture;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_instances_keep_the_limit_of_webhooks() {
    let Some(fixture) = WaitingFixture::with(product("mug")).await else { return };
    keep_the_limit_of_webhooks([fixture.data.clone(), fixture.elsewhere().await]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_instances_end_points_once() {
    let Some(fixture) = WaitingFixture::with(product("mug")).await else { return };
    keep_points_to_their_end([fixture.data.clone(), fixture.elsewhere().await]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_instances_return_no_more_than_the_row() {
    let Some(fixture) = WaitingFixture::with(product("mug")).await else { return };
    keep_returns_within_their_row([fixture.data.clone(), fixture.elsewhere().await]).await;
}
