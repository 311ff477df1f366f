//! Invalid bodies, for every operation that takes one. The tests of `http::body` and of the `body.rs` of each noun have the rules
//! of bodies and their messages, case by case.

use http::Method;
use serde_json::Value;

use super::write_requests::{BodyKind, Shop, WriteRequest};
use crate::client::Answer;

fn requests(shop: &Shop) -> Vec<WriteRequest> {
    [Method::POST, Method::PUT, Method::PATCH].iter().flat_map(|method| shop.requests(method)).collect()
}

fn assert_error(answer: &Answer, status: u16, body: &str, request: &WriteRequest) {
    assert_eq!((answer.status.as_u16(), answer.text()), (status, body), "{}", request.route.name);
}

/// The valid body of a request with more members at its end.
fn with_more(request: &WriteRequest, more: &str) -> Option<String> {
    let body = request.body.strip_suffix('}')?;
    Some(format!("{body},{more}}}"))
}

/// The valid body of a request with its first member repeated, and the name of that member.
fn with_first_again(request: &WriteRequest) -> Option<(String, String)> {
    let value: Value = serde_json::from_str(request.body).ok()?;
    let name = request.body.split('"').nth(1)?.to_owned();
    let again = format!("\"{name}\":{}", value[&name]);
    Some((with_more(request, &again)?, name))
}

#[tokio::test]
async fn other_content_type_is_415() {
    let shop = Shop::open().await;
    let before = shop.server.stored().await;
    for request in requests(&shop) {
        let lines = request.takes == BodyKind::Lines;
        let wrong = if lines { "application/json" } else { "application/x-ndjson" };
        let body = if request.takes == BodyKind::Nothing { "{}" } else { request.body };
        for kind in [wrong, "text/plain"].into_iter().filter(|_| request.takes != BodyKind::Picture) {
            let answer = shop.send(&request, body).header("content-type", kind).send().await;
            let expected = if lines { "application/x-ndjson" } else { "application/json" };
            let told = format!(
                r#"{{"message":"Unsupported media type. Send the body as {expected}.","code":"unsupported_media_type"}}"#
            );
            assert_error(&answer, 415, &told, &request);
        }
        let answer = shop.send(&request, body).header("content-encoding", "gzip").send().await;
        let told = r#"{"message":"Unsupported media type. Send the body without a Content-Encoding.","code":"unsupported_media_type"}"#;
        assert_error(&answer, 415, told, &request);
    }
    assert_eq!(shop.server.stored().await, before);
}

#[tokio::test]
async fn oversized_query_is_refused_on_writes() {
    let shop = Shop::open().await;
    let before = shop.server.stored().await;
    let levels = format!("a{}", "%5bb]".repeat(8));
    for request in requests(&shop) {
        let answer = shop.send_to(&request, &format!("{}?{levels}", request.path), request.body).send().await;
        assert_eq!(answer.field_errors(), ["query: The query must not have more than 8 levels."]);
    }
    assert_eq!(shop.server.stored().await, before);
}

/// Numbers that are longer than what `format!` pads.
#[tokio::test]
async fn a_write_refuses_parameters_that_it_does_not_know_and_stores_nothing() {
    let shop = Shop::open().await;
    let before = shop.server.stored().await;
    for request in requests(&shop).into_iter().chain(shop.requests(&Method::DELETE)) {
        for query in ["dryrun=true", "dryrun", "filter%5bdryrun%5d=1"] {
            let answer =
                shop.send_to(&request, &format!("{}?{query}", request.path), request.body).send().await;
            let name = if query.starts_with("filter") { "filter" } else { "dryrun" };
            let told = format!("{name}: The {name} field is not known.");
            assert_eq!(
                (answer.status.as_u16(), answer.field_errors()),
                (422, vec![told]),
                "{}",
                request.route.name
            );
            assert_eq!(answer.json()["codes"][name][0], "unknown_field");
        }
    }
    assert_eq!(shop.server.stored().await, before);
}

