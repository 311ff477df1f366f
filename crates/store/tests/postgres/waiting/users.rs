//! Writes of users while another transaction creates or changes them.

use pointbook_access::tokens::issue::StoreToken;
use pointbook_points::earning::record_activity::RecordActivity;
use pointbook_points::members::put::ChangeUser;
use pointbook_store::ports::{
    Execution, InsertTokenOutcome, RecordActivityOutcome, UpsertOutcome, UserChange,
};
use pointbook_testkit::build;
use pointbook_testkit::build::{activity, product, to_record, user_change};

use super::fixture::WaitingFixture;

/// Creates the user u2 as another instance does. The user has a locale, and 5 points without a ledger row.
const CREATE: &str = "INSERT INTO users
    (tenant_id, id, balance, day_count, last_seq, last_hash, locale, created_at, earned_counts)
    VALUES ('acme', 'u2', 5, 0, 0, repeat('x', 32)::bytea, 'de', 0, '')";

#[tokio::test]
async fn points_are_added_to_concurrently_created_user() {
    let Some(fixture) = WaitingFixture::with(product("mug")).await else { return };
    let data = fixture.data.clone();
    let record = async move {
        data.execute(RecordActivity::new(to_record("u2", activity("s1", 3)), build::noon()), None)
            .await
            .unwrap()
    };
    let recorded = fixture.behind(CREATE, "COMMIT", record).await;
    let Execution::Executed(RecordActivityOutcome::Recorded(recorded)) = recorded else {
        panic!("the activity must be recorded, got {recorded:?}")
    };
    assert_eq!((recorded.seq, recorded.user_points.get()), (1, 8));
}

#[tokio::test]
async fn import_replaces_profile_of_concurrently_created_user() {
    let Some(fixture) = WaitingFixture::with(product("mug")).await else { return };
    let data = fixture.data.clone();
    let profiles = ["u3", "u2"].map(build::profile);
    let upsert = async move { data.write(build::import(profiles.clone())).await.unwrap() };
    let outcomes = fixture.behind(CREATE, "COMMIT", upsert).await;
    assert_eq!(outcomes, [UpsertOutcome::Created, UpsertOutcome::Replaced]);
    let stored = fixture.data.user(&build::user_id("u2")).await.unwrap().unwrap();
    assert_eq!((stored.locale, stored.balance.get()), (None, 5));
}

#[tokio::test]
async fn change_keeps_other_fields_of_concurrently_created_user() {
    let Some(fixture) = WaitingFixture::with(product("mug")).await else { return };
    let data = fixture.data.clone();
    let change = UserChange { disabled: Some(true), ..user_change("u2") };
    let put =
        async move { data.write(ChangeUser { change: change.clone(), now: build::noon() }).await.unwrap() };
    let put = fixture.behind(CREATE, "COMMIT", put).await;
    assert_eq!((put.outcome, put.user.balance.get()), (UpsertOutcome::Replaced, 5));
    assert_eq!(put.user.locale.map(|locale| locale.as_str().to_owned()).as_deref(), Some("de"));
}

#[tokio::test]
async fn concurrently_disabled_user_gets_no_token() {
    let Some(fixture) = WaitingFixture::with(product("mug")).await else { return };
    let data = fixture.data.clone();
    let token = build::token(1, Some("u1"));
    let insert = async move { data.write(StoreToken(token.clone())).await.unwrap() };
    let change = "UPDATE users SET disabled_at = 0 WHERE tenant_id = 'acme' AND id = 'u1'";
    assert_eq!(fixture.behind(change, "COMMIT", insert).await, InsertTokenOutcome::UserDisabled);
    assert_eq!(fixture.data.find_token(&build::token(1, None).hash).await.unwrap(), None);
}

#[tokio::test]
async fn spending_sees_balance_of_concurrent_instance() {
    let Some(fixture) = WaitingFixture::with(product("mug")).await else { return };
    let data = fixture.data.clone();
    let record = async move {
        data.execute(RecordActivity::new(to_record("u1", activity("s1", -10_000)), build::noon()), None)
            .await
            .unwrap()
    };
    let change = "UPDATE users SET balance = 9999 WHERE tenant_id = 'acme' AND id = 'u1'";
    let outcome = fixture.behind(change, "COMMIT", record).await;
    assert_eq!(outcome, Execution::Executed(RecordActivityOutcome::TooFewPoints));
}
