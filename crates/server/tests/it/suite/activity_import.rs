//! `POST /v1/manage/activities/import`: imports past activities as lines, in one commit.

use std::fmt::Write as _;

use http::Method;
use pointbook_testkit::{Fault, WriteFault};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::client::Answer;
use crate::harness::{TestServer, base_path};

const PATH: &str = "/v1/manage/activities/import";
const AT: &str = "2026-02-01T10:00:00Z";
const MAX_BYTES: usize = 16 * 1024 * 1024;

/// A line of `u1`.
fn line(source_id: &str, points: i64) -> Value {
    json!({"user_id": "u1", "type": "code", "source_id": source_id, "points": points, "title": "Scan", "created_at": AT})
}

fn with(line: &Value, name: &str, value: Value) -> Value {
    let mut line = line.clone();
    line[name] = value;
    line
}

fn lines(lines: &[Value]) -> String {
    lines.iter().fold(String::new(), |mut text, line| {
        writeln!(text, "{line}").unwrap();
        text
    })
}

async fn import(server: &TestServer, token: &str, body: impl Into<bytes::Bytes>) -> Answer {
    server.post(PATH, token).ndjson(body).send().await
}

/// The counts of recorded, unchanged and rejected lines, and the reported lines.
fn counts(answer: &Answer) -> (u64, u64, u64, Vec<u64>) {
    assert_eq!(answer.status, 200, "{}", answer.text());
    let data = &answer.json()["data"];
    let count = |name: &str| data[name].as_u64().unwrap();
    let told = data["errors"].as_array().unwrap().iter().map(|error| error["line"].as_u64().unwrap());
    (count("recorded"), count("unchanged"), count("rejected"), told.collect())
}

fn summary(recorded: u32, unchanged: u32, rejected: u32, errors: &str) -> String {
    format!(
        r#"{{"success":true,"data":{{"recorded":{recorded},"unchanged":{unchanged},"rejected":{rejected},"errors":[{errors}]}}}}"#
    )
}

#[tokio::test]
async fn lines_require_created_at() {
    let (server, token) = TestServer::with_back_office().await;
    let mut timeless = line("c-1", 10);
    timeless.as_object_mut().unwrap().remove("created_at");
    let answer = import(&server, &token, lines(&[timeless])).await;
    let error = r#"{"line":1,"errors":{"created_at":["The created at field is required."]},"codes":{"created_at":["required"]}}"#;
    assert_eq!(answer.text(), summary(0, 0, 1, error));
}

#[tokio::test]
async fn good_lines_are_recorded_and_bad_ones_reported_byte_for_byte() {
    let (server, token) = TestServer::with_back_office().await;
    let body = [
        line("c-1", 10).to_string(),
        String::new(),
        with(&with(&line("c-2", 5), "points", json!("5")), "user", json!("u1")).to_string(),
        "{\"user_id\":".to_owned(),
        "[1]".to_owned(),
        with(&line("c-1", 10), "user_id", json!("u2")).to_string(),
        line("c-1", 10).to_string(),
        line("c-1", 11).to_string(),
        with(&line("c-3", 1), "user_id", Value::Null).to_string(),
        with(&line("c-3", 1), "type", json!("dance")).to_string(),
    ];
    let answer = import(&server, &token, body.join("\n")).await;
    let errors = [
        r#"{"line":3,"errors":{"points":["The points must be an integer."],"user":["The user field is not known."]},"codes":{"points":["not_an_integer"],"user":["unknown_field"]}}"#,
        r#"{"line":4,"errors":{"line":["The line is not JSON at column 11: The line ends before the JSON value does."]},"codes":{"line":["malformed_json"]}}"#,
        r#"{"line":5,"errors":{"line":["The line must be an object."]},"codes":{"line":["not_an_object"]}}"#,
        r#"{"line":8,"errors":{"source_id":["The request was recorded before with other content."]},"codes":{"source_id":["already_recorded"]}}"#,
        r#"{"line":9,"errors":{"user_id":["The user id field is required."]},"codes":{"user_id":["required"]}}"#,
        r#"{"line":10,"errors":{"type":["The selected type is invalid."]},"codes":{"type":["invalid_choice"]}}"#,
    ];
    assert_eq!((answer.status.as_u16(), answer.text()), (200, &*summary(2, 1, 6, &errors.join(","))));
    assert_eq!(server.balance().await, 10);
    let other = server.request(Method::GET, "/v1/manage/users/u2", &token).send().await;
    assert_eq!(other.json()["data"]["user_points"], 10);
    server.assert_audit_is_clean().await;
}

#[tokio::test]
async fn a_balance_beyond_its_bounds_is_refused_line_by_line() {
    let (server, token) = TestServer::with_back_office().await;
    let max = 9_007_199_254_740_991;
    let body = lines(&[line("c-1", max), line("c-2", 1), line("c-3", -1), line("c-4", 1)]);
    let errors = r#"{"line":2,"errors":{"points":["The points would make the balance exceed its bounds."]},"codes":{"points":["balance_out_of_range"]}}"#;
    assert_eq!(import(&server, &token, body).await.text(), summary(3, 0, 1, errors));
    assert_eq!(server.balance().await, max);
    server.assert_audit_is_clean().await;
}

#[tokio::test]
async fn a_byte_order_mark_carriage_returns_and_blank_lines_do_not_matter() {
    let (server, token) = TestServer::with_back_office().await;
    let body = format!("\u{feff}{}\r\n\r\n \t\r\n{}\r\nx\r\n", line("c-1", 1), line("c-2", 2));
    let errors = r#"{"line":5,"errors":{"line":["The line is not JSON at column 1: A JSON value is expected here."]},"codes":{"line":["malformed_json"]}}"#;
    assert_eq!(import(&server, &token, body).await.text(), summary(2, 0, 1, errors));
    let marked_twice = format!("\u{feff}\u{feff}{}", line("c-3", 1));
    assert_eq!(counts(&import(&server, &token, marked_twice).await), (0, 0, 1, vec![1]));
}

