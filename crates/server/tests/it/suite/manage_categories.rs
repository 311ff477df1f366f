//! `/v1/manage/categories`: the category tree of the back office.

use http::Method;
use serde_json::{Value, json};

use crate::client::Answer;
use crate::harness::TestServer;

const PATH: &str = "/v1/manage/categories";

/// A server, and a token of the back office.
struct BackOffice(TestServer, String);

impl BackOffice {
    async fn open() -> Self {
        let (server, token) = TestServer::with_back_office().await;
        Self(server, token)
    }

    async fn put(&self, categories: Value) -> Answer {
        let body = json!({"categories": categories});
        self.0.request(Method::PUT, PATH, &self.1).json(&body).send().await
    }

    /// The messages of a refused tree.
    async fn refused(&self, categories: Value) -> Vec<String> {
        self.put(categories).await.field_errors()
    }

    async fn get(&self) -> Answer {
        self.0.request(Method::GET, PATH, &self.1).send().await
    }

    /// The tree as customers see it.
    async fn in_store(&self) -> Answer {
        self.0.get("/v1/store/categories").await
    }
}

fn nested() -> Value {
    json!([
        {"id": "home", "label": "Home", "children": [{"id": "cups", "label": "Cups"}, {"id": "か", "label": "K & L", "children": []}]},
        {"id": "drinks", "label": "Drinks"}
    ])
}

const TREE: &str = r#"[{"id":"home","label":"Home","children":[{"id":"cups","label":"Cups","children":[]},{"id":"か","label":"K & L","children":[]}]},{"id":"drinks","label":"Drinks","children":[]}]"#;

fn assert_is(answer: &Answer, body: &str) {
    assert_eq!((answer.status.as_u16(), answer.text()), (200, body));
}

