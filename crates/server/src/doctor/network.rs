//! Checks whether this machine can listen on the configured addresses, and whether each base URL reaches this service.

use std::io::ErrorKind;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use pointbook_access::sessions::ConsoleOrigin;
use pointbook_exchange::check::{BaseUrlProbe, ServerUrl, probe_base_url};
use pointbook_store::{Clock, ServedTenant};

use super::Finding;
use crate::commands::healthcheck::{Readiness, probe};
use crate::config::{Config, own_address};
use crate::sources::SystemClock;

/// How long a server may take to respond.
const TIMEOUT: Duration = Duration::from_secs(3);

/// How many base URLs are requested concurrently.
const CONCURRENT_REQUESTS: usize = 16;

/// A larger difference between two clocks is a warning: tokens expire at the wrong time, and logs mislead.
const MAX_SECONDS_APART: u64 = 30;

/// Checks that each configured address is free, or that a server already responds there.
pub(crate) async fn examine_listeners(config: &Config) -> Vec<Finding> {
    let listeners = [
        ("listen", "listen.address", Some(config.listen), "/readyz"),
        ("metrics", "listen.metrics", config.metrics_listen, "/metrics"),
        ("console", "listen.console", config.console_listen, "/readyz"),
    ];
    let mut findings = Vec::new();
    for (check, key, address, path) in listeners {
        let Some(address) = address else { continue };
        let request = move |address| probe(&format!("http://{}{path}", own_address(address)));
        findings.extend(off_thread(move || listener((check, key), address, request)).await);
    }
    findings
}

fn listener(
    (check, key): (&'static str, &str),
    address: SocketAddr,
    request: impl FnOnce(SocketAddr) -> Result<Readiness, String>,
) -> Finding {
    let Err(refused) = TcpListener::bind(address) else {
        return Finding::fine(check, format!("{address} is free: no server listens there"));
    };
    if refused.kind() != ErrorKind::AddrInUse {
        let advice = format!("choose an address of this machine with {key}");
        return Finding::problem(check, format!("cannot listen on {address}: {refused}"), advice);
    }
    match request(address) {
        Ok(Readiness::Ready) => Finding::fine(check, format!("a server responds at {address}")),
        Ok(Readiness::NotReady(status)) => Finding::problem(
            check,
            format!("the program at {address} is not ready: it returns {status}"),
            "look at the log of the server; if this is another program, stop it",
        ),
        Err(error) => Finding::problem(
            check,
            format!("another program listens on {address}: {error}"),
            format!("stop that program, or choose another address with {key}"),
        ),
    }
}

/// Compares the origin of a console with its own listener with those of the base URLs.
pub(crate) fn examine_console(config: &Config, tenants: &[Arc<ServedTenant>]) -> Vec<Finding> {
    let origin = config.console_origin(config.console_listen).filter(ConsoleOrigin::is_separate);
    let Some(origin) = origin else { return Vec::new() };
    let tenants = tenants.iter().map(|served| (served.name().to_string(), served.tenant.base_url.origin()));
    tenants.filter_map(|(name, base)| console(&origin.to_string(), &name, base)).take(1).collect()
}

fn console(origin: &str, tenant: &str, base: &str) -> Option<Finding> {
    const CHECK: &str = "console";
    const ADVICE: &str = "set listen.console_url to the URL at which browsers reach listen.console";
    if origin == base {
        let message =
            format!("links to the console begin with {origin}, which is that of the base URL of {tenant}");
        return Some(Finding::problem(CHECK, message, ADVICE));
    }
    (origin.starts_with("http://") && base.starts_with("https://")).then(|| {
        let message =
            format!("browsers reach the console at {origin}, so the cookies of operators travel without TLS");
        Finding::warning(
            CHECK,
            message,
            "put a proxy with TLS before listen.console, and set listen.console_url",
        )
    })
}

/// Sends a request to the base URL of each tenant, as a client does.
pub(crate) async fn examine_base_urls(tenants: &[Arc<ServedTenant>]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for chunk in tenants.chunks(CONCURRENT_REQUESTS) {
        let checks = chunk.iter().map(|served| {
            let (name, url) = (served.name().to_string(), served.tenant.base_url.to_string());
            tokio::spawn(off_thread(move || base_url(&name, &url)))
        });
        for check in checks.collect::<Vec<_>>() {
            findings.extend(check.await.into_iter().flatten());
        }
    }
    findings
}

/// Runs a check on a blocking thread. Returns `None` when the check panics.
#[expect(
    clippy::disallowed_methods,
    reason = "a check waits for a server and must not block a runtime thread"
)]
async fn off_thread(check: impl FnOnce() -> Finding + Send + 'static) -> Option<Finding> {
    tokio::task::spawn_blocking(check).await.ok()
}

