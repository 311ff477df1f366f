//! Whole requests: what an operation gets, and which errors come before it.

use bytes::Bytes;
use http::{HeaderValue, Request};
use http_body_util::Full;
use pointbook_domain::errors::FieldErrors;
use pointbook_domain::{TenantId, TokenKind};
use pointbook_store::ports::RequestKey;
use proptest::prelude::*;

use crate::body::{BodyError, BodyFields, EmptyBody, JsonBody, NdjsonBody, integer_in};
use crate::head::Head;
use crate::kernel::{HttpLimits, Permits, Refusal, RequestBody};
use crate::sender::sender;

fn read_points(mut fields: BodyFields<'_>) -> Result<i64, FieldErrors> {
    let points = fields.required("points", integer_in(1_i64..=9));
    fields.finish(|| points)
}

/// The outcome of an operation like the real ones: its text, and the key of its request.
type Outcome = Result<(String, Option<RequestKey>), BodyError>;

fn record(body: JsonBody) -> Outcome {
    let points = read_points(body.fields())?;
    Ok((points.to_string(), body.key))
}

fn cancel(body: EmptyBody) -> (String, Option<RequestKey>) {
    (body.key.is_some().to_string(), body.key)
}

async fn import(body: NdjsonBody) -> (String, Option<RequestKey>) {
    let lines = body.read(read_points).await;
    let told = lines.into_iter().map(|line| match line.item {
        Ok(points) => format!("{}: {points}\n", line.number),
        Err(errors) => format!("{}: {}\n", line.number, serde_json::to_string(&errors).unwrap()),
    });
    (told.collect(), body.key)
}

