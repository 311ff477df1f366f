//! Changes of an existing product: `If-Match`, `PATCH /v1/manage/products/{id}`, and changing the stock by a difference.

use http::Method;
use serde_json::{Value, json};

use crate::client::{Answer, Call};
use crate::harness::TestServer;

const PATH: &str = "/v1/manage/products/mug";

/// A server, and a token of the back office.
struct BackOffice(TestServer, String);

impl BackOffice {
    /// A server with a mug whose stock is 10.
    async fn open() -> Self {
        let (server, token) = TestServer::with_back_office().await;
        let office = Self(server, token);
        let answer = office.call(Method::PUT, PATH).json(&mug()).send().await;
        assert_eq!(answer.status, 201, "{}", answer.text());
        office
    }

    fn call(&self, method: Method, path: &str) -> Call {
        self.0.request(method, path, &self.1)
    }

    async fn patch(&self, body: &Value) -> Answer {
        self.call(Method::PATCH, PATH).json(body).send().await
    }

    async fn add(&self, difference: impl Into<Value>) -> Answer {
        let body = json!({"difference": difference.into()});
        self.call(Method::POST, &format!("{PATH}/stock")).json(&body).send().await
    }

    async fn get(&self) -> Answer {
        self.call(Method::GET, PATH).send().await
    }

    async fn product(&self) -> Value {
        self.get().await.json()["data"].clone()
    }

    async fn tag(&self) -> String {
        self.get().await.header("etag").unwrap().to_owned()
    }
}

fn mug() -> Value {
    json!({
        "sku": "S-1", "title": "Mug", "description": "<b onclick='x'>Blue", "regular_price": 7, "sale_price": 5,
        "thumbnail": "https://a.example/t.png", "gallery": ["https://a.example/g.png"], "categories": ["cups"],
        "stock": 10, "popular": true, "published_at": "2026-02-01T09:00:00Z"
    })
}

const CHANGED: &str = r#"{"message":"Precondition failed.","code":"precondition_failed"}"#;
const NOT_FOUND: &str = r#"{"message":"Not found.","code":"not_found"}"#;

fn assert_is(answer: &Answer, status: u16, body: &str) {
    assert_eq!((answer.status.as_u16(), answer.text()), (status, body));
}

