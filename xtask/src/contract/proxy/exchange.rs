//! The requests and responses of the black-box suite, as its harness recorded them.
//!
//! Each exchange is a line and two HTTP messages. The line has the length of the request in bytes, the length of the
//! response in bytes, and the base path of the tenant, or nothing.

use std::io::{self, BufRead, Read};

use anyhow::{Context, Result, ensure};

use super::message::Message;
use super::planted::Location;

/// One recorded exchange, not parsed yet.
#[derive(Debug, PartialEq)]
pub(super) struct Entry {
    base: String,
    pub(super) request: Vec<u8>,
    pub(super) answer: Vec<u8>,
}

/// A request to a tenant and its response.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Exchange {
    pub(super) method: String,
    /// Below the tenant's base, still encoded.
    pub(super) path: String,
    /// The query string with its question mark, or empty.
    pub(super) query: String,
    pub(super) request: Message,
    pub(super) status: u16,
    pub(super) answer: Message,
    /// Whether the request must match the OpenAPI document too. A refused request need not.
    pub(super) has_good_request: bool,
    /// The location of a deliberate violation.
    pub(super) planted: Option<Location>,
}

impl Entry {
    /// Reads the next entry. Returns `None` at the end.
    ///
    /// # Errors
    /// When the record ends early or has another format.
    pub(super) fn read(book: &mut impl BufRead) -> Result<Option<Self>> {
        let mut line = String::new();
        if book.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let mut words = line.trim_end_matches('\n').splitn(3, ' ');
        let mut length = || words.next()?.parse().ok();
        let lengths = length().zip(length());
        let (Some((request, answer)), Some(base)) = (lengths, words.next()) else {
            anyhow::bail!("expected two lengths and a path, got {line:?}");
        };
        let (request, answer) = (take(book, request)?, take(book, answer)?);
        Ok(Some(Self { base: base.to_owned(), request, answer }))
    }

    /// Whether the request went to a tenant.
    pub(super) fn is_of_a_tenant(&self) -> bool {
        !self.base.is_empty()
    }

    /// Parses the entry. Returns `None` unless the bytes are one complete request and its complete response.
    pub(super) fn exchange(&self) -> Option<Exchange> {
        let (line, request) = Message::parse(&self.request)?;
        let [method, target, "HTTP/1.1"] = *line.split(' ').collect::<Vec<_>>() else { return None };
        let below = target.strip_prefix(&*self.base)?;
        let (path, query) = below.split_at(below.find('?').unwrap_or(below.len()));
        let (line, answer) = Message::parse(&self.answer)?;
        let status = line.strip_prefix("HTTP/1.1 ")?.get(..3)?.parse().ok()?;
        let is_bare = answer.body.is_empty() && (method == "HEAD" || status == 304);
        let is_whole = request.is_whole() && (is_bare || answer.is_whole());
        let [method, path, query] = [method, path, query].map(str::to_owned);
        let has_good_request = status < 400;
        let exchange =
            Exchange { method, path, query, request, status, answer, has_good_request, planted: None };
        is_whole.then_some(exchange)
    }
}

fn take(book: &mut impl BufRead, length: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = io::copy(&mut book.take(length), &mut bytes).context("cannot read the recorded exchanges")?;
    ensure!(read == length, "the recorded exchanges end {} bytes early", length - read);
    Ok(bytes)
}

impl Exchange {
    /// The same response to a request with only a method and a path.
    pub(super) fn bare(&self) -> Self {
        Self { query: String::new(), request: Message::default(), ..self.clone() }
    }

