//! `GET /v1/store/categories`.

use serde_json::json;

use crate::harness::TestServer;

#[tokio::test]
async fn the_tree_comes_in_the_operator_s_order_without_pages() {
    let server = TestServer::with_sample().await;
    let answer = server.get("/v1/store/categories").await;
    assert_eq!(answer.status, 200);
    assert_eq!(
        answer.text(),
        r#"{"data":[{"id":"home","label":"Home","children":[{"id":"kitchen","label":"Kitchen","children":[{"id":"cups","label":"Cups","children":[]},{"id":"plates","label":"Plates","children":[]}]}]},{"id":"drinks","label":"Drinks & more","children":[]}]}"#
    );
}

#[tokio::test]
async fn a_filter_gives_the_children_of_one_category() {
    let server = TestServer::with_sample().await;
    let body = server.get("/v1/store/categories?filter[category]=kitchen").await.json();
    assert_eq!(
        body,
        json!({"data": [{"id": "cups", "label": "Cups", "children": []}, {"id": "plates", "label": "Plates", "children": []}]})
    );
}

#[tokio::test]
async fn bad_parameters_are_named() {
    let server = TestServer::with_sample().await;
    let answer = server.get("/v1/store/categories?filter[foo]=1&filter[category][a][b]=c").await;
    assert_eq!(
        answer.field_errors(),
        [
            "filter.category: The filter.category must be a string.",
            "filter.foo: The selected filter.foo is invalid."
        ]
    );
    let answer = server.get("/v1/store/categories?filter=x").await;
    assert_eq!(answer.field_errors(), ["filter: The filter must be an array."]);
}
