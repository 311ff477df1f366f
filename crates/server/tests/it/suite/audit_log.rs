//! `GET /v1/manage/audit-log`: who changed what.

use std::collections::BTreeSet;

use http::Method;
use pointbook_access::audit_log::verify_audit_log;
use pointbook_domain::{PictureId, Scope, Scopes};
use pointbook_server::slices::routes;
use pointbook_store::ports::tokens::token_hash;
use serde_json::{Value, json};

use super::write_requests::PICTURE;
use crate::client::Answer;
use crate::harness::TestServer;

const PATH: &str = "/v1/manage/audit-log";

async fn list(server: &TestServer, token: &str, query: &str) -> Value {
    let answer = server.request(Method::GET, &format!("{PATH}{query}"), token).send().await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()
}

async fn latest(server: &TestServer, token: &str) -> u64 {
    list(server, token, "?limit=1").await["meta"]["latest"].as_u64().unwrap()
}

/// A write of the back office and the entries that it leaves.
struct Write {
    route: &'static str,
    method: Method,
    path: String,
    body: Value,
    operations: &'static [&'static str],
}

fn write(
    route: &'static str,
    method: Method,
    path: impl Into<String>,
    body: Value,
    operations: &'static [&'static str],
) -> Write {
    Write { route, method, path: path.into(), body, operations }
}

const TREE_IMPORT: &str = "/v1/manage/categories/import";

/// One of each operation on keys, the catalogue and imports.
fn office_writes(key_id: &str) -> Vec<Write> {
    let (product, put, post) = ("/v1/manage/products/bowl", Method::PUT, Method::POST);
    let key = json!({"label": "New", "scopes": ["orders:read"]});
    let sku = json!({"sku": "B", "title": "Bowl", "regular_price": 5, "stock": 2});
    let jug = json!({"id": "jug", "sku": "J", "title": "Jug", "regular_price": 5});
    let tree = json!({"categories": [{"id": "a", "label": "A"}]});
    let other_tree = json!({"categories": [{"id": "b", "label": "B"}]});
    let old_key = format!("/v1/manage/keys/{key_id}");
    let (stock, import) = (format!("{product}/stock"), "/v1/manage/products/import");
    let cheaper = json!({"regular_price": 4});
    vec![
        write("manage.keys.add", post.clone(), "/v1/manage/keys", key, &["key.add"]),
        write("manage.keys.revoke", Method::DELETE, old_key, Value::Null, &["key.revoke"]),
        write("manage.products.put", put.clone(), product, sku, &["product.create"]),
        write("manage.products.patch", Method::PATCH, product, cheaper, &["product.change"]),
        write(
            "manage.products.adjust_stock",
            post.clone(),
            stock,
            json!({"difference": 5}),
            &["product.change"],
        ),
        write("manage.products.retire", Method::DELETE, product, Value::Null, &["product.retire"]),
        write("manage.products.import", post, import, jug, &["product.create"]),
        write("manage.categories.put", put, "/v1/manage/categories", tree, &["categories.replace"]),
        write("manage.categories.import", Method::POST, TREE_IMPORT, other_tree, &["categories.replace"]),
    ]
}

fn picture_writes() -> [Write; 2] {
    let (route, path) = ("manage.pictures.add", "/v1/manage/pictures");
    let one = format!("{path}/{}", PictureId(token_hash(PICTURE.as_bytes()).0));
    [
        write(route, Method::POST, path, Value::Null, &["picture.add"]),
        write("manage.pictures.remove", Method::DELETE, one, Value::Null, &["picture.remove"]),
    ]
}

/// One of each operation on webhooks. Nothing listens at their URLs, so a test fails.
fn webhook_writes() -> Vec<Write> {
    let (one, post) = ("/v1/manage/webhooks/wh_1", Method::POST);
    let url = json!({"url": "https://shop.example.com/hooks"});
    let at = |verb: &str| format!("{one}/{verb}");
    vec![
        write("manage.webhooks.add", post.clone(), "/v1/manage/webhooks", url.clone(), &["webhook.add"]),
        write("manage.webhooks.skip", post.clone(), at("skip"), json!({"position": 1}), &["webhook.skip"]),
        write("manage.webhooks.put", Method::PUT, one, url, &["webhook.change"]),
        write("manage.webhooks.rotate", post.clone(), at("rotate"), Value::Null, &["webhook.rotate_secret"]),
        write("manage.webhooks.test", post.clone(), at("test"), Value::Null, &[]),
        write("manage.webhooks.rewind", post, at("rewind"), json!({"after": "1-0"}), &["webhook.rewind"]),
        write("manage.webhooks.remove", Method::DELETE, one, Value::Null, &["webhook.remove"]),
    ]
}