fn request(path: &str, headers: &[(&'static str, &str)], body: impl Into<Vec<u8>>) -> Request<Vec<u8>> {
    let mut request = Request::post(path).body(body.into()).unwrap();
    for (name, value) in headers {
        request.headers_mut().append(*name, HeaderValue::from_str(value).unwrap());
    }
    request
}

/// The outcome of a request of the back office with a body limit of 1 MiB.
async fn outcome(request: Request<Vec<u8>>) -> Outcome {
    let (parts, body) = request.into_parts();
    let (path, sender) = (parts.uri.path(), sender(TokenKind::SuperUser));
    let (method, headers, query) = (&parts.method, &parts.headers, parts.uri.query());
    let (tenant, permits) = (TenantId::new("t").unwrap(), Permits::new(&HttpLimits::default()));
    let body = &body_of(&permits, body, 1 << 20);
    let head = Head { tenant: &tenant, method, path, query, headers, sender: Some(&sender), body };
    answered(head).await
}

fn body_of(permits: &Permits, bytes: Vec<u8>, max_bytes: u64) -> RequestBody<'_> {
    let mut body = RequestBody::new(permits, Full::new(Bytes::from(bytes)));
    let _ = body.limit(max_bytes);
    body
}

async fn answered(head: Head<'_>) -> Outcome {
    match head.path {
        "/record" => record(JsonBody::of(head).await?),
        "/cancel" => Ok(cancel(EmptyBody::of(head).await?)),
        _ => Ok(import(NdjsonBody::of(head).await?).await),
    }
}

/// The text of an operation, or the error.
async fn ask(
    path: &str,
    headers: &[(&'static str, &str)],
    body: impl Into<Vec<u8>>,
) -> Result<String, String> {
    let outcome = outcome(request(path, headers, body)).await;
    outcome.map(|(text, _)| text).map_err(told)
}

fn told(error: BodyError) -> String {
    match error {
        BodyError::Refused(Refusal::PayloadTooLarge) => "too large".to_owned(),
        BodyError::MalformedJson(problem) => {
            format!("malformed: {}", serde_json::to_string(&problem).unwrap())
        }
        BodyError::UnsupportedMediaType(expected) => expected.message().to_owned(),
        BodyError::Invalid(errors) => refused(
            &serde_json::to_string(&errors).unwrap(),
            &serde_json::to_string(&errors.codes()).unwrap(),
        ),
        other => panic!("{other:?}"),
    }
}

fn refused(errors: &str, codes: &str) -> String {
    format!(r#"{{"errors":{errors},"codes":{codes}}}"#)
}

const KEY: (&str, &str) = ("idempotency-key", "k-1");

#[tokio::test]
async fn an_object_is_read_and_anything_else_refused() {
    assert_eq!(ask("/record", &[], r#" {"points": 7} "#).await, Ok("7".to_owned()));
    for body in
        [&b""[..], b"{", b"{}{}", b"{'a':1}", b"\xff", b"{\"points\":\"\xff\"}", "[".repeat(999).as_bytes()]
    {
        let told = ask("/record", &[], body).await.unwrap_err();
        assert!(told.starts_with(r#"malformed: {"line":1,"column":"#), "{body:?}: {told}");
    }
    for body in ["null", "7", "[]", "\"{}\""] {
        assert_eq!(
            ask("/record", &[], body).await,
            Err(refused(r#"{"body":["The body must be an object."]}"#, r#"{"body":["not_an_object"]}"#)),
            "{body}"
        );
    }
}

#[tokio::test]
async fn a_body_of_another_kind_is_refused_before_it_is_read() {
    for (path, kind) in [("/record", "json"), ("/import", "x-ndjson"), ("/cancel", "json")] {
        let told = format!("Unsupported media type. Send the body as application/{kind}.");
        assert_eq!(ask(path, &[("content-type", "text/plain")], "{").await, Err(told), "{path}");
    }
}

#[tokio::test]
async fn a_body_that_was_not_declared_ends_at_the_limit() {
    for path in ["/record", "/import", "/cancel"] {
        let told = ask(path, &[], vec![b' '; (1 << 20) + 1]).await;
        assert_eq!(told, Err("too large".to_owned()), "{path}");
    }
}

#[tokio::test]
async fn a_bad_key_is_refused_together_with_bad_fields() {
    let bad = ("idempotency-key", "a b");
    let rule = "The Idempotency-Key must have 1 to 255 visible characters of ASCII.";
    assert_eq!(
        ask("/record", &[bad], r#"{"points":10}"#).await,
        Err(refused(
            &format!(
                r#"{{"Idempotency-Key":["{rule}"],"points":["The points must not be greater than 9."]}}"#
            ),
            r#"{"Idempotency-Key":["invalid_idempotency_key"],"points":["too_large"]}"#
        ))
    );
    for (path, body) in [("/record", r#"{"points":1}"#), ("/cancel", ""), ("/cancel", "{}"), ("/import", "")]
    {
        assert_eq!(
            ask(path, &[bad], body).await,
            Err(refused(
                &format!(r#"{{"Idempotency-Key":["{rule}"]}}"#),
                r#"{"Idempotency-Key":["invalid_idempotency_key"]}"#,
            )),
            "{path}"
        );
    }
}

async fn key_of(request: Request<Vec<u8>>) -> Option<RequestKey> {
    outcome(request).await.unwrap().1
}

#[tokio::test]
async fn a_key_is_bound_to_its_sender_and_to_the_whole_request() {
    let body = r#"{"points":7}"#;
    let first = key_of(request("/record", &[KEY], body)).await.unwrap();
    assert_eq!(first.key, "k-1");
    assert!(first.principal.starts_with("super-user:ba7816bf"), "{}", first.principal);
    assert_eq!(key_of(request("/record", &[KEY], body)).await.as_ref(), Some(&first));
    let others = [
        request("/record?", &[KEY], body),
        request("/record?a", &[KEY], body),
        request("/record", &[KEY], r#"{"points": 7}"#),
        request("/record", &[("idempotency-key", "k-2")], body),
    ];
    for other in others {
        assert_ne!(key_of(other).await.as_ref(), Some(&first));
    }
}

#[tokio::test]
async fn only_a_post_has_a_key() {
    assert_eq!(key_of(request("/record", &[], r#"{"points":7}"#)).await, None);
    let mut put = request("/record", &[("idempotency-key", "a b")], r#"{"points":7}"#);
    *put.method_mut() = http::Method::PUT;
    assert_eq!(key_of(put).await, None);
}

#[tokio::test]
async fn nothing_is_no_body_or_an_object_without_members() {
    for body in ["", "{}", " {} "] {
        assert_eq!(ask("/cancel", &[KEY], body).await, Ok("true".to_owned()), "{body:?}");
    }
    assert_eq!(
        ask("/cancel", &[], r#"{"why":1}"#).await,
        Err(refused(r#"{"why":["The why field is not known."]}"#, r#"{"why":["unknown_field"]}"#))
    );
    assert_eq!(
        ask("/cancel", &[], "[]").await,
        Err(refused(r#"{"body":["The body must be an object."]}"#, r#"{"body":["not_an_object"]}"#))
    );
    assert!(ask("/cancel", &[], "x").await.unwrap_err().starts_with("malformed"));
}

#[tokio::test]
async fn each_line_is_read_or_refused_alone() {
    let body = b"{\"points\":1}\r\n\n  \n{\"points\":0,\"x\":1}\n[]\n{\n\xff\n{\"points\":9}";
    let told = ask("/import", &[("content-type", "application/x-ndjson")], body).await.unwrap();
    insta::assert_snapshot!(told, @r#"
    1: 1
    4: {"points":["The points must be at least 1."],"x":["The x field is not known."]}
    5: {"line":["The line must be an object."]}
    6: {"line":["The line is not JSON at column 1: The line ends before the JSON value does."]}
    7: {"line":["The line is not JSON at column 1: The line is not valid UTF-8 here."]}
    8: 9
    "#);
    assert_eq!(ask("/import", &[], "").await, Ok(String::new()));
}

#[tokio::test]
async fn an_import_has_at_most_10_000_lines() {
    let lines = |count: usize| "{\"points\":1}\n\n".repeat(count);
    assert!(ask("/import", &[], lines(10_000)).await.is_ok());
    let refused =
        refused(r#"{"body":["The body must not have more than 10000 lines."]}"#, r#"{"body":["too_many"]}"#);
    assert_eq!(ask("/import", &[], lines(10_001)).await, Err(refused));
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
    insta::assert_snapshot!(answered(head).await.unwrap().0, @r#"
    1: {"line":["The line must not be greater than 1048576 bytes."]}
    2: 1
    3: 2
    "#);
}

#[tokio::test]
async fn a_refused_line_says_twenty_reasons() {
    let members: Vec<String> = (0..100).map(|place| format!("\"x{place}\":0")).collect();
    let told = ask("/import", &[], format!("{{\"points\":1,{}}}", members.join(","))).await.unwrap();
    assert_eq!(told.matches("field is not known").count(), 20);
    assert!(told.contains("\"x19\"") && !told.contains("\"x20\""), "{told}");
}

#[tokio::test]
async fn a_hundred_refused_lines_say_why() {
    let told = ask("/import", &[], "{}\n".repeat(150)).await.unwrap();
    let (why, silent) = (told.lines().filter(|line| line.contains("required")).count(), ": {}");
    assert_eq!((why, told.lines().filter(|line| line.ends_with(silent)).count()), (100, 50));
}

proptest! {
    #[test]
    fn any_bytes_are_answered(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        for path in ["/record", "/cancel", "/import"] {
            let told = runtime.block_on(outcome(request(path, &[KEY], bytes.clone())));
            let is_expected = matches!(told, Ok(_) | Err(BodyError::MalformedJson(_) | BodyError::Invalid(_)));
            prop_assert!(is_expected, "{path} {told:?}");
        }
    }
}
