//! The page at `/`, for browsers and for programs.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::Demo;

/// The `Accept` header of browsers.
const BROWSER: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

/// The head and the body of a response.
fn get(demo: &Demo, path: &str, accept: &str) -> (String, Vec<u8>) {
    send(demo, &format!("GET {path} HTTP/1.1\r\nAccept: {accept}\r\n"), "")
}

/// `head` begins the request, with line ends.
fn send(demo: &Demo, head: &str, body: &str) -> (String, Vec<u8>) {
    let mut stream = TcpStream::connect(&demo.authority).unwrap();
    let (host, length) = (&demo.authority, body.len());
    write!(stream, "{head}Host: {host}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}")
        .unwrap();
    let mut response = Vec::new();
    stream.read_to_end(&mut response).unwrap();
    let end = response.windows(4).position(|bytes| bytes == b"\r\n\r\n").unwrap();
    (String::from_utf8(response[..end].to_vec()).unwrap(), response[end + 4..].to_vec())
}

fn text(demo: &Demo, path: &str, accept: &str) -> (String, String) {
    let (head, body) = get(demo, path, accept);
    (head, String::from_utf8(body).unwrap())
}

#[test]
fn browser_gets_users_and_working_requests() {
    let folder = tempfile::tempdir().unwrap();
    let demo = Demo::start(folder.path());
    let (head, page) = text(&demo, "/", BROWSER);
    assert!(head.starts_with("HTTP/1.1 200 "), "{head}");
    assert!(head.contains("content-type: text/html; charset=utf-8\r\n"), "{head}");
    assert!(page.contains(&format!("Version {}", env!("CARGO_PKG_VERSION"))));
    for token in ["demo-mia", "demo-ben", "demo-aiko", "demo-leo", "demo-staging-ben", "demo-admin"] {
        assert!(page.contains(&format!("<code>{token}</code>")), "{token}");
    }
    let requests: Vec<_> = page.split("<pre>").skip(1).collect();
    assert_eq!(requests.len(), 3);
    for request in requests {
        let (line, _) = request.split_once("</pre>").unwrap();
        let line = line.replace("&quot;", "\"").replace("&amp;", "&");
        let (_, token) = line.split_once("Bearer ").unwrap();
        let (token, rest) = token.split_once('"').unwrap();
        let (_, path) = rest.split_once(&demo.authority.replace("127.0.0.1", "localhost")).unwrap();
        let response = demo.get(path.trim_end_matches('"'), token);
        assert!(response["data"].to_string().len() > 100, "{line}");
    }
    // Each linked page exists, and each operation is in the OpenAPI document.
    let (_, document) = text(&demo, "/openapi.json", "*/*");
    for link in page.split("href=\"").skip(1).map(|rest| rest.split('"').next().unwrap()) {
        let (path, operation) = link.split_once("#/").unwrap_or((link, ""));
        // The test is not signed in to the shops.
        let status = if path.starts_with("/shop/") { "401" } else { "200" };
        let (head, _) = get(&demo, &format!("/{}", path.trim_start_matches('/')), BROWSER);
        assert!(head.starts_with(&format!("HTTP/1.1 {status} ")), "{link}");
        let operation = operation.rsplit('/').next().unwrap();
        assert!(document.contains(operation), "{link}");
    }
}

#[test]
fn program_gets_an_error_that_explains_the_mistake() {
    let folder = tempfile::tempdir().unwrap();
    let demo = Demo::start(folder.path());
    for accept in ["*/*", "application/json"] {
        let (head, body) = text(&demo, "/", accept);
        assert!(head.starts_with("HTTP/1.1 404 "), "{head}");
        assert_eq!(body, r#"{"message":"Not found."}"#);
        assert!(head.contains("\r\nerror-code: unknown_base_url\r\n"), "{head}");
    }
    assert!(demo.send("POST", "/", "demo-ben", "").starts_with("HTTP/1.1 404 "));
    let (head, icon) = get(&demo, "/favicon.ico", "image/*");
    assert!(head.contains("content-type: image/x-icon\r\n"), "{head}");
    assert!(icon.starts_with(b"\0\0\x01\0"));
}

#[test]
fn the_access_log_names_the_tenant_of_a_page() {
    let folder = tempfile::tempdir().unwrap();
    let demo = Demo::start(folder.path());
    let (head, _) = get(&demo, "/shop/acme.staging/points", BROWSER);
    assert!(head.starts_with("HTTP/1.1 401 "), "{head}");
    let line = logged(folder.path(), "/shop/acme.staging/points");
    assert!(line.contains("acme/staging") && line.contains("shop.points"), "{line}");
    assert!(!line.contains("operator_id"), "{line}");
}

#[test]
fn the_access_log_names_the_operator_of_a_page() {
    let folder = tempfile::tempdir().unwrap();
    let demo = Demo::start(folder.path());
    let (_, page) = text(&demo, "/", BROWSER);
    let (_, form) = page.split_once("action=\"/console/acme/sign-in\"").unwrap();
    let (_, link) = form.split_once("value=\"").unwrap();
    let body = format!("link={}", link.split('"').next().unwrap());
    let (head, _) = send(
        &demo,
        "POST /console/acme/sign-in HTTP/1.1\r\nSec-Fetch-Site: same-origin\r\n\
         Content-Type: application/x-www-form-urlencoded\r\n",
        &body,
    );
    let (_, cookie) = head.split_once("set-cookie: ").unwrap_or_else(|| panic!("{head}"));
    let cookie = cookie.split(';').next().unwrap();
    let (head, _) = send(&demo, &format!("GET /console/acme/keys HTTP/1.1\r\nCookie: {cookie}\r\n"), "");
    assert!(head.starts_with("HTTP/1.1 200 "), "{head}");
    let logged = logged(folder.path(), "/console/acme/keys");
    let logged: Value = serde_json::from_str(&logged).unwrap();
    assert_eq!(logged["operator_id"].as_str().map(str::len), Some(12), "{logged}");
}

/// The line about the request with this path, once it is written.
fn logged(folder: &Path, path: &str) -> String {
    let began = Instant::now();
    loop {
        let log = std::fs::read_to_string(folder.join("stderr.log")).unwrap();
        if let Some(line) = log.lines().find(|line| line.contains(path)) {
            return line.to_owned();
        }
        assert!(began.elapsed() < Duration::from_secs(20), "{log}");
    }
}
