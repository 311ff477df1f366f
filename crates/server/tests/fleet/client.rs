//! A client that notices when its server dies: it uses one connection per request, and a missing response is an error.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use serde_json::Value;

/// Longer than any response may take.
const TIMEOUT: Duration = Duration::from_secs(30);

/// A request to a tenant. It can be sent any number of times.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    method: &'static str,
    path: String,
    token: String,
    key: Option<String>,
    body: Value,
}

/// A whole response.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    head: String,
    pub(crate) body: Value,
    /// Starts before the connection is made.
    pub(crate) took: Duration,
}

impl Call {
    /// Takes a path below the tenant's base URL.
    pub(crate) fn new(method: &'static str, path: &str, token: &str) -> Self {
        let path = format!("{}{path}", super::setup::BASE_PATH);
        Self { method, path, token: token.to_owned(), key: None, body: Value::Null }
    }

    pub(crate) fn json(self, body: Value) -> Self {
        Self { body, ..self }
    }

    pub(crate) fn key(self, key: &str) -> Self {
        Self { key: Some(key.to_owned()), ..self }
    }

    /// After an error, the outcome of the request is unknown.
    pub(crate) fn send(&self, address: SocketAddr) -> io::Result<Answer> {
        let began = Instant::now();
        let mut stream = TcpStream::connect(address)?;
        stream.set_read_timeout(Some(TIMEOUT))?;
        stream.write_all(self.text().as_bytes())?;
        let mut text = String::new();
        stream.read_to_string(&mut text)?;
        let broken = || io::Error::new(io::ErrorKind::UnexpectedEof, "the response broke off");
        let (head, body) = text.split_once("\r\n\r\n").ok_or_else(broken)?;
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).ok_or_else(broken)?;
        let body = if body.is_empty() { Ok(Value::Null) } else { serde_json::from_str(body) };
        let body = body.map_err(|_| broken())?;
        Ok(Answer { status, head: head.to_ascii_lowercase(), body, took: began.elapsed() })
    }

    fn text(&self) -> String {
        let Self { method, path, token, key, body } = self;
        let key = key.as_ref().map_or_else(String::new, |key| format!("Idempotency-Key: {key}\r\n"));
        let body = if body.is_null() { String::new() } else { body.to_string() };
        format!(
            "{method} {path} HTTP/1.1\r\nHost: fleet.example\r\nAccept: application/json\r\n\
             Authorization: Bearer {token}\r\n{key}Content-Type: application/json\r\n\
             Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
            body.len()
        )
    }
}

/// The status and body of a path at the root of a server, without a token.
pub(crate) fn probe(address: SocketAddr, path: &str) -> (u16, Value) {
    let call =
        Call { method: "GET", path: path.to_owned(), token: String::new(), key: None, body: Value::Null };
    let answer = call.send(address).unwrap();
    (answer.status, answer.body)
}

impl Answer {
    pub(crate) fn has_header(&self, line: &str) -> bool {
        self.head.lines().any(|header| header.starts_with(line))
    }

    /// Whether it is the kept response of an earlier request.
    pub(crate) fn is_replay(&self) -> bool {
        self.has_header("idempotency-replayed: true")
    }

    /// The id of what the request created.
    #[track_caller]
    pub(crate) fn id(&self) -> String {
        self.body["data"]["id"].as_str().unwrap_or_else(|| panic!("no id: {self:?}")).to_owned()
    }
}