#[tokio::test]
async fn a_tree_is_replaced_and_shown_byte_for_byte() {
    let office = BackOffice::open().await;
    assert_is(&office.get().await, r#"{"data":[]}"#);
    assert_is(&office.put(nested()).await, &format!(r#"{{"success":true,"data":{TREE}}}"#));
    assert_is(&office.get().await, &format!(r#"{{"data":{TREE}}}"#));
    assert_is(&office.put(nested()).await, &format!(r#"{{"success":true,"data":{TREE}}}"#));
    assert_is(&office.put(json!([])).await, r#"{"success":true,"data":[]}"#);
    assert_is(&office.get().await, r#"{"data":[]}"#);
}

#[tokio::test]
async fn customers_see_a_new_tree_at_once() {
    let office = BackOffice::open().await;
    assert_is(&office.in_store().await, r#"{"data":[]}"#);
    office.put(nested()).await;
    assert_is(&office.in_store().await, &format!(r#"{{"data":{TREE}}}"#));
    let product = json!({"sku": "S", "title": "Cup", "regular_price": 1, "categories": ["cups"]});
    office.0.request(Method::PUT, "/v1/manage/products/cup", &office.1).json(&product).send().await;
    let below =
        async |id: &str| office.0.get(&format!("/v1/store/products?filter[category]={id}")).await.ids();
    assert_eq!((below("home").await, below("drinks").await), (vec!["cup".to_owned()], vec![]));
    office
        .put(json!([{"id": "home", "label": "H"}, {"id": "drinks", "label": "D"}, {"id": "cups", "label": "C", "parent_id": "drinks"}]))
        .await;
    assert_eq!((below("home").await, below("drinks").await), (vec![], vec!["cup".to_owned()]));
}

#[tokio::test]
async fn a_tree_may_be_flat_or_mixed_in_any_order() {
    let office = BackOffice::open().await;
    for same in [
        json!([
            {"id": "cups", "label": "Cups", "parent_id": "home"}, {"id": "か", "label": "K & L", "parent_id": "home"},
            {"id": "home", "label": "Home", "parent_id": null}, {"id": "drinks", "label": "Drinks"}
        ]),
        json!([
            {"id": "home", "label": "Home", "children": [{"id": "cups", "label": "Cups"}]},
            {"id": "か", "label": "K & L", "parent_id": "home"}, {"id": "drinks", "label": "Drinks", "children": null}
        ]),
    ] {
        office.put(json!([])).await;
        assert_is(&office.put(same).await, &format!(r#"{{"success":true,"data":{TREE}}}"#));
        assert_is(&office.get().await, &format!(r#"{{"data":{TREE}}}"#));
    }
    let below_a_nested_one = json!([
        {"id": "deep", "label": "D", "parent_id": "inner", "children": [{"id": "deepest", "label": "E"}]},
        {"id": "outer", "label": "O", "children": [{"id": "inner", "label": "I"}]}
    ]);
    assert_is(
        &office.put(below_a_nested_one).await,
        r#"{"success":true,"data":[{"id":"outer","label":"O","children":[{"id":"inner","label":"I","children":[{"id":"deep","label":"D","children":[{"id":"deepest","label":"E","children":[]}]}]}]}]}"#,
    );
}

#[tokio::test]
async fn invalid_tree_is_refused_with_the_path_of_each_error() {
    let office = BackOffice::open().await;
    office.put(nested()).await;
    let one = |id: &str, parent: &str| json!({"id": id, "label": "L", "parent_id": parent});
    let a = json!({"id": "a", "label": "A", "children": [{"id": "b", "label": "B"}]});
    for (categories, message) in [
        (
            json!([a, {"id": "b", "label": "B"}]),
            "categories.1.id: The categories.1.id has already been taken.",
        ),
        (
            json!([{"id": "b", "label": "B"}, a]),
            "categories.1.children.0.id: The categories.1.children.0.id has already been taken.",
        ),
        (
            json!([a, one("c", "b"), one("d", "stranger")]),
            "categories.2.parent_id: The selected categories.2.parent id is invalid.",
        ),
        (json!([one("a", "a")]), "categories.0.parent_id: The categories.0.parent id makes a cycle."),
        (
            json!([a, one("x", "z"), one("y", "x"), one("z", "y"), one("hanging", "z")]),
            "categories.1.parent_id: The categories.1.parent id makes a cycle.",
        ),
        (
            json!([{"id": "a", "label": "A", "parent_id": "b", "children": [{"id": "b", "label": "B"}]}]),
            "categories.0.parent_id: The categories.0.parent id makes a cycle.",
        ),
    ] {
        assert_eq!(office.refused(categories).await, [message]);
    }
    assert_is(&office.get().await, &format!(r#"{{"data":{TREE}}}"#));
    assert_is(&office.in_store().await, &format!(r#"{{"data":{TREE}}}"#));
}

#[tokio::test]
async fn ten_thousand_categories_are_taken_and_one_more_is_not() {
    let office = BackOffice::open().await;
    let tree = |count: u32| {
        let within: Vec<Value> = (1..count).map(|id| json!({"id": id.to_string(), "label": "L"})).collect();
        json!([{"id": "0", "label": "L", "children": within}])
    };
    let message = "categories: The categories must not have more than 10000 items.";
    assert_eq!(office.refused(tree(10_001)).await, [message]);
    assert_eq!(office.put(tree(10_000)).await.status, 200);
}

#[tokio::test]
async fn bad_fields_are_named_all_at_once() {
    let office = BackOffice::open().await;
    let bad = json!([
        {"id": "", "label": "", "parent_id": 5},
        {"id": "x".repeat(256), "label": "x".repeat(1_001), "children": {}, "position": 1},
        {"id": "a", "label": "A", "children": [{"id": "b", "label": "B", "parent_id": "a"}, null]}
    ]);
    assert_eq!(
        office.refused(bad).await,
        [
            "categories.0.id: The categories.0.id field is required.",
            "categories.0.label: The categories.0.label field is required.",
            "categories.0.parent_id: The categories.0.parent id must be a string.",
            "categories.1.id: The categories.1.id must not be greater than 255 characters.",
            "categories.1.label: The categories.1.label must not be greater than 1000 characters.",
            "categories.1.children: The categories.1.children must be an array.",
            "categories.1.position: The categories.1.position field is not known.",
            "categories.2.children.0.parent_id: The categories.2.children.0.parent_id field is not known.",
            "categories.2.children.1: The categories.2.children.1 must be an object.",
        ]
    );
    assert_eq!(office.refused(Value::Null).await, ["categories: The categories field is required."]);
    let body = json!({"categories": [], "data": []});
    let answer = office.0.request(Method::PUT, PATH, &office.1).json(&body).send().await;
    assert_eq!(answer.field_errors(), ["data: The data field is not known."]);
}

#[tokio::test]
async fn tree_has_at_most_32_levels() {
    let office = BackOffice::open().await;
    let chain = |levels: u32| {
        (0..levels).fold(
            json!([]),
            |below, level| json!([{"id": level.to_string(), "label": "L", "children": below}]),
        )
    };
    assert_eq!(office.put(chain(32)).await.status, 200);
    let place = format!("categories.0{}", ".children.0".repeat(32));
    for levels in [33, 60] {
        assert_eq!(
            office.refused(chain(levels)).await,
            [format!("{place}: The {place} must not be deeper than 32 levels.")]
        );
    }
    let bottomless = format!(r#"{{"categories":{}"#, r#"[{"id":"x","label":"L","children":"#.repeat(20_000));
    let answer = office.0.request(Method::PUT, PATH, &office.1).body(bottomless).send().await;
    assert_eq!(
        (answer.status.as_u16(), answer.text()),
        (
            400,
            r#"{"message":"Bad request.","code":"malformed_json","line":1,"column":2157,"detail":"The JSON value is nested too deeply: 128 levels are allowed."}"#
        )
    );
    assert_eq!(office.get().await.json()["data"][0]["id"], "31");
}

#[tokio::test]
async fn a_flat_tree_of_ten_thousand_is_taken_and_a_body_above_the_limit_is_not() {
    let office = BackOffice::open().await;
    let many = |count: u32| -> Value {
        (0..count).map(|number| json!({"id": number.to_string(), "label": "L", "parent_id": if number == 0 { None } else { Some("0") }})).collect()
    };
    assert_eq!(office.put(many(10_000)).await.status, 200);
    assert_eq!(office.in_store().await.json()["data"][0]["children"].as_array().unwrap().len(), 9_999);
    let answer = office.put(many(30_000)).await;
    assert_eq!(
        (answer.status.as_u16(), answer.text()),
        (413, r#"{"message":"Payload too large.","code":"payload_too_large"}"#)
    );
}
