//! Activities that are recorded in groups, with concurrent transactions.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::join_all;
use pointbook_points::audit::ledger::{AuditReport, audit_ledger};
use pointbook_points::earning::record_activity::RecordActivity;
use pointbook_store::ports::RecordActivityOutcome::{AlreadyRecorded, Conflict, Recorded, TooFewPoints};
use pointbook_store::ports::{
    ActivityToRecord, Execution, Once, RecordActivityOutcome, RequestKey, TenantData,
};
use pointbook_store::{StoreError, StoreResult};
use pointbook_testkit::build;
use pointbook_testkit::build::{activity, again, once, product, recorded, request_key, to_record};
use pointbook_testkit::postgres::Lost;

use super::fixture::WaitingFixture;

type Answer = StoreResult<Execution<RecordActivityOutcome>>;

/// An activity, and the idempotency key of its request.
struct Recording(ActivityToRecord, Option<Once<RecordActivityOutcome>>);

fn given(user: &str, source: &str, points: i64) -> Recording {
    Recording(to_record(user, activity(source, points)), None)
}

fn keyed(key: RequestKey, Recording(activity, _): Recording) -> Recording {
    Recording(activity, once(key, build::noon()))
}

/// The same activity with a new id, as every request generates one.
fn retried(id: &str, Recording(activity, once): Recording) -> Recording {
    let new = again(&activity.new, id);
    Recording(ActivityToRecord { new, ..activity }, once)
}

/// The fixture with more users, who have no points.
async fn fixture(users: &[&str]) -> Option<WaitingFixture> {
    let fixture = WaitingFixture::with(product("mug")).await?;
    let profiles: Vec<_> = users.iter().map(|user| build::profile(user)).collect();
    fixture.data.write(build::import(profiles.clone())).await.unwrap();
    Some(fixture)
}

/// Records activities in one group: all wait when the group begins.
async fn together(data: &Arc<dyn TenantData>, all: Vec<Recording>) -> Vec<Answer> {
    let calls = all.into_iter().map(|Recording(activity, once)| {
        data.execute(RecordActivity::without_end(activity, build::noon()), once)
    });
    join_all(calls).await
}

/// The outcomes of executed activities, with the balances.
fn outcomes(answers: Vec<Answer>) -> Vec<(&'static str, i64)> {
    let outcome = |answer: Answer| match answer.unwrap() {
        Execution::Executed(Recorded(row)) => ("recorded", row.user_points.get()),
        Execution::Executed(AlreadyRecorded(row)) => ("again", row.user_points.get()),
        Execution::Executed(Conflict) => ("conflict", 0),
        Execution::Executed(TooFewPoints) => ("too few", 0),
        other => panic!("{other:?}"),
    };
    answers.into_iter().map(outcome).collect()
}

impl WaitingFixture {
    /// How many database transactions wrote the ledger rows with this source id.
    async fn transactions_of(&self, source: &str) -> i64 {
        let count =
            "SELECT count(DISTINCT xmin::text) FROM transactions WHERE tenant_id = 'acme' AND source_id = $1";
        self.other.query_one(count, &[&source]).await.unwrap().get(0)
    }

    /// The numbers of users and ledger rows, after an audit without differences.
    async fn audited(&self) -> (u64, u64) {
        let AuditReport { users, transactions, differences, .. } =
            audit_ledger(&*self.data, |user| assert!(user.differences.is_empty(), "{user:?}")).await.unwrap();
        assert_eq!(differences, 0);
        (users, transactions)
    }
}

#[tokio::test]
async fn group_is_one_database_transaction() {
    let users: Vec<String> = (0..50).map(|user| format!("u{user}")).collect();
    let names: Vec<&str> = users.iter().map(String::as_str).collect();
    let Some(fixture) = fixture(&names).await else { return };
    let all = names.iter().map(|user| given(user, "s1", 7)).collect();
    let answers = outcomes(together(&fixture.data, all).await);
    // The fixture's u1 has points.
    assert!(answers.iter().all(|(outcome, points)| *outcome == "recorded" && [7, 10_007].contains(points)));
    assert_eq!((answers.len(), fixture.transactions_of("s1").await), (50, 1));
    assert_eq!(fixture.audited().await, (50, 51));
}

