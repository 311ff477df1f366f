use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use http::header::{CONTENT_TYPE, HOST, HeaderValue, RETRY_AFTER, USER_AGENT};
use http::{Method, Request, Response};
use http_body_util::Full;
use hyper::body::Incoming;
use rustls::RootCertStore;
use tokio::time::timeout;

use crate::webhooks::sender::address::AddressPolicy;
use crate::webhooks::sender::attempt::{Attempt, ErrorClass};
use crate::webhooks::sender::certificates::connector;
use crate::webhooks::sender::connection::{Connection, Connector};
use crate::webhooks::sender::pool::{Pool, Target};
use crate::webhooks::sender::receiver_url::ReceiverUrl;
use crate::webhooks::sender::refusal::{Refusal, RefusedBecause, RefusedHost};
use crate::webhooks::sender::resolve::Resolve;
use crate::webhooks::sender::retry::retry_after;
use crate::webhooks::sender::signature::{SignedHeaders, SigningSecrets};

/// A host may have many addresses. The sender checks all of them and tries to connect to this many.
const ADDRESSES_TRIED_MAX: usize = 4;

/// hyper allows no smaller buffer for the head of a response.
const HEAD_BYTES_MIN: usize = 8 * 1_024;

/// A shorter idle time would only keep the processor busy.
const IDLE_TIMEOUT_MIN: Duration = Duration::from_millis(10);

/// How long a response may take for its body before its connection is closed instead of kept.
const BODY_TIME_MAX: Duration = Duration::from_millis(250);

/// Bounds of a [`Sender`].
#[derive(Debug, Clone)]
pub struct SenderOptions {
    /// For one attempt: name resolution, connection, TLS, request and the head of the response.
    pub timeout: Duration,
    /// For the TCP connection to one address, so that the next address gets its turn.
    pub connect_timeout: Duration,
    /// How long a connection waits for the next request. It may be twice as long until it is closed.
    pub idle_timeout: Duration,
    /// How many connections wait for a next request, to all receivers together. With 0, each request opens its own connection.
    pub idle_connections_max: usize,
    /// The bytes of a response's head. At least 8 KiB.
    pub head_bytes_max: usize,
    /// The value of the header `user-agent`.
    pub user_agent: String,
}

impl Default for SenderOptions {
    fn default() -> Self {
        Self {
            timeout: Duration::from_secs(15),
            connect_timeout: Duration::from_secs(5),
            idle_timeout: Duration::from_secs(30),
            idle_connections_max: 128,
            head_bytes_max: 16 * 1_024,
            user_agent: concat!("pointbook/", env!("CARGO_PKG_VERSION")).to_owned(),
        }
    }
}

/// A mistake of the operator or of the code that calls the sender, and never of a receiver.
#[derive(Debug, thiserror::Error)]
pub enum SenderError {
    #[error("the system has no root certificates, so no receiver of webhooks can be verified")]
    NoCertificates,
    #[error("TLS to receivers of webhooks cannot be set up: {0}")]
    Tls(rustls::Error),
    #[error("a user agent must consist of visible ASCII characters, got {0:?}")]
    UserAgent(String),
    #[error("the id of a message must have 1 to 128 visible ASCII characters without a full stop")]
    MessageId,
}

/// One request to one receiver. It has no `Debug`, so that no log shows a body.
#[derive(Clone)]
pub struct Message<'a> {
    pub url: &'a str,
    /// The same at each attempt, for example `evt_1_42`.
    pub id: &'a str,
    /// The time of this attempt. It is signed, and a date in `Retry-After` is compared with it.
    pub timestamp_seconds: i64,
    /// JSON.
    pub body: Bytes,
    pub secrets: SigningSecrets<'a>,
}

/// Sends requests and keeps connections for the next ones. It sends from within a tokio runtime. Callers share one sender and bound
/// how many requests they send at a time.
pub struct Sender {
    resolver: Arc<dyn Resolve>,
    connector: Connector,
    pool: Arc<Pool>,
    timeout: Duration,
    user_agent: HeaderValue,
}

/// A response, and the connection that it came on.
struct Exchange {
    target: Target,
    connection: Connection,
    response: Response<Incoming>,
}

impl Sender {
    /// `roots` verify the certificates of receivers.
    pub fn new(
        options: SenderOptions,
        roots: RootCertStore,
        resolver: Arc<dyn Resolve>,
    ) -> Result<Self, SenderError> {
        let user_agent = HeaderValue::from_str(&options.user_agent);
        let user_agent = user_agent.map_err(|_| SenderError::UserAgent(options.user_agent))?;
        let idle_max = options.idle_timeout.max(IDLE_TIMEOUT_MIN);
        let connector = Connector {
            tls: connector(roots)?,
            connect_timeout: options.connect_timeout,
            head_bytes_max: options.head_bytes_max.max(HEAD_BYTES_MIN),
            idle_max,
        };
        let pool = Arc::new(Pool::new(options.idle_connections_max, idle_max));
        Ok(Self { resolver, connector, pool, timeout: options.timeout, user_agent })
    }

    /// What [`Self::check`] says of `url` without a resolver: of the string, and of an address in it.
    ///
    /// # Errors
    /// [`Refusal`], with a message for the tenant.
    pub fn check_text(url: &str, policy: &AddressPolicy) -> Result<(), Refusal> {
        let url = ReceiverUrl::parse(url, policy.permits_http())?;
        let judged = url.address.map_or(Ok(()), |address| policy.judge(url.scheme, address));
        judged.map_err(|because| refused(&url, because))
    }

