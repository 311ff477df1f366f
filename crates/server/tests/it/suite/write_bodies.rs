//! Invalid bodies, for every operation that takes one.

use http::Method;
use serde_json::Value;

use super::write_requests::{BodyKind, Shop, WriteRequest};
use crate::client::Answer;

fn requests(shop: &Shop) -> Vec<WriteRequest> {
    [Method::POST, Method::PUT, Method::PATCH].iter().flat_map(|method| shop.requests(method)).collect()
}

fn takes_json(request: &WriteRequest) -> bool {
    matches!(request.takes, BodyKind::Object | BodyKind::Nothing)
}

/// Sends a body to every operation that takes an object or an optional body.
async fn every_object(
    shop: &Shop,
    body: impl Fn(&WriteRequest) -> Option<Vec<u8>>,
    check: impl Fn(&Answer, &WriteRequest),
) {
    let before = shop.server.stored().await;
    let mut sent = 0;
    for request in requests(shop).iter().filter(|request| takes_json(request)) {
        let Some(body) = body(request) else { continue };
        check(&shop.send(request, body).send().await, request);
        assert_eq!(shop.server.stored().await, before, "{}", request.route.name);
        sent += 1;
    }
    assert!(sent >= 4);
}

fn assert_error(answer: &Answer, status: u16, body: &str, request: &WriteRequest) {
    assert_eq!((answer.status.as_u16(), answer.text()), (status, body), "{}", request.route.name);
}

/// The valid body of a request with more members at its end.
fn with_more(request: &WriteRequest, more: &str) -> Option<Vec<u8>> {
    let body = request.body.strip_suffix('}')?;
    Some(format!("{body},{more}}}").into_bytes())
}

/// The valid body of a request with its first member repeated.
fn with_first_again(request: &WriteRequest) -> Option<(String, Vec<u8>)> {
    let value: Value = serde_json::from_str(request.body).ok()?;
    let name = request.body.split('"').nth(1)?.to_owned();
    let again = format!("\"{name}\":{}", value[&name]);
    Some((name, with_more(request, &again)?))
}

#[tokio::test]
async fn other_content_type_is_415() {
    let shop = Shop::open().await;
    let before = shop.server.stored().await;
    for request in requests(&shop) {
        let lines = request.takes == BodyKind::Lines;
        let wrong = if lines { "application/json" } else { "application/x-ndjson" };
        let body = if request.takes == BodyKind::Nothing { "{}" } else { request.body };
        let kinds = [wrong, "text/plain", "text/json", "multipart/form-data; boundary=x", ""];
        for kind in kinds.into_iter().filter(|_| request.takes != BodyKind::Picture) {
            let answer = shop.send(&request, body).header("content-type", kind).send().await;
            let expected = if lines { "application/x-ndjson" } else { "application/json" };
            let told = format!(
                r#"{{"message":"Unsupported media type. Send the body as {expected}.","code":"unsupported_media_type"}}"#
            );
            assert_error(&answer, 415, &told, &request);
        }
        for coding in ["gzip", "identity, gzip", "br"] {
            let answer = shop.send(&request, body).header("content-encoding", coding).send().await;
            let told = r#"{"message":"Unsupported media type. Send the body without a Content-Encoding.","code":"unsupported_media_type"}"#;
            assert_error(&answer, 415, told, &request);
        }
    }
    assert_eq!(shop.server.stored().await, before);
}

#[tokio::test]
async fn json_content_types_and_none_are_accepted() {
    for kind in ["application/json", "Application/JSON; charset=utf-8", "application/vnd.api+json", "none"] {
        let shop = Shop::open().await;
        for request in requests(&shop).iter().filter(|request| request.takes == BodyKind::Object) {
            let call = shop.call(request);
            let call = if kind == "none" { call } else { call.header("content-type", kind) };
            let answer = call.send().await;
            assert!(request.is_accepted(&answer), "{kind} {}: {}", request.route.name, answer.text());
        }
    }
}

#[tokio::test]
async fn oversized_query_is_refused_on_writes() {
    let shop = Shop::open().await;
    let before = shop.server.stored().await;
    let (pairs, levels) = (format!("{}a", "a&".repeat(1_000)), format!("a{}", "%5bb]".repeat(8)));
    for request in requests(&shop) {
        for (query, rule) in [(&pairs, "1000 items"), (&levels, "8 levels")] {
            let answer =
                shop.send_to(&request, &format!("{}?{query}", request.path), request.body).send().await;
            assert_eq!(answer.field_errors(), [format!("query: The query must not have more than {rule}.")]);
        }
    }
    assert_eq!(shop.server.stored().await, before);
}

/// Checks that a 400 says where the body stops being JSON, and why.
fn assert_malformed(answer: &Answer, request: &WriteRequest) {
    let name = request.route.name;
    assert_eq!(answer.status, 400, "{name}: {}", answer.text());
    let told = answer.json();
    assert_eq!(
        (&told["message"], &told["code"]),
        (&"Bad request.".into(), &"malformed_json".into()),
        "{name}"
    );
    for place in ["line", "column"] {
        assert!(told[place].as_u64().unwrap() > 0, "{name}: {told}");
    }
    assert!(told["detail"].as_str().unwrap().ends_with('.'), "{name}: {told}");
}

#[tokio::test]
async fn invalid_json_is_400() {
    let shop = Shop::open().await;
    let bad: [&[u8]; 9] = [
        b"{",
        b"{\"a\":1,}",
        b"{}{}",
        b"user_id=u1",
        b"{'a':1}",
        b"NaN",
        b"{\"a\":01}",
        b"{\"a\":\"\n\"}",
        b"\xef\xbb\xbf{}",
    ];
    for body in bad {
        every_object(&shop, |_| Some(body.to_vec()), assert_malformed).await;
    }
}

