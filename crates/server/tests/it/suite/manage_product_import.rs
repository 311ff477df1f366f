//! `POST /v1/manage/products/import`: imports many products at once.

use http::Method;
use serde_json::{Value, json};

use crate::client::{Answer, Call};
use crate::harness::TestServer;

const PATH: &str = "/v1/manage/products/import";

/// A server, and a token of the back office.
struct BackOffice(TestServer, String);

impl BackOffice {
    async fn open() -> Self {
        let (server, token) = TestServer::with_back_office().await;
        Self(server, token)
    }

    fn call(&self, query: &str, lines: &str) -> Call {
        self.0.post(&format!("{PATH}{query}"), &self.1).ndjson(lines.to_owned())
    }

    async fn import(&self, query: &str, lines: &str) -> Answer {
        self.call(query, lines).send().await
    }

    async fn product(&self, id: &str) -> Value {
        let path = format!("/v1/manage/products/{id}");
        self.0.request(Method::GET, &path, &self.1).send().await.json()["data"].clone()
    }

    /// The ids of the products that customers see.
    async fn in_store(&self) -> Vec<String> {
        let mut ids = self.0.get("/v1/store/products?page[size]=100").await.ids();
        ids.sort();
        ids
    }
}

fn line(sku: &str, price: u32) -> String {
    format!("{{\"sku\":\"{sku}\",\"title\":\"Mug\",\"regular_price\":{price}}}\n")
}

/// The response to an import without bad lines.
fn all_good(created: u32, replaced: u32, unchanged: u32) -> String {
    format!(
        r#"{{"success":true,"data":{{"created":{created},"replaced":{replaced},"unchanged":{unchanged},"rejected":0,"errors":[],"in_unknown_categories":0,"unknown_categories":[]}}}}"#
    )
}

fn assert_is(answer: &Answer, status: u16, body: &str) {
    assert_eq!((answer.status.as_u16(), answer.text()), (status, body));
}

#[tokio::test]
async fn lines_are_created_replaced_or_left_byte_for_byte() {
    for query in ["", "?mode=", "?mode=lines", "?mode=atomic"] {
        let office = BackOffice::open().await;
        assert_is(&office.import(query, &(line("a", 1) + &line("b", 2))).await, 200, &all_good(2, 0, 0));
        let again = line("a", 1) + "\n  \n" + &line("b", 3) + &line("c", 4);
        assert_is(&office.import(query, &again).await, 200, &all_good(1, 1, 1));
        assert_is(&office.import(query, "\n").await, 200, &all_good(0, 0, 0));
        assert_eq!(office.product("b").await["regular_price"], 3);
    }
}

#[tokio::test]
async fn customers_see_an_import_at_once() {
    let office = BackOffice::open().await;
    assert_eq!(office.in_store().await, [""; 0]);
    office.import("", &(line("a", 1) + &line("b", 2))).await;
    assert_eq!(office.in_store().await, ["a", "b"]);
    office.import("?mode=atomic", &line("c", 1)).await;
    assert_eq!(office.in_store().await, ["a", "b", "c"]);
}

#[tokio::test]
async fn a_line_takes_the_fields_of_a_put_and_an_id() {
    let office = BackOffice::open().await;
    let given = json!({
        "id": "p1", "sku": "S-1", "title": "Mug", "description": "<b>Blue", "regular_price": 7, "sale_price": 5,
        "thumbnail": "https://a.example/t.png", "gallery": ["http://a.example/a.png"], "categories": ["cups"], "stock": 9, "popular": true,
        "published_at": "2026-02-01T10:00:00.000000Z", "active": false
    });
    assert_is(
        &office.import("", &given.to_string()).await,
        200,
        &all_good(1, 0, 0).replace(
            r#""in_unknown_categories":0,"unknown_categories":[]"#,
            r#""in_unknown_categories":1,"unknown_categories":["cups"]"#,
        ),
    );
    let mut shown = given.clone();
    for (name, value) in [("reserved", json!(0)), ("version", json!(1)), ("brand", json!(null))] {
        shown[name] = value;
    }
    assert_eq!(office.product("p1").await, shown);
    // Omitted fields get their defaults, except stock and publication.
    let least = json!({"id": "p1", "sku": "S-1", "title": "Mug", "regular_price": 7});
    assert_is(&office.import("", &least.to_string()).await, 200, &all_good(0, 1, 0));
    let product = office.product("p1").await;
    assert_eq!((&product["stock"], &product["published_at"]), (&given["stock"], &given["published_at"]));
    assert_eq!((&product["description"], &product["active"]), (&json!(""), &json!(true)));
}

#[tokio::test]
async fn repeated_id_uses_the_later_line_except_in_atomic_mode() {
    let office = BackOffice::open().await;
    let named = "{\"id\":\"a\",\"sku\":\"S\",\"title\":\"Mug\",\"regular_price\":2}\n";
    let lines = line("a", 1) + &line("b", 1) + named + &line("b", 1);
    assert_eq!(
        office.import("?mode=atomic", &lines).await.field_errors(),
        [
            "lines.3.id: The id field has a duplicate value.",
            "lines.4.id: The id field has a duplicate value."
        ]
    );
    assert_eq!(office.in_store().await, [""; 0]);
    assert_is(&office.import("?mode=lines", &lines).await, 200, &all_good(2, 1, 1));
    assert_eq!(
        (office.product("a").await["regular_price"].clone(), office.product("a").await["version"].clone()),
        (json!(2), json!(1))
    );
}