#[tokio::test]
async fn failing_command_does_not_affect_its_group() {
    let Some(fixture) = fixture(&["a", "b", "c"]).await else { return };
    let without_response = Once {
        key: request_key("k", 1),
        now: build::noon(),
        answer: Arc::new(|_: &RecordActivityOutcome| None),
    };
    let failing = Recording(to_record("b", activity("s1", 5)), Some(without_response));
    let mut answers = together(&fixture.data, vec![given("a", "s1", 5), failing, given("c", "s1", 5)]).await;
    assert!(matches!(answers.remove(1), Err(StoreError::Failed(_))));
    assert_eq!(outcomes(answers), [("recorded", 5), ("recorded", 5)]);
    assert_eq!(fixture.audited().await, (4, 3));
}

#[tokio::test]
async fn executed_request_is_replayed_in_group() {
    let Some(fixture) = fixture(&["a", "b", "c"]).await else { return };
    let key = |content| request_key("k", content);
    let Recording(first, once) = keyed(key(1), given("a", "s1", 5));
    let outcome =
        fixture.data.execute(RecordActivity::without_end(first, build::noon()), once).await.unwrap();
    let Execution::Executed(outcome) = outcome else { panic!("{outcome:?}") };
    let all = vec![
        retried("r1", keyed(key(1), given("a", "s1", 5))),
        given("b", "s1", 5),
        retried("r2", keyed(key(2), given("c", "s1", 5))),
    ];
    let mut answers = together(&fixture.data, all).await;
    assert_eq!(answers.remove(2).unwrap(), Execution::KeyTaken);
    assert_eq!(answers.remove(0).unwrap(), Execution::Replayed(build::answer(&outcome)));
    assert_eq!(outcomes(answers), [("recorded", 5)]);
    assert_eq!(fixture.audited().await, (4, 3));
}

#[tokio::test]
async fn repeated_request_in_group_gets_response_of_first() {
    let Some(fixture) = fixture(&["a", "b"]).await else { return };
    let request = || keyed(request_key("k", 1), given("a", "s1", 5));
    let other = retried("r2", keyed(request_key("k", 2), given("b", "s1", 5)));
    let answers = together(&fixture.data, vec![request(), retried("r1", request()), other]).await;
    let [Ok(Execution::Executed(first)), Ok(second), Ok(third)] = &answers[..] else { panic!("{answers:?}") };
    assert_eq!(*second, Execution::Replayed(build::answer(first)));
    assert_eq!(*third, Execution::KeyTaken);
    assert_eq!(fixture.audited().await, (3, 2));
}

#[tokio::test]
async fn group_does_not_wait_for_locked_user() {
    let Some(fixture) = fixture(&["a", "held", "c"]).await else { return };
    fixture
        .meanwhile("BEGIN; SELECT id FROM users WHERE tenant_id = 'acme' AND id = 'held' FOR UPDATE")
        .await;
    let data = fixture.data.clone();
    let held = tokio::spawn(async move {
        let Recording(activity, once) = given("held", "s1", 5);
        data.execute(RecordActivity::without_end(activity, build::noon()), once).await
    });
    fixture.until_waiting(&held).await;
    assert!(!held.is_finished(), "the command must wait for the locked user");
    let data = fixture.data.clone();
    let with_held = tokio::spawn(async move { together(&data, vec![given("held", "s2", 5)]).await });
    let free = together(&fixture.data, vec![given("a", "s1", 5), given("c", "s1", 5)]).await;
    assert_eq!(outcomes(free), [("recorded", 5), ("recorded", 5)]);
    assert!(!held.is_finished() && !with_held.is_finished());
    fixture.meanwhile("COMMIT").await;
    assert_eq!(outcomes(vec![held.await.unwrap()]), [("recorded", 5)]);
    assert_eq!(outcomes(with_held.await.unwrap()), [("recorded", 10)]);
}

#[tokio::test]
async fn command_of_locked_user_does_not_delay_its_group() {
    let Some(fixture) = fixture(&["a", "held", "c"]).await else { return };
    fixture
        .meanwhile("BEGIN; SELECT id FROM users WHERE tenant_id = 'acme' AND id = 'held' FOR UPDATE")
        .await;
    let data = fixture.data.clone();
    let mut calls: Vec<_> = ["held", "a", "c"]
        .into_iter()
        .map(|user| {
            let Recording(activity, once) = given(user, "s1", 5);
            let data = data.clone();
            tokio::spawn(async move {
                data.execute(RecordActivity::without_end(activity, build::noon()), once).await
            })
        })
        .collect();
    let held = calls.remove(0);
    for call in calls {
        assert!(matches!(call.await.unwrap(), Ok(Execution::Executed(Recorded(_)))));
    }
    assert!(!held.is_finished());
    fixture.meanwhile("COMMIT").await;
    assert_eq!(outcomes(vec![held.await.unwrap()]), [("recorded", 5)]);
    assert_eq!(fixture.transactions_of("s1").await, 2);
}

