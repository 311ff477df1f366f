//! A receiver of webhooks on this machine, which responds as a test says.

use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tokio::time::Instant;

/// The head of a response after its version, such as `503 Busy`.
pub type Status = &'static str;

type Reply = Pin<Box<dyn Future<Output = Status> + Send>>;
type React = dyn Fn(String) -> Reply + Send + Sync;

/// A request that arrived.
#[derive(Debug, Clone)]
pub struct Received {
    /// The id of the message.
    pub id: String,
    pub signature: String,
    pub body: String,
    /// The path of the URL.
    pub path: String,
    pub at: Instant,
}

/// Dropping it leaves it running until the test ends.
pub struct Receiver {
    address: SocketAddr,
    requests: Arc<Log>,
}

#[derive(Default)]
struct Log {
    all: Mutex<Vec<Received>>,
    arrived: Notify,
}

impl Receiver {
    /// `react` gets the id of each message when it has arrived.
    pub async fn start<F: Future<Output = Status> + Send + 'static>(
        react: impl Fn(String) -> F + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (address, requests) = (listener.local_addr().unwrap(), Arc::<Log>::default());
        let react: Arc<React> = Arc::new(move |id| Box::pin(react(id)));
        let log = requests.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(converse(stream, log.clone(), react.clone()));
            }
        });
        Self { address, requests }
    }

    /// Gives these statuses one after the other, and then the last one again and again.
    pub async fn responding(statuses: &'static [Status]) -> Self {
        let count = std::sync::atomic::AtomicUsize::new(0);
        Self::start(move |_| {
            let index = count.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
            async move { statuses[index.min(statuses.len() - 1)] }
        })
        .await
    }

    pub fn url(&self) -> String {
        format!("http://{}/hooks", self.address)
    }

    pub fn requests(&self) -> Vec<Received> {
        self.requests.all.lock().unwrap().clone()
    }

    /// Waits for so many requests, and panics when they do not come.
    pub async fn arrived(&self, count: usize) {
        let all = async {
            loop {
                let arrived = self.requests.arrived.notified();
                if self.requests().len() >= count {
                    return;
                }
                arrived.await;
            }
        };
        tokio::time::timeout(Duration::from_mins(1), all).await.unwrap();
    }

    /// The ids of all messages, in the order of their arrival.
    pub fn ids(&self) -> Vec<String> {
        self.requests().into_iter().map(|received| received.id).collect()
    }
}

async fn converse(mut stream: TcpStream, log: Arc<Log>, react: Arc<React>) {
    while let Some(received) = read(&mut stream).await {
        let id = received.id.clone();
        log.all.lock().unwrap().push(received);
        log.arrived.notify_waiters();
        let response = format!("HTTP/1.1 {}\r\ncontent-length: 0\r\n\r\n", react(id).await);
        if stream.write_all(response.as_bytes()).await.is_err() {
            return;
        }
    }
}

/// `None` when the connection ends.
async fn read(stream: &mut TcpStream) -> Option<Received> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.ok()?);
    }
    let head = String::from_utf8(head).unwrap();
    let header = |name: &str| {
        let found = head.lines().filter_map(|line| line.split_once(": ")).find(|(key, _)| *key == name);
        found.map(|(_, value)| value.to_owned()).unwrap()
    };
    let mut body = vec![0; header("content-length").parse().unwrap()];
    stream.read_exact(&mut body).await.ok()?;
    let (id, signature) = (header("webhook-id"), header("webhook-signature"));
    let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
    Some(Received { id, signature, body: String::from_utf8(body).unwrap(), path, at: Instant::now() })
}