/// One of each operation on campaigns.
fn campaign_writes() -> Vec<Write> {
    let one = "/v1/manage/campaigns/spring";
    let definition = json!({"title": {"en": "Spring"}, "reward": {"points": 5}});
    let step = json!({"step": "schedule"});
    let (back_test, back_fill) = (format!("{one}/back-test"), format!("{one}/back-fill"));
    let test = || {
        let body = json!({"from": "2026-01-01T00:00:00Z", "until": "2026-02-01T00:00:00Z"});
        let name = "manage.campaigns.back_test.start";
        write(name, Method::POST, &back_test, body, &["campaign.back_test"])
    };
    let activity = json!({"type": "code", "source_id": "try", "points": 60, "title": "T"});
    let dry_run = "/v1/manage/users/u1/activities/dry-run";
    let cancel = |route, path: &str, entries| write(route, Method::DELETE, path, Value::Null, entries);
    vec![
        write("manage.campaigns.put", Method::PUT, one, definition, &["campaign.put"]),
        write("manage.campaigns.step", Method::POST, format!("{one}/state"), step, &["campaign.schedule"]),
        test(),
        write(
            "manage.campaigns.back_fill.start",
            Method::POST,
            &back_fill,
            json!({"version": 2}),
            &["campaign.back_fill"],
        ),
        cancel("manage.campaigns.back_fill.cancel", &back_fill, &["campaign.cancel_back_fill"]),
        test(),
        cancel("manage.campaigns.back_test.cancel", &back_test, &["campaign.cancel_back_test"]),
        write("manage.users.try_activity", Method::POST, dry_run, activity, &[]),
    ]
}

/// One of each operation on users and orders. The two orders are placed, and the transaction is of `u1`.
fn member_writes([to_fulfil, to_cancel]: [&str; 2], transaction: &str) -> Vec<Write> {
    let (user, orders, post) = ("/v1/manage/users/u1", "/v1/manage/orders", Method::POST);
    let line = json!({"user_id": "u9", "type": "code", "source_id": "s", "points": 5, "title": "T", "subtitle": "S",
                      "created_at": "2026-02-01T10:00:00Z"});
    let activity = json!({"type": "code", "source_id": "new", "points": 60, "title": "T", "subtitle": "S"});
    let reverse = format!("{user}/transactions/{transaction}/reverse");
    let (fulfil, cancel) = (format!("{orders}/{to_fulfil}/fulfil"), format!("{orders}/{to_cancel}/cancel"));
    let reason = json!({"reason": "Scanned by mistake", "partial": true});
    let (import, birth_date) = ("/v1/manage/activities/import", json!({"birth_date": "1990-05-04"}));
    let (activities, tokens) = (format!("{user}/activities"), format!("{user}/tokens"));
    let (u1, ada) = (json!({"user_id": "u1"}), json!({"user_id": "ada", "locale": "de"}));
    vec![
        write("manage.orders.fulfil", post.clone(), fulfil, Value::Null, &["order.fulfil"]),
        write("manage.orders.cancel", post.clone(), cancel, Value::Null, &["order.cancel"]),
        write("manage.users.put", Method::PUT, user, birth_date, &["user.change"]),
        write("manage.users.import", post.clone(), "/v1/manage/users/import", ada, &["user.create"]),
        write("manage.users.record_activity", post.clone(), activities, activity, &[]),
        write("manage.activities.import", post.clone(), import, line, &["activities.import"]),
        write("manage.users.reverse_transaction", post.clone(), reverse, reason, &["transaction.reverse"]),
        write("manage.users.revoke_tokens", Method::DELETE, tokens, Value::Null, &["user.sign_out"]),
        write("auth.token.issue", post.clone(), "/v1/auth/token", u1.clone(), &[]),
        write("auth.links.create", post, "/v1/auth/links", u1, &["user.link"]),
    ]
}

