//! `/v1/manage/keys`: API keys, and what each of them may do.

use http::Method;
use pointbook_access::keys::uses::store_key_uses;
use pointbook_domain::{Scope, Scopes};
use pointbook_server::slices::routes;
use serde_json::{Value, json};

use crate::client::{Answer, Call};
use crate::harness::{TestServer, base_path, concrete};

const PATH: &str = "/v1/manage/keys";

fn only(scope: Scope) -> Scopes {
    Scopes::new([scope]).unwrap()
}

async fn add(server: &TestServer, token: &str, body: &Value) -> Answer {
    server.post(PATH, token).json(body).send().await
}

async fn active(server: &TestServer, token: &str) -> Vec<Value> {
    let listed = server.request(Method::GET, PATH, token).send().await;
    assert_eq!(listed.status, 200, "{}", listed.text());
    listed.json()["data"].as_array().unwrap().clone()
}

#[tokio::test]
async fn an_operation_takes_the_key_with_its_scope_and_no_other() {
    let server = TestServer::with_sample().await;
    let mut tried = 0;
    for &scope in Scope::ALL {
        let key = server.issue_key(only(scope), "").await;
        for route in routes() {
            if !route.caller.is_key() {
                continue;
            }
            let path = format!("{}{}", base_path(), concrete(route.path));
            let answer = Call::new(server.address(), route.method.clone(), path).bearer(&key).send().await;
            let status = answer.status.as_u16();
            if let Some(lacking) = route.caller.scopes().iter().find(|needed| **needed != scope) {
                let expected = format!(
                    r#"{{"message":"This action is unauthorized.","code":"missing_scope","scope":"{lacking}"}}"#
                );
                assert_eq!((status, answer.text()), (403, &*expected), "{} with {scope}", route.name);
            } else {
                assert!(![401, 403].contains(&status), "{}: {status}", route.name);
            }
            tried += 1;
        }
    }
    assert!(tried >= 25 * Scope::ALL.len(), "{tried}");
}

/// What campaigns say of a user tells the birthday, and a webhook gets what the feed has.
#[test]
fn what_another_scope_guards_needs_that_scope_too() {
    let rows = [
        ("manage.users.try_activity", Scope::UsersRead),
        ("manage.users.explain_transaction", Scope::UsersRead),
        ("manage.campaigns.back_test.show", Scope::UsersRead),
        ("manage.webhooks.add", Scope::EventsRead),
        ("manage.webhooks.put", Scope::EventsRead),
        ("manage.webhooks.rewind", Scope::EventsRead),
    ];
    for (name, scope) in rows {
        let route = routes().find(|route| route.name == name).unwrap();
        assert!(route.caller.scopes().contains(&scope), "{name}");
    }
}

#[tokio::test]
async fn a_dry_run_by_parameter_needs_the_scopes_of_a_dry_run() {
    let server = TestServer::with_sample().await;
    let key = server.issue_key(only(Scope::ActivitiesWrite), "").await;
    let scan = json!({"type": "code", "source_id": "scan", "points": 5, "title": "Scan"});
    let path = "/v1/manage/users/u1/activities?dry_run=true";
    let refused = server.request(Method::POST, path, &key).json(&scan).send().await;
    assert_eq!((refused.status.as_u16(), &refused.json()["scope"]), (403, &json!("campaigns:read")));
}

#[tokio::test]
async fn a_super_user_token_has_every_scope() {
    let server = TestServer::with_sample().await;
    let token = server.issue_super_user().await;
    let keys = active(&server, &token).await;
    let names: Vec<_> = Scope::ALL.iter().map(|scope| scope.as_str()).collect();
    assert_eq!(keys[0]["scopes"], json!(names));
    for route in routes().filter(|route| route.caller.is_key()) {
        let path = format!("{}{}", base_path(), concrete(route.path));
        let answer = Call::new(server.address(), route.method.clone(), path).bearer(&token).send().await;
        assert!(![401, 403].contains(&answer.status.as_u16()), "{}", route.name);
    }
}

