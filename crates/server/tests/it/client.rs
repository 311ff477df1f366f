//! A client on hyper: one connection per request, without redirects or retries.

use std::fmt::Write as _;
use std::net::SocketAddr;

use bytes::Bytes;
use http::{HeaderMap, HeaderName, Method, Request, StatusCode};
use http_body_util::{BodyExt, Full};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::TcpStream;

use crate::contract::{self, Exchange};
use crate::harness::transcript;

/// A request builder.
#[derive(Clone)]
pub(crate) struct Call {
    address: SocketAddr,
    method: Method,
    path: String,
    headers: Vec<(String, String)>,
    body: Bytes,
}

/// A whole response.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Call {
    pub(crate) fn new(address: SocketAddr, method: Method, path: impl Into<String>) -> Self {
        Self { address, method, path: path.into(), headers: Vec::new(), body: Bytes::new() }
    }

    pub(crate) fn header(mut self, name: &str, value: impl Into<String>) -> Self {
        self.headers.push((name.to_owned(), value.into()));
        self
    }

    pub(crate) fn bearer(self, token: &str) -> Self {
        self.header("authorization", format!("Bearer {token}"))
    }

    pub(crate) fn json(mut self, body: &Value) -> Self {
        self.body = body.to_string().into();
        self.header("content-type", "application/json")
    }

    /// Sets these bytes as the body.
    pub(crate) fn body(mut self, bytes: impl Into<Bytes>) -> Self {
        self.body = bytes.into();
        self
    }

    /// Sets these lines as the body.
    pub(crate) fn ndjson(self, lines: impl Into<Bytes>) -> Self {
        self.body(lines).header("content-type", "application/x-ndjson")
    }

    /// Sets an idempotency key.
    pub(crate) fn key(self, key: &str) -> Self {
        self.header("idempotency-key", key)
    }

    pub(crate) async fn send(self) -> Answer {
        let stream = TcpStream::connect(self.address).await.unwrap();
        let (mut sender, connection) =
            hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.unwrap();
        tokio::spawn(connection);
        let has_own_host = self.headers.iter().any(|(name, _)| name == "host");
        let mut request = Request::builder().method(&self.method).uri(&self.path);
        if !has_own_host {
            request = request.header("host", self.address.to_string());
        }
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        let response =
            sender.send_request(request.body(Full::new(self.body.clone())).unwrap()).await.unwrap();
        let (head, body) = response.into_parts();
        let body = body.collect().await.unwrap().to_bytes();
        let answer = Answer { status: head.status, headers: head.headers, body };
        transcript::write(&self.written(), &answer.written());
        // Also for probes, documents and unknown base URLs, which the document does not describe. hyper sends the 431.
        let is_ours = answer.status != StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE;
        assert_eq!(answer.header("x-content-type-options"), is_ours.then_some("nosniff"), "{}", self.path);
        let Self { method, path, headers, body, .. } = &self;
        contract::check(&Exchange { method, uri: path, headers, body, answer: &answer });
        answer
    }

    /// The request for the transcript, without the port that the system chose.
    fn written(&self) -> Vec<u8> {
        let mut head = format!("{} {}\n", self.method, self.path);
        for (name, value) in &self.headers {
            writeln!(head, "{name}: {value}").unwrap();
        }
        [head.as_bytes(), b"\n", &self.body].concat()
    }
}

impl Answer {
    /// The response for the transcript, without values that differ in each run.
    fn written(&self) -> Vec<u8> {
        let mut written = format!("{}\n", self.status.as_u16()).into_bytes();
        let of_any_run = |name: &HeaderName| !transcript::OF_ONE_RUN.contains(&name.as_str());
        for (name, value) in self.headers.iter().filter(|(name, _)| of_any_run(name)) {
            written.extend([name.as_str().as_bytes(), b": ", value.as_bytes(), b"\n"].concat());
        }
        [&written[..], b"\n", &self.body].concat()
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("no JSON: {:?}", self.text()))
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    /// The ids of a list, in order.
    pub(crate) fn ids(&self) -> Vec<String> {
        assert_eq!(self.status, StatusCode::OK, "{}", self.text());
        let ids = |value: &Value| value["id"].as_str().unwrap().to_owned();
        self.json()["data"].as_array().unwrap().iter().map(ids).collect()
    }

    /// The messages of a 422, as `field: message`, in the order of the bytes.
    pub(crate) fn field_errors(&self) -> Vec<String> {
        assert_eq!(self.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", self.text());
        let body = self.json();
        assert_eq!(body["message"], "The given data was invalid.");
        let errors = body["errors"].as_object().unwrap();
        let mut fields: Vec<&String> = errors.keys().collect();
        fields.sort_by_key(|field| self.text().find(&format!("\"{field}\":[")).unwrap());
        let messages = fields.into_iter().flat_map(|field| {
            let messages = errors[field].as_array().unwrap().iter();
            messages.map(move |message| format!("{field}: {}", message.as_str().unwrap()))
        });
        messages.collect()
    }
}