async fn send(server: &TestServer, token: &str, write: &Write) -> Answer {
    if write.route == "manage.campaigns.back_fill.start" {
        server.run_job("back-test").await;
    }
    let call = server.request(write.method.clone(), &write.path, token).header("x-request-id", write.route);
    let call = match write.route {
        "manage.pictures.add" => call.body(PICTURE),
        _ if write.body.is_null() => call,
        route if route.ends_with(".import") && route != "manage.categories.import" => {
            call.ndjson(write.body.to_string())
        }
        _ => call.json(&write.body),
    };
    call.send().await
}

/// The operations with which the back office writes. `virtual_clock` tries the other one: only a staging tenant has a clock.
fn writing_routes() -> BTreeSet<&'static str> {
    let writing = routes().filter(|route| route.method != Method::GET && route.caller.is_key());
    writing.map(|route| route.name).filter(|name| *name != "manage.clock.put").collect()
}

#[tokio::test]
async fn every_write_of_the_back_office_has_its_entries() {
    let server = TestServer::with_sample().await;
    server.set("shop", "true").await;
    server.award(10_000).await;
    let token = server.issue_super_user().await;
    let orders = [server.ordered("cafe", 1).await, server.ordered("cafe", 1).await];
    let path = "/v1/manage/users/u1/transactions?page[size]=50";
    let rows = server.request(Method::GET, path, &token).send().await.json();
    let scan = rows["data"].as_array().unwrap().iter().find(|row| row["type"] == "code").unwrap();
    server.issue_key(Scopes::new([Scope::OrdersRead]).unwrap(), "").await;
    let keys = server.request(Method::GET, "/v1/manage/keys", &token).send().await.json();
    let [owner, spare] = [0, 1].map(|at| keys["data"][at]["id"].as_str().unwrap().to_owned());
    let mut all = office_writes(&spare);
    all.extend(picture_writes());
    server.add_failing_webhook().await;
    all.extend(webhook_writes());
    all.extend(campaign_writes());
    all.extend(member_writes([&orders[0], &orders[1]], scan["id"].as_str().unwrap()));
    for write in &all {
        let before = latest(&server, &token).await;
        let answer = send(&server, &token, write).await;
        assert!(answer.status.is_success(), "{}: {} {}", write.route, answer.status, answer.text());
        let new = list(&server, &token, &format!("?after={before}")).await;
        let new = new["data"].as_array().unwrap();
        let operations: Vec<_> = new.iter().map(|entry| entry["operation"].as_str().unwrap()).collect();
        assert_eq!(operations, write.operations, "{}", write.route);
        for entry in new {
            assert_eq!(entry["actor"], format!("key:{owner}"), "{}", write.route);
            assert_eq!(entry["request_id"], write.route);
            assert_eq!(entry["address"], "127.0.0.1");
        }
        for secret in ["pb_", "whsec_"] {
            assert!(!json!(new).to_string().contains(secret), "{new:?}");
        }
    }
    let tried: BTreeSet<_> = all.iter().map(|write| write.route).collect();
    assert_eq!(tried, writing_routes());
    let report = verify_audit_log(&*server.production().data).await.unwrap();
    assert_eq!(report.differences, [""; 0]);
}

#[tokio::test]
async fn an_entry_says_what_changed_and_why() {
    let server = TestServer::with_sample().await;
    let token = server.issue_super_user().await;
    let put = json!({"sku": "B", "title": "Bowl", "regular_price": 5, "description": "x".repeat(600)});
    let path = "/v1/manage/products/bowl";
    server.request(Method::PUT, path, &token).json(&put).send().await;
    server.request(Method::PATCH, path, &token).json(&json!({"regular_price": 6})).send().await;
    server.request(Method::PATCH, path, &token).json(&json!({"regular_price": 6})).send().await;
    let listed = list(&server, &token, "?object=product:bowl").await;
    let [created, changed] = [&listed["data"][0], &listed["data"][1]];
    assert_eq!((&created["before"], &created["after"]["sku"]), (&Value::Null, &json!("B")));
    assert_eq!(created["after"]["description"]["length"], 600);
    assert_eq!(
        (&changed["before"], &changed["after"]),
        (&json!({"regular_price": 5}), &json!({"regular_price": 6}))
    );
    assert_eq!(listed["data"].as_array().unwrap().len(), 2, "the same again changes nothing");
    assert_eq!(changed["timestamp"], "2026-03-01T12:00:00.000000Z");
    assert_eq!((&changed["reason"], changed["hash"].as_str().unwrap().len()), (&Value::Null, 64));
}