fn long_numbers() -> [String; 4] {
    let digits = "9".repeat(65_536);
    [digits.clone(), format!("-{digits}"), format!("0.{digits}"), format!("1e{digits}")]
}

/// Checks that a 400 says where the body stops being JSON, and why.
fn assert_malformed(answer: &Answer, request: &WriteRequest) {
    let name = request.route.name;
    assert_eq!(answer.status, 400, "{name}: {}", answer.text());
    let told = answer.json();
    let said = (&told["message"], &told["code"]);
    assert_eq!(said, (&"Bad request.".into(), &"malformed_json".into()), "{name}");
    for place in ["line", "column"] {
        assert!(told[place].as_u64().unwrap() > 0, "{name}: {told}");
    }
    assert!(told["detail"].as_str().unwrap().ends_with('.'), "{name}: {told}");
}

#[tokio::test]
async fn every_operation_refuses_a_body_that_it_cannot_take_and_stores_nothing() {
    let shop = Shop::open().await;
    let before = shop.server.stored().await;
    for request in &requests(&shop) {
        if !matches!(request.takes, BodyKind::Object | BodyKind::Nothing) {
            continue;
        }
        let name = request.route.name;
        let send = async |body: &[u8]| shop.send(request, body.to_vec()).send().await;
        let deep = "[".repeat(100_000);
        for bad in [&b"{"[..], b"{\"user_id\":\"\xff\"}", deep.as_bytes()] {
            assert_malformed(&send(bad).await, request);
        }
        if request.takes == BodyKind::Object {
            assert_malformed(&send(b"").await, request);
        }
        assert_eq!(send(b"[]").await.field_errors(), ["body: The body must be an object."], "{name}");
        if let Some((body, member)) = with_first_again(request) {
            let told = format!("{member}: The {} field stands twice.", member.replace('_', " "));
            assert_eq!(send(body.as_bytes()).await.field_errors(), [told], "{name}");
        }
        let more = r#""Points":1,"zeta":null"#;
        let unknown = with_more(request, more).unwrap_or_else(|| format!("{{{more}}}"));
        let told = ["Points: The Points field is not known.", "zeta: The zeta field is not known."];
        assert_eq!(send(unknown.as_bytes()).await.field_errors(), told, "{name}");
        for number in long_numbers() {
            let body = format!("{{\"zeta\":{number}}}");
            let told = send(body.as_bytes()).await.field_errors();
            assert!(told.contains(&"zeta: The zeta field is not known.".to_owned()), "{name}: {told:?}");
        }
        let long = send(&vec![b' '; 1_048_577]).await;
        assert_error(&long, 413, r#"{"message":"Payload too large.","code":"payload_too_large"}"#, request);
        assert_eq!(shop.server.stored().await, before, "{name}");
    }
}

#[tokio::test]
async fn bad_line_of_an_import_is_reported_alone() {
    let shop = Shop::open().await;
    let before = shop.server.stored().await;
    for request in requests(&shop).iter().filter(|request| request.takes == BodyKind::Lines) {
        let (twice, _) = with_first_again(request).unwrap();
        let unknown = with_more(request, r#""zeta":1"#).unwrap();
        let long = format!("{{\"zeta\":{}}}", long_numbers().join(",\"zeta\":"));
        let lines: [&[u8]; 5] = [twice.as_bytes(), unknown.as_bytes(), b"\"\xff\"", b"7", long.as_bytes()];
        let answer = shop.send(request, lines.join(&b'\n')).send().await;
        assert_eq!(answer.status, 200, "{}: {}", request.route.name, answer.text());
        let data = &answer.json()["data"];
        let lines: Vec<_> =
            data["errors"].as_array().unwrap().iter().map(|told| told["line"].as_u64().unwrap()).collect();
        assert_eq!((&data["rejected"], lines), (&5.into(), vec![1, 2, 3, 4, 5]), "{}", request.route.name);
        assert_eq!(shop.server.stored().await, before, "{}", request.route.name);
    }
}
