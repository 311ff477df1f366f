//! Read requests, and their form for the load generators.

use std::fmt::Write as _;
use std::fs;
use std::net::{SocketAddr, ToSocketAddrs};
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use pointbook_operate::http_client::{self, Response};
use pointbook_operate::pointbook::Server;

use super::options::Against;
use super::{BASE_PATH, data};

/// The tenant of a server that gets the requests.
#[derive(Debug, Clone)]
pub(super) struct Target {
    pub(super) address: SocketAddr,
    /// The value of the `Host` field.
    authority: String,
    base_path: String,
    /// The process whose time is counted. `None` for a server on another machine.
    pub(super) process: Option<u32>,
}

impl Target {
    /// The first tenant of one of our servers.
    pub(super) fn of(server: &Server) -> Self {
        let (address, process) = (server.address, Some(server.process()));
        Self { address, authority: address.to_string(), base_path: BASE_PATH.to_owned(), process }
    }

    /// Another tenant of the same server.
    pub(super) fn below(self, base_path: &str) -> Self {
        Self { base_path: base_path.to_owned(), ..self }
    }

    /// Another server of the interface.
    pub(super) fn other(against: &Against) -> Result<Self> {
        let rest = against.url.trim_start_matches("http://");
        let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
        let with_port =
            if authority.contains(':') { authority.to_owned() } else { format!("{authority}:80") };
        let mut addresses =
            with_port.to_socket_addrs().with_context(|| format!("cannot resolve {authority}"))?;
        let address = addresses.next().with_context(|| format!("{authority} has no address"))?;
        let base_path = if path.is_empty() { String::new() } else { format!("/{path}") };
        Ok(Self { address, authority: authority.to_owned(), base_path, process: against.process })
    }

    /// Sends one request and returns the response.
    pub(super) fn ask(&self, get: &Get) -> Result<Response> {
        let headers = format!("Host: {}\r\n{}", self.authority, get.headers("\r\n"));
        let response = http_client::get_with(self.address, &self.path(get), &headers)?;
        let wanted: &[u8] = if get.if_none_match.is_some() { b"HTTP/1.1 304" } else { b"HTTP/1.1 200" };
        let is_well = response.bytes.starts_with(wanted);
        ensure!(is_well, "GET {}: {}", self.path(get), String::from_utf8_lossy(&response.bytes));
        Ok(response)
    }

    fn path(&self, get: &Get) -> String {
        format!("{}{}", self.base_path, get.path)
    }

    /// The URL of a request, for a load generator.
    pub(super) fn url(&self, get: &Get) -> String {
        format!("http://{}{}", self.authority, self.path(get))
    }
}

/// A GET below a tenant's base URL.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Get {
    pub(super) path: String,
    pub(super) token: String,
    /// The value of `If-None-Match`.
    pub(super) if_none_match: Option<String>,
    /// The value of `Accept-Encoding`.
    pub(super) accept_encoding: Option<&'static str>,
}

impl Get {
    /// A request with a token.
    pub(super) fn new(path: impl Into<String>, token: &str) -> Self {
        Self { path: path.into(), token: token.to_owned(), if_none_match: None, accept_encoding: None }
    }

    /// The header lines of this request, each with this line end.
    fn headers(&self, end: &str) -> String {
        let mut lines = format!("Authorization: Bearer {}{end}", self.token);
        if let Some(etag) = &self.if_none_match {
            // Writing to a string cannot fail.
            let _ = write!(lines, "If-None-Match: {etag}{end}");
        }
        if let Some(coding) = self.accept_encoding {
            let _ = write!(lines, "Accept-Encoding: {coding}{end}");
        }
        lines
    }

    /// The same header lines as a list.
    pub(super) fn header_list(&self) -> Vec<String> {
        self.headers("\n").lines().map(str::to_owned).collect()
    }
}

/// A script with requests that `wrk` sends in turn, for one server.
pub(super) struct Script {
    pub(super) file: PathBuf,
}

impl Script {
    /// Writes the script. Concurrent runs need different names.
    pub(super) fn write(name: &str, target: &Target, gets: &[Get]) -> Result<Self> {
        let file = data::folder()?.join(format!("{name}.lua"));
        fs::write(&file, lua(target, gets))?;
        Ok(Self { file })
    }
}

/// The Lua script with the prepared requests. They have the line ends of a text file, which the script corrects.
fn lua(target: &Target, gets: &[Get]) -> String {
    let mut text = "local n = 0\nlocal forms = {\n".to_owned();
    for get in gets {
        let (path, authority, headers) = (target.path(get), &target.authority, get.headers("\n"));
        // `gsub` returns two values, and the outer parentheses keep the first. Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "(([==[GET {path} HTTP/1.1\nHost: {authority}\nAccept: application/json\n{headers}\n]==]):gsub('\\n', '\\r\\n')),"
        );
    }
    let count = gets.len();
    format!("{text}}}\nrequest = function()\n  n = n % {count} + 1\n  return forms[n]\nend\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(url: &str) -> Target {
        Target::other(&Against { url: url.to_owned(), token: "t".to_owned(), process: None }).unwrap()
    }

    #[test]
    fn base_url_is_split_into_its_parts() {
        let target = target("http://127.0.0.1:9000/acme/api");
        assert_eq!(target.address.port(), 9_000);
        let url = target.url(&Get::new("/v1/store/categories", "t"));
        assert_eq!(url, "http://127.0.0.1:9000/acme/api/v1/store/categories");
        assert_eq!(super::tests::target("http://127.0.0.1").address.port(), 80);
    }

    #[test]
    fn script_sends_each_request_with_its_head() {
        let get = Get { if_none_match: Some("\"e\"".to_owned()), ..Get::new("/v1/a?page[number]=2", "t1") };
        let text = lua(&target("http://127.0.0.1:9000/b"), &[get, Get::new("/v1/c", "t2")]);
        let form = "(([==[GET /b/v1/a?page[number]=2 HTTP/1.1\nHost: 127.0.0.1:9000\nAccept: application/json\n\
                    Authorization: Bearer t1\nIf-None-Match: \"e\"\n\n]==]):gsub('\\n', '\\r\\n')),\n";
        assert!(text.contains(form), "{text}");
        assert!(text.contains("n = n % 2 + 1"));
    }
}