    /// Whether the sender would send to `url` now. It resolves the name within `resolve_timeout`, and connects to no address.
    pub async fn check(
        &self,
        url: &str,
        policy: &AddressPolicy,
        resolve_timeout: Duration,
    ) -> Result<(), Refusal> {
        let url = ReceiverUrl::parse(url, policy.permits_http())?;
        let resolved = timeout(resolve_timeout, self.checked_addresses(&url, policy)).await;
        resolved.unwrap_or_else(|_| Err(refused(&url, RefusedBecause::Unresolved))).map(drop)
    }

    /// Makes one attempt, with all checks of [`Sender::check`]. What a receiver does wrong is in the [`Attempt`].
    ///
    /// When the receiver closes a kept connection at the same moment, the request is sent once more on a new connection, with the
    /// same id.
    pub async fn send(&self, message: &Message<'_>, policy: &AddressPolicy) -> Result<Attempt, SenderError> {
        let Message { url, id, timestamp_seconds, body, secrets } = message;
        let headers = SignedHeaders::sign(id, *timestamp_seconds, body, *secrets)?;
        let started = Instant::now();
        let exchanged = timeout(self.timeout, self.exchange(url, &headers, body, policy)).await;
        let duration = started.elapsed();
        Ok(match exchanged.unwrap_or(Err(ErrorClass::Timeout)) {
            Err(class) => Attempt::without_response(class, duration),
            Ok(exchange) => {
                let attempt = attempt_of(&exchange.response, *timestamp_seconds, duration);
                self.keep(exchange).await;
                attempt
            }
        })
    }

    async fn exchange(
        &self,
        url: &str,
        headers: &SignedHeaders,
        body: &Bytes,
        policy: &AddressPolicy,
    ) -> Result<Exchange, ErrorClass> {
        let url = ReceiverUrl::parse(url, policy.permits_http()).map_err(|_| ErrorClass::Url)?;
        let checked = self.checked_addresses(&url, policy).await.map_err(|refusal| class_of(&refusal))?;
        let request = || self.request(&url, headers, body);
        if let Some((target, mut connection)) = self.pool.take(&url, &checked) {
            match connection.send(request()).await {
                Ok(response) => return Ok(Exchange { target, connection, response }),
                Err(error) if error.is_parse() => return Err(ErrorClass::Response),
                // The receiver has closed the connection. The loss of a kept connection is no failure.
                Err(_) => {}
            }
        }
        let (target, mut connection) = self.connect(&url, &checked).await?;
        let response = connection.send(request()).await.map_err(|_| ErrorClass::Response)?;
        Ok(Exchange { target, connection, response })
    }

    /// All addresses of the host. One that the policy does not allow refuses all of them: a host that mixes global and internal
    /// addresses would otherwise reach the internal ones by chance.
    async fn checked_addresses(
        &self,
        url: &ReceiverUrl,
        policy: &AddressPolicy,
    ) -> Result<Vec<SocketAddr>, Refusal> {
        let unresolved = || refused(url, RefusedBecause::Unresolved);
        let addresses: Vec<IpAddr> = match url.address {
            Some(address) => vec![address],
            None => self.resolver.resolve(&url.host).await.map_err(|_| unresolved())?,
        };
        if addresses.is_empty() {
            return Err(unresolved());
        }
        for address in &addresses {
            policy.judge(url.scheme, *address).map_err(|because| refused(url, because))?;
        }
        Ok(addresses.into_iter().map(|address| SocketAddr::new(address, url.port)).collect())
    }

    async fn connect(
        &self,
        url: &ReceiverUrl,
        checked: &[SocketAddr],
    ) -> Result<(Target, Connection), ErrorClass> {
        let mut failure = ErrorClass::Connect;
        for address in checked.iter().take(ADDRESSES_TRIED_MAX) {
            match self.connector.open(url, *address, Arc::downgrade(&self.pool)).await {
                Ok(connection) => return Ok((Target::new(url, *address), connection)),
                Err(class) => failure = class,
            }
        }
        Err(failure)
    }

    fn request(&self, url: &ReceiverUrl, headers: &SignedHeaders, body: &Bytes) -> Request<Full<Bytes>> {
        let mut request = Request::new(Full::new(body.clone()));
        *request.method_mut() = Method::POST;
        *request.uri_mut() = url.target.clone();
        let SignedHeaders { id, timestamp, signature } = headers.clone();
        let all = request.headers_mut();
        all.insert(HOST, url.authority.clone());
        all.insert(USER_AGENT, self.user_agent.clone());
        all.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        all.insert("webhook-id", id);
        all.insert("webhook-timestamp", timestamp);
        all.insert("webhook-signature", signature);
        request
    }

    /// Keeps the connection for the next request when the response ends soon.
    async fn keep(&self, exchange: Exchange) {
        let Exchange { target, connection, response } = exchange;
        let finished = timeout(BODY_TIME_MAX, connection.finish(response.into_body())).await;
        if let Ok(Some(connection)) = finished {
            self.pool.put(target, connection);
        }
    }
}

fn attempt_of(response: &Response<Incoming>, now_seconds: i64, duration: Duration) -> Attempt {
    let value = response.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok());
    let pause = value.and_then(|value| retry_after(value, now_seconds));
    Attempt::with_status(response.status().as_u16(), pause, duration)
}

fn class_of(refusal: &Refusal) -> ErrorClass {
    match refusal {
        Refusal::Url(_) => ErrorClass::Url,
        Refusal::Host(_) => ErrorClass::Address,
    }
}

fn refused(url: &ReceiverUrl, because: RefusedBecause) -> Refusal {
    Refusal::Host(RefusedHost { host: url.host.clone(), scheme: url.scheme, because })
}
