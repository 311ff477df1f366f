//! Measures how many requests per second one sender delivers to one receiver on this machine. Each of 8 lanes sends its next
//! request after the response to the one before, as an endpoint with `parallel: 8` does. The receiver runs in the same process.
//!
//! `cargo run --release -p pointbook-events --example throughput`
#![expect(clippy::unwrap_used, reason = "an error fails the measurement")]

use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use pointbook_domain::WebhookSecret;
use pointbook_events::webhooks::sender::{
    AddressPolicy, Message, Outcome, RootCertStore, Sender, SenderOptions, SigningSecrets, SystemResolver,
};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

const LANES: usize = 8;
const REQUESTS_OF_LANE: usize = 10_000;
const RESPONSE: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";
const NOW: i64 = 1_700_000_000;

/// About the size of a recorded transaction.
const BODY_BYTES: usize = 512;

#[tokio::main]
async fn main() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(receive(stream));
        }
    });
    for host in ["127.0.0.1", "localhost"] {
        let took = deliver(&format!("http://{host}:{port}/hooks")).await;
        let requests = u128::try_from(LANES * REQUESTS_OF_LANE).unwrap();
        let per_second = requests * 1_000_000 / took.as_micros();
        println!("{host}: {requests} requests, {LANES} lanes, {per_second} per second");
    }
}

/// Each request is one write of the sender, and its end is the end of the body.
async fn receive(mut stream: TcpStream) {
    let mut received = Vec::with_capacity(8 * 1_024);
    while matches!(stream.read_buf(&mut received).await, Ok(1..)) {
        let head = received.windows(4).position(|window| window == b"\r\n\r\n");
        if head.is_some_and(|end| received.len() == end + 4 + BODY_BYTES) {
            received.clear();
            stream.write_all(RESPONSE).await.unwrap();
        }
    }
}

async fn deliver(url: &str) -> Duration {
    let resolver = Arc::new(SystemResolver);
    let sender = Sender::new(SenderOptions::default(), RootCertStore::empty(), resolver).unwrap();
    let sender = Arc::new(sender);
    let started = Instant::now();
    let mut lanes = JoinSet::new();
    for lane in 0..LANES {
        lanes.spawn(run_lane(sender.clone(), url.to_owned(), lane));
    }
    lanes.join_all().await;
    started.elapsed()
}

async fn run_lane(sender: Arc<Sender>, url: String, lane: usize) {
    let current = WebhookSecret::from_bytes([7; 32]);
    let secrets = SigningSecrets { current: &current, previous: None };
    let policy = AddressPolicy::default().with_http_to_loopback();
    let body = Bytes::from(vec![b'1'; BODY_BYTES]);
    for number in 0..REQUESTS_OF_LANE {
        let id = format!("evt_{lane}_{number}");
        let message = Message { url: &url, id: &id, timestamp_seconds: NOW, body: body.clone(), secrets };
        let attempt = sender.send(&message, &policy).await.unwrap();
        assert_eq!(attempt.outcome, Outcome::Delivered);
    }
}
