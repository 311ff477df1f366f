//! `Idempotency-Key` on every POST of the table: the same request takes effect once and always gets the same response.

use http::Method;
use pointbook_testkit::{Fault, WriteFault};
use tokio::task::JoinSet;

use super::write_requests::{Shop, WriteRequest};
use crate::client::{Answer, Call};
use crate::harness::crowd;

const DAY_SECONDS: u32 = 86_400;
const WEEK_SECONDS: u32 = 7 * DAY_SECONDS;
const KEY_TAKEN: &str =
    r#"{"message":"The Idempotency-Key was used for another request.","code":"idempotency_key_reused"}"#;

/// Runs the same test for each POST, each with a new server.
async fn every_post(check: impl AsyncFn(&Shop, &WriteRequest)) {
    let places = Shop::open().await.requests(&Method::POST).len();
    assert!(places >= 6);
    for place in 0..places {
        let shop = Shop::open().await;
        check(&shop, &shop.requests(&Method::POST)[place]).await;
        shop.server.assert_audit_is_clean().await;
    }
}

/// Retries requests that get 503, such as imports, of which the server reads only a few at a time.
async fn decided(call: Call) -> Answer {
    loop {
        let answer = call.clone().send().await;
        if answer.status != 503 {
            return answer;
        }
        tokio::task::yield_now().await;
    }
}

/// Checks that a request was executed for the first time.
fn assert_executed(answer: &Answer, request: &WriteRequest) {
    assert!(answer.status.is_success(), "{}: {}", request.route.name, answer.text());
    assert_eq!(answer.header("idempotency-replayed"), None, "{}", request.route.name);
}

/// Checks that a response is the kept first one, and that its header says so.
fn assert_replay(again: &Answer, first: &Answer, request: &WriteRequest) {
    assert_eq!((again.status, again.text()), (first.status, first.text()), "{}", request.route.name);
    assert_eq!(again.header("idempotency-replayed"), Some("true"), "{}", request.route.name);
}

fn assert_conflict(answer: &Answer, request: &WriteRequest) {
    assert_eq!((answer.status.as_u16(), answer.text()), (409, KEY_TAKEN), "{}", request.route.name);
    assert_eq!(answer.header("idempotency-replayed"), None);
}

#[tokio::test]
async fn a_request_is_executed_once_and_answered_with_the_same_bytes() {
    every_post(async |shop, request| {
        let before = shop.server.stored().await;
        let first = shop.call(request).key("k").send().await;
        assert_executed(&first, request);
        let after = shop.server.stored().await;
        assert_ne!(before, after, "{}", request.route.name);
        for _ in 0..2 {
            // A second execution would have another time.
            shop.server.advance_seconds(86_400);
            assert_replay(&shop.call(request).key("k").send().await, &first, request);
        }
        assert_eq!(shop.server.stored().await, after, "{}", request.route.name);
    })
    .await;
}

#[tokio::test]
async fn a_key_stands_for_one_path_and_one_body() {
    every_post(async |shop, request| {
        let first = shop.call(request).key("k").send().await;
        let after = shop.server.stored().await;
        assert_conflict(&shop.send(request, request.other).key("k").send().await, request);
        let elsewhere = format!("{}?x=1", request.path);
        assert_conflict(&shop.send_to(request, &elsewhere, request.body).key("k").send().await, request);
        assert_eq!(shop.server.stored().await, after, "{}", request.route.name);
        // The conflict did not change the first request's result.
        assert_replay(&shop.call(request).key("k").send().await, &first, request);
    })
    .await;
}

#[tokio::test]
async fn a_key_means_nothing_to_others_and_every_letter_of_it_counts() {
    every_post(async |shop, request| {
        shop.call(request).key("key").send().await;
        for body in [request.body, request.other] {
            let key = if body == request.body { "key" } else { "kez" };
            let answer = shop.call_of_another(request, body).key(key).send().await;
            assert_ne!(answer.text(), KEY_TAKEN, "{}", request.route.name);
            assert_eq!(answer.header("idempotency-replayed"), None, "{}", request.route.name);
        }
        for key in ["Key", "ke", "key1", &"k".repeat(255), "!~\"{}"] {
            let answer = shop.send(request, request.other).key(key).send().await;
            assert_ne!(answer.text(), KEY_TAKEN, "{}: {key}", request.route.name);
            assert_eq!(answer.header("idempotency-replayed"), None, "{}: {key}", request.route.name);
        }
    })
    .await;
}

#[tokio::test]
async fn invalid_key_is_refused_without_effect() {
    let rule = "Idempotency-Key: The Idempotency-Key must have 1 to 255 visible characters of ASCII.";
    let twice = "Idempotency-Key: The Idempotency-Key header stands twice.";
    every_post(async |shop, request| {
        let before = shop.server.stored().await;
        for bad in ["", "a b", "a\tb", &"k".repeat(256)] {
            let answer = shop.call(request).key(bad).send().await;
            assert_eq!(answer.field_errors(), [rule], "{}: {bad:?}", request.route.name);
        }
        let answer = shop.call(request).key("a").key("a").send().await;
        assert_eq!(answer.field_errors(), [twice], "{}", request.route.name);
        assert_eq!(shop.server.stored().await, before, "{}", request.route.name);
    })
    .await;
}