#[tokio::test]
async fn invalid_utf_8_and_lone_surrogates_are_400() {
    let shop = Shop::open().await;
    for text in [&b"\"\xff\""[..], b"\"\xc3\"", b"\"\xed\xa0\x80\"", br#""\ud800""#, br#""\uZZZZ""#] {
        let body = [b"{\"user_id\":", text, b"}"].concat();
        every_object(&shop, |_| Some(body.clone()), assert_malformed).await;
    }
}

#[tokio::test]
async fn missing_body_is_400() {
    let shop = Shop::open().await;
    for empty in ["", " \r\n\t"] {
        every_object(
            &shop,
            |request| (request.takes == BodyKind::Object).then(|| empty.into()),
            assert_malformed,
        )
        .await;
    }
}

#[tokio::test]
async fn json_other_than_an_object_is_refused() {
    let shop = Shop::open().await;
    for body in ["[]", "[{}]", "null", "true", "7", "1e400000000", "\"{}\""] {
        every_object(
            &shop,
            |_| Some(body.into()),
            |answer, _| {
                assert_eq!(answer.field_errors(), ["body: The body must be an object."], "{body}");
            },
        )
        .await;
    }
}

#[tokio::test]
async fn repeated_member_is_named_even_with_the_same_value() {
    let shop = Shop::open().await;
    every_object(
        &shop,
        |request| Some(with_first_again(request)?.1),
        |answer, request| {
            let (name, _) = with_first_again(request).unwrap();
            let shown = name.replace('_', " ");
            assert_eq!(answer.field_errors(), [format!("{name}: The {shown} field stands twice.")]);
        },
    )
    .await;
}

#[tokio::test]
async fn unknown_members_are_named_last_and_in_order() {
    let shop = Shop::open().await;
    every_object(
        &shop,
        |request| {
            let more = r#""zeta":null,"Points":1,"\u0000":2"#;
            with_more(request, more).or_else(|| Some(format!("{{{more}}}").into_bytes()))
        },
        |answer, request| {
            let expected = [
                "zeta: The zeta field is not known.",
                "Points: The Points field is not known.",
                "\0: The \0 field is not known.",
            ];
            let body = answer.json();
            let errors = body["errors"].as_object().unwrap();
            let told = |name: &str| errors[name][0].as_str().map(|message| format!("{name}: {message}"));
            let found: Vec<_> = ["zeta", "Points", "\0"].into_iter().filter_map(told).collect();
            assert_eq!((answer.status.as_u16(), found.as_slice()), (422, &expected.map(str::to_owned)[..]));
            assert_eq!(errors.len(), 3, "{}", request.route.name);
        },
    )
    .await;
}

#[tokio::test]
async fn deeply_nested_json_is_an_error() {
    let shop = Shop::open().await;
    for (open, close) in [("[", "]"), (r#"{"a":"#, "}")] {
        for depth in [200, 100_000] {
            let leaf = if open == "[" { "" } else { "1" };
            let deep = format!("{}{leaf}{}", open.repeat(depth), close.repeat(depth));
            for body in [deep.clone(), format!(r#"{{"bonus_breakdown":{deep}}}"#), open.repeat(depth)] {
                every_object(&shop, |_| Some(body.clone().into_bytes()), assert_malformed).await;
            }
        }
    }
    assert_eq!(shop.server.balance().await, 9_500);
}

#[tokio::test]
async fn body_above_one_mebibyte_is_413_except_for_imports() {
    let shop = Shop::open().await;
    for request in requests(&shop).iter().filter(|request| takes_json(request)) {
        let answer = shop.send(request, vec![b' '; 1_048_577]).send().await;
        assert_error(&answer, 413, r#"{"message":"Payload too large.","code":"payload_too_large"}"#, request);
        let mut full = request.body.as_bytes().to_vec();
        if request.takes == BodyKind::Nothing {
            full.extend(b"{}");
        }
        full.resize(1_048_576, b' ');
        // The order is closed already when the second step arrives.
        let answer = shop.send(request, full).send().await;
        assert!([200, 201, 202, 409].contains(&answer.status.as_u16()), "{}", answer.text());
    }
}

#[tokio::test]
async fn bad_line_of_an_import_is_reported_alone() {
    let shop = Shop::open().await;
    let before = shop.server.stored().await;
    let deep = "[".repeat(100_000);
    for request in requests(&shop).iter().filter(|request| request.takes == BodyKind::Lines) {
        let (_, twice) = with_first_again(request).unwrap();
        let unknown = with_more(request, r#""zeta":1"#).unwrap();
        let nul = with_more(request, r#""\u0000":1"#).unwrap();
        let lines: [&[u8]; 7] =
            [&twice, &unknown, &nul, deep.as_bytes(), b"\"\xff\"", b"7", b"{\"title\":\"a\0\"}"];
        let answer = shop.send(request, lines.join(&b'\n')).send().await;
        assert_eq!(answer.status, 200, "{}: {}", request.route.name, answer.text());
        let data = &answer.json()["data"];
        let lines: Vec<_> = data["errors"].as_array().unwrap().iter().map(|told| &told["line"]).collect();
        assert_eq!(
            (&data["rejected"], lines),
            (&7.into(), (1..=7).map(Value::from).collect::<Vec<_>>().iter().collect())
        );
        assert!(answer.text().contains("field stands twice."), "{}", answer.text());
        assert!(answer.text().contains("The zeta field is not known."), "{}", answer.text());
        assert_eq!(shop.server.stored().await, before, "{}", request.route.name);
    }
}
