//! Connects to the hosts of a URL, each with a separate timeout.
//!
//! The driver's `connect_timeout` covers only the TCP handshake. A host that accepts a connection and then stays silent would
//! delay all hosts after it.

use std::fmt;
use std::net::IpAddr;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use futures_util::stream::{FuturesUnordered, StreamExt};
use tokio::time::{sleep, timeout};
use tokio_postgres::config::{Host, LoadBalanceHosts, TargetSessionAttrs};
use tokio_postgres::tls::MakeTlsConnect;
use tokio_postgres::{Client, Config, Connection, Socket};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::postgres::error::{ConnectError, HostRefusal, NoHost, PostgresError};

/// The port of PostgreSQL when the URL has none.
const DEFAULT_PORT: u16 = 5_432;

/// How long an attempt runs before the next one starts in parallel. Browsers wait as long between the addresses of a name.
const HEAD_START: Duration = Duration::from_millis(250);

/// A new connection whose task is not running yet.
pub(super) type Opened = (Client, Connection<Socket, <MakeRustlsConnect as MakeTlsConnect<Socket>>::Stream>);

/// The hosts of a URL, in its order.
pub(super) struct Hosts {
    in_order: Vec<OneHost>,
    /// The timeout of each host. It covers name resolution, the TCP and TLS handshakes, authentication, and the check
    /// whether the host accepts writes.
    limit: Duration,
    head_start: Duration,
    is_shuffled: bool,
    /// Whether the server must accept writes.
    pub(super) wants_primary: bool,
}

impl Hosts {
    /// # Errors
    /// [`ConnectError::Option`] when the URL has no host, or the number of ports or addresses differs from that of hosts.
    pub(super) fn new(config: &Config, limit: Duration) -> Result<Self, ConnectError> {
        let (names, ports, addresses) = (config.get_hosts(), config.get_ports(), config.get_hostaddrs());
        let rule = match names.len() {
            0 => Some("a host is required: postgres://USER:PASSWORD@HOST:PORT/NAME"),
            hosts if ports.len() > 1 && ports.len() != hosts => {
                Some("the URL must have one port, or one port for each host")
            }
            hosts if !addresses.is_empty() && addresses.len() != hosts => {
                Some("the URL must have one hostaddr for each host")
            }
            _ => None,
        };
        if let Some(rule) = rule {
            return Err(ConnectError::Option(rule.to_owned()));
        }
        let host = |(index, name): (usize, &Host)| {
            let port = ports.get(index).or(ports.first()).copied().unwrap_or(DEFAULT_PORT);
            OneHost::new(config, name, port, addresses.get(index))
        };
        let hosts = names.iter().enumerate().map(host).collect();
        let is_shuffled = config.get_load_balance_hosts() == LoadBalanceHosts::Random;
        // If any host will do, the next one is tried only after the timeout of the first.
        let any_will_do = config.get_target_session_attrs() == TargetSessionAttrs::Any;
        let head_start = if any_will_do { limit } else { HEAD_START.min(limit) };
        let wants_primary = config.get_target_session_attrs() == TargetSessionAttrs::ReadWrite;
        Ok(Self { in_order: hosts, limit, head_start, is_shuffled, wants_primary })
    }

    /// Connects to the first host that accepts a connection.
    ///
    /// # Errors
    /// [`NoHost`] names each host with the reason.
    pub(super) async fn connect(&self, tls: &MakeRustlsConnect) -> Result<Opened, NoHost> {
        let mut hosts: Vec<&OneHost> = self.in_order.iter().collect();
        if self.is_shuffled {
            // A random order spreads many processes over all hosts.
            hosts.sort_by_cached_key(|_| getrandom::u32().unwrap_or_default());
        }
        let attempts = hosts.into_iter().map(|host| host.connect_within(self.limit, tls).boxed()).collect();
        first_success(attempts, self.head_start).await.map_err(NoHost)
    }
}

/// One host with its configuration.
struct OneHost {
    /// The configuration of the URL, with this host only.
    config: Config,
    name: Host,
    port: u16,
}

