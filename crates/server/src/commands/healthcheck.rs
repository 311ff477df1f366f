//! `pointbook healthcheck`: what a container asks itself.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs};
use std::time::Duration;

use clap::Args;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::config::FileArgument;
use super::{CommandResult, Failure, NoDatabase, print, say};
use crate::config;

/// How long the server may take to accept the connection and to respond.
const TIMEOUT: Duration = Duration::from_secs(3);

/// Enough for the first line of a response.
const FIRST_LINE_BYTES: u64 = 64;

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
pub(crate) async fn run(arguments: Arguments) -> CommandResult {
    let authority = match &arguments.url {
        Some(url) => authority(url)?.to_owned(),
        None => own_address(config::load(arguments.file.config.as_deref())?.listen).to_string(),
    };
    let response = timeout(TIMEOUT, ask(&authority)).await;
    match response.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into())) {
        Ok(line) if line.split(' ').nth(1) == Some("200") => {
            return print(format_args!("http://{authority} is ready\n"));
        }
        Ok(line) => say(format_args!("http://{authority}/readyz answers {line:?}")),
        Err(error) => say(format_args!("http://{authority}/readyz does not answer: {error}")),
    }
    Err(Failure::found_wrong())
}

/// Host and port of the URL of a server.
fn authority(url: &str) -> Result<&str, Failure> {
    let rest = url.strip_prefix("http://").map(|rest| rest.strip_suffix('/').unwrap_or(rest));
    rest.filter(|rest| !rest.is_empty() && !rest.contains(['/', '?', '#', '@']))
        .ok_or_else(|| Failure::input(format!("{url:?} is no address of a server: give http://HOST:PORT")))
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

/// Returns the first line of the response.
async fn ask(authority: &str) -> io::Result<String> {
    const HTTP_PORT: u16 = 80;
    let addresses = authority.to_socket_addrs().or_else(|_| (authority, HTTP_PORT).to_socket_addrs())?;
    let mut stream = TcpStream::connect(&*addresses.collect::<Vec<_>>()).await?;
    let request = format!("GET /readyz HTTP/1.1\r\nHost: {authority}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    let mut response = Vec::new();
    stream.take(FIRST_LINE_BYTES).read_to_end(&mut response).await?;
    Ok(String::from_utf8_lossy(&response).lines().next().unwrap_or_default().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_named_by_scheme_host_and_port() {
        assert_eq!(authority("http://127.0.0.1:8080/").unwrap(), "127.0.0.1:8080");
        assert_eq!(authority("http://[::1]:80").unwrap(), "[::1]:80");
        for bad in ["", "127.0.0.1:8080", "https://a", "http://", "http://a/api", "http://me@a"] {
            assert!(authority(bad).is_err(), "{bad}");
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