#[tokio::test]
async fn all_bad_lines_are_counted_and_the_first_hundred_told() {
    let (server, token) = TestServer::with_back_office().await;
    // The shape of some lines is wrong, and the ledger refuses others. The response lists them in the order of the lines.
    let bad = |place: i64| if place % 2 == 0 { json!(7) } else { line("c-1", place) };
    let mut body = vec![line("c-1", 0)];
    body.extend((2..=152).map(bad));
    assert_eq!(counts(&import(&server, &token, lines(&body)).await), (1, 0, 151, (2..=101).collect()));
}

#[tokio::test]
async fn ten_thousand_lines_are_taken_and_one_more_is_not() {
    let (server, token) = TestServer::with_back_office().await;
    let mut body: Vec<Value> = (0..10_000).map(|place| line(&format!("c-{place}"), 1)).collect();
    // Blank lines do not count.
    let full = format!("\n{}\n", lines(&body));
    body.push(line("more", 1));
    let answer = import(&server, &token, lines(&body)).await;
    assert_eq!(answer.field_errors(), ["body: The body must not have more than 10000 lines."]);
    assert_eq!(server.balance().await, 0);
    assert_eq!(import(&server, &token, full).await.text(), summary(10_000, 0, 0, ""));
    assert_eq!(server.balance().await, 10_000);
}

/// A chunked POST of this size, as far as the server reads it. Returns the first line of the response.
async fn stream(server: &TestServer, token: &str, head: &str, bytes: usize) -> String {
    let mut connection = TcpStream::connect(server.address()).await.unwrap();
    let base = base_path();
    let request = format!(
        "POST {base}{PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n{head}\r\n"
    );
    connection.write_all(request.as_bytes()).await.unwrap();
    let (mut reader, mut writer) = connection.into_split();
    let sending = tokio::spawn(async move {
        let chunk = format!("10000\r\n{}\r\n", "\n".repeat(0x1_0000));
        for _ in 0..bytes / 0x1_0000 {
            // The server closes the connection when it has read enough.
            if writer.write_all(chunk.as_bytes()).await.is_err() {
                return;
            }
        }
        let _ = writer.write_all(b"0\r\n\r\n").await;
        // The connection stays open until the response was read.
        std::future::pending::<()>().await;
    });
    let mut answer = Vec::new();
    let _ = reader.read_to_end(&mut answer).await;
    sending.abort();
    String::from_utf8(answer).unwrap().lines().next().unwrap_or_default().to_owned()
}

#[tokio::test]
async fn sixteen_mebibytes_are_taken_and_no_more_declared_or_not() {
    let (server, token) = TestServer::with_back_office().await;
    let full = "\n".repeat(MAX_BYTES);
    assert_eq!(import(&server, &token, full).await.text(), summary(0, 0, 0, ""));
    let declared = format!("Content-Length: {}\r\n", MAX_BYTES + 1);
    assert_eq!(stream(&server, &token, &declared, 0).await, "HTTP/1.1 413 Payload Too Large");
    let chunked = "Transfer-Encoding: chunked\r\n";
    assert_eq!(stream(&server, &token, chunked, MAX_BYTES).await, "HTTP/1.1 200 OK");
    let more = stream(&server, &token, chunked, MAX_BYTES + 0x1_0000).await;
    assert_eq!(more, "HTTP/1.1 413 Payload Too Large");
}

#[tokio::test]
async fn an_import_that_fails_leaves_nothing_of_it() {
    let (server, token, faulty) = TestServer::with_faults().await;
    let body = lines(&[line("c-1", 1), line("c-2", 2)]);
    faulty.fail_next_write(Some(WriteFault::Before(Fault::Fail)));
    assert_eq!(import(&server, &token, body.clone()).await.status, 500);
    assert_eq!(server.balance().await, 0);
    // All lines are one write: after a lost response, either both lines are recorded or none.
    faulty.fail_next_write(Some(WriteFault::AnswerLost));
    assert_eq!(import(&server, &token, body.clone()).await.status, 503);
    assert!(!faulty.awaits_write());
    assert_eq!(server.balance().await, 3);
    assert_eq!(import(&server, &token, body).await.text(), summary(0, 2, 0, ""));
}

#[tokio::test]
async fn a_dry_run_says_what_would_become_of_the_lines_and_records_nothing() {
    let (server, token) = TestServer::with_back_office().await;
    import(&server, &token, lines(&[line("c-1", 10)])).await;
    let stored = server.stored().await;
    let tried = lines(&[
        line("c-1", 10),
        line("c-1", 11),
        line("c-2", 5),
        line("c-2", 5),
        with(&line("c-3", 5), "type", json!("unheard")),
        with(&line("c-4", 5), "user_id", json!("nobody-yet")),
    ]);
    let path = format!("{PATH}?dry_run=true");
    let answer = server.post(&path, &token).ndjson(tried.clone()).send().await;
    assert_eq!(counts(&answer), (2, 2, 2, vec![2, 5]));
    assert!(server.stored().await == stored, "a dry run recorded something");
    let mut told = answer.json();
    assert_eq!(
        (&told["data"]["new_users"], &told["data"]["first_new_users"]),
        (&json!(1), &json!(["nobody-yet"]))
    );
    let imported = import(&server, &token, tried).await;
    let told = told["data"].as_object_mut().unwrap();
    told.retain(|name, _| !name.contains("new_users"));
    assert_eq!(imported.json()["data"].as_object().unwrap(), told);
}
