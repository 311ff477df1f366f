//! Writes of users while another transaction creates or changes them.

use pointbook_access::tokens::issue::StoreToken;
use pointbook_points::earning::record_activity::RecordActivity;
use pointbook_points::members::put::ChangeUser;
use pointbook_store::ports::{
    ActivityToRecord, Execution, InsertTokenOutcome, RecordActivityOutcome, UpsertOutcome, UserChange,
};
use pointbook_testkit::build;
use pointbook_testkit::build::{activity, again, product, to_record, user_change};

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
        data.execute(RecordActivity::without_end(to_record("u2", activity("s1", 3)), build::noon()), None)
            .await
            .unwrap()
    };
    let recorded = fixture.behind(CREATE, "COMMIT", record).await;
    let Execution::Executed(RecordActivityOutcome::Recorded(recorded)) = recorded else {
        panic!("the activity must be recorded, got {recorded:?}")
    };
    assert_eq!((recorded.seq, recorded.user_points.get()), (1, 8));
}

/// Another instance commits the user after this one has looked for the user, and before it looks for the activity. Nobody can
/// lock a user who is not there, so only a second look finds the balance.
#[tokio::test]
async fn repeat_of_activity_of_concurrently_created_user_has_balance() {
    let Some(fixture) = WaitingFixture::with(product("mug")).await else { return };
    let (first, locking) = (to_record("u2", activity("s1", 3)), fixture.another().await);
    let repeat = ActivityToRecord { new: again(&first.new, "again"), ..first.clone() };
    fixture.data.execute(RecordActivity::without_end(first, build::noon()), None).await.unwrap();
    // Foreign keys would refuse rows of a user who is not there.
    fixture
        .meanwhile("SET session_replication_role = replica; UPDATE users SET id = 'x' WHERE id = 'u2'")
        .await;
    fixture.meanwhile("BEGIN; UPDATE users SET id = 'u2' WHERE id = 'x'").await;
    fixture.meanwhile("SAVEPOINT before; LOCK TABLE transactions").await;
    let data = fixture.data.clone();
    let work =
        tokio::spawn(
            async move { data.execute(RecordActivity::without_end(repeat, build::noon()), None).await },
        );
    fixture.until_waiting(&work).await;
    // The group waits, and then the next lock. After the group, the command runs alone and waits for that one.
    let lock = tokio::spawn(async move {
        locking.batch_execute("BEGIN; LOCK TABLE transactions").await.map(|()| locking)
    });
    while fixture.waiting().await < 2 {}
    fixture.meanwhile("ROLLBACK TO before").await;
    let locking = lock.await.unwrap().unwrap();
    fixture.until_waiting(&work).await;
    assert!(!work.is_finished());
    fixture.meanwhile("COMMIT").await;
    locking.batch_execute("COMMIT").await.unwrap();
    let repeated = work.await.unwrap().unwrap();
    let Execution::Executed(RecordActivityOutcome::AlreadyRecorded(repeated)) = repeated else {
        panic!("the activity must be recorded already, got {repeated:?}")
    };
    assert_eq!(repeated.user_points.get(), 3);
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
        data.execute(
            RecordActivity::without_end(to_record("u1", activity("s1", -10_000)), build::noon()),
            None,
        )
        .await
        .unwrap()
    };
    let change = "UPDATE users SET balance = 9999 WHERE tenant_id = 'acme' AND id = 'u1'";
    let outcome = fixture.behind(change, "COMMIT", record).await;
    assert_eq!(outcome, Execution::Executed(RecordActivityOutcome::TooFewPoints));
}
