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
