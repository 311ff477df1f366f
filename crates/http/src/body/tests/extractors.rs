//! Whole requests: what an operation gets, and which errors come before it.

use bytes::Bytes;
use http::{HeaderValue, Request, StatusCode};
use http_body_util::Full;
use pointbook_app::ports::Execution;
use pointbook_domain::{TenantId, TokenKind};
use pointbook_http_kernel::{HttpLimits, Permits, RequestBody, Response, json};
use proptest::prelude::*;

use super::noon;
use crate::answer::{Answer, finish, once};
use crate::auth::sender;
use crate::body::{BodyFields, EmptyBody, JsonBody, NdjsonBody, integer_in};
use crate::error::FieldErrors;
use crate::{ApiError, Head};

fn read_points(mut fields: BodyFields<'_>) -> Result<i64, FieldErrors> {
    let points = fields.required("points", integer_in(1_i64..=9));
    fields.finish(|| points)
}

/// An operation like the real ones. Its store accepts every key as new, and returns the key and the response that it would keep.
fn record(body: JsonBody) -> Result<Response, ApiError> {
    let points = read_points(body.fields())?;
    let order = once(body.key, noon(), render);
    let kept = order.map(|order| (order.key, (order.answer)(&points).unwrap()));
    let mut response = finish(Execution::Executed(points), render)?;
    if let Some((key, answer)) = kept {
        assert_eq!(Answer::decode(&answer.answer).unwrap(), render(&points));
        let fingerprint = data_encoding::HEXLOWER.encode(&key.fingerprint[..4]);
        let told = format!("{} {} {fingerprint}", key.principal, key.key);
        response.headers.insert("x-key", HeaderValue::try_from(told).unwrap());
    }
    Ok(response)
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "outcomes are rendered by reference")]
fn render(points: &i64) -> Answer {
    Answer::json(StatusCode::CREATED, points)
}

fn cancel(body: &EmptyBody) -> Response {
    Answer::json(StatusCode::OK, &body.key.is_some()).into_response()
}

async fn import(body: NdjsonBody) -> Response {
    let lines = body.read(read_points).await;
    let told = lines.into_iter().map(|line| match line.item {
        Ok(points) => format!("{}: {points}\n", line.number),
        Err(errors) => format!("{}: {}\n", line.number, serde_json::to_string(&errors).unwrap()),
    });
    json(StatusCode::OK, told.collect::<String>())
}