impl OneHost {
    /// If an address is given, the driver uses the name only to verify the certificate.
    fn new(all: &Config, name: &Host, port: u16, address: Option<&IpAddr>) -> Self {
        let mut config = without_hosts(all);
        config.port(port);
        match name {
            Host::Tcp(name) => config.host(name),
            Host::Unix(folder) => config.host_path(folder),
        };
        address.map(|address| config.hostaddr(*address));
        Self { config, name: name.clone(), port }
    }

    async fn connect_within(&self, limit: Duration, tls: &MakeRustlsConnect) -> Result<Opened, HostRefusal> {
        let no_response = |_| Err(format!("no response within {} s", limit.as_secs_f64()).into());
        let outcome = timeout(limit, self.connect(limit, tls)).await.unwrap_or_else(no_response);
        outcome.map_err(|HostRefusal { why, lacks_database }| {
            let host = self.to_string();
            HostRefusal { why: format!("{host}: {why}"), lacks_database }
        })
    }

    /// Tries the addresses of the host with a short head start each, because one of them may be unreachable.
    async fn connect(&self, limit: Duration, tls: &MakeRustlsConnect) -> Result<Opened, HostRefusal> {
        let configs = self.configs().await?;
        // With this share, the attempts at all addresses start within the timeout of the host.
        let share = limit / u32::try_from(configs.len() + 1).unwrap_or(u32::MAX);
        let connect = |config: Config| {
            let refused = |error| HostRefusal::from(PostgresError::from(error));
            async move { config.connect(tls.clone()).await.map_err(refused) }.boxed()
        };
        let attempts = configs.into_iter().map(connect).collect();
        first_success(attempts, HEAD_START.min(share)).await.map_err(|refusals| {
            let lacks_database = refusals.iter().all(|refusal| refusal.lacks_database);
            let mut reasons: Vec<String> = refusals.into_iter().map(|refusal| refusal.why).collect();
            reasons.dedup();
            HostRefusal { why: reasons.join(", "), lacks_database }
        })
    }

    /// One driver configuration per address.
    async fn configs(&self) -> Result<Vec<Config>, String> {
        let Host::Tcp(name) = &self.name else { return Ok(vec![self.config.clone()]) };
        if !self.config.get_hostaddrs().is_empty() {
            return Ok(vec![self.config.clone()]);
        }
        let found = tokio::net::lookup_host((name.as_str(), self.port)).await;
        let found = found.map_err(|error| format!("the name cannot be resolved: {error}"))?;
        Ok(found.map(|address| self.config.clone().hostaddr(address.ip()).clone()).collect())
    }
}

impl fmt::Display for OneHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.name {
            Host::Tcp(name) if name.contains(':') => write!(f, "[{name}]:{}", self.port),
            Host::Tcp(name) => write!(f, "{name}:{}", self.port),
            Host::Unix(folder) => write!(f, "{}/.s.PGSQL.{}", folder.display(), self.port),
        }
    }
}

/// A copy of the configuration without hosts, ports and addresses.
fn without_hosts(config: &Config) -> Config {
    let mut one = Config::new();
    one.ssl_mode(config.get_ssl_mode())
        .ssl_negotiation(config.get_ssl_negotiation())
        .keepalives(config.get_keepalives())
        .keepalives_idle(config.get_keepalives_idle())
        .target_session_attrs(config.get_target_session_attrs())
        .channel_binding(config.get_channel_binding());
    config.get_user().map(|user| one.user(user));
    config.get_password().map(|password| one.password(password));
    config.get_dbname().map(|name| one.dbname(name));
    config.get_options().map(|options| one.options(options));
    config.get_application_name().map(|name| one.application_name(name));
    config.get_connect_timeout().map(|limit| one.connect_timeout(*limit));
    config.get_tcp_user_timeout().map(|limit| one.tcp_user_timeout(*limit));
    config.get_keepalives_interval().map(|interval| one.keepalives_interval(interval));
    config.get_keepalives_retries().map(|retries| one.keepalives_retries(retries));
    one
}