/// A good line, and a bad line of each kind.
fn with_bad_lines() -> String {
    [
        line("a", 1).as_str(),
        "{\"title\":\"\",\"regular_price\":\"1\",\"colour\":\"red\"}\n",
        "\n",
        "{\"sku\":\"b\",\"title\":\"B\",\"regular_price\":5,\"sale_price\":6}\n",
        "[]\n",
        "{\"sku\":\n",
        line("c", 1).as_str(),
    ]
    .concat()
}

#[tokio::test]
async fn good_lines_are_imported_and_bad_ones_reported_byte_for_byte() {
    let office = BackOffice::open().await;
    let expected = concat!(
        r#"{"success":true,"data":{"created":2,"replaced":0,"unchanged":0,"rejected":4,"errors":["#,
        r#"{"line":2,"errors":{"sku":["The sku field is required."],"title":["The title field is required."],"regular_price":["The regular price must be an integer."],"colour":["The colour field is not known."]},"codes":{"sku":["required"],"title":["required"],"regular_price":["not_an_integer"],"colour":["unknown_field"]}},"#,
        r#"{"line":4,"errors":{"sale_price":["The sale price must not be above the regular price."]},"codes":{"sale_price":["sale_price_above_regular"]}},"#,
        r#"{"line":5,"errors":{"line":["The line must be an object."]},"codes":{"line":["not_an_object"]}},"#,
        r#"{"line":6,"errors":{"line":["The line is not JSON at column 7: The line ends before the JSON value does."]},"codes":{"line":["malformed_json"]}}],"in_unknown_categories":0,"unknown_categories":[]}}"#,
    );
    assert_is(&office.import("?mode=lines", &with_bad_lines()).await, 200, expected);
    assert_eq!(office.in_store().await, ["a", "c"]);
}

#[tokio::test]
async fn one_bad_line_refuses_an_atomic_import_byte_for_byte() {
    let office = BackOffice::open().await;
    let expected = concat!(
        r#"{"message":"The given data was invalid.","code":"invalid","errors":{"lines.2.sku":["The sku field is required."],"lines.2.title":["The title field is required."],"#,
        r#""lines.2.regular_price":["The regular price must be an integer."],"lines.2.colour":["The colour field is not known."],"#,
        r#""lines.4.sale_price":["The sale price must not be above the regular price."],"lines.5.line":["The line must be an object."],"#,
        r#""lines.6.line":["The line is not JSON at column 7: The line ends before the JSON value does."]},"#,
        r#""codes":{"lines.2.sku":["required"],"lines.2.title":["required"],"lines.2.regular_price":["not_an_integer"],"#,
        r#""lines.2.colour":["unknown_field"],"lines.4.sale_price":["sale_price_above_regular"],"#,
        r#""lines.5.line":["not_an_object"],"lines.6.line":["malformed_json"]}}"#,
    );
    let before = office.in_store().await;
    assert_is(&office.import("?mode=atomic", &with_bad_lines()).await, 422, expected);
    assert_eq!(office.in_store().await, before);
}

#[tokio::test]
async fn an_atomic_import_that_was_refused_leaves_its_key_free() {
    let office = BackOffice::open().await;
    assert_eq!(office.call("?mode=atomic", "{}").key("k").send().await.status, 422);
    assert_is(&office.call("?mode=atomic", &line("a", 1)).key("k").send().await, 200, &all_good(1, 0, 0));
}

#[tokio::test]
async fn a_dry_run_says_what_would_become_of_the_lines_and_stores_nothing() {
    for mode in ["", "&mode=atomic"] {
        let office = BackOffice::open().await;
        office.import("", &(line("a", 1) + &line("b", 2))).await;
        let stored = office.0.stored().await;
        let lines = line("a", 1) + &line("b", 3) + &line("c", 4);
        let query = format!("?dry_run=true{mode}");
        for _ in 0..2 {
            let call = office.call(&query, &lines).key("dry-1");
            assert_is(&call.send().await, 200, &all_good(1, 1, 1));
        }
        assert!(office.0.stored().await == stored, "a dry run stored something");
        let key = office.call(&mode.replace('&', "?"), &lines).key("dry-1").send().await;
        assert!(key.header("idempotency-replayed").is_none(), "a dry run does not use the key");
    }
}

#[tokio::test]
async fn a_dry_run_refuses_what_an_import_refuses() {
    let office = BackOffice::open().await;
    for query in ["", "?mode=atomic"] {
        let bad = line("a", 1) + "{\"sku\":5}\n";
        let dry = format!("{}dry_run=1", if query.is_empty() { "?" } else { "?mode=atomic&" });
        let tried = office.import(&dry, &bad).await;
        let imported = office.import(query, &bad).await;
        assert_eq!((tried.status, tried.text()), (imported.status, imported.text()), "{query}");
    }
    let wrong = office.import("?dry_run=maybe", "").await;
    assert_eq!(
        (wrong.status.as_u16(), wrong.field_errors()),
        (422, vec!["dry_run: The dry run field must be true or false.".to_owned()])
    );
}