fn base_url(name: &str, url: &str) -> Finding {
    let found = match ServerUrl::parse(url) {
        Ok(base) => probe_base_url(&base, TIMEOUT),
        Err(error) => Err(error.to_string()),
    };
    judge(name, url, found, SystemClock.now().as_micros() / 1_000_000)
}

fn judge(name: &str, url: &str, found: Result<BaseUrlProbe, String>, now_seconds: i64) -> Finding {
    const CHECK: &str = "base URL";
    let problem =
        |verb: String, advice: &str| Finding::problem(CHECK, format!("{name} at {url} {verb}"), advice);
    let found = match found {
        Ok(found) => found,
        Err(error) => {
            return problem(
                format!("does not respond: {error}"),
                "start the server; check DNS, firewall and proxy; `pointbook tenant set` changes the base URL",
            );
        }
    };
    match (found.status, found.code.as_deref()) {
        (401, Some("unauthenticated")) => {}
        (404, Some("unknown_base_url")) => {
            return problem(
                "reaches a server that has no tenant with this base URL".to_owned(),
                "the proxy must pass the Host header and the path unchanged; the server must use this database",
            );
        }
        (status, _) => {
            return problem(
                format!("responds with {status}, not with the 401 of this service"),
                "the URL leads to another program: check the proxy, or correct the base URL with `pointbook tenant set`",
            );
        }
    }
    match found.date_seconds.map(|date| date.abs_diff(now_seconds)) {
        Some(apart) if apart > MAX_SECONDS_APART => Finding::warning(
            CHECK,
            format!(
                "{name} at {url} responds, but its clock and the clock of this machine are {apart} s apart"
            ),
            "synchronise both clocks with NTP",
        ),
        _ => Finding::fine(CHECK, format!("{name} at {url} responds")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::State;

    fn state(status: u16, code: Option<&str>, date_seconds: Option<i64>) -> State {
        let probe = BaseUrlProbe { status, code: code.map(str::to_owned), date_seconds };
        judge("shop/production", "https://shop.example/api", Ok(probe), 1_000).state
    }

    #[test]
    fn only_the_401_of_this_service_is_fine() {
        let code = Some("unauthenticated");
        assert_eq!(state(401, code, None), State::Fine);
        assert_eq!(state(401, code, Some(1_030)), State::Fine);
        assert_eq!(state(401, code, Some(1_031)), State::Warning);
        assert_eq!(state(401, None, None), State::Problem);
        assert_eq!(state(404, Some("unknown_base_url"), None), State::Problem);
        assert_eq!(state(200, None, None), State::Problem);
        assert_eq!(judge("a", "b", Err("refused".to_owned()), 0).state, State::Problem);
    }

    #[test]
    fn a_console_has_another_origin_than_base_urls_and_as_much_tls() {
        let state = |origin, base| console(origin, "acme/production", base).map(|finding| finding.state);
        assert_eq!(state("https://a.example", "https://a.example"), Some(State::Problem));
        assert_eq!(state("http://10.0.0.5:81", "https://a.example"), Some(State::Warning));
        assert_eq!(state("http://10.0.0.5:81", "http://a.example"), None);
        assert_eq!(state("https://ops.example", "https://a.example"), None);
    }

    #[test]
    fn address_is_free_or_in_use() {
        let taken = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = taken.local_addr().unwrap();
        let check = |response: Result<Readiness, String>| {
            listener(("listen", "listen.address"), address, |_| response).state
        };
        assert_eq!(check(Ok(Readiness::Ready)), State::Fine);
        assert_eq!(check(Ok(Readiness::NotReady(503))), State::Problem);
        assert_eq!(check(Err("closed".to_owned())), State::Problem);
        drop(taken);
        assert_eq!(check(Err("never requested".to_owned())), State::Fine);
        let elsewhere = "192.0.2.1:80".parse().unwrap();
        let found = listener(("console", "listen.console"), elsewhere, |_| Ok(Readiness::Ready));
        assert_eq!(found.state, State::Problem);
        assert!(found.to_text().contains("of this machine with listen.console"), "{}", found.to_text());
    }
}
