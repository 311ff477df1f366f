//! The limits of what a client may send and how long it may take.

/// The limit for the body of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BodyLimit {
    /// [`HttpLimits::max_body_bytes`].
    Ordinary,
    /// [`HttpLimits::max_import_body_bytes`].
    Import,
    /// For uploads, whose limits are no settings.
    Bytes(usize),
    /// For forms with files. The gateway does not refuse a longer body that a client declares: the page does, because it knows the
    /// session of the browser and can say more.
    Form(usize),
}

/// Declares each limit of a listener with its default.
macro_rules! limits {
    ($($(#[$doc:meta])* $name:ident: $kind:ty = $default:expr,)*) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub struct HttpLimits { $($(#[$doc])* pub $name: $kind,)* }

        impl Default for HttpLimits {
            fn default() -> Self {
                Self { $($name: $default,)* }
            }
        }
    };
}

limits! {
    /// Path and query together; longer is 414.
    max_uri_bytes: usize = 8_192,
    /// Request line and headers together; longer is 431 without a body. Never below 8 KiB.
    max_header_bytes: usize = 32 * 1024,
    /// Headers of one request; more is 431 without a body.
    max_headers: usize = 100,
    /// Body of one request, as declared or as sent; longer is 413.
    max_body_bytes: u64 = 1024 * 1024,
    /// The same for an import of many lines.
    max_import_body_bytes: u64 = 16 * 1024 * 1024,
    /// From the end of a request to its answer; longer is 503.
    request_timeout_ms: u64 = 10_000,
    /// From the end of a request's head to the end of its body; longer is 408.
    body_read_timeout_ms: u64 = 10_000,
    /// From a head's first byte (on a new connection: from its opening) to its end; a slower client is cut off.
    header_read_timeout_ms: u64 = 10_000,
    /// How long a client may read nothing of an answer that is being sent; then it is cut off.
    write_stall_ms: u64 = 10_000,
    /// From an answer to the next request's first byte; then the connection is closed. Longer than
    /// the 60 s for which common proxies keep a connection, so that it is the proxy who closes.
    keep_alive_idle_ms: u64 = 75_000,
    /// Open connections; further ones wait in the system's queue until one is closed.
    max_connections: usize = 10_000,
    /// Requests being answered; further ones are 503 at once. At most three quarters of them have a body.
    max_concurrent_requests: usize = 1_024,
    /// Requests whose body is still arriving; further ones are 503 at once.
    max_arriving_bodies: usize = 4_096,
    /// The same for the requests of one tenant.
    max_arriving_bodies_per_tenant: usize = 1_024,
    /// The same for the requests of one user, or of one token of the back office.
    max_arriving_bodies_per_principal: usize = 256,
    /// Memory of the bodies that did not come at once, until their requests are answered; a tenant has half of
    /// it, a principal a quarter. Beyond it, requests with such a body are 503.
    max_body_memory_bytes: u64 = 256 * 1024 * 1024,
    /// How long the listener goes on after `/readyz` turned 503, so that a load balancer can notice.
    unready_before_close_ms: u64 = 0,
    /// How long running requests may take to finish once the listener is closed.
    drain_timeout_ms: u64 = 10_000,
    /// Whether answers are compressed for those who ask for it; a proxy in front may do it instead.
    compresses_answers: bool = true,
    /// How long the database may take to respond before it counts as away.
    readiness_timeout_ms: u64 = 1_000,
}
