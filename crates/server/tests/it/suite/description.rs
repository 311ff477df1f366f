//! `/openapi.json` describes exactly the served operations. Every test of the suite holds its exchanges against it.

use std::collections::BTreeSet;

use http::Method;
use pointbook_server::slices::routes;
use serde_json::Value;

use super::write_requests::Shop;
use crate::client::{Answer, Call};
use crate::harness::{TestServer, base_path, concrete};

async fn description(server: &TestServer) -> Answer {
    server.call_at("/openapi.json").send().await
}

/// The methods and paths of the document.
fn described(description: &Value) -> BTreeSet<(String, String)> {
    let paths = description["paths"].as_object().unwrap().iter();
    let operations = paths.flat_map(|(path, methods)| {
        methods.as_object().unwrap().keys().map(move |method| (method.to_uppercase(), path.clone()))
    });
    operations.collect()
}

#[tokio::test]
async fn openapi_document_is_public_at_the_root() {
    let server = TestServer::start().await;
    let answer = description(&server).await;
    assert_eq!((answer.status.as_u16(), answer.header("content-type")), (200, Some("application/json")));
    let kept: Value =
        serde_json::from_slice(&pointbook_http::openapi::document(&pointbook_server::slices::LISTED))
            .unwrap();
    let mut read = answer.json();
    let default = read["servers"][0]["variables"]["base_url"]["default"].take();
    assert_eq!(default, "/api", "no tenant's name is told to strangers, and no other server's");
    read["servers"] = kept["servers"].clone();
    assert_eq!(read, kept);
    assert_eq!(answer.header("access-control-allow-origin"), Some("*"));
}

#[tokio::test]
async fn router_allows_the_documented_methods() {
    let server = TestServer::start().await;
    let operations = described(&description(&server).await.json());
    for (_, path) in &operations {
        let uri = format!("{}{}", base_path(), concrete(path));
        let answer = Call::new(server.address(), Method::OPTIONS, uri).send().await;
        let allowed: BTreeSet<_> = answer.header("allow").unwrap().split(", ").collect();
        // A path may also match the parameter of another path, such as that of an import.
        let fits = |(_, other): &&(String, String)| {
            let (own, other) = (path.split('/'), other.split('/'));
            own.clone().count() == other.clone().count()
                && own.zip(other).all(|(own, other)| own == other || other.starts_with('{'))
        };
        let mut expected: BTreeSet<_> =
            operations.iter().filter(fits).map(|(method, _)| method.as_str()).collect();
        if expected.contains("GET") {
            expected.insert("HEAD");
        }
        assert_eq!(allowed, expected, "{path}");
    }
}

/// So a successful response of each operation is held against the document: others do all writes of the back office
/// (`audit_log`) and all POST requests (`request_keys`). `authentication` refuses all operations.
#[tokio::test]
async fn every_read_succeeds() {
    let shop = Shop::open().await;
    let request = |name| shop.request(routes().find(|route| route.name == name).unwrap());
    let fill = shop.call(&request("manage.campaigns.back_fill.start")).send().await;
    assert_eq!(fill.status, 202, "{}", fill.text());
    for route in routes().filter(|route| route.method == Method::GET) {
        let answer = shop.send(&request(route.name), "").send().await;
        assert_eq!(answer.status, 200, "{}: {}", route.name, answer.text());
    }
}
