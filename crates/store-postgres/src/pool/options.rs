//! How long, and how many.

use std::time::Duration;

use pointbook_domain::Timestamp;
use tokio_postgres::Config;

/// How a PostgreSQL database is used.
#[derive(Debug, Clone, Copy)]
pub struct PostgresOptions {
    /// New migrations are recorded with this time.
    pub now: Timestamp,
    pub max_connections: usize,
    /// Whether a quarter of the connections is shared by short reads, which then wait for no connection.
    pub shares_reads: bool,
    /// For how long a connection is waited for, and each host of the URL while one is opened. A `connect_timeout` in the
    /// URL holds instead for the hosts, unless it is 0.
    pub connect_timeout_ms: u64,
    /// For how long each answer of the server is waited for; none for as long as it takes. The server itself ends a
    /// statement of a transaction a little earlier, so that it can say so.
    pub operation_timeout_ms: Option<u64>,
    /// For how long a statement waits for a row that another transaction holds.
    pub lock_timeout_ms: u32,
    /// For how long work that other transactions stand in the way of is repeated.
    pub retry_for_ms: u64,
}

/// For how long a transaction may stand idle whose statements take as long as they take.
const MAX_IDLE_MS: u64 = 60_000;

/// How many connections short reads share at most: each read looks for the one with the fewest others.
const MAX_SHARED: usize = 16;

impl PostgresOptions {
    pub fn new(now: Timestamp) -> Self {
        Self {
            now,
            max_connections: 16,
            shares_reads: true,
            connect_timeout_ms: 3_000,
            operation_timeout_ms: Some(10_000),
            lock_timeout_ms: 1_000,
            retry_for_ms: 5_000,
        }
    }

    /// For a command, which is waited for: statements may take as long as they take, and work that others
    /// stand in the way of is tried again for half a minute. It reads little that is short.
    #[must_use]
    pub fn patient(self) -> Self {
        Self { operation_timeout_ms: None, retry_for_ms: 30_000, shares_reads: false, ..self }
    }

    /// Of the 16 by default, 4.
    pub(super) fn shared_connections(&self) -> usize {
        if self.shares_reads { (self.max_connections / 4).min(MAX_SHARED) } else { 0 }
    }

    pub(crate) fn retry_for(&self) -> Duration {
        Duration::from_millis(self.retry_for_ms)
    }

    pub(crate) fn connect_timeout(&self) -> Duration {
        Duration::from_millis(self.connect_timeout_ms)
    }

    pub(super) fn host_timeout(&self, config: &Config) -> Duration {
        config.get_connect_timeout().copied().unwrap_or_else(|| self.connect_timeout())
    }

    pub(super) fn operation_timeout(&self) -> Option<Duration> {
        self.operation_timeout_ms.map(Duration::from_millis)
    }

    /// For how long the server lets a statement run, in milliseconds; 0 for as long as it takes. Four fifths
    /// of what the client waits, which would not hear of it otherwise.
    pub(crate) fn statement_timeout_ms(&self) -> u64 {
        self.operation_timeout_ms.map_or(0, |timeout| (timeout - timeout / 5).max(1))
    }

    /// For how long the server lets a transaction stand whose client says nothing, in milliseconds: what it
    /// holds, others wait for. Never without end, since a client may be gone without a word.
    pub(crate) fn idle_timeout_ms(&self) -> u64 {
        self.operation_timeout_ms.unwrap_or(MAX_IDLE_MS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::url::PostgresUrl;

    fn config(url: &str) -> Config {
        PostgresUrl::parse(url).unwrap().config().unwrap()
    }

    #[test]
    fn a_quarter_of_the_connections_is_shared_and_none_by_commands() {
        let of =
            |max_connections| PostgresOptions { max_connections, ..PostgresOptions::new(Timestamp::MIN) };
        assert_eq!([2, 16, 1_000].map(|most| of(most).shared_connections()), [0, 4, 16]);
        assert_eq!(of(16).patient().shared_connections(), 0);
    }

    #[test]
    fn a_host_never_has_all_the_time_in_the_world() {
        for (given, seconds) in [("", 3), ("?connect_timeout=1", 1), ("?connect_timeout=0", 3)] {
            let config = config(&format!("postgres://me@a/points{given}"));
            let limit = PostgresOptions::new(Timestamp::MIN).host_timeout(&config);
            assert_eq!(limit, Duration::from_secs(seconds), "{given}");
        }
    }
}
