//! The errors of operations that write.

use super::*;

/// A request for a token with the only key of this test.
fn issue(back_office: &str, user: &str) -> String {
    let body = format!(r#"{{"user_id":"{user}"}}"#);
    let (base, length) = (base_path(), body.len());
    format!(
        "POST {base}{ISSUE} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer {back_office}\r\n\
         Idempotency-Key: k\r\nContent-Length: {length}\r\n\r\n{body}"
    )
}

/// A change of an existing product with an `ETag` of another state.
fn put_as_new(back_office: &str) -> String {
    let body = r#"{"sku":"S","title":"Mug","regular_price":5}"#;
    let (base, length) = (base_path(), body.len());
    format!(
        "PUT {base}/v1/manage/products/mug HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\
         Authorization: Bearer {back_office}\r\nIf-Match: \"0-0-0\"\r\nContent-Length: {length}\r\n\r\n{body}"
    )
}

/// Uses the key for another request.
pub(super) async fn take_key(plain: &TestServer, back_office: &str) {
    let answer = plain.raw(issue(back_office, "u1").as_bytes()).await;
    assert!(answer.starts_with("HTTP/1.1 201 "), "{answer}");
}

/// Errors of bodies that cannot be read.
pub(super) fn of_bodies<'s>(plain: &'s TestServer, slow: &'s TestServer) -> Vec<Case<'s>> {
    vec![
        Case {
            error: ApiError::BadRequest,
            server: plain,
            request: request(plain, "POST", "/v1/store/orders", "Transfer-Encoding: chunked\r\n")
                + "no size\r\n",
            status: "400 Bad Request",
            headers: OF_TENANT,
            code: "broken_body",
            body: r#"{"message":"Bad request.","code":"broken_body"}"#,
        },
        Case {
            error: ApiError::MalformedJson(JsonProblem { line: 2, column: 1, detail: "" }),
            server: plain,
            request: request(plain, "POST", "/v1/store/orders", "Content-Length: 13\r\n")
                + "{\"a\": true,\n}",
            status: "400 Bad Request",
            headers: OF_TENANT,
            code: "malformed_json",
            body: r#"{"message":"Bad request.","code":"malformed_json","line":2,"column":1,"detail":"A comma stands before a closing bracket."}"#,
        },
        Case {
            error: ApiError::RequestTimeout,
            server: slow,
            request: request(slow, "POST", "/v1/store/orders", "Content-Length: 2\r\n"),
            status: "408 Request Timeout",
            headers: OF_TENANT,
            code: "request_timeout",
            body: r#"{"message":"Request Timeout","code":"request_timeout"}"#,
        },
    ]
}

/// Errors of changes that another change overtook.
fn of_another_state<'s>(plain: &'s TestServer, back_office: &str) -> Case<'s> {
    Case {
        error: ApiError::PreconditionFailed,
        server: plain,
        request: put_as_new(back_office),
        status: "412 Precondition Failed",
        headers: OF_TENANT,
        code: "precondition_failed",
        body: r#"{"message":"Precondition failed.","code":"precondition_failed"}"#,
    }
}

/// Errors that only operations that write have.
pub(super) fn of_writes<'s>(plain: &'s TestServer, back_office: &str) -> Vec<Case<'s>> {
    let text = "Content-Type: text/plain\r\nContent-Length: 2\r\n";
    vec![
        Case {
            error: ApiError::Forbidden,
            server: plain,
            request: request(plain, "POST", ISSUE, ""),
            status: "403 Forbidden",
            headers: OF_TENANT,
            code: "forbidden",
            body: r#"{"message":"This action is unauthorized.","code":"forbidden"}"#,
        },
        Case {
            error: ApiError::UnsupportedMediaType(Expected::Json),
            server: plain,
            request: request(plain, "POST", "/v1/store/orders", text) + "{}",
            status: "415 Unsupported Media Type",
            headers: OF_TENANT,
            code: "unsupported_media_type",
            body: r#"{"message":"Unsupported media type. Send the body as application/json.","code":"unsupported_media_type"}"#,
        },
        of_another_state(plain, back_office),
        Case {
            error: ApiError::Conflict(Conflict::IdempotencyKeyReused),
            server: plain,
            request: issue(back_office, "u2"),
            status: "409 Conflict",
            headers: OF_TENANT,
            code: "idempotency_key_reused",
            body: r#"{"message":"The Idempotency-Key was used for another request.","code":"idempotency_key_reused"}"#,
        },
    ]
}