#[tokio::test]
async fn group_creates_unknown_user() {
    let Some(fixture) = fixture(&["a"]).await else { return };
    let all =
        vec![given("a", "s1", 5), given("new", "s1", 5), given("new", "s2", -6), given("none", "s1", -1)];
    let outcomes = outcomes(together(&fixture.data, all).await);
    assert_eq!(outcomes, [("recorded", 5), ("recorded", 5), ("too few", 0), ("too few", 0)]);
    assert_eq!(fixture.data.user(&build::user_id("none")).await.unwrap(), None);
    assert_eq!(fixture.audited().await, (3, 3));
}

#[tokio::test]
async fn activities_of_one_user_keep_their_order_in_group() {
    let Some(fixture) = fixture(&["a"]).await else { return };
    let all = vec![
        given("a", "s1", 5),
        retried("r1", given("a", "s1", 5)),
        retried("r2", given("a", "s1", 6)),
        given("a", "s2", -6),
        given("a", "s3", -5),
        given("a", "s4", -1),
        retried("r3", given("a", "s3", -5)),
    ];
    let expected = [
        ("recorded", 5),
        ("again", 5),
        ("conflict", 0),
        ("too few", 0),
        ("recorded", 0),
        ("too few", 0),
        ("again", 0),
    ];
    assert_eq!(outcomes(together(&fixture.data, all).await), expected);
    assert_eq!(fixture.audited().await, (2, 3));
}

/// The group has taken the command from the queue, and waits for its commit.
#[tokio::test]
async fn started_command_finishes_after_caller_left() {
    let Some(fixture) = fixture(&["a"]).await else { return };
    fixture.meanwhile("BEGIN; LOCK TABLE feed_blocks").await;
    let data = fixture.data.clone();
    let Recording(new, once) = given("a", "s1", 5);
    let begun =
        tokio::spawn(
            async move { data.execute(RecordActivity::without_end(new, build::noon()), once).await },
        );
    fixture.until_waiting(&begun).await;
    begun.abort();
    assert!(begun.await.unwrap_err().is_cancelled());
    fixture.meanwhile("COMMIT").await;
    assert_eq!(outcomes(together(&fixture.data, vec![given("a", "s2", 1)]).await), [("recorded", 6)]);
}

#[tokio::test]
async fn command_is_skipped_when_caller_left_before_group() {
    let Some(fixture) = fixture(&["a"]).await else { return };
    let Recording(new, once) = given("a", "s1", 5);
    assert!(
        fixture.data.execute(RecordActivity::without_end(new, build::noon()), once).now_or_never().is_none()
    );
    assert_eq!(outcomes(together(&fixture.data, vec![given("a", "s2", 1)]).await), [("recorded", 1)]);
}

/// The command waits behind another one of a locked user.
#[tokio::test]
async fn command_is_skipped_when_caller_left_before_it_runs_alone() {
    let Some(fixture) = fixture(&["held"]).await else { return };
    fixture
        .meanwhile("BEGIN; SELECT id FROM users WHERE tenant_id = 'acme' AND id = 'held' FOR UPDATE")
        .await;
    let calls = ["s1", "s2"].map(|source| {
        let (data, Recording(new, once)) = (fixture.data.clone(), given("held", source, 5));
        tokio::spawn(async move { data.execute(RecordActivity::without_end(new, build::noon()), once).await })
    });
    let [first, second] = calls;
    fixture.until_waiting(&first).await;
    second.abort();
    assert!(second.await.unwrap_err().is_cancelled());
    fixture.meanwhile("COMMIT").await;
    assert_eq!(outcomes(vec![first.await.unwrap()]), [("recorded", 5)]);
    assert_eq!(outcomes(together(&fixture.data, vec![given("held", "s3", 5)]).await), [("recorded", 10)]);
}

