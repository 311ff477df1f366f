//! The smallest client that does: one GET per connection, over the loopback.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};

use anyhow::{Context, Result, ensure};

/// A whole response, as it came.
pub(crate) struct Response {
    pub(crate) bytes: Vec<u8>,
    body_at: usize,
}

impl Response {
    pub(crate) fn body(&self) -> &[u8] {
        &self.bytes[self.body_at..]
    }

    pub(crate) fn json(&self) -> Result<serde_json::Value> {
        serde_json::from_slice(self.body()).context("the answer is not JSON")
    }
}

/// Gets a path; fails unless the answer is 200.
pub(crate) fn get(address: SocketAddr, path: &str, token: &str) -> Result<Response> {
    let mut stream = TcpStream::connect(address)?;
    write!(
        stream,
        "GET {path} HTTP/1.1\r\nHost: {address}\r\nAccept: application/json\r\n\
         Authorization: Bearer {token}\r\nConnection: close\r\n\r\n"
    )?;
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes)?;
    ensure!(bytes.starts_with(b"HTTP/1.1 200 "), "GET {path}: {}", String::from_utf8_lossy(&bytes));
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").context("an answer without a head")?;
    Ok(Response { bytes, body_at: end + 4 })
}