    /// The bytes that identify equal exchanges: all except the server's port, the time and the request id.
    pub(super) fn mark(&self) -> Vec<u8> {
        let asked = format!("{} {}{}", self.method, self.path, self.query);
        let request = self.request.bytes(&asked, &["host"], &[]);
        [request, self.answer.bytes(&self.status.to_string(), &["date", "x-request-id"], &[])].concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GET: &[u8] = b"GET /a/api/v1/b?c=d HTTP/1.1\r\nHost: x:1\r\n\r\n";
    const OK: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\ndate: now\r\n\r\n{}";

    fn entry(request: &[u8], answer: &[u8]) -> Entry {
        Entry { base: "/a/api".to_owned(), request: request.to_vec(), answer: answer.to_vec() }
    }

    #[test]
    fn record_is_read_to_its_end() {
        let mut book = &b"18 21 \nGET / HTTP/1.1\r\n\r\nHTTP/1.1 200 OK\r\n\r\n\xff\n0 0 /a/api\n"[..];
        let first = Entry::read(&mut book).unwrap().unwrap();
        assert_eq!(first.request, b"GET / HTTP/1.1\r\n\r\n");
        assert_eq!(first.answer, b"HTTP/1.1 200 OK\r\n\r\n\xff\n");
        assert!(!first.is_of_a_tenant());
        assert_eq!(Entry::read(&mut book).unwrap().unwrap(), entry(b"", b""));
        assert_eq!(Entry::read(&mut book).unwrap(), None);
    }

    #[test]
    fn truncated_or_malformed_record_is_an_error() {
        let error = |book: &str| Entry::read(&mut book.as_bytes()).unwrap_err().to_string();
        assert_eq!(error("2 2 \nabc"), "the recorded exchanges end 1 bytes early");
        for line in ["", "2", "2 2", "2 x /a", "-1 2 /a"] {
            assert!(error(&format!("{line}\n")).starts_with("expected two lengths and a path"), "{line}");
        }
    }

    #[test]
    fn exchange_has_the_path_below_the_tenant() {
        let exchange = entry(GET, OK).exchange().unwrap();
        let Exchange { method, path, query, status, answer, .. } = &exchange;
        assert_eq!((&**method, &**path, &**query, *status), ("GET", "/v1/b", "?c=d", 200));
        assert_eq!(answer.body, b"{}");
    }

    #[test]
    fn bare_exchange_keeps_its_path_and_its_response() {
        let exchange = entry(GET, OK).exchange().unwrap();
        let bare = exchange.bare();
        assert_eq!((&*bare.path, &*bare.query), ("/v1/b", ""));
        assert_eq!((bare.request, bare.answer), (Message::default(), exchange.answer));
    }

    #[test]
    fn incomplete_messages_are_no_exchange() {
        let of = |request: &str, answer: &str| entry(request.as_bytes(), answer.as_bytes()).exchange();
        let (get, ok) = (str::from_utf8(GET).unwrap(), str::from_utf8(OK).unwrap());
        assert!(of(get, ok).is_some());
        for request in [
            "GET\r\n\r\n",
            "GET /a/api/v1 HTTP/9.9\r\n\r\n",
            "GET /b/api/v1 HTTP/1.1\r\n\r\n",
            "GET /a/api/v1 HTTP/1.1\r\nHost\r\n\r\n",
            "GET /a/api/v1 HTTP/1.1\r\nContent-Length: 9\r\n\r\n{",
            "GET /a/api/v1 HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\n\r\n",
        ] {
            assert_eq!(of(request, ok), None, "{request}");
        }
        for answer in
            ["", "200\r\n\r\n", "HTTP/1.1 200\r\ncontent-length: 3\r\n\r\n{}", &ok.replace(": 2", ": 1")]
        {
            assert_eq!(of(get, answer), None, "{answer}");
        }
        let unchanged = "HTTP/1.1 304\r\ncontent-length: 7\r\n\r\n";
        assert!(of(get, unchanged).is_some());
        assert!(of(&get.replace("GET", "HEAD"), &unchanged.replace("304", "200")).is_some());
        assert_eq!(of(get, &unchanged.replace("304", "200")), None);
    }

    #[test]
    fn exchange_with_another_port_time_and_request_id_is_the_same() {
        let mark = |request: &str, answer: &str| {
            let (get, ok) = (str::from_utf8(GET).unwrap(), str::from_utf8(OK).unwrap());
            let (request, answer) = (get.replace("x:1", request), ok.replace("now", answer));
            entry(request.as_bytes(), answer.as_bytes()).exchange().unwrap().mark()
        };
        assert_eq!(mark("x:1", "now"), mark("x:2", "later"));
        assert_ne!(mark("x:1", "now"), mark("x:1\r\naccept: a", "now"));
        assert_ne!(mark("x:1", "now"), mark("x:1", "now\r\netag: a"));
    }
}
