//! A receiver that accepts everything. It has a thread and a runtime, as another machine would.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

const RESPONSE: &[u8] = b"HTTP/1.1 204 Done\r\ncontent-length: 0\r\n\r\n";

pub(crate) struct Receiver {
    address: SocketAddr,
    count: Arc<AtomicU64>,
}

impl Receiver {
    pub(crate) fn start() -> Self {
        let (count, listener) =
            (Arc::<AtomicU64>::default(), std::net::TcpListener::bind("127.0.0.1:0").unwrap());
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        let counted = count.clone();
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async move {
                let listener = TcpListener::from_std(listener).unwrap();
                while let Ok((stream, _)) = listener.accept().await {
                    tokio::spawn(receive(stream, counted.clone()));
                }
            });
        });
        Self { address, count }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/hooks", self.address)
    }

    pub(crate) fn count(&self) -> u64 {
        self.count.load(Ordering::Relaxed)
    }
}

/// Each request ends with the brace of its JSON, and no request comes before the response to the one before.
async fn receive(mut stream: TcpStream, count: Arc<AtomicU64>) {
    let mut received = Vec::with_capacity(8 * 1_024);
    while matches!(stream.read_buf(&mut received).await, Ok(1..)) {
        let head = received.windows(4).position(|window| window == b"\r\n\r\n");
        if head.is_some_and(|end| received.len() > end + 4) && received.ends_with(b"}}") {
            received.clear();
            count.fetch_add(1, Ordering::Relaxed);
            stream.write_all(RESPONSE).await.unwrap();
        }
    }
}