#[tokio::test]
async fn a_body_that_cannot_be_read_does_not_take_the_key() {
    every_post(async |shop, request| {
        let coded = shop.send(request, "{}").header("content-encoding", "gzip");
        assert_eq!(coded.key("k").send().await.status, 415, "{}", request.route.name);
        let stranger = shop.call_of_another(request, "{}").header("content-encoding", "gzip");
        assert_eq!(stranger.key("k").send().await.status, 415);
        assert_executed(&shop.call(request).key("k").send().await, request);
    })
    .await;
}

#[tokio::test]
async fn failed_response_is_not_kept() {
    every_post(async |shop, request| {
        // The server creates the secret at first use and keeps it even when it refuses the request.
        shop.server.production().secrets.get(pointbook_testkit::build::noon()).await.unwrap();
        let before = shop.server.stored().await;
        for (fault, status) in [(Fault::Fail, 500), (Fault::Panic, 500), (Fault::Unavailable, 503)] {
            shop.faulty.fail_next_write(Some(WriteFault::Before(fault)));
            let failed = shop.call(request).key("k").send().await;
            assert_eq!((failed.status.as_u16(), shop.faulty.awaits_write()), (status, false));
            assert_eq!(shop.server.stored().await, before, "{}", request.route.name);
        }
        let first = shop.call(request).key("k").send().await;
        assert_executed(&first, request);
        assert_replay(&shop.call(request).key("k").send().await, &first, request);
    })
    .await;
}

#[tokio::test]
async fn retry_gets_the_lost_response() {
    every_post(async |shop, request| {
        let before = shop.server.stored().await;
        shop.faulty.fail_next_write(Some(WriteFault::AnswerLost));
        assert_eq!(shop.call(request).key("k").send().await.status, 503);
        let after = shop.server.stored().await;
        assert_ne!(before, after, "{}", request.route.name);
        let retry = shop.call(request).key("k").send().await;
        assert!(retry.status.is_success(), "{}", retry.text());
        assert_eq!(retry.header("idempotency-replayed"), Some("true"), "{}", request.route.name);
        assert_eq!(shop.server.stored().await, after, "{}", request.route.name);
    })
    .await;
}

