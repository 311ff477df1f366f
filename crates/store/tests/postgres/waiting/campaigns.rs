//! Budgets and limits of campaigns that two instances spend.

use std::sync::Arc;

use pointbook_store::ports::TenantData;
use pointbook_testkit::build::product;
use pointbook_testkit::conformance::campaign_races;

use super::fixture::WaitingFixture;

/// A tenant on two instances. `None` without a PostgreSQL server.
async fn two_handles() -> Option<([Arc<dyn TenantData>; 2], WaitingFixture)> {
    let fixture = WaitingFixture::with(product("mug")).await?;
    Some(([fixture.data.clone(), fixture.elsewhere().await], fixture))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_instances_keep_a_budget_of_awards() {
    let Some((handles, _fixture)) = two_handles().await else { return };
    campaign_races::keep_a_budget_of_awards(handles).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_instances_keep_a_budget_of_points() {
    let Some((handles, _fixture)) = two_handles().await else { return };
    campaign_races::keep_a_budget_of_points(handles).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_instances_keep_a_budget_while_they_reverse() {
    let Some((handles, _fixture)) = two_handles().await else { return };
    campaign_races::keep_a_budget_while_reversing(handles).await;
}

/// Each holds a share of the greater budget that was before.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_instances_keep_a_smaller_budget() {
    let Some((handles, _fixture)) = two_handles().await else { return };
    campaign_races::keep_a_smaller_budget(handles).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_instances_keep_the_limits_of_a_user() {
    let Some((handles, _fixture)) = two_handles().await else { return };
    campaign_races::keep_the_limits_of_a_user(handles).await;
}