fn request(path: &str, headers: &[(&'static str, &str)], body: impl Into<Vec<u8>>) -> Request<Vec<u8>> {
    let mut request = Request::post(path).body(body.into()).unwrap();
    for (name, value) in headers {
        request.headers_mut().append(*name, HeaderValue::from_str(value).unwrap());
    }
    request
}

/// The response to a request of the back office with a body limit of 1 MiB.
async fn response(request: Request<Vec<u8>>) -> Response {
    let (parts, body) = request.into_parts();
    let (path, sender) = (parts.uri.path(), sender(TokenKind::SuperUser));
    let (method, headers, query) = (&parts.method, &parts.headers, parts.uri.query());
    let (tenant, permits) = (TenantId::new("t").unwrap(), Permits::new(&HttpLimits::default()));
    let body = &body_of(&permits, body, 1 << 20);
    let head = Head { tenant: &tenant, method, path, query, headers, sender: Some(&sender), body };
    answered(head).await.unwrap_or_else(ApiError::into_response)
}

fn body_of(permits: &Permits, bytes: Vec<u8>, max_bytes: u64) -> RequestBody<'_> {
    let mut body = RequestBody::new(permits, Full::new(Bytes::from(bytes)));
    let _ = body.limit(max_bytes);
    body
}

async fn answered(head: Head<'_>) -> Result<Response, ApiError> {
    match head.path {
        "/record" => record(JsonBody::of(head).await?),
        "/cancel" => Ok(cancel(&EmptyBody::of(head).await?)),
        _ => Ok(import(NdjsonBody::of(head).await?).await),
    }
}

async fn ask(path: &str, headers: &[(&'static str, &str)], body: impl Into<Vec<u8>>) -> (u16, String) {
    let response = response(request(path, headers, body)).await;
    (response.status.as_u16(), String::from_utf8(response.body.to_vec()).unwrap())
}

fn refused(errors: &str, codes: &str) -> (u16, String) {
    let errors = format!(r#""errors":{errors},"codes":{codes}"#);
    (422, format!(r#"{{"message":"The given data was invalid.","code":"invalid",{errors}}}"#))
}

const KEY: (&str, &str) = ("idempotency-key", "k-1");

#[tokio::test]
async fn an_object_is_read_and_anything_else_refused() {
    assert_eq!(ask("/record", &[], r#" {"points": 7} "#).await, (201, "7".to_owned()));
    for body in
        [&b""[..], b"{", b"{}{}", b"{'a':1}", b"\xff", b"{\"points\":\"\xff\"}", "[".repeat(999).as_bytes()]
    {
        let (status, told) = ask("/record", &[], body).await;
        let is_told =
            told.starts_with(r#"{"message":"Bad request.","code":"malformed_json","line":1,"column":"#);
        assert!(status == 400 && is_told, "{body:?}: {told}");
    }
    for body in ["null", "7", "[]", "\"{}\""] {
        assert_eq!(
            ask("/record", &[], body).await,
            refused(r#"{"body":["The body must be an object."]}"#, r#"{"body":["not_an_object"]}"#),
            "{body}"
        );
    }
}

#[tokio::test]
async fn a_body_of_another_kind_is_415_before_it_is_read() {
    for (path, kind) in [("/record", "json"), ("/import", "x-ndjson"), ("/cancel", "json")] {
        let told = format!(
            r#"{{"message":"Unsupported media type. Send the body as application/{kind}.","code":"unsupported_media_type"}}"#
        );
        assert_eq!(ask(path, &[("content-type", "text/plain")], "{").await, (415, told), "{path}");
    }
}

#[tokio::test]
async fn a_body_that_was_not_declared_ends_at_the_limit() {
    for path in ["/record", "/import", "/cancel"] {
        let (status, body) = ask(path, &[], vec![b' '; (1 << 20) + 1]).await;
        assert_eq!(
            (status, &*body),
            (413, r#"{"message":"Payload too large.","code":"payload_too_large"}"#),
            "{path}"
        );
    }
}

#[tokio::test]
async fn a_bad_key_is_refused_together_with_bad_fields() {
    let bad = ("idempotency-key", "a b");
    let rule = "The Idempotency-Key must have 1 to 255 visible characters of ASCII.";
    assert_eq!(
        ask("/record", &[bad], r#"{"points":10}"#).await,
        refused(
            &format!(
                r#"{{"Idempotency-Key":["{rule}"],"points":["The points must not be greater than 9."]}}"#
            ),
            r#"{"Idempotency-Key":["invalid_idempotency_key"],"points":["too_large"]}"#
        )
    );
    for (path, body) in [("/record", r#"{"points":1}"#), ("/cancel", ""), ("/cancel", "{}"), ("/import", "")]
    {
        assert_eq!(
            ask(path, &[bad], body).await,
            refused(
                &format!(r#"{{"Idempotency-Key":["{rule}"]}}"#),
                r#"{"Idempotency-Key":["invalid_idempotency_key"]}"#,
            ),
            "{path}"
        );
    }
}

async fn told_key(request: Request<Vec<u8>>) -> Option<String> {
    let response = response(request).await;
    assert_eq!(response.status, 201);
    response.headers.get("x-key").map(|value| value.to_str().unwrap().to_owned())
}

#[tokio::test]
async fn a_key_is_bound_to_its_sender_and_to_the_whole_request() {
    let body = r#"{"points":7}"#;
    let first = told_key(request("/record", &[KEY], body)).await.unwrap();
    assert!(first.starts_with("super-user:ba7816bf"), "{first}");
    assert_eq!(told_key(request("/record", &[KEY], body)).await.as_ref(), Some(&first));
    let others = [
        request("/record?", &[KEY], body),
        request("/record?a", &[KEY], body),
        request("/record", &[KEY], r#"{"points": 7}"#),
        request("/record", &[("idempotency-key", "k-2")], body),
    ];
    for other in others {
        assert_ne!(told_key(other).await.as_ref(), Some(&first));
    }
}

#[tokio::test]
async fn only_a_post_has_a_key() {
    assert_eq!(told_key(request("/record", &[], r#"{"points":7}"#)).await, None);
    let mut put = request("/record", &[("idempotency-key", "a b")], r#"{"points":7}"#);
    *put.method_mut() = http::Method::PUT;
    assert_eq!(told_key(put).await, None);
}

#[tokio::test]
async fn nothing_is_no_body_or_an_object_without_members() {
    for body in ["", "{}", " {} "] {
        assert_eq!(ask("/cancel", &[KEY], body).await, (200, "true".to_owned()), "{body:?}");
    }
    assert_eq!(
        ask("/cancel", &[], r#"{"why":1}"#).await,
        refused(r#"{"why":["The why field is not known."]}"#, r#"{"why":["unknown_field"]}"#)
    );
    assert_eq!(
        ask("/cancel", &[], "[]").await,
        refused(r#"{"body":["The body must be an object."]}"#, r#"{"body":["not_an_object"]}"#)
    );
    assert_eq!(ask("/cancel", &[], "x").await.0, 400);
}

#[tokio::test]
async fn each_line_is_read_or_refused_alone() {
    let body = b"{\"points\":1}\r\n\n  \n{\"points\":0,\"x\":1}\n[]\n{\n\xff\n{\"points\":9}";
    let (status, told) = ask("/import", &[("content-type", "application/x-ndjson")], body).await;
    assert_eq!(status, 200);
    insta::assert_snapshot!(told, @r#"
    1: 1
    4: {"points":["The points must be at least 1."],"x":["The x field is not known."]}
    5: {"line":["The line must be an object."]}
    6: {"line":["The line is not JSON at column 1: The line ends before the JSON value does."]}
    7: {"line":["The line is not JSON at column 1: The line is not valid UTF-8 here."]}
    8: 9
    "#);
    assert_eq!(ask("/import", &[], "").await, (200, String::new()));
}

#[tokio::test]
async fn an_import_has_at_most_10_000_lines() {
    let lines = |count: usize| "{\"points\":1}\n\n".repeat(count);
    assert_eq!(ask("/import", &[], lines(10_000)).await.0, 200);
    let refused =
        refused(r#"{"body":["The body must not have more than 10000 lines."]}"#, r#"{"body":["too_many"]}"#);
    assert_eq!(ask("/import", &[], lines(10_001)).await, refused);
}

#[tokio::test]
async fn a_line_has_at_most_a_mebibyte() {
    let line = |length: usize| format!("{{\"points\":1{}}}", " ".repeat(length - 12));
    let body = format!("{}\n{}\n{{\"points\":2}}", line(1_048_577), line(1_048_576));
    let request = request("/import", &[], "");
    let (method, headers) = (request.method(), request.headers());
    let sender = sender(TokenKind::SuperUser);
    let (tenant, permits) = (TenantId::new("t").unwrap(), Permits::new(&HttpLimits::default()));
    let body = &body_of(&permits, body.into(), 16 << 20);
    let head =
        Head { tenant: &tenant, method, path: "/import", query: None, headers, sender: Some(&sender), body };
    let told = answered(head).await.unwrap().body.to_vec();
    insta::assert_snapshot!(String::from_utf8_lossy(&told), @r#"
    1: {"line":["The line must not be greater than 1048576 bytes."]}
    2: 1
    3: 2
    "#);
}

#[tokio::test]
async fn a_refused_line_says_twenty_reasons() {
    let members: Vec<String> = (0..100).map(|place| format!("\"x{place}\":0")).collect();
    let (_, told) = ask("/import", &[], format!("{{\"points\":1,{}}}", members.join(","))).await;
    assert_eq!(told.matches("field is not known").count(), 20);
    assert!(told.contains("\"x19\"") && !told.contains("\"x20\""), "{told}");
}

#[tokio::test]
async fn a_hundred_refused_lines_say_why() {
    let (_, told) = ask("/import", &[], "{}\n".repeat(150)).await;
    let (why, silent) = (told.lines().filter(|line| line.contains("required")).count(), ": {}");
    assert_eq!((why, told.lines().filter(|line| line.ends_with(silent)).count()), (100, 50));
}

proptest! {
    #[test]
    fn any_bytes_are_answered(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        for path in ["/record", "/cancel", "/import"] {
            let status = runtime.block_on(ask(path, &[KEY], bytes.clone())).0;
            prop_assert!([200, 201, 400, 422].contains(&status), "{path} {status}");
        }
    }
}
