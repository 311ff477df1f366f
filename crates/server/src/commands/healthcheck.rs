//! `pointbook healthcheck`: what a container asks itself.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use clap::Args;
use ureq::Agent;

use super::config::FileArgument;
use super::{CommandResult, Failure, NoDatabase, print, say};
use crate::config;

/// How long the server may take to accept the connection and to respond.
const TIMEOUT: Duration = Duration::from_secs(3);

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    no_database: NoDatabase,

    /// Where the server listens, such as `http://127.0.0.1:8080` [default: the configured address]
    url: Option<String>,

    #[command(flatten)]
    file: FileArgument,
}

/// Asks `/readyz`; any response but 200 means that the server is not ready.
pub(crate) fn run(arguments: &Arguments) -> CommandResult {
    let url = match &arguments.url {
        Some(url) => checked(url)?.to_owned(),
        None => format!("http://{}", own_address(config::load(arguments.file.config.as_deref())?.listen)),
    };
    let settings = Agent::config_builder().timeout_global(Some(TIMEOUT)).proxy(None).max_redirects(0);
    let agent = settings.http_status_as_error(false).build().new_agent();
    match agent.get(format!("{url}/readyz")).call() {
        Ok(response) if response.status() == 200 => return print(format_args!("{url} is ready\n")),
        Ok(response) => {
            let line = format!("{:?} {}", response.version(), response.status());
            say(format_args!("{url}/readyz answers {line:?}"));
        }
        Err(error) => say(format_args!("{url}/readyz does not answer: {error}")),
    }
    Err(Failure::found_wrong())
}

/// The URL of a server, without a path.
fn checked(url: &str) -> Result<&str, Failure> {
    let url = url.strip_suffix('/').unwrap_or(url);
    let authority = url.strip_prefix("http://").unwrap_or_default();
    if authority.is_empty() || authority.contains(['/', '?', '#', '@']) {
        return Err(Failure::input(format!("{url:?} is no address of a server: give http://HOST:PORT")));
    }
    Ok(url)
}

/// The address at which this machine reaches a server that listens on `listen`.
fn own_address(listen: SocketAddr) -> SocketAddr {
    let ip = match listen.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, listen.port())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_named_by_scheme_host_and_port() {
        assert_eq!(checked("http://127.0.0.1:8080/").unwrap(), "http://127.0.0.1:8080");
        assert_eq!(checked("http://[::1]:80").unwrap(), "http://[::1]:80");
        for bad in ["", "127.0.0.1:8080", "https://a", "http://", "http://a/api", "http://me@a"] {
            assert!(checked(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_server_on_all_addresses_is_asked_on_the_loopback() {
        for (listen, own) in
            [("0.0.0.0:80", "127.0.0.1:80"), ("[::]:80", "[::1]:80"), ("10.0.0.1:80", "10.0.0.1:80")]
        {
            assert_eq!(own_address(listen.parse().unwrap()), own.parse().unwrap());
        }
    }
}
