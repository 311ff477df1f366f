//! The smallest client that does, over the loopback: one GET per connection, or requests one after
//! another on a connection that stays.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use anyhow::{Context, Result, ensure};

/// For how long an answer is waited for: longer than the server takes to give a request up.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(30);

/// A whole response, as it came.
pub struct Response {
    /// The head and the body.
    pub bytes: Vec<u8>,
    body_at: usize,
}

impl Response {
    /// Splits a response behind its head.
    ///
    /// # Errors
    /// When the head has no end.
    pub fn new(bytes: Vec<u8>) -> Result<Self> {
        let end =
            bytes.windows(4).position(|four| four == b"\r\n\r\n").context("an answer without a head")?;
        Ok(Self { bytes, body_at: end + 4 })
    }

    /// The bytes behind the head.
    pub fn body(&self) -> &[u8] {
        &self.bytes[self.body_at..]
    }

    /// Parses the body.
    ///
    /// # Errors
    /// When the body is not JSON.
    pub fn json(&self) -> Result<serde_json::Value> {
        serde_json::from_slice(self.body()).context("the answer is not JSON")
    }

    /// The status code of the first line.
    ///
    /// # Errors
    /// When the first line has no status code.
    pub fn status(&self) -> Result<u16> {
        let line =
            self.bytes.split(|byte| *byte == b'\n').next().and_then(|line| std::str::from_utf8(line).ok());
        let status = line.and_then(|line| line.split(' ').nth(1)?.parse().ok());
        status.context("an answer without a status")
    }

    /// The value of a field of the head, by its name in small letters.
    pub fn header(&self, name: &str) -> Option<&str> {
        let head = std::str::from_utf8(self.bytes.get(..self.body_at)?).ok()?;
        let fields = head.lines().filter_map(|line| line.split_once(": "));
        fields.filter(|(field, _)| field.eq_ignore_ascii_case(name)).map(|(_, value)| value).next()
    }
}

/// Gets a path; fails unless the answer is 200.
///
/// # Errors
/// When the request fails, or its status is not 200.
pub fn get(address: SocketAddr, path: &str, token: &str) -> Result<Response> {
    let headers = format!("Host: {address}\r\nAuthorization: Bearer {token}\r\n");
    let response = get_with(address, path, &headers)?;
    let is_well = response.bytes.starts_with(b"HTTP/1.1 200 ");
    ensure!(is_well, "GET {path}: {}", String::from_utf8_lossy(&response.bytes));
    Ok(response)
}

/// Sends a GET with these header lines, and returns any response.
///
/// # Errors
/// When no complete response arrives.
pub fn get_with(address: SocketAddr, path: &str, headers: &str) -> Result<Response> {
    let head =
        format!("GET {path} HTTP/1.1\r\nAccept: application/json\r\n{headers}Connection: close\r\n\r\n");
    exchange(address, head.as_bytes())
}

/// Sends a whole request that closes its connection, and reads what comes until then.
///
/// # Errors
/// When no complete response arrives.
pub fn exchange(address: SocketAddr, request: &[u8]) -> Result<Response> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(ANSWER_TIMEOUT))?;
    stream.write_all(request)?;
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes)?;
    Response::new(bytes)
}

/// A request, with a JSON body or without one.
pub struct Call<'c> {
    /// The HTTP method, in capitals.
    pub method: &'static str,
    /// The path, with the query string.
    pub path: String,
    /// The bearer token.
    pub token: &'c str,
    /// The Idempotency-Key.
    pub key: Option<&'c str>,
    pub body: Option<serde_json::Value>,
}

impl<'c> Call<'c> {
    /// A `GET` without a key or a body.
    pub fn get(path: String, token: &'c str) -> Self {
        Self { method: "GET", path, token, key: None, body: None }
    }

