//! `pointbook healthcheck`: what a container asks itself.

use std::io::{self, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream, ToSocketAddrs};
use std::time::Duration;

use clap::Args;

use super::config::FileArgument;
use super::{CommandResult, Failure, NoDatabase, Verdict, print, say};
use crate::config;

/// How long connecting may take, and each read and write after it.
const TIMEOUT: Duration = Duration::from_secs(3);

/// Enough for the first line of an answer, in bytes.
const FIRST_LINE_BYTES: u64 = 64;

/// The arguments.
#[derive(Debug, Args)]
pub struct Arguments {
    /// No database.
    #[command(flatten)]
    pub no_database: NoDatabase,

    /// Where the server listens, such as `http://127.0.0.1:8080` [default: the configured address]
    url: Option<String>,

    #[command(flatten)]
    file: FileArgument,
}

/// Asks `/readyz`; anything but a 200 is a server that is not ready.
pub(super) fn run(arguments: &Arguments) -> CommandResult {
    let authority = match &arguments.url {
        Some(url) => authority(url)?.to_owned(),
        None => own_address(config::load(arguments.file.config.as_deref())?.listen).to_string(),
    };
    match ask(&authority) {
        Ok(line) if line.split(' ').nth(1) == Some("200") => {
            print(format_args!("http://{authority} is ready\n"))?;
            Ok(Verdict::Fine)
        }
        Ok(line) => {
            say(format_args!("http://{authority}/readyz answers {line:?}"));
            Ok(Verdict::FoundWrong)
        }
        Err(error) => {
            say(format_args!("http://{authority}/readyz does not answer: {error}"));
            Ok(Verdict::FoundWrong)
        }
    }
}

/// Host and port of an address as people write it.
fn authority(url: &str) -> Result<&str, Failure> {
    let rest = url.strip_prefix("http://").map(|rest| rest.strip_suffix('/').unwrap_or(rest));
    rest.filter(|rest| !rest.is_empty() && !rest.contains(['/', '?', '#', '@']))
        .ok_or_else(|| Failure::input(format!("{url:?} is no address of a server: give http://HOST:PORT")))
}

/// Where a server that listens there is reached from its own machine.
fn own_address(listen: SocketAddr) -> SocketAddr {
    let ip = match listen.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, listen.port())
}

fn ask(authority: &str) -> io::Result<String> {
    let mut stream = connect(authority)?;
    stream.set_read_timeout(Some(TIMEOUT))?;
    stream.set_write_timeout(Some(TIMEOUT))?;
    write!(stream, "GET /readyz HTTP/1.1\r\nHost: {authority}\r\nConnection: close\r\n\r\n")?;
    let mut answer = Vec::new();
    stream.take(FIRST_LINE_BYTES).read_to_end(&mut answer)?;
    let answer = String::from_utf8_lossy(&answer);
    Ok(answer.lines().next().unwrap_or_default().to_owned())
}

fn connect(authority: &str) -> io::Result<TcpStream> {
    const HTTP_PORT: u16 = 80;
    let addresses = authority.to_socket_addrs().or_else(|_| (authority, HTTP_PORT).to_socket_addrs())?;
    let mut failure = io::ErrorKind::NotFound.into();
    for address in addresses {
        match TcpStream::connect_timeout(&address, TIMEOUT) {
            Ok(stream) => return Ok(stream),
            Err(error) => failure = error,
        }
    }
    Err(failure)
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