/// Starts the attempts in order. Each starts when the one before has failed, or after `head_start`. Returns the first success
/// and drops the other attempts. Returns all failures in the order of the attempts if none succeeds.
pub(super) async fn first_success<T, E>(
    attempts: Vec<BoxFuture<'_, Result<T, E>>>,
    head_start: Duration,
) -> Result<T, Vec<E>> {
    let mut later = attempts
        .into_iter()
        .enumerate()
        .map(|(number, attempt)| attempt.map(move |outcome| outcome.map_err(|failure| (number, failure))));
    let mut running = FuturesUnordered::new();
    let mut failures = Vec::new();
    loop {
        running.extend(later.next());
        let next_begins = sleep(if later.len() == 0 { Duration::MAX } else { head_start });
        tokio::select! {
            outcome = running.next() => match outcome {
                Some(Ok(success)) => return Ok(success),
                Some(Err(failure)) => failures.push(failure),
                None => break,
            },
            () = next_begins => {}
        }
    }
    failures.sort_by_key(|(number, _)| *number);
    Err(failures.into_iter().map(|(_, failure)| failure).collect())
}

#[cfg(test)]
mod tests {
    use std::future::pending;

    use super::*;
    use crate::postgres::url::PostgresUrl;

    fn hosts(url: &str) -> Result<Hosts, ConnectError> {
        Hosts::new(&PostgresUrl::parse(url)?.config()?, Duration::from_secs(3))
    }

    #[test]
    fn each_host_has_its_port_and_address() {
        let hosts =
            hosts("postgres://me@db1:6001,db2:6002/points?hostaddr=10.0.0.1,10.0.0.2").unwrap().in_order;
        let endpoints: Vec<_> = hosts
            .iter()
            .map(|host| (host.to_string(), host.config.get_hostaddrs().first().copied()))
            .collect();
        let address = |last| Some(IpAddr::from([10, 0, 0, last]));
        assert_eq!(endpoints, [("db1:6001".to_owned(), address(1)), ("db2:6002".to_owned(), address(2))]);
    }

    #[test]
    fn mismatched_hosts_ports_and_addresses_are_refused() {
        for (url, part) in [
            ("postgres:///points", "a host is required"),
            ("postgres://a,b/points?port=1,2,3", "one port"),
            ("postgres://a,b/points?hostaddr=10.0.0.1", "one hostaddr"),
        ] {
            let refused = hosts(url).err().map(|error| error.to_string());
            assert!(refused.as_ref().is_some_and(|text| text.contains(part)), "{url}: {refused:?}");
        }
    }

    /// This test fails when a new driver option of the URL is missing in [`without_hosts`].
    #[test]
    fn all_options_of_url_are_passed_on() {
        let url = "postgres://me:hush@a/points?options=-c%20jit=off&application_name=x&sslnegotiation=postgres\
                   &connect_timeout=7&tcp_user_timeout=8&keepalives=0&keepalives_idle=9&keepalives_interval=10\
                   &keepalives_retries=11&target_session_attrs=read-only&channel_binding=disable&sslmode=require";
        let given = PostgresUrl::parse(url).unwrap().config().unwrap();
        let mut one = without_hosts(&given);
        one.host("a").port(DEFAULT_PORT);
        assert_eq!(one, given);
    }

    type Attempt = BoxFuture<'static, Result<u32, u32>>;

    fn silent() -> Attempt {
        pending().boxed()
    }

    fn after(wait_ms: u64, outcome: Result<u32, u32>) -> Attempt {
        async move {
            sleep(Duration::from_millis(wait_ms)).await;
            outcome
        }
        .boxed()
    }

    #[tokio::test]
    async fn silent_attempt_does_not_delay_others() {
        let attempts = vec![silent(), silent(), after(0, Ok(3))];
        assert_eq!(first_success(attempts, Duration::from_millis(1)).await, Ok(3));
    }

    #[tokio::test]
    async fn failure_starts_next_attempt_at_once() {
        let attempts = vec![after(0, Err(1)), after(0, Ok(2))];
        assert_eq!(first_success(attempts, Duration::from_hours(1)).await, Ok(2));
    }

    #[tokio::test]
    async fn failures_keep_order_of_attempts() {
        let attempts = vec![after(20, Err(1)), after(0, Err(2)), after(0, Err(3))];
        assert_eq!(first_success(attempts, Duration::ZERO).await, Err(vec![1, 2, 3]));
        assert_eq!(first_success(Vec::<Attempt>::new(), Duration::ZERO).await, Err(vec![]));
    }
}
