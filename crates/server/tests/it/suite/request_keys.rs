//! `Idempotency-Key` on every POST of the table: the same request takes effect once and always gets the same response. The
//! conformance suite has races for a key, refusals that are kept, and what is left after a failure.

use http::Method;
use pointbook_store::ports::Cell;
use pointbook_store::schema::TABLES;
use pointbook_testkit::{Fault, WriteFault};

use super::write_requests::{Shop, WriteRequest};
use crate::client::Answer;

const WEEK_SECONDS: u32 = 7 * 86_400;
const KEY_TAKEN: &str =
    r#"{"message":"The Idempotency-Key was used for another request.","code":"idempotency_key_reused"}"#;

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

/// An unreadable key, a body that the server does not read, the request itself, the request again, other requests with its key, and
/// the key of another sender.
async fn check_key(shop: &Shop, request: &WriteRequest) {
    let name = request.route.name;
    let before = shop.server.stored().await;
    let invalid = shop.call(request).key("a b").send().await;
    let rule = "Idempotency-Key: The Idempotency-Key must have 1 to 255 visible characters of ASCII.";
    assert_eq!(invalid.field_errors(), [rule], "{name}");
    let coded = shop.send(request, "{}").header("content-encoding", "gzip");
    assert_eq!(coded.key("k").send().await.status, 415, "{name}");
    assert_eq!(shop.server.stored().await, before, "{name}");
    let first = shop.call(request).key("k").send().await;
    assert_executed(&first, request);
    let after = shop.server.stored().await;
    assert_ne!(before, after, "{name}");
    // A second execution would have another time.
    shop.server.advance_seconds(86_400);
    assert_replay(&shop.call(request).key("k").send().await, &first, request);
    assert_conflict(&shop.send(request, request.other).key("k").send().await, request);
    if (request.route.documentation)().takes_query("dry_run") {
        let elsewhere = format!("{}?dry_run=false", request.path);
        assert_conflict(&shop.send_to(request, &elsewhere, request.body).key("k").send().await, request);
    }
    // The conflicts did not change what is kept.
    assert_replay(&shop.call(request).key("k").send().await, &first, request);
    assert_eq!(shop.server.stored().await, after, "{name}");
    let of_another = shop.call_of_another(request, request.body).key("k").send().await;
    assert_ne!(of_another.text(), KEY_TAKEN, "{name}");
    assert_eq!(of_another.header("idempotency-replayed"), None, "{name}");
    shop.server.assert_audit_is_clean().await;
}

#[tokio::test]
async fn a_request_is_executed_once_and_answered_with_the_same_bytes() {
    let places = Shop::open().await.requests(&Method::POST).len();
    assert!(places >= 6);
    for place in 0..places {
        let shop = Shop::open().await;
        check_key(&shop, &shop.requests(&Method::POST)[place]).await;
    }
}

#[tokio::test]
async fn failed_response_is_not_kept_and_a_lost_one_is() {
    let shop = Shop::open().await;
    let order = |key: &str| {
        let call = shop.server.post("/v1/store/orders", shop.server.token());
        call.body(r#"{"product_id":"mug"}"#).key(key).send()
    };
    let before = shop.server.balance().await;
    for (fault, status) in [(Fault::Fail, 500), (Fault::Panic, 500), (Fault::Unavailable, 503)] {
        shop.faulty.fail_next_write(Some(WriteFault::Before(fault)));
        assert_eq!(order("k").await.status, status);
    }
    let retry = order("k").await;
    assert_eq!((retry.status.as_u16(), retry.header("idempotency-replayed")), (201, None));
    shop.faulty.fail_next_write(Some(WriteFault::AnswerLost));
    assert_eq!(order("l").await.status, 503);
    let retry = order("l").await;
    assert_eq!((retry.status.as_u16(), retry.header("idempotency-replayed")), (201, Some("true")));
    assert_eq!(shop.server.balance().await, before - 1_000);
    shop.server.assert_audit_is_clean().await;
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
}

#[tokio::test]
async fn a_customer_has_2000_keys_at_most() {
    let shop = Shop::open().await;
    let user = shop.server.issue("poor").await;
    let order =
        |key: &str| shop.server.post("/v1/store/orders", &user).body(r#"{"product_id":"mug"}"#).key(key);
    order("0").send().await;
    let table = TABLES.iter().find(|table| table.name == "request_keys").unwrap();
    let data = shop.server.production().data.clone();
    let first = data.rows_after(table, None, 1).await.unwrap().remove(0);
    let others = (1..2_000).map(|key: u32| {
        let mut row = first.clone();
        row[1] = Cell::Text(key.to_string().into());
        row
    });
    data.write_rows(table, &others.collect::<Vec<_>>()).await.unwrap();
    let refused = order("one-more").send().await;
    assert_eq!(
        refused.field_errors(),
        [
            "Idempotency-Key: The Idempotency-Key is new, and 2000 keys of this user are kept already. A key is kept for 7 days after its last use, or for a day when the request was refused."
        ]
    );
    assert_eq!(order("0").send().await.header("idempotency-replayed"), Some("true"));
    let without = shop.server.post("/v1/store/orders", &user).body(r#"{"product_id":"mug"}"#).send().await;
    assert_eq!(without.field_errors(), ["product_id: The points are not enough for this order."]);
}
