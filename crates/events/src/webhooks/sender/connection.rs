use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Weak;
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::{BodyExt, Full};
use hyper::body::{Body, Incoming};
use hyper::client::conn::http1;
use hyper::rt::{Read, Write};
use hyper_util::rt::TokioIo;
use rustls::pki_types::ServerName;
use tokio::net::TcpStream;
use tokio::task::AbortHandle;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;

use crate::webhooks::sender::attempt::ErrorClass;
use crate::webhooks::sender::pool::Pool;
use crate::webhooks::sender::receiver_url::{ReceiverUrl, Scheme};

/// A response with a longer body closes its connection.
const BODY_BYTES_MAX: usize = 8 * 1_024;

/// What all new connections need.
pub(crate) struct Connector {
    pub(crate) tls: TlsConnector,
    pub(crate) connect_timeout: Duration,
    /// At least 8 KiB, which hyper requires.
    pub(crate) head_bytes_max: usize,
    pub(crate) idle_max: Duration,
}

/// An open connection to one receiver at one checked address. Dropping it closes the socket, also during a request.
pub(crate) struct Connection {
    requests: http1::SendRequest<Full<Bytes>>,
    driver: AbortHandle,
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.driver.abort();
    }
}

impl Connector {
    /// Connects to `address` and never to another one. `pool` is where the connection waits between requests.
    pub(crate) async fn open(
        &self,
        url: &ReceiverUrl,
        address: SocketAddr,
        pool: Weak<Pool>,
    ) -> Result<Connection, ErrorClass> {
        let connected = timeout(self.connect_timeout, TcpStream::connect(address)).await;
        let tcp = connected.map_err(|_| ErrorClass::Connect)?.map_err(|_| ErrorClass::Connect)?;
        tcp.set_nodelay(true).map_err(|_| ErrorClass::Connect)?;
        match url.scheme {
            Scheme::Http => self.speak(TokioIo::new(tcp), pool).await,
            Scheme::Https => {
                let name = ServerName::try_from(url.host.clone()).map_err(|_| ErrorClass::Url)?;
                let stream = self.tls.connect(name, tcp).await.map_err(|_| ErrorClass::Tls)?;
                self.speak(TokioIo::new(stream), pool).await
            }
        }
    }

    async fn speak<T>(&self, stream: T, pool: Weak<Pool>) -> Result<Connection, ErrorClass>
    where
        T: Read + Write + Unpin + Send + 'static,
    {
        let mut builder = http1::Builder::new();
        builder.max_buf_size(self.head_bytes_max);
        let (requests, connection) = builder.handshake(stream).await.map_err(|_| ErrorClass::Response)?;
        let driver = tokio::spawn(drive(connection, pool, self.idle_max)).abort_handle();
        Ok(Connection { requests, driver })
    }
}

/// Moves the bytes of a connection until it is closed, and lets the pool drop idle connections from time to time.
async fn drive(connection: impl Future, pool: Weak<Pool>, idle_max: Duration) {
    let mut connection = pin!(connection);
    while timeout(idle_max, &mut connection).await.is_err() {
        if let Some(pool) = pool.upgrade() {
            pool.drop_expired();
        }
    }
}

impl Connection {
    /// Returns when the head of the response is there.
    pub(crate) async fn send(
        &mut self,
        request: Request<Full<Bytes>>,
    ) -> Result<Response<Incoming>, hyper::Error> {
        self.requests.send_request(request).await
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.requests.is_closed()
    }

    /// Reads and drops a short body. Returns `None`, and closes the connection, when no further request can follow.
    pub(crate) async fn finish(mut self, mut body: Incoming) -> Option<Self> {
        let mut left = BODY_BYTES_MAX;
        if body.size_hint().lower() > BODY_BYTES_MAX as u64 {
            return None;
        }
        while let Some(frame) = body.frame().await {
            let bytes = frame.ok()?.into_data().map_or(0, |data| data.len());
            left = left.checked_sub(bytes)?;
        }
        self.requests.ready().await.ok()?;
        Some(self)
    }
}