#[tokio::test]
async fn a_patch_changes_what_it_names_byte_for_byte() {
    let office = BackOffice::open().await;
    let before = office.get().await.text().to_owned();
    let answer = office.patch(&json!({"title": "Cup"})).await;
    let changed =
        before.replace(r#""title":"Mug""#, r#""title":"Cup""#).replace(r#""version":1}"#, r#""version":2}"#);
    let warnings = r#","warnings":[{"field":"categories.0","code":"unknown_category","message":"There is no category with the id \"cups\"."}]}"#;
    let expected = format!("{}{warnings}", changed.strip_suffix('}').unwrap());
    assert_is(&answer, 200, &expected);
    assert_eq!(answer.header("etag"), Some(&*office.tag().await));
    let in_store = office.0.get("/v1/store/products/mug").await;
    assert_eq!(in_store.json()["data"]["description"], "<b>Blue</b>");
    let kind = "application/merge-patch+json; charset=utf-8";
    let call = office.call(Method::PATCH, PATH).body("{}").header("content-type", kind);
    assert_is(&call.send().await, 200, &expected);
}

#[tokio::test]
async fn put_accepts_the_product_of_a_get() {
    let office = BackOffice::open().await;
    office.0.award(100).await;
    office.0.ordered("mug", 4).await;
    let before = office.get().await;
    let read = before.json()["data"].clone();
    for method in [Method::PUT, Method::PATCH] {
        let written = office.call(method.clone(), PATH).json(&read).send().await;
        assert_eq!((written.status.as_u16(), &written.json()["data"]), (200, &read), "{method}");
        let elsewhere = office.call(method, "/v1/manage/products/cup").json(&read).send().await;
        assert_eq!(elsewhere.field_errors(), ["id: The id must be the id of the path."]);
    }
    assert_eq!(office.get().await.text(), before.text());
}

#[tokio::test]
async fn a_patch_clears_the_sale_price_and_the_limit_of_the_stock() {
    let office = BackOffice::open().await;
    let answer = office.patch(&json!({"sale_price": null, "stock": null, "categories": []})).await.json();
    assert_eq!((&answer["data"]["sale_price"], &answer["data"]["stock"]), (&json!(null), &json!(null)));
    assert_eq!(answer["warnings"], json!([]));
    assert_eq!((&answer["data"]["title"], &answer["data"]["regular_price"]), (&json!("Mug"), &json!(7)));
    let new = json!({"description": "<i onclick='x'>Red", "stock": 3, "active": false});
    assert_eq!(office.patch(&new).await.json()["data"]["description"], "<i onclick='x'>Red");
    office.patch(&json!({"active": true})).await;
    assert_eq!(office.0.get("/v1/store/products/mug").await.json()["data"]["description"], "<i>Red</i>");
    office.0.assert_audit_is_clean().await;
}

#[tokio::test]
async fn bad_fields_of_a_patch_are_named_all_at_once_and_nothing_changes() {
    let office = BackOffice::open().await;
    let before = office.product().await;
    let answer = office
        .patch(&json!({
            "sku": "", "title": null, "description": null, "regular_price": null, "sale_price": -1, "thumbnail": "a.png",
            "gallery": ["https://", "http://a"], "categories": null, "stock": 1.5, "popular": null,
            "published_at": null, "active": "true", "id": "cup", "version": 1
        }))
        .await;
    assert_eq!(
        answer.field_errors(),
        [
            "sku: The sku field is required.",
            "title: The title must be a string.",
            "description: The description must be a string.",
            "regular_price: The regular price must be an integer.",
            "sale_price: The sale price must be between 0 and 9007199254740991.",
            "thumbnail: The thumbnail must be a valid URL.",
            "gallery.0: The gallery.0 must be a valid URL.",
            "categories: The categories must be an array.",
            "stock: The stock must be an integer.",
            "popular: The popular field must be true or false.",
            "published_at: The published at must be a date-time with seconds and with Z or an offset, such as 2026-05-05T07:30:00Z.",
            "active: The active field must be true or false.",
            "id: The id must be the id of the path."
        ]
    );
    let above = ["sale_price: The sale price must not be above the regular price."];
    for patch in [json!({"sale_price": 8}), json!({"regular_price": 4})] {
        assert_eq!(office.patch(&patch).await.field_errors(), above);
    }
    assert_eq!(office.patch(&json!([])).await.field_errors(), ["body: The body must be an object."]);
    assert_eq!(office.product().await, before);
}

#[tokio::test]
async fn unknown_product_cannot_be_patched_or_supplied() {
    let office = BackOffice::open().await;
    office.call(Method::DELETE, PATH).send().await;
    for id in ["mug", "nothing", "%FF", "a%00b"] {
        let path = format!("/v1/manage/products/{id}");
        let changed = office.call(Method::PATCH, &path).json(&json!({"title": "Cup"})).send().await;
        assert_is(&changed, 404, NOT_FOUND);
        let body = json!({"difference": 1});
        let add = office.call(Method::POST, &format!("{path}/stock")).json(&body).send().await;
        assert_is(&add, 404, NOT_FOUND);
    }
}

#[tokio::test]
async fn a_change_of_another_state_is_refused() {
    let office = BackOffice::open().await;
    office.0.award(100).await;
    let mut outdated = vec![format!("W/{}", office.tag().await), "\"x\"".to_owned(), "mug".to_owned()];
    outdated.push(office.tag().await);
    office.patch(&json!({"title": "Cup"})).await;
    outdated.push(office.tag().await);
    office.0.ordered("mug", 1).await;
    let before = office.get().await;
    for tag in &outdated {
        for (method, body) in
            [(Method::PUT, mug()), (Method::PATCH, json!({"title": "Old"})), (Method::DELETE, json!({}))]
        {
            let call = office.call(method.clone(), PATH).json(&body).header("if-match", tag);
            assert_is(&call.send().await, 412, CHANGED);
        }
    }
    assert_eq!(office.get().await.text(), before.text());
    let tag = before.header("etag").unwrap();
    let call = office.call(Method::PUT, PATH).json(&mug()).header("if-match", format!("\"x\", {tag}"));
    let put = call.send().await;
    assert_eq!((put.status.as_u16(), put.header("etag")), (200, Some(&*office.tag().await)));
    let retire = office.call(Method::DELETE, PATH).header("if-match", office.tag().await).send().await;
    assert_is(&retire, 200, r#"{"success":true}"#);
    office.0.assert_audit_is_clean().await;
}

#[tokio::test]
async fn a_star_asks_for_a_product_that_exists() {
    let office = BackOffice::open().await;
    let put = async |path: &str| {
        office.call(Method::PUT, path).json(&mug()).header("if-match", "*").send().await.status.as_u16()
    };
    assert_eq!(put(PATH).await, 200);
    assert_eq!(put("/v1/manage/products/new").await, 412);
    let patch = office.call(Method::PATCH, PATH).json(&json!({"title": "Cup"})).header("if-match", "*");
    assert_eq!(patch.send().await.status, 200);
    assert_eq!(office.call(Method::DELETE, PATH).header("if-match", "*").send().await.status, 200);
    assert_eq!(office.call(Method::DELETE, PATH).header("if-match", "*").send().await.status, 404);
}

#[tokio::test]
async fn a_stock_in_another_state_is_not_changed() {
    let office = BackOffice::open().await;
    let path = format!("{PATH}/stock");
    let add =
        |tag: &str| office.call(Method::POST, &path).json(&json!({"difference": 5})).header("if-match", tag);
    let tag = office.tag().await;
    for bad in ["\"x\"", &format!("W/{tag}")] {
        assert_is(&add(bad).send().await, 412, CHANGED);
    }
    assert_eq!(add(&tag).send().await.json()["data"]["stock"], 15);
    let outdated = add(&tag).key("k").send().await;
    assert_is(&outdated, 412, CHANGED);
    assert_eq!(outdated.header("idempotency-replayed"), None);
    let again = add(&tag).key("k").send().await;
    assert_is(&again, 412, CHANGED);
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
    let fresh = add(&office.tag().await).key("k").send().await;
    assert_eq!(fresh.status, 409, "another condition is another request: {}", fresh.text());
    assert_eq!(add("*").send().await.json()["data"]["stock"], 20);
    office.0.assert_audit_is_clean().await;
}

#[tokio::test]
async fn a_product_is_only_created_where_the_client_says_so() {
    let office = BackOffice::open().await;
    let put = async |path: &str, if_match: Option<&str>| {
        let call = office.call(Method::PUT, path).json(&mug()).header("if-none-match", "*");
        if_match.into_iter().fold(call, |call, tag| call.header("if-match", tag)).send().await
    };
    let before = office.get().await;
    assert_is(&put(PATH, None).await, 412, CHANGED);
    assert_is(&put(PATH, Some("*")).await, 412, CHANGED);
    assert_eq!(office.get().await.text(), before.text());
    let new = "/v1/manage/products/new";
    assert_is(&put(new, Some("*")).await, 412, CHANGED);
    assert_eq!([put(new, None).await.status, put(new, None).await.status].map(|s| s.as_u16()), [201, 412]);
    office.call(Method::DELETE, PATH).send().await;
    assert_eq!(put(PATH, None).await.status, 201);
}

#[tokio::test]
async fn the_tag_of_a_product_stays_strong_and_is_known_again() {
    let office = BackOffice::open().await;
    office.patch(&json!({"description": "x".repeat(5_000)})).await;
    let tag = office.tag().await;
    let zipped = office.call(Method::GET, PATH).header("accept-encoding", "gzip").send().await;
    assert_eq!((zipped.header("etag"), zipped.header("content-encoding")), (Some(&*tag), None));
    let known = office.call(Method::GET, PATH).header("if-none-match", &*tag).send().await;
    assert_eq!((known.status.as_u16(), known.header("etag")), (304, Some(&*tag)));
    office.add(1).await;
    assert_ne!(office.tag().await, tag);
}

#[tokio::test]
async fn a_stock_changes_by_a_difference_byte_for_byte() {
    let office = BackOffice::open().await;
    office.0.award(100).await;
    office.0.ordered("mug", 4).await;
    let shown = office.get().await.text().replace(r#""stock":6"#, r#""stock":11"#);
    assert_is(&office.add(5).await, 200, &shown.replace(r#""version":1"#, r#""version":2"#));
    assert_eq!(office.add(-11).await.json()["data"]["stock"], 0);
    assert_eq!(office.0.order(&json!({"product_id": "mug"})).await.status, 422);
    office.0.assert_audit_is_clean().await;
}

#[tokio::test]
async fn invalid_difference_is_refused() {
    let office = BackOffice::open().await;
    for (difference, rule) in [
        (json!(-11), "must not take out more pieces than are in stock."),
        (json!(4_294_967_295_u32), "must not make the stock greater than 4294967295."),
        (json!(0), "must not be 0."),
        (json!("5"), "must be an integer."),
        (json!(null), "field is required."),
    ] {
        let message = format!("difference: The difference {rule}");
        assert_eq!(office.add(difference).await.field_errors(), [message]);
    }
    office.patch(&json!({"stock": null})).await;
    let message = "difference: The difference needs a limited stock: this product's stock is unlimited.";
    assert_eq!(office.add(1).await.field_errors(), [message]);
}
