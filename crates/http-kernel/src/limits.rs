//! The limits on what a client may send and how long it may take.

use std::time::Duration;

/// Which limit the body of a request has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BodyLimit {
    /// [`HttpLimits::max_body_bytes`].
    Ordinary,
    /// [`HttpLimits::max_import_body_bytes`].
    Import,
}

/// Every limit of a listener, by name; [`HttpLimits::default`] holds the documented values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HttpLimits {
    /// Path and query together; longer is 414.
    pub max_uri_bytes: usize,
    /// Request line and headers together; longer is 431 without a body. Never below 8 KiB.
    pub max_header_bytes: usize,
    /// Headers of one request; more is 431 without a body.
    pub max_headers: usize,
    /// Body of one request, as declared or as sent; longer is 413.
    pub max_body_bytes: u64,
    /// The same for an import of many lines.
    pub max_import_body_bytes: u64,
    /// From the end of a request to its answer; longer is 503.
    pub request_timeout_ms: u64,
    /// From the end of a request's head to the end of its body; longer is 408.
    pub body_read_timeout_ms: u64,
    /// From a head's first byte (on a new connection: from its opening) to the head's end; a slower
    /// client is cut off.
    pub header_read_timeout_ms: u64,
    /// How long a client may read nothing of an answer that is being sent; then it is cut off.
    pub write_stall_ms: u64,
    /// From an answer to the next request's first byte; then the connection is closed. Longer than
    /// the 60 s for which common proxies keep a connection, so that it is the proxy who closes.
    pub keep_alive_idle_ms: u64,
    /// Open connections; further ones wait in the system's queue until one is closed.
    pub max_connections: usize,
    /// Requests being answered; further ones are 503 at once. At most three quarters of them have a body.
    pub max_concurrent_requests: usize,
    /// Requests whose body is still arriving; further ones are 503 at once.
    pub max_arriving_bodies: usize,
    /// The same for the requests of one tenant.
    pub max_arriving_bodies_per_tenant: usize,
    /// The same for the requests of one user, or of one token of the back office.
    pub max_arriving_bodies_per_principal: usize,
    /// Memory of the bodies that did not come at once, until their requests are answered; a tenant has half of
    /// it, a principal a quarter. Beyond it, requests with such a body are 503.
    pub max_body_memory_bytes: u64,
    /// How long the listener goes on after `/readyz` turned 503, so that a load balancer can notice.
    pub unready_before_close_ms: u64,
    /// How long running requests may take to finish once the listener is closed.
    pub drain_timeout_ms: u64,
    /// Whether answers are compressed for those who ask for it; a proxy in front may do it instead.
    pub compresses_answers: bool,
    /// How long the database may take to respond before it counts as away.
    pub readiness_timeout_ms: u64,
}

impl Default for HttpLimits {
    fn default() -> Self {
        Self {
            max_uri_bytes: 8_192,
            max_header_bytes: 32 * 1024,
            max_headers: 100,
            max_body_bytes: 1024 * 1024,
            max_import_body_bytes: 16 * 1024 * 1024,
            request_timeout_ms: 10_000,
            body_read_timeout_ms: 10_000,
            header_read_timeout_ms: 10_000,
            write_stall_ms: 10_000,
            keep_alive_idle_ms: 75_000,
            max_connections: 10_000,
            max_concurrent_requests: 1_024,
            max_arriving_bodies: 4_096,
            max_arriving_bodies_per_tenant: 1_024,
            max_arriving_bodies_per_principal: 256,
            max_body_memory_bytes: 256 * 1024 * 1024,
            unready_before_close_ms: 0,
            drain_timeout_ms: 10_000,
            compresses_answers: true,
            readiness_timeout_ms: 1_000,
        }
    }
}

impl HttpLimits {
    /// How long a body of this kind may be, in bytes.
    pub fn body_bytes(&self, limit: BodyLimit) -> u64 {
        match limit {
            BodyLimit::Ordinary => self.max_body_bytes,
            BodyLimit::Import => self.max_import_body_bytes,
        }
    }

    /// [`Self::request_timeout_ms`] as a duration.
    pub fn request_timeout(&self) -> Duration {
        Duration::from_millis(self.request_timeout_ms)
    }

    /// [`Self::body_read_timeout_ms`] as a duration.
    pub fn body_read_timeout(&self) -> Duration {
        Duration::from_millis(self.body_read_timeout_ms)
    }

    /// [`Self::header_read_timeout_ms`] as a duration.
    pub fn header_read_timeout(&self) -> Duration {
        Duration::from_millis(self.header_read_timeout_ms)
    }

    /// [`Self::write_stall_ms`] as a duration.
    pub fn write_stall(&self) -> Duration {
        Duration::from_millis(self.write_stall_ms)
    }

    /// [`Self::keep_alive_idle_ms`] as a duration.
    pub fn keep_alive_idle(&self) -> Duration {
        Duration::from_millis(self.keep_alive_idle_ms)
    }

    /// [`Self::unready_before_close_ms`] as a duration.
    pub fn unready_before_close(&self) -> Duration {
        Duration::from_millis(self.unready_before_close_ms)
    }

    /// [`Self::drain_timeout_ms`] as a duration.
    pub fn drain_timeout(&self) -> Duration {
        Duration::from_millis(self.drain_timeout_ms)
    }

    /// [`Self::readiness_timeout_ms`] as a duration.
    pub fn readiness_timeout(&self) -> Duration {
        Duration::from_millis(self.readiness_timeout_ms)
    }
}