#[tokio::test]
async fn a_key_is_added_listed_used_and_revoked() {
    let server = TestServer::with_sample().await;
    let owner = server.issue_super_user().await;
    let body = json!({
        "label": "Warehouse", "scopes": ["orders:write", "orders:read"], "networks": ["127.0.0.0/8"],
        "expires_in": 60,
    });
    let added = add(&server, &owner, &body).await;
    assert_eq!((added.status.as_u16(), added.header("cache-control")), (201, Some("no-store")));
    let data = &added.json()["data"];
    let (key, id) = (data["key"].as_str().unwrap(), data["id"].as_str().unwrap());
    assert_eq!(data["scopes"], json!(["orders:read", "orders:write"]));
    assert_eq!(data["expires_at"], "2026-03-01T12:01:00.000000Z");
    let listed = active(&server, &owner).await;
    let mut shown = data.clone();
    shown.as_object_mut().unwrap().remove("key");
    assert_eq!(listed[1], shown, "the list shows everything but the key");
    assert_eq!(shown["created_by"], format!("key:{}", listed[0]["id"].as_str().unwrap()));
    let orders = || server.request(Method::GET, "/v1/manage/orders", key);
    assert_eq!(orders().send().await.status, 200);
    let revoke = || server.request(Method::DELETE, &format!("{PATH}/{id}"), &owner);
    assert_eq!((revoke().send().await.status.as_u16(), orders().send().await.status.as_u16()), (200, 401));
    assert_eq!(revoke().send().await.status, 404, "it is revoked");
    assert_eq!(active(&server, &owner).await.len(), 1);
}

#[tokio::test]
async fn a_key_that_expired_is_neither_listed_nor_good() {
    let server = TestServer::with_sample().await;
    let owner = server.issue_super_user().await;
    let body = json!({"label": "Brief", "scopes": ["orders:read"], "expires_in": 60});
    let key = add(&server, &owner, &body).await.json()["data"]["key"].as_str().unwrap().to_owned();
    server.advance_seconds(60);
    assert_eq!(active(&server, &owner).await.len(), 1);
    assert_eq!(server.request(Method::GET, "/v1/manage/orders", &key).send().await.status, 401);
}

#[tokio::test]
async fn a_key_grants_no_scope_that_it_lacks() {
    let server = TestServer::with_sample().await;
    let scopes = Scopes::new([Scope::KeysWrite, Scope::OrdersRead]).unwrap();
    let key = server.issue_key(scopes, "").await;
    let refused = add(&server, &key, &json!({"label": "A", "scopes": ["orders:read", "orders:write"]})).await;
    let expected =
        r#"{"message":"This action is unauthorized.","code":"missing_scope","scope":"orders:write"}"#;
    assert_eq!((refused.status.as_u16(), refused.text()), (403, expected));
    assert_eq!(add(&server, &key, &json!({"label": "A", "scopes": ["orders:read"]})).await.status, 201);
}

#[tokio::test]
async fn a_key_grants_no_network_and_no_end_beyond_its_own() {
    let server = TestServer::with_sample().await;
    let owner = server.issue_super_user().await;
    let maker =
        json!({"label": "A", "scopes": ["keys:write"], "networks": ["127.0.0.0/8"], "expires_in": 3_600});
    let maker = add(&server, &owner, &maker).await.json()["data"]["key"].as_str().unwrap().to_owned();
    let wider = json!({"label": "B", "scopes": ["keys:write"], "networks": ["127.0.0.1", "0.0.0.0/0"]});
    let refused = add(&server, &maker, &wider).await;
    let message = "The networks.1 must be within the networks of your key: 127.0.0.0/8.";
    assert_eq!(
        (refused.status.as_u16(), &refused.json()["errors"]),
        (422, &json!({"networks.1": [message]}))
    );
    for (sent, networks, expires_at) in [
        (json!({}), "127.0.0.0/8", "2026-03-01T13:00:00.000000Z"),
        (json!({"networks": [], "expires_in": 3_601}), "127.0.0.0/8", "2026-03-01T13:00:00.000000Z"),
        (json!({"networks": ["127.0.0.1"], "expires_in": 60}), "127.0.0.1/32", "2026-03-01T12:01:00.000000Z"),
    ] {
        let mut body = json!({"label": "B", "scopes": ["keys:write"]});
        body.as_object_mut().unwrap().extend(sent.as_object().unwrap().clone());
        let added = add(&server, &maker, &body).await;
        assert_eq!(added.status, 201, "{}", added.text());
        let mut data = added.json()["data"].clone();
        assert_eq!((&data["networks"], &data["expires_at"]), (&json!([networks]), &json!(expires_at)));
        data.as_object_mut().unwrap().remove("key");
        assert_eq!(active(&server, &owner).await.iter().filter(|key| **key == data).count(), 1, "{data}");
    }
    let endless = add(&server, &owner, &json!({"label": "C", "scopes": ["orders:read"]})).await;
    assert_eq!(endless.json()["data"]["expires_at"], "2027-03-01T12:00:00.000000Z");
}