#[tokio::test]
async fn what_customers_do_is_not_in_the_log() {
    let server = TestServer::with_sample().await;
    server.award(1_000).await;
    let token = server.issue_super_user().await;
    server.set("members_cancel_orders", "true").await;
    let before = latest(&server, &token).await;
    let order = server.ordered("cafe", 1).await;
    let cancel = server.post(&format!("/v1/store/orders/{order}/cancel"), server.token()).send().await;
    assert_eq!(cancel.status, 200, "{}", cancel.text());
    let end = server.request(Method::DELETE, "/v1/auth/token", server.token()).send().await;
    assert_eq!(end.status, 200, "{}", end.text());
    assert_eq!(latest(&server, &token).await, before);
}

#[tokio::test]
async fn the_log_comes_in_pages_and_refuses_bad_parameters() {
    let server = TestServer::with_sample().await;
    let token = server.issue_super_user().await;
    let first = latest(&server, &token).await;
    for user in ["a", "b", "c"] {
        let path = format!("/v1/manage/users/{user}");
        server.request(Method::PUT, &path, &token).json(&json!({})).send().await;
    }
    let page = list(&server, &token, &format!("?after={first}&limit=2")).await;
    let objects = |page: &Value| {
        page["data"].as_array().unwrap().iter().map(|entry| entry["object"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(objects(&page), ["user:a", "user:b"]);
    assert_eq!(page["meta"], json!({"next": first + 2, "earliest": 1, "latest": first + 3}));
    let rest = list(&server, &token, &format!("?after={}", page["meta"]["next"])).await;
    assert_eq!(objects(&rest), ["user:c"]);
    let empty = list(&server, &token, "?after=99&actor=command-line").await;
    assert_eq!((objects(&empty), &empty["meta"]["next"]), (Vec::<Value>::new(), &json!(99)));
    let refused =
        server.request(Method::GET, &format!("{PATH}?after=-1&limit=1001&actor[]=x"), &token).send().await;
    let expected = [
        "actor: The actor must be a string.",
        "after: The after must be at least 0.",
        "limit: The limit must not be greater than 1000.",
    ];
    assert_eq!(refused.field_errors(), expected);
}

#[tokio::test]
async fn the_command_line_and_the_settings_of_the_tenant_are_in_the_log() {
    let server = TestServer::with_sample().await;
    let token = server.issue_super_user().await;
    server.set("low_stock_threshold", "9").await;
    let listed = list(&server, &token, "?actor=command-line&object=tenant").await;
    let entries = listed["data"].as_array().unwrap();
    assert_eq!(entries[0]["operation"], "tenant.add");
    let changed = entries.last().unwrap();
    assert_eq!(changed["operation"], "tenant.change");
    assert_eq!(changed["before"], json!({"low_stock_threshold": "5"}));
    assert_eq!(changed["after"], json!({"low_stock_threshold": "9"}));
}

#[tokio::test]
async fn the_job_removes_entries_that_are_too_old() {
    let server = TestServer::with_sample().await;
    let token = server.issue_super_user().await;
    server.set("audit_log_days", "30").await;
    let old = latest(&server, &token).await;
    for _ in 0..31 {
        server.advance_seconds(86_400);
    }
    let token = server.issue_super_user().await;
    server.run_job("clean-audit-log").await;
    let listed = list(&server, &token, "").await;
    assert_eq!(listed["meta"]["earliest"], old + 1);
    assert_eq!(listed["data"][0]["seq"], old + 1);
    let report = verify_audit_log(&*server.production().data).await.unwrap();
    assert_eq!(report.differences, [""; 0]);
}
