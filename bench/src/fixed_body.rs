//! `fixed-body ADDRESS FILE...`: serves the responses in the FILEs in turn (an HTTP/1.1 head and body as a client
//! received them), on the same HTTP stack as pointbook. Its cost is the lower bound for any response with these bytes.

use std::convert::Infallible;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, Result, bail, ensure};
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
    let [address, files @ ..] = words.as_slice() else { bail!("usage: fixed-body ADDRESS FILE...") };
    let answers =
        files.iter().map(|file| Answer::read(Path::new(file))).collect::<Result<Arc<[Answer]>>>()?;
    ensure!(!answers.is_empty(), "fixed-body needs a FILE");
    let next = Arc::new(AtomicUsize::new(0));
    let listener = TcpListener::bind(address).await?;
    println!("{}", listener.local_addr()?);
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        let (answers, next) = (answers.clone(), next.clone());
        tokio::spawn(async move {
            let service = service_fn(|_| {
                let turn = next.fetch_add(1, Ordering::Relaxed);
                std::future::ready(Ok::<_, Infallible>(answers[turn % answers.len()].response()))
            });
            let mut connection = http1::Builder::new();
            connection.timer(TokioTimer::new());
            // A client that disconnects is not an error here.
            let _ = connection.serve_connection(TokioIo::new(stream), service).await;
        });
    }
}

/// A fixed response, read from a file.
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
