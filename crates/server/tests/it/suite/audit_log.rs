//! `GET /v1/manage/audit-log`: who changed what.

use http::Method;
use pointbook_access::audit_log::verify_audit_log;
use pointbook_domain::PictureId;
use pointbook_http::RouteSpec;
use pointbook_server::slices::routes;
use pointbook_store::ports::tokens::token_hash;
use serde_json::{Value, json};

use super::write_requests::{PICTURE, Shop};
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

/// A test of a webhook, which a test of its own tries: its response says how many milliseconds it took.
const WEBHOOK_TEST: &str = "manage.webhooks.test";

/// The operations with which the back office writes. `virtual_clock` tries that of the clock: only a staging tenant has one.
fn writing_routes() -> impl Iterator<Item = &'static RouteSpec> {
    let others = [WEBHOOK_TEST, "manage.clock.put"];
    routes().filter(move |route| {
        route.method != Method::GET && route.caller.is_key() && !others.contains(&route.name)
    })
}

/// Sends the request of an operation to a new shop, and returns what its entries call it.
async fn entries_of(route: &'static RouteSpec) -> Vec<String> {
    let shop = Shop::open().await;
    let (server, token) = (&shop.server, &shop.back_office);
    server.set("shop", "true").await;
    let keys = server.request(Method::GET, "/v1/manage/keys", token).send().await.json();
    let [owner, spare] = [0, 1].map(|at| keys["data"][at]["id"].as_str().unwrap().to_owned());
    let mut request = shop.request(route);
    let before = match route.name {
        "manage.keys.revoke" => {
            request.path = format!("/v1/manage/keys/{spare}");
            None
        }
        "manage.pictures.remove" => {
            request.path = format!("/v1/manage/pictures/{}", PictureId(token_hash(PICTURE.as_bytes()).0));
            Some("manage.pictures.add")
        }
        "manage.campaigns.back_test.cancel" => Some("manage.campaigns.back_test.start"),
        "manage.campaigns.back_fill.cancel" => Some("manage.campaigns.back_fill.start"),
        _ => None,
    };
    if let Some(before) = before.and_then(|name| routes().find(|route| route.name == name)) {
        assert!(shop.call(&shop.request(before)).send().await.status.is_success(), "{}", before.name);
    }
    let before = latest(server, token).await;
    let answer = shop.call(&request).header("x-request-id", route.name).send().await;
    assert!(answer.status.is_success(), "{}: {} {}", route.name, answer.status, answer.text());
    let new = list(server, token, &format!("?after={before}")).await;
    let new = new["data"].as_array().unwrap();
    for entry in new {
        assert_eq!(entry["actor"], format!("key:{owner}"), "{}", route.name);
        assert_eq!(entry["request_id"], route.name);
        assert_eq!(entry["address"], "127.0.0.1");
    }
    for secret in ["pb_", "whsec_"] {
        assert!(!json!(new).to_string().contains(secret), "{new:?}");
    }
    let report = verify_audit_log(&*server.production().data).await.unwrap();
    assert_eq!(report.differences, [""; 0]);
    new.iter().map(|entry| entry["operation"].as_str().unwrap().to_owned()).collect()
}

/// `docs/operating/audit-log.md` says what each entry means.
#[tokio::test]
async fn every_write_of_the_back_office_has_its_documented_entries() {
    let documented = include_str!("../../../../../docs/operating/audit-log.md");
    let mut written = String::new();
    for route in writing_routes() {
        let operations = entries_of(route).await;
        for operation in &operations {
            assert!(documented.contains(&format!("`{operation}`")), "{operation}");
        }
        written += format!("{}: {}", route.name, operations.join(", ")).trim_end();
        written += "\n";
    }
    insta::assert_snapshot!(written, @"
    auth.token.issue:
    auth.links.create: user.link
    manage.products.put: product.change
    manage.products.patch: product.change
    manage.products.adjust_stock: product.change
    manage.products.retire: product.retire
    manage.products.bulk: product.change
    manage.products.import: product.create
    manage.categories.put: categories.replace
    manage.categories.import: categories.replace
    manage.pictures.add: picture.add
    manage.pictures.remove: picture.remove
    manage.users.put: user.change
    manage.users.record_activity:
    manage.users.try_activity:
    manage.users.add_note: user.note
    manage.users.reverse_transaction: transaction.reverse
    manage.users.revoke_tokens: user.sign_out
    manage.users.import: user.create
    manage.users.void_held: activity.void
    manage.activities.import: activities.import
    manage.orders.fulfil: order.fulfil
    manage.orders.cancel: order.cancel
    manage.keys.add: key.add
    manage.keys.revoke: key.revoke
    manage.webhooks.add: webhook.add
    manage.webhooks.put: webhook.change
    manage.webhooks.remove: webhook.remove
    manage.webhooks.rotate: webhook.rotate_secret
    manage.webhooks.rewind: webhook.rewind
    manage.webhooks.skip: webhook.skip
    manage.campaigns.put: campaign.put
    manage.campaigns.step: campaign.schedule
    manage.campaigns.back_test.start: campaign.back_test
    manage.campaigns.back_test.cancel: campaign.cancel_back_test
    manage.campaigns.back_fill.start: campaign.back_fill
    manage.campaigns.back_fill.cancel: campaign.cancel_back_fill
    ");
}

#[tokio::test]
async fn a_test_of_a_webhook_leaves_no_entry() {
    let route = routes().find(|route| route.name == WEBHOOK_TEST).unwrap();
    assert_eq!(entries_of(route).await, [""; 0]);
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
