//! A receiver on this machine, which responds as a test says.

use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

/// The head of a response after its version, such as `503 Busy`.
pub(crate) type Status = &'static str;

type Reply = Pin<Box<dyn Future<Output = Status> + Send>>;
type React = dyn Fn(String) -> Reply + Send + Sync;

#[derive(Debug, Clone)]
pub(crate) struct Received {
    /// The id of the message.
    pub(crate) id: String,
    pub(crate) signature: String,
    pub(crate) body: String,
}

pub(crate) struct Receiver {
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
    pub(crate) async fn start<F: Future<Output = Status> + Send + 'static>(
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
    pub(crate) async fn responding(statuses: &'static [Status]) -> Self {
        let count = std::sync::atomic::AtomicUsize::new(0);
        Self::start(move |_| {
            let index = count.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
            async move { statuses[index.min(statuses.len() - 1)] }
        })
        .await
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/hooks", self.address)
    }

    pub(crate) fn requests(&self) -> Vec<Received> {
        self.requests.all.lock().unwrap().clone()
    }

    /// Waits for so many requests, and panics when they do not come.
    pub(crate) async fn arrived(&self, count: usize) {
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
    pub(crate) fn ids(&self) -> Vec<String> {
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
    Some(Received { id, signature, body: String::from_utf8(body).unwrap() })
}
