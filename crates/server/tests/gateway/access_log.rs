//! One line per request, without what is secret.

use std::io;
use std::io::Write;
use std::sync::{Arc, Mutex};

use pointbook_http::kernel::{AccessLog, AccessLogFormat, HttpLimits, install_metrics};
use serde_json::Value;

use crate::server::{HELLO, Server};

/// A sink that can be read.
#[derive(Clone, Default)]
pub(crate) struct Sink(Arc<Mutex<Vec<u8>>>);

impl Sink {
    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Write::write(&mut *self.0.lock().unwrap(), bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The lines about these requests, each a method, a path and more headers.
async fn logged(format: AccessLogFormat, requests: &[(&str, &str, &str)]) -> String {
    let sink = Sink::default();
    let log = Arc::new(AccessLog::start(Box::new(sink.clone()), format).unwrap());
    let server = Server::logging(HttpLimits::default(), Some(log.clone())).await;
    let mut client = server.client().await;
    for (method, path, header) in requests {
        client.ask(method, path, &[header]).await;
    }
    log.close();
    sink.text()
}

#[tokio::test]
async fn a_line_says_who_asked_what_and_what_came_of_it() {
    let lines = logged(AccessLogFormat::Json, &[("GET", "/api/v1/hello/?a=1", "X-Request-Id: r-1")]).await;
    let line: Value = serde_json::from_str(&lines).unwrap();
    assert_eq!(line["time"], "2024-02-29T12:00:00.000000Z");
    assert_eq!(line["level"], "info");
    assert_eq!(line["request_id"], "r-1");
    assert_eq!(line["tenant"], "acme/production");
    assert_eq!(line["method"], "GET");
    assert_eq!(line["path"], "/api/v1/hello/");
    assert_eq!(line["route"], "test.hello");
    assert_eq!(line["status"], 200);
    assert_eq!(line["response_bytes"], "{\"tenant\":\"acme/production\",\"uri\":\"/v1/hello?a=1\"}".len());
    assert!(line["duration_us"].is_u64());
    assert_eq!(
        (&line["message"], &line["target"]),
        (&"request".into(), &"pointbook_http::access_log".into())
    );
    assert_eq!((&line["token_id"], &line["user_id"]), (&Value::Null, &Value::Null));
    assert_eq!(line["client"], "127.0.0.1");
    assert!(line["peer"].as_str().unwrap().starts_with("127.0.0.1:"));
}

#[tokio::test]
async fn every_request_has_a_line_and_probes_have_none() {
    let requests = [
        ("GET", "/nowhere", "Accept: a/b"),
        ("GET", "/healthz", "Accept: a/b"),
        ("GET", "/readyz", "Accept: a/b"),
        ("HEAD", HELLO, "Accept: a/b"),
        ("GET", "/api/v1/panic", "Accept: a/b"),
    ];
    let lines = logged(AccessLogFormat::Json, &requests).await;
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let said: Vec<_> = lines.iter().map(|line| (line["status"].as_u64().unwrap(), &line["tenant"])).collect();
    let acme = Value::from("acme/production");
    assert_eq!(said, [(404, &Value::Null), (200, &acme), (500, &acme)]);
    let routes: Vec<_> = lines.iter().map(|line| line["route"].as_str().unwrap()).collect();
    assert_eq!(routes, ["none", "test.hello", "test.panic"]);
    assert_eq!(lines[2]["level"], "error");
}

#[tokio::test]
async fn neither_token_nor_query_is_logged() {
    for format in [AccessLogFormat::Json, AccessLogFormat::Text] {
        let secret = "Authorization: Bearer hush-token";
        let lines = logged(format, &[("GET", "/api/v1/hello?name=hush-query", secret)]).await;
        assert!(lines.contains("/api/v1/hello"));
        assert!(!lines.contains("hush"), "{lines}");
    }
}

/// The client that is logged for a request with this header, of a server behind these proxies.
async fn client_of(proxies: &str, header: &str) -> String {
    let sink = Sink::default();
    let log = Arc::new(AccessLog::start(Box::new(sink.clone()), AccessLogFormat::Json).unwrap());
    let server = Server::behind(proxies, HttpLimits::default(), Some(log.clone())).await;
    server.client().await.ask("GET", HELLO, &[header]).await;
    log.close();
    let line: Value = serde_json::from_slice(&sink.0.lock().unwrap()).unwrap();
    assert!(line["peer"].as_str().unwrap().starts_with("127.0.0.1:"));
    line["client"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn only_a_trusted_proxy_says_who_the_client_is() {
    for header in ["X-Forwarded-For: 198.51.100.1, 192.0.2.7", "Forwarded: for=192.0.2.7;proto=https"] {
        assert_eq!(client_of("127.0.0.0/8", header).await, "192.0.2.7", "{header}");
        assert_eq!(client_of("", header).await, "127.0.0.1", "{header}");
        assert_eq!(client_of("10.0.0.0/8", header).await, "127.0.0.1", "{header}");
    }
}

#[tokio::test]
async fn what_never_became_a_request_has_a_line_and_is_counted() {
    let handle = install_metrics().unwrap();
    let sink = Sink::default();
    let log = Arc::new(AccessLog::start(Box::new(sink.clone()), AccessLogFormat::Json).unwrap());
    // hyper tells a long URI from a long head only where heads may be longer than the longest URI.
    let limits = HttpLimits { max_header_bytes: 100_000, ..HttpLimits::default() };
    let mut server = Server::logging(limits, Some(log.clone())).await;
    let long_uri = format!("GET /{} HTTP/1.1\r\nHost: a\r\n\r\n", "a".repeat(70_000));
    let large_head = format!("GET / HTTP/1.1\r\nA: {}\r\n", "a".repeat(110_000));
    for (bytes, status) in [("nonsense\r\n\r\n", 400), (&long_uri, 414), (&large_head, 431)] {
        let mut client = server.client().await;
        client.send(bytes).await;
        client.answer(true).await.assert_bare(status);
    }
    // Connections that end without a response have no such line.
    let http_2 = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
    for bytes in [http_2, "GET / HTTP/1.1\r\nHo"] {
        let mut client = server.client().await;
        client.send(bytes).await;
        client.finish().await;
        assert_eq!(client.rest().await, "");
    }
    server.stop();
    server.ended().await;
    log.close();
    let lines = sink.text();
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    // Lines come in the order in which the connections ended.
    let mut statuses: Vec<_> = lines.iter().map(|line| line["status"].as_u64().unwrap()).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [400, 414, 431]);
    let counted = handle.render();
    for status in statuses {
        let series = format!("requests_total{{route=\"none\",method=\"none\",status=\"{status}\"}}");
        assert!(counted.contains(&series), "{counted}");
    }
    for line in &lines {
        assert_eq!((&line["message"], &line["level"]), (&"request refused".into(), &"info".into()));
        assert_eq!(line["client"], "127.0.0.1");
        assert!(line["peer"].as_str().unwrap().starts_with("127.0.0.1:"));
    }
}