#[tokio::test]
async fn group_is_retried_when_another_instance_executed_request_first() {
    let Some(fixture) = fixture(&["a", "b"]).await else { return };
    let take =
        "INSERT INTO request_keys (tenant_id, principal, key, fingerprint, answer, created_at, last_used_at)
                VALUES ('acme', 'customer:u1', 'k', repeat('x', 32)::bytea, 'first', 0, 0)";
    let data = fixture.data.clone();
    let request = || request_key("k", b'x');
    let record = async move {
        together(&data, vec![keyed(request(), given("a", "s1", 5)), given("b", "s1", 5)]).await
    };
    let mut answers = fixture.behind(take, "COMMIT", record).await;
    assert!(matches!(answers.remove(0), Ok(Execution::Replayed(answer)) if answer.0 == b"first"));
    assert_eq!(outcomes(answers), [("recorded", 5)]);
    assert_eq!(fixture.audited().await, (3, 2));
}

/// After a lost commit, it is unknown whether the group was committed.
#[tokio::test]
async fn retries_after_lost_commit_of_group_write_once() {
    for lost in [Lost::Question, Lost::Answer] {
        let Some(fixture) = fixture(&["a", "b"]).await else { return };
        let data = fixture.losing_commit(lost).await;
        let all = || vec![keyed(request_key("k", 1), given("a", "s1", 5)), given("b", "s1", 5)];
        let answers = together(&data, all()).await;
        let is_unknown = |answer: &Answer| matches!(answer, Err(StoreError::Unavailable(_)));
        assert!(answers.iter().all(is_unknown), "{lost:?}: {answers:?}");
        let mut answers =
            together(&data, all().into_iter().map(|given| retried("again", given)).collect()).await;
        let of_business_key = answers.pop().into_iter().collect();
        match lost {
            Lost::Question => {
                assert!(matches!(answers[0], Ok(Execution::Executed(Recorded(_)))), "{answers:?}");
                assert_eq!(outcomes(of_business_key), [("recorded", 5)]);
            }
            Lost::Answer => {
                assert!(matches!(answers[0], Ok(Execution::Replayed(_))), "{answers:?}");
                assert_eq!(outcomes(of_business_key), [("again", 5)]);
            }
        }
        assert_eq!(fixture.audited().await, (3, 3));
    }
}

/// Eight users have 100 points each. Each spending of 1 to 20 points is sent to both instances.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn groups_of_two_instances_never_overdraw_repeat_or_lose() {
    let users: Vec<String> = (0..8).map(|user| format!("user {user}")).collect();
    let names: Vec<&str> = users.iter().map(String::as_str).collect();
    let Some(fixture) = fixture(&names).await else { return };
    let points = build::history(names.iter().map(|user| recorded(user, activity("first", 100))));
    fixture.data.write(points).await.unwrap();
    let instances = [fixture.data.clone(), fixture.elsewhere().await];
    let calls = (0..600_i64).flat_map(|number| {
        let user = &users[usize::try_from(number % 8).unwrap()];
        instances.iter().enumerate().map(move |(instance, data)| {
            let spending = given(user, &format!("s{number}"), -(number % 20) - 1);
            let Recording(spending, _) = retried(&format!("{instance}/{number}"), spending);
            let (data, command) = (data.clone(), RecordActivity::without_end(spending, build::noon()));
            tokio::spawn(async move { data.execute(command, None).await })
        })
    });
    let answers: Vec<_> = join_all(calls).await.into_iter().map(Result::unwrap).collect();
    let count = |wanted: &str| outcomes_of(&answers).filter(|outcome| *outcome == wanted).count() as u64;
    assert_eq!(count("recorded") + count("again") + count("too few"), 1_200);
    assert_eq!(fixture.audited().await, (9, 1 + 8 + count("recorded")));
    assert!(count("recorded") > 8 && count("again") > 0, "{} {}", count("recorded"), count("again"));
    for user in &names {
        let user = fixture.data.user(&build::user_id(user)).await.unwrap().unwrap();
        assert!((0..20).contains(&user.balance.get()), "{user:?}");
    }
}

fn outcomes_of(answers: &[Answer]) -> impl Iterator<Item = &'static str> {
    answers.iter().map(|answer| match answer.as_ref().unwrap() {
        Execution::Executed(Recorded(_)) => "recorded",
        Execution::Executed(AlreadyRecorded(_)) => "again",
        Execution::Executed(TooFewPoints) => "too few",
        other => panic!("{other:?}"),
    })
}
