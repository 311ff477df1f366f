//! A valid request for every operation that takes a body. An operation without an entry here gets the example of the OpenAPI
//! document.

use http::Method;
use pointbook_events::feed::newest_feed;
use pointbook_http::openapi::document;
use pointbook_http::{Caller, RouteSpec};
use pointbook_server::slices::routes;
use pointbook_testkit::FaultyDatabase;
use serde_json::json;

use crate::client::Call;
use crate::harness::{TestServer, concrete};

/// The kind of body that an operation reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BodyKind {
    Object,
    /// Many objects.
    Lines,
    /// No body, or an object without members.
    Nothing,
    /// Bytes of any type.
    Picture,
}

/// An operation and its request.
pub(crate) struct WriteRequest {
    pub(crate) route: &'static RouteSpec,
    pub(crate) takes: BodyKind,
    pub(crate) path: String,
    /// A valid body.
    pub(crate) body: &'static str,
    /// Another valid body.
    pub(crate) other: &'static str,
}

/// A repeated test of a webhook sends another test, and a repeated request for a link makes another link.
const CHANGE_NOTHING: [&str; 3] = ["manage.webhooks.test", "manage.users.try_activity", "auth.links.create"];

/// A WebP of 3 by 2 pixels, whose bytes are text.
pub(crate) const PICTURE: &str = "RIFF\x12\0\0\0WEBPVP8L\x05\0\0\0/\x02\x40\0\0\0";
/// One of 4 by 2 pixels.
const OTHER_PICTURE: &str = "RIFF\x12\0\0\0WEBPVP8L\x05\0\0\0/\x03\x40\0\0\0";

/// The draft of a campaign.
const CAMPAIGN: &str = "spring";

/// A server for which every request is valid: `u1` has points and an order of a mug, whose stock is large.
pub(crate) struct Shop {
    pub(crate) server: TestServer,
    pub(crate) faulty: std::sync::Arc<FaultyDatabase>,
    pub(crate) back_office: String,
    other_back_office: String,
    other_customer: String,
    order_id: String,
    /// The transaction that gave `u1` points.
    transaction_id: String,
    /// An activity of `u1` that waits.
    held_id: String,
}

impl Shop {
    pub(crate) async fn open() -> Self {
        let (server, back_office, faulty) = TestServer::with_faults().await;
        server.add_changed_product("mug", |mug| mug.stock = Some(1_000)).await;
        server.award(10_000).await;
        server.set("members_cancel_orders", "true").await;
        server.add_failing_webhook().await;
        let draft = json!({"id": CAMPAIGN, "title": {"en": "Spring"}, "reward": {"percent": 10}});
        server.put_campaign(&back_office, draft).await;
        back_test(&server, &back_office).await;
        let order_id = server.ordered("mug", 1).await;
        let entries = server.production().data.entries_after(None, 1).await.unwrap();
        let transaction_id = entries[0].transaction.id.to_string();
        let waits =
            json!({"type": "code", "source_id": "waits", "points": 5, "title": "Scan", "hold": {"days": 9}});
        let held =
            server.post("/v1/manage/users/u1/activities", &back_office).json(&waits).send().await.json();
        let held_id = held["data"]["id"].as_str().unwrap().to_owned();
        let other_back_office = server.issue_super_user().await;
        let other_customer = server.issue("u2").await;
        // A request that reads the feed gives no positions then, which would look like an effect.
        newest_feed(&*server.production().data).await.unwrap();
        Self {
            server,
            faulty,
            back_office,
            other_back_office,
            other_customer,
            order_id,
            transaction_id,
            held_id,
        }
    }

    /// The requests of all operations with this method that change something.
    pub(crate) fn requests(&self, method: &Method) -> Vec<WriteRequest> {
        routes()
            .filter(|route| route.method == method && !CHANGE_NOTHING.contains(&route.name))
            .map(|route| self.request(route))
            .collect()
    }

    /// The request of one operation.
    pub(crate) fn request(&self, route: &'static RouteSpec) -> WriteRequest {
        let (takes, body, other) = bodies(route.name).unwrap_or_else(|| example(route));
        let path = concrete(route.path).replace("nothing", "{id}");
        let id = if route.path.contains("{transactionId}") { &self.transaction_id } else { &self.order_id };
        let id = if route.path.contains("/held/") { &self.held_id } else { id };
        let id = if route.path.contains("{campaignId}") { CAMPAIGN } else { id };
        let id = if route.path.contains("{webhookId}") { "wh_1" } else { id };
        let path = path.replace("{id}", id);
        WriteRequest { route, takes, path, body, other }
    }

    /// A request with the right token and the first body.
    pub(crate) fn call(&self, request: &WriteRequest) -> Call {
        self.send(request, request.body)
    }

    /// The same request with the other body.
    pub(crate) fn send(&self, request: &WriteRequest, body: impl Into<bytes::Bytes>) -> Call {
        self.send_to(request, &request.path, body)
    }

    /// The same request to another path.
    pub(crate) fn send_to(&self, request: &WriteRequest, path: &str, body: impl Into<bytes::Bytes>) -> Call {
        let token = match request.route.caller {
            Caller::Customer | Caller::Anyone => self.server.token(),
            Caller::Key(_) | Caller::KeyOfBoth(_) => &self.back_office,
        };
        self.server.request(request.route.method.clone(), path, token).body(body)
    }

    /// The same request by another sender who may send it.
    pub(crate) fn call_of_another(&self, request: &WriteRequest, body: impl Into<bytes::Bytes>) -> Call {
        let token = match request.route.caller {
            Caller::Customer | Caller::Anyone => &self.other_customer,
            Caller::Key(_) | Caller::KeyOfBoth(_) => &self.other_back_office,
        };
        self.server.request(request.route.method.clone(), &request.path, token).body(body)
    }
}