    fn bytes(&self, address: SocketAddr) -> Vec<u8> {
        let Self { method, path, token, key, body } = self;
        let key = key.map_or_else(String::new, |key| format!("Idempotency-Key: {key}\r\n"));
        let body = body.as_ref().map_or_else(String::new, serde_json::Value::to_string);
        format!(
            "{method} {path} HTTP/1.1\r\nHost: {address}\r\nAccept: application/json\r\nAuthorization: Bearer {token}\r\n\
             {key}Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        )
        .into_bytes()
    }
}

/// What an answer says.
#[derive(Debug, Default)]
pub struct Answer {
    /// The status code.
    pub status: u16,
    /// Whether it is the stored answer to an earlier request of the same key.
    pub is_replay: bool,
    closes: bool,
    /// The body, as many bytes as `Content-Length` says.
    pub body: Vec<u8>,
}

impl Answer {
    /// Parses the body.
    ///
    /// # Errors
    /// When the body is not JSON; the message has the status and the body.
    pub fn json(&self) -> Result<serde_json::Value> {
        serde_json::from_slice(&self.body)
            .with_context(|| format!("status {} without JSON: {}", self.status, self.text()))
    }

    /// The body, to be shown.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    fn read(stream: &mut impl BufRead) -> io::Result<Self> {
        let (mut answer, mut length) = (Self::default(), None);
        answer.status = line(stream)?.split(' ').nth(1).and_then(|word| word.parse().ok()).ok_or_else(bad)?;
        loop {
            let line = line(stream)?.to_ascii_lowercase();
            match line.split_once(": ") {
                Some(("content-length", value)) => length = value.parse().ok(),
                Some(("connection", value)) => answer.closes = value == "close",
                Some(("idempotency-replayed", value)) => answer.is_replay = value == "true",
                Some(_) => {}
                None => break,
            }
        }
        answer.body = vec![0; length.ok_or_else(bad)?];
        stream.read_exact(&mut answer.body)?;
        Ok(answer)
    }
}

fn line(stream: &mut impl BufRead) -> io::Result<String> {
    let mut line = String::new();
    match stream.read_line(&mut line)? {
        0 => Err(io::ErrorKind::UnexpectedEof.into()),
        _ => Ok(line.trim_end().to_owned()),
    }
}

fn bad() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "no status or no length")
}

/// A connection that stays for as long as the server lets it.
pub struct Connection {
    /// Where each new connection goes.
    pub address: SocketAddr,
    stream: Option<BufReader<TcpStream>>,
}

impl Connection {
    /// Opens no connection; the first [`Connection::send`] does.
    pub fn new(address: SocketAddr) -> Self {
        Self { address, stream: None }
    }

    /// Sends a request and returns its response of any status. After an error it is unknown what
    /// became of the request; the next one gets a new connection.
    ///
    /// # Errors
    /// When the server cannot be reached, or the connection ends before the response does.
    pub fn send(&mut self, call: &Call<'_>) -> io::Result<Answer> {
        self.exchange(&call.bytes(self.address))
    }

    /// The same for a whole request in bytes.
    ///
    /// # Errors
    /// As [`Self::send`].
    pub fn exchange(&mut self, request: &[u8]) -> io::Result<Answer> {
        let mut stream = match self.stream.take() {
            Some(stream) => stream,
            None => open(self.address)?,
        };
        stream.get_mut().write_all(request)?;
        let answer = Answer::read(&mut stream)?;
        if !answer.closes {
            self.stream = Some(stream);
        }
        Ok(answer)
    }
}

fn open(address: SocketAddr) -> io::Result<BufReader<TcpStream>> {
    let stream = TcpStream::connect(address)?;
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(ANSWER_TIMEOUT))?;
    Ok(BufReader::new(stream))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_read_to_its_length() {
        let bytes =
            b"HTTP/1.1 201 Created\r\nIdempotency-Replayed: true\r\nContent-Length: 2\r\n\r\n{}HTTP/1.1";
        let answer = Answer::read(&mut &bytes[..]).unwrap();
        assert_eq!((answer.status, answer.is_replay, answer.closes), (201, true, false));
        assert_eq!(answer.text(), "{}");
    }

    #[test]
    fn an_answer_that_breaks_off_is_none() {
        for bytes in [&b""[..], b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\n{}"] {
            assert!(Answer::read(&mut &bytes[..]).is_err());
        }
    }
}
