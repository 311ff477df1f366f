//! `pointbook healthcheck`: the health check of a container.

use std::time::Duration;

use clap::Args;
use ureq::Agent;

use super::config::FileArgument;
use super::{CommandResult, Failure, NoDatabase, print, say};
use crate::config::{self, own_address};

/// How long the server may take to accept the connection and to respond.
const TIMEOUT: Duration = Duration::from_secs(3);

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    no_database: NoDatabase,

    /// The URL of the server, such as `http://127.0.0.1:8080` [default: the configured address]
    url: Option<String>,

    #[command(flatten)]
    file: FileArgument,
}

/// Requests `/readyz`. Any status but 200 means that the server is not ready.
pub(crate) fn run(arguments: &Arguments) -> CommandResult {
    let url = match &arguments.url {
        Some(url) => checked(url)?,
        None => format!("http://{}", own_address(config::load(arguments.file.config.as_deref())?.listen)),
    };
    match probe(&format!("{url}/readyz")) {
        Ok(Readiness::Ready) => return print(format_args!("{url} is ready\n")),
        Ok(Readiness::NotReady(status)) => say(format_args!("{url} is not ready: /readyz returns {status}")),
        Err(error) => say(format_args!("{url}/readyz does not respond: {error}")),
    }
    Err(Failure::found_wrong())
}

/// The result of a probe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Readiness {
    Ready,
    /// Another status than 200.
    NotReady(u16),
}

/// Requests a URL of a server on this machine. Blocks the thread for 3 seconds at most.
pub(crate) fn probe(url: &str) -> Result<Readiness, String> {
    let settings = Agent::config_builder().timeout_global(Some(TIMEOUT)).proxy(None).max_redirects(0);
    let agent = settings.http_status_as_error(false).build().new_agent();
    let response = agent.get(url).call().map_err(|error| error.to_string())?;
    match response.status().as_u16() {
        200 => Ok(Readiness::Ready),
        status => Ok(Readiness::NotReady(status)),
    }
}

/// The URL of a server, without a path. The scheme may be left out.
fn checked(url: &str) -> Result<String, Failure> {
    let url = url.strip_suffix('/').unwrap_or(url);
    let authority = url.strip_prefix("http://").unwrap_or(url);
    if authority.is_empty() || authority.contains(['/', '?', '#', '@']) {
        return Err(Failure::input(format!("the URL must be http://HOST:PORT, got {url:?}")));
    }
    Ok(format!("http://{authority}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn server_url_has_scheme_host_and_port() {
        assert_eq!(checked("http://127.0.0.1:8080/").unwrap(), "http://127.0.0.1:8080");
        assert_eq!(checked("http://[::1]:80").unwrap(), "http://[::1]:80");
        assert_eq!(checked("localhost:8080").unwrap(), "http://localhost:8080");
        for bad in ["", "https://a", "http://", "http://a/api", "http://me@a"] {
            assert!(checked(bad).is_err(), "{bad}");
        }
    }
}