#[tokio::test]
async fn without_a_key_an_order_whose_answer_was_lost_is_placed_twice() {
    let shop = Shop::open().await;
    let order = || shop.server.post("/v1/store/orders", shop.server.token()).body(r#"{"product_id":"mug"}"#);
    let before = shop.server.balance().await;
    shop.faulty.fail_next_write(Some(WriteFault::AnswerLost));
    assert_eq!(order().send().await.status, 503);
    assert_eq!(order().send().await.status, 201);
    assert_eq!(shop.server.balance().await, before - 1_000);
    shop.server.assert_audit_is_clean().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_key_at_the_same_moment_is_one_effect_and_one_answer() {
    let many = crowd(200);
    every_post(async |shop, request| {
        shop.server.set("rate_limit_writes_per_minute", "0").await;
        let before = shop.server.stored().await;
        let mut running = JoinSet::new();
        for _ in 0..many {
            running.spawn(decided(shop.call(request).key("k")));
        }
        let answers = running.join_all().await;
        let after = shop.server.stored().await;
        assert_ne!(before, after, "{}", request.route.name);
        let replays = answers.iter().filter(|answer| answer.header("idempotency-replayed").is_some());
        assert_eq!(replays.count(), many - 1, "{}", request.route.name);
        let first = answers.iter().find(|answer| answer.header("idempotency-replayed").is_none()).unwrap();
        assert_executed(first, request);
        for answer in &answers {
            assert_eq!(
                (answer.status, answer.text()),
                (first.status, first.text()),
                "{}",
                request.route.name
            );
        }
        // One more request finds everything unchanged.
        assert_replay(&shop.call(request).key("k").send().await, first, request);
        assert_eq!(shop.server.stored().await, after, "{}", request.route.name);
    })
    .await;
}

#[tokio::test]
async fn a_refusal_that_was_decided_comes_again_though_it_would_be_decided_otherwise_now() {
    let shop = Shop::open().await;
    let back_office = shop.server.issue_super_user().await;
    let take = r#"{"type":"code","source_id":"c-1","points":-10000,"title":"Correction"}"#;
    let record =
        |key: &str| shop.server.post("/v1/manage/users/u1/activities", &back_office).body(take).key(key);
    let refused = record("k").send().await;
    assert_eq!(refused.field_errors(), ["points: The points must not take more than the balance."]);
    assert_eq!(refused.header("idempotency-replayed"), None);
    shop.server.award(10_000).await;
    let again = record("k").send().await;
    assert_eq!((again.status, again.text()), (refused.status, refused.text()));
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
    let decided_now = record("k2").send().await;
    assert_eq!((decided_now.status.as_u16(), decided_now.header("idempotency-replayed")), (201, None));
}

#[tokio::test]
async fn a_conflict_and_a_404_are_decisions_too() {
    let shop = Shop::open().await;
    let back_office = shop.server.issue_super_user().await;
    let post = |path: &str, body: &'static str| shop.server.post(path, &back_office).body(body).key("k");
    let scan = r#"{"type":"code","source_id":"c-1","points":1,"title":"Scan"}"#;
    let other = r#"{"type":"code","source_id":"c-1","points":2,"title":"Scan"}"#;
    let path = "/v1/manage/users/u3/activities";
    assert_eq!(shop.server.post(path, &back_office).body(scan).send().await.status, 201);
    let unknown = "/v1/manage/orders/nothing/cancel";
    let second = shop.server.issue_super_user().await;
    let cancel = || shop.server.post(unknown, &second).key("k");
    for (first, again, status) in [
        (post(path, other).send().await, post(path, other).send().await, 409),
        (cancel().send().await, cancel().send().await, 404),
    ] {
        assert_eq!((first.status.as_u16(), first.header("idempotency-replayed")), (status, None));
        assert_eq!((again.status, again.text()), (first.status, first.text()));
        assert_eq!(again.header("idempotency-replayed"), Some("true"));
    }
}

#[tokio::test]
async fn a_key_is_known_for_a_week_after_its_last_use_and_then_free() {
    let shop = Shop::open().await;
    let order = || {
        let body = r#"{"product_id":"mug"}"#;
        shop.server.post("/v1/store/orders", shop.server.token()).body(body).key("k").send()
    };
    let first = order().await;
    let balance = shop.server.balance().await;
    for _ in 0..2 {
        // Each use keeps the key for another week.
        shop.server.advance_seconds(WEEK_SECONDS);
        assert_eq!(shop.server.clean_request_keys().await, 0);
        assert_eq!(order().await.text(), first.text());
    }
    assert_eq!(shop.server.balance().await, balance);
    shop.server.advance_seconds(WEEK_SECONDS + 1);
    assert_eq!(shop.server.clean_request_keys().await, 1);
    let anew = order().await;
    assert_eq!((anew.status.as_u16(), anew.header("idempotency-replayed")), (201, None));
    assert_ne!(anew.text(), first.text());
    assert_eq!(shop.server.balance().await, balance - 500);
    shop.server.assert_audit_is_clean().await;
}

#[tokio::test]
async fn a_put_takes_no_key() {
    let shop = Shop::open().await;
    for request in shop.requests(&Method::PUT) {
        for body in [request.body, request.other] {
            let answer = shop.send(&request, body).key("k").send().await;
            assert!(request.is_accepted(&answer), "{}: {}", request.route.name, answer.text());
            assert_eq!(answer.header("idempotency-replayed"), None);
        }
    }
}

#[tokio::test]
async fn the_key_of_a_refused_order_is_free_after_a_day_however_often_it_was_sent() {
    let shop = Shop::open().await;
    let user = shop.server.issue("poor").await;
    let order = async |key| {
        let call = shop.server.post("/v1/store/orders", &user).body(r#"{"product_id":"mug"}"#).key(key);
        let answer = call.send().await;
        (answer.status.as_u16(), answer.header("idempotency-replayed").is_some(), answer.text().to_owned())
    };
    let (status, replayed, body) = order("k").await;
    assert_eq!((status, replayed), (422, false));
    shop.server.advance_seconds(DAY_SECONDS - 1);
    shop.server.clean_request_keys().await;
    assert_eq!(order("k").await, (422, true, body.clone()));
    shop.server.advance_seconds(2);
    shop.server.clean_request_keys().await;
    assert_eq!(order("k").await, (422, false, body));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_customer_has_2000_keys_at_most() {
    let shop = Shop::open().await;
    shop.server.set("rate_limit_writes_per_minute", "0").await;
    let user = shop.server.issue("poor").await;
    let order =
        |key: &str| shop.server.post("/v1/store/orders", &user).body(r#"{"product_id":"mug"}"#).key(key);
    let mut running = JoinSet::new();
    for key in 0..2_000 {
        let call = order(&key.to_string());
        running.spawn(async move { decided(call).await.header("idempotency-replayed").is_some() });
        if running.len() > 50 {
            running.join_next().await;
        }
    }
    running.join_all().await;
    let refused = order("one-more").send().await;
    assert_eq!(
        refused.field_errors(),
        [
            "Idempotency-Key: The Idempotency-Key is new, and 2000 keys of this user are kept already. A key is kept for 7 days after its last use, or for a day when the request was refused."
        ]
    );
    assert_eq!(order("7").send().await.header("idempotency-replayed"), Some("true"));
    let without = shop.server.post("/v1/store/orders", &user).body(r#"{"product_id":"mug"}"#).send().await;
    assert_eq!(without.field_errors(), ["product_id: The points are not enough for this order."]);
    shop.server.advance_seconds(DAY_SECONDS + 1);
    shop.server.clean_request_keys().await;
    assert_eq!(order("one-more").send().await.field_errors(), without.field_errors());
}