/// Back-tests the campaign.
async fn back_test(server: &TestServer, token: &str) {
    let days = json!({"from": "2026-01-01T00:00:00Z", "until": "2026-02-01T00:00:00Z"});
    let path = format!("/v1/manage/campaigns/{CAMPAIGN}/back-test");
    let started = server.post(&path, token).json(&days).send().await;
    assert_eq!(started.status, 202, "{}", started.text());
    server.run_job("back-test").await;
}

/// The example of the OpenAPI document, and the same JSON with other white space.
fn example(route: &RouteSpec) -> (BodyKind, &'static str, &'static str) {
    let document: serde_json::Value =
        serde_json::from_slice(&document(&pointbook_server::slices::LISTED)).unwrap();
    let operation = &document["paths"][route.path][route.method.as_str().to_ascii_lowercase()];
    let example = &operation["requestBody"]["content"]["application/json"]["example"];
    if example.is_null() {
        return (BodyKind::Nothing, "", "");
    }
    (BodyKind::Object, example.to_string().leak(), format!("{example:#}").leak())
}

const WITHOUT_BODY: [&str; 4] =
    ["store.orders.cancel", "manage.orders.fulfil", "manage.orders.cancel", "manage.webhooks.rotate"];

/// The kind of body of an operation, a body, and another body.
fn bodies(name: &str) -> Option<(BodyKind, &'static str, &'static str)> {
    Some(match name {
        "manage.pictures.add" => (BodyKind::Picture, PICTURE, OTHER_PICTURE),
        "auth.token.issue" => (BodyKind::Object, r#"{"user_id":"u9"}"#, r#"{"user_id":"u8"}"#),
        "store.orders.place" => {
            (BodyKind::Object, r#"{"product_id":"mug"}"#, r#"{"product_id":"mug","quantity":2}"#)
        }
        "manage.webhooks.rewind" => (BodyKind::Object, r#"{"after":"1-0"}"#, r#"{"after":"1-1"}"#),
        "manage.webhooks.skip" => (BodyKind::Object, r#"{"position":1}"#, r#"{"position":2}"#),
        name if WITHOUT_BODY.contains(&name) => (BodyKind::Nothing, "", "{}"),
        "manage.users.record_activity" => (
            BodyKind::Object,
            r#"{"type":"code","source_id":"k-1","points":5,"title":"Scan"}"#,
            r#"{"type":"code","source_id":"k-2","points":5,"title":"Scan"}"#,
        ),
        "manage.products.put" => (
            BodyKind::Object,
            r#"{"sku":"SKU-mug","title":"Mug","regular_price":5}"#,
            r#"{"sku":"SKU-mug","title":"Cup","regular_price":5}"#,
        ),
        "manage.products.patch" => (BodyKind::Object, r#"{"title":"Mug"}"#, r#"{"title":"Cup"}"#),
        "manage.products.adjust_stock" => (BodyKind::Object, r#"{"difference":5}"#, r#"{"difference":-5}"#),
        "manage.products.bulk" => (
            BodyKind::Object,
            r#"{"product_ids":["mug"],"change":{"active":false}}"#,
            r#"{"product_ids":["mug"],"change":{"popular":false}}"#,
        ),
        "manage.categories.put" => {
            (BodyKind::Object, r#"{"categories":[{"id":"home","label":"Home"}]}"#, r#"{"categories":[]}"#)
        }
        "manage.users.put" => (BodyKind::Object, r#"{"locale":"de"}"#, r#"{"locale":"ja"}"#),
        _ => return import_bodies(name).or_else(|| campaign_bodies(name)),
    })
}

fn import_bodies(name: &str) -> Option<(BodyKind, &'static str, &'static str)> {
    Some(match name {
        "manage.activities.import" => (
            BodyKind::Lines,
            r#"{"user_id":"u1","type":"code","source_id":"k-1","points":5,"title":"Scan","created_at":"2026-02-01T10:00:00Z"}"#,
            r#"{"user_id":"u1","type":"code","source_id":"k-2","points":5,"title":"Scan","created_at":"2026-02-01T10:00:00Z"}"#,
        ),
        "manage.products.import" => (
            BodyKind::Lines,
            r#"{"sku":"new","title":"New","regular_price":5}"#,
            r#"{"sku":"newer","title":"New","regular_price":5}"#,
        ),
        "manage.users.import" => {
            (BodyKind::Lines, r#"{"user_id":"new","locale":"de"}"#, r#"{"user_id":"newer","locale":"de"}"#)
        }
        "manage.categories.import" => (
            BodyKind::Object,
            r#"{"categories":[{"id":"home","label":"Home"}]}"#,
            r#"{"categories":[{"id":"house","label":"Home"}]}"#,
        ),
        _ => return None,
    })
}

fn campaign_bodies(name: &str) -> Option<(BodyKind, &'static str, &'static str)> {
    Some(match name {
        "manage.campaigns.put" => (
            BodyKind::Object,
            r#"{"title":{"en":"Spring"},"reward":{"points":5}}"#,
            r#"{"title":{"en":"Summer"},"reward":{"points":5}}"#,
        ),
        "manage.campaigns.step" => (BodyKind::Object, r#"{"step":"schedule"}"#, r#"{"step":"archive"}"#),
        "manage.users.try_activity" => (
            BodyKind::Object,
            r#"{"type":"code","source_id":"k-1","points":5,"title":"Scan"}"#,
            r#"{"type":"code","source_id":"k-2","points":5,"title":"Scan"}"#,
        ),
        _ => return None,
    })
}
