//! `fixed-body ADDRESS FILE`: answers every request with the response in FILE (an HTTP/1.1 head and
//! body as a client received it), on the same HTTP stack as pointbook. What it costs is the least
//! that any answer of these bytes can cost.

use std::convert::Infallible;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode};
use http_body_util::Full;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [address, file] = words.as_slice() else { bail!("usage: fixed-body ADDRESS FILE") };
    let answer = Arc::new(Answer::read(Path::new(file))?);
    let listener = TcpListener::bind(address).await?;
    println!("{}", listener.local_addr()?);
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        let answer = answer.clone();
        tokio::spawn(async move {
            let service = service_fn(|_| std::future::ready(Ok::<_, Infallible>(answer.response())));
            let mut connection = http1::Builder::new();
            connection.timer(TokioTimer::new());
            // A client that goes away is no event here.
            let _ = connection.serve_connection(TokioIo::new(stream), service).await;
        });
    }
}

/// The one answer.
struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    body: Bytes,
}

impl Answer {
    fn read(file: &Path) -> Result<Self> {
        let text = std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
        let end = text.windows(4).position(|bytes| bytes == b"\r\n\r\n").context("no end of the head")?;
        let (head, body) = text.split_at(end + 4);
        let mut lines = std::str::from_utf8(head)?.lines();
        let status = lines.next().and_then(|line| line.split(' ').nth(1)).context("no status")?.parse()?;
        let mut headers = HeaderMap::new();
        for (name, value) in lines.filter_map(|line| line.split_once(": ")) {
            // The stack writes these itself.
            if !["date", "content-length", "connection"].contains(&name) {
                headers.append(name.parse::<HeaderName>()?, value.parse::<HeaderValue>()?);
            }
        }
        Ok(Self { status, headers, body: Bytes::copy_from_slice(body) })
    }

    fn response(&self) -> Response<Full<Bytes>> {
        let mut response = Response::new(Full::new(self.body.clone()));
        *response.status_mut() = self.status;
        *response.headers_mut() = self.headers.clone();
        response
    }
}
