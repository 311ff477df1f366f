//! A receiver that does after each request what a test prepared, byte by byte.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tokio_rustls::TlsAcceptor;

pub(crate) const OK: &str = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";

/// What the receiver does after a request.
#[derive(Clone)]
pub(crate) enum Reaction {
    Respond(String),
    RespondAndClose(String),
    /// Sends the first string, and then the second one again and again, one byte at a time.
    Trickle(String, String),
    Hang,
    Close,
}

#[derive(Default)]
struct Log {
    connections: AtomicUsize,
    ended: AtomicUsize,
    end: Notify,
    requests: Mutex<Vec<Received>>,
}

#[derive(Debug, Clone)]
pub(crate) struct Received {
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Received {
    /// Panics when the request has not exactly one such header.
    pub(crate) fn header(&self, name: &str) -> String {
        let lines = self.head.lines().filter_map(|line| line.split_once(": "));
        let mut found = lines.filter(|(key, _)| *key == name).map(|(_, value)| value.to_owned());
        let value = found.next().unwrap_or_else(|| panic!("{name} is not in {}", self.head));
        assert_eq!(found.next(), None, "{name}");
        value
    }
}

pub(crate) struct Receiver {
    pub(crate) address: SocketAddr,
    log: Arc<Log>,
}

impl Receiver {
    pub(crate) async fn start(reactions: &[Reaction]) -> Self {
        Self::start_at("127.0.0.1:0", reactions).await
    }

    /// The last reaction repeats. Reactions are in the order of requests over all connections.
    pub(crate) async fn start_at(address: &str, reactions: &[Reaction]) -> Self {
        Self::listen(address, reactions, None).await
    }

    pub(crate) async fn with_tls(acceptor: TlsAcceptor) -> Self {
        Self::listen("127.0.0.1:0", &[Reaction::Respond(OK.to_owned())], Some(acceptor)).await
    }

    async fn listen(address: &str, reactions: &[Reaction], acceptor: Option<TlsAcceptor>) -> Self {
        let listener = TcpListener::bind(address).await.unwrap();
        let address = listener.local_addr().unwrap();
        let log = Arc::new(Log::default());
        let reactions: Arc<[Reaction]> = reactions.into();
        let shared = log.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(shared.clone().accept(stream, acceptor.clone(), reactions.clone()));
            }
        });
        Self { address, log }
    }

    pub(crate) async fn responding(response: &str) -> Self {
        Self::start(&[Reaction::Respond(response.to_owned())]).await
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/hooks?a=b", self.address)
    }

    /// The URL of this receiver under another host.
    pub(crate) fn url_of(&self, scheme: &str, host: &str) -> String {
        format!("{scheme}://{host}:{}/hooks", self.address.port())
    }

    pub(crate) fn connections(&self) -> usize {
        self.log.connections.load(Ordering::SeqCst)
    }

    pub(crate) fn requests(&self) -> Vec<Received> {
        self.log.requests().clone()
    }

    /// Waits until the sender has closed so many connections, and panics when it keeps them.
    pub(crate) async fn ended(&self, connections: usize) {
        let all = async {
            loop {
                let notified = self.log.end.notified();
                if self.log.ended.load(Ordering::SeqCst) >= connections {
                    return;
                }
                notified.await;
            }
        };
        tokio::time::timeout(Duration::from_secs(20), all).await.expect("the sender closes its connection");
    }
}

impl Log {
    fn requests(&self) -> std::sync::MutexGuard<'_, Vec<Received>> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn accept(
        self: Arc<Self>,
        stream: TcpStream,
        acceptor: Option<TlsAcceptor>,
        reactions: Arc<[Reaction]>,
    ) {
        self.connections.fetch_add(1, Ordering::SeqCst);
        match acceptor {
            None => self.converse(stream, &reactions).await,
            Some(acceptor) => {
                if let Ok(stream) = acceptor.accept(stream).await {
                    self.converse(stream, &reactions).await;
                }
            }
        }
        self.ended.fetch_add(1, Ordering::SeqCst);
        self.end.notify_waiters();
    }

    async fn converse<S: AsyncRead + AsyncWrite + Unpin>(&self, mut stream: S, reactions: &[Reaction]) {
        while let Some(request) = read(&mut stream).await {
            let index = {
                let mut requests = self.requests();
                requests.push(request);
                requests.len() - 1
            };
            let reaction = reactions.get(index).or(reactions.last()).unwrap();
            if !react(&mut stream, reaction).await {
                return;
            }
        }
    }
}

/// Whether the connection may have a next request.
async fn react<S: AsyncRead + AsyncWrite + Unpin>(stream: &mut S, reaction: &Reaction) -> bool {
    match reaction {
        Reaction::Respond(response) => {
            stream.write_all(response.as_bytes()).await.is_ok() && stream.flush().await.is_ok()
        }
        Reaction::RespondAndClose(response) => {
            let _ = stream.write_all(response.as_bytes()).await;
            false
        }
        Reaction::Trickle(first, rest) => {
            let _ = stream.write_all(first.as_bytes()).await;
            for byte in rest.bytes().cycle() {
                if stream.write_all(&[byte]).await.is_err() {
                    return false;
                }
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            false
        }
        Reaction::Hang => {
            let _ = stream.read_u8().await;
            false
        }
        Reaction::Close => false,
    }
}

/// `None` when the connection ends.
async fn read<S: AsyncRead + Unpin>(stream: &mut S) -> Option<Received> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.ok()?);
    }
    let mut received = Received { head: String::from_utf8(head).unwrap(), body: Vec::new() };
    received.body = vec![0; received.header("content-length").parse().unwrap()];
    stream.read_exact(&mut received.body).await.ok()?;
    Some(received)
}