#[tokio::test]
async fn a_key_revokes_no_key_that_it_descends_from() {
    let server = TestServer::with_sample().await;
    let owner = server.issue_super_user().await;
    let body = json!({"label": "A", "scopes": ["keys:write"]});
    let (mut keys, mut ids) = (vec![owner], vec![]);
    ids.push(active(&server, &keys[0]).await[0]["id"].as_str().unwrap().to_owned());
    for _ in 0..2 {
        let added = add(&server, keys.last().unwrap(), &body).await.json()["data"].clone();
        keys.push(added["key"].as_str().unwrap().to_owned());
        ids.push(added["id"].as_str().unwrap().to_owned());
    }
    let revoke = async |by: usize, id: usize| {
        let path = format!("{PATH}/{}", ids[id]);
        server.request(Method::DELETE, &path, &keys[by]).send().await
    };
    for above in [0, 1] {
        let refused = revoke(2, above).await;
        let body = r#"{"message":"This action is unauthorized.","code":"forbidden"}"#;
        assert_eq!((refused.status.as_u16(), refused.text()), (403, body));
    }
    for (by, id) in [(0, 1), (2, 2)] {
        assert_eq!(revoke(by, id).await.status, 200, "{by} revokes {id}");
    }
}

#[tokio::test]
async fn a_key_works_from_its_networks_alone() {
    let server = TestServer::with_sample().await;
    let [near, far] = ["192.0.2.0/24 127.0.0.0/8", "192.0.2.0/24"];
    for (networks, expected) in [(near, 200), (far, 403)] {
        let key = server.issue_key(only(Scope::OrdersRead), networks).await;
        let answer = server.request(Method::GET, "/v1/manage/orders", &key).send().await;
        assert_eq!(answer.status, expected, "{networks}");
        if expected == 403 {
            let body = r#"{"message":"This action is unauthorized.","code":"address_not_allowed"}"#;
            assert_eq!(answer.text(), body);
        }
        // A documented read takes no key, wherever the key is used.
        let of_customers = server.request(Method::GET, "/v1/store/products", &key).send().await;
        assert_eq!(of_customers.status, 401, "{networks}");
    }
}

#[tokio::test]
async fn a_repeated_request_shows_the_same_key_and_no_row_holds_it() {
    let server = TestServer::with_sample().await;
    let owner = server.issue_super_user().await;
    let body = json!({"label": "Warehouse", "scopes": ["orders:read"]});
    let ask = || server.post(PATH, &owner).header("idempotency-key", "k-1").json(&body);
    let first = ask().send().await;
    server.advance_seconds(5);
    let again = ask().send().await;
    assert_eq!((first.status, first.text()), (again.status, again.text()));
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
    assert_eq!(active(&server, &owner).await.len(), 2);
    let key = first.json()["data"]["key"].as_str().unwrap().to_owned();
    assert!(!server.holds(key.as_bytes()).await);
}

#[tokio::test]
async fn a_tenant_has_at_most_50_keys() {
    let server = TestServer::with_sample().await;
    let owner = server.issue_super_user().await;
    let body = json!({"label": "One of many", "scopes": ["orders:read"]});
    for _ in 1..50 {
        assert_eq!(add(&server, &owner, &body).await.status, 201);
    }
    let refused = add(&server, &owner, &body).await;
    assert_eq!((refused.status.as_u16(), &refused.json()["code"]), (409, &json!("too_many_keys")));
    let keys = active(&server, &owner).await;
    let other = keys.iter().find(|key| key["label"] == "One of many").unwrap();
    let id = other["id"].as_str().unwrap();
    assert_eq!(server.request(Method::DELETE, &format!("{PATH}/{id}"), &owner).send().await.status, 200);
    assert_eq!(add(&server, &owner, &body).await.status, 201);
}

#[tokio::test]
async fn the_hour_of_the_last_use_is_stored() {
    let server = TestServer::with_sample().await;
    let owner = server.issue_super_user().await;
    server.advance_seconds(90 * 60);
    assert!(active(&server, &owner).await[0]["last_used_at"].is_null());
    for hour in ["2026-03-01T13:00:00.000000Z", "2026-03-01T15:00:00.000000Z"] {
        active(&server, &owner).await;
        store_key_uses(&server.production()).await.unwrap();
        assert_eq!(active(&server, &owner).await[0]["last_used_at"], hour);
        server.advance_seconds(2 * 60 * 60);
    }
}

#[tokio::test]
async fn a_customers_token_is_no_key() {
    let server = TestServer::with_sample().await;
    let owner = server.issue_super_user().await;
    let customer = pointbook_store::ports::tokens::token_hash(server.issue("u1").await.as_bytes()).id();
    for id in [customer.to_string(), "a0a1a2a3a4a5a6a7a8a9".to_owned(), "nonsense".to_owned()] {
        let answer = server.request(Method::DELETE, &format!("{PATH}/{id}"), &owner).send().await;
        assert_eq!(answer.status, 404, "{id}");
    }
    assert_eq!(server.request(Method::GET, PATH, server.token()).send().await.status, 403);
}
