//! A running server, and what its requests cost.

use std::net::{SocketAddr, ToSocketAddrs as _};
use std::rc::Rc;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, ensure};
use xtask::operate::http_client::{self, Response};
use xtask::operate::pointbook::{Server, pause};
use xtask::operate::postgres::Postgres;
use xtask::operate::processor_time::{self, Threads};

use crate::data::{TENANT, base_path};
use crate::load::{Load, Requests};
use crate::measure::{Figures, Side};
use crate::options::Options;
use crate::subject::Database;

/// Who sends requests to whom: a tenant of a server, and a token.
#[derive(Debug, Clone)]
pub(crate) struct Target {
    pub(crate) address: SocketAddr,
    /// The value of the `Host` field.
    authority: String,
    base_path: String,
    token: String,
    /// The process whose time is counted. `None` for a server on another machine.
    process: Option<u32>,
}

impl Target {
    /// The server of `--against`.
    pub(crate) fn of_options(options: &Options) -> Result<Option<Self>> {
        let Some(url) = &options.against else { return Ok(None) };
        let rest = url.strip_prefix("http://").context("--against requires an http:// URL")?;
        let (authority, path) =
            rest.trim_end_matches('/').split_once('/').unwrap_or((rest.trim_end_matches('/'), ""));
        let with_port =
            if authority.contains(':') { authority.to_owned() } else { format!("{authority}:80") };
        let mut addresses =
            with_port.to_socket_addrs().with_context(|| format!("cannot resolve {authority}"))?;
        Ok(Some(Self {
            address: addresses.next().with_context(|| format!("{authority} has no address"))?,
            authority: authority.to_owned(),
            base_path: if path.is_empty() { String::new() } else { format!("/{path}") },
            token: options.against_token.clone().unwrap_or_default(),
            process: options.against_pid,
        }))
    }

    /// The same server for another token, of this tenant or of another one.
    pub(crate) fn with_token(&self, tenant: &str, token: &str) -> Self {
        Self { base_path: base_path(tenant), token: token.to_owned(), ..self.clone() }
    }

    /// A GET of a path below the tenant's base URL.
    pub(crate) fn get(&self, path: &str) -> Vec<u8> {
        self.get_with(path, "")
    }

    /// A GET with more header lines, each with its line end.
    pub(crate) fn get_with(&self, path: &str, headers: &str) -> Vec<u8> {
        let Self { authority, base_path, token, .. } = self;
        format!(
            "GET {base_path}{path} HTTP/1.1\r\nHost: {authority}\r\nAccept: application/json\r\n\
             Authorization: Bearer {token}\r\n{headers}\r\n"
        )
        .into_bytes()
    }

    /// A request with a JSON body.
    pub(crate) fn send(&self, method: &str, path: &str, body: &str) -> Vec<u8> {
        self.send_bytes(method, path, "application/json", body.as_bytes())
    }

    /// A request with a body of any type.
    pub(crate) fn send_bytes(&self, method: &str, path: &str, content_type: &str, body: &[u8]) -> Vec<u8> {
        let Self { authority, base_path, token, .. } = self;
        let head = format!(
            "{method} {base_path}{path} HTTP/1.1\r\nHost: {authority}\r\nAccept: application/json\r\n\
             Authorization: Bearer {token}\r\nContent-Type: {content_type}\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        [head.as_bytes(), body].concat()
    }

    /// Sends one GET and returns the response, which must be 200.
    pub(crate) fn ask(&self, path: &str) -> Result<Response> {
        let headers = format!("Host: {}\r\nAuthorization: Bearer {}\r\n", self.authority, self.token);
        let response = http_client::get_with(self.address, &format!("{}{path}", self.base_path), &headers)?;
        ensure!(response.status()? == 200, "GET {path}: {}", String::from_utf8_lossy(&response.bytes));
        Ok(response)
    }

    /// How many products match a filter.
    pub(crate) fn total(&self, filter: &str) -> Result<u32> {
        let list = self.ask(&format!("/v1/store/products?page[size]=1&{filter}"))?.json()?;
        let total = list["meta"]["total"].as_u64().context("a list without meta.total")?;
        Ok(u32::try_from(total)?)
    }
}

/// A server that runs as long as this value.
pub(crate) struct Service {
    pub(crate) target: Target,
    /// `None` for a server that ran before.
    server: Option<Server>,
    /// Its database, which must outlive it.
    database: Option<Rc<Database>>,
    pub(crate) seconds: u32,
}

impl Service {
    /// A server of the first tenant, without a token.
    pub(crate) fn of(server: Server, database: Rc<Database>, seconds: u32) -> Self {
        let target = Target {
            address: server.address,
            authority: server.address.to_string(),
            base_path: base_path(TENANT),
            token: String::new(),
            process: Some(server.process()),
        };
        Self { target, server: Some(server), database: Some(database), seconds }
    }

    pub(crate) fn other(target: Target, seconds: u32) -> Self {
        Self { target, server: None, database: None, seconds }
    }

    /// The same service for the requests of a user.
    pub(crate) fn for_customer(self, tenant: &str, user: &str) -> Result<Self> {
        let target = self.target_of(tenant, user)?;
        Ok(Self { target, ..self })
    }

    /// The target for the requests of a user.
    pub(crate) fn target_of(&self, tenant: &str, user: &str) -> Result<Target> {
        Ok(self.target.with_token(tenant, self.database()?.tokens.of(tenant, user)?))
    }

    pub(crate) fn database(&self) -> Result<&Rc<Database>> {
        self.database.as_ref().context("the database of another server is not known")
    }

    pub(crate) fn server(&self) -> Result<&Server> {
        self.server.as_ref().context("another server was not started here")
    }

    /// Waits for work behind the responses, and for accepted requests of connections that are closed.
    pub(crate) fn wait_until_idle(&self) -> Result<()> {
        self.server.as_ref().map_or(Ok(()), Server::wait_until_idle)
    }

    fn postgres(&self) -> Option<u32> {
        self.database.as_ref()?.postgres.as_ref().and_then(Postgres::process)
    }

    /// Runs work, and returns it with the microseconds that the server and PostgreSQL took meanwhile.
    pub(crate) fn cost<T>(&self, work: impl FnOnce() -> Result<T>) -> Result<(T, f64, Option<f64>)> {
        let threads = || self.target.process.map(Threads::of).transpose();
        let of_postgres = || self.postgres().map(processor_time::in_us).transpose();
        let (before, postgres_before) = (threads()?, of_postgres()?);
        let done = work()?;
        let server_us = threads()?.zip(before).map_or(f64::NAN, |(after, before)| after.us_since(&before));
        #[expect(clippy::cast_precision_loss, reason = "microseconds of some seconds")]
        let postgres_us =
            of_postgres()?.zip(postgres_before).map(|(after, before)| after.saturating_sub(before) as f64);
        Ok((done, server_us, postgres_us))
    }

    /// Sends a load, and returns its usual figures.
    pub(crate) fn drive(&self, load: &Load) -> Result<Figures> {
        let (outcome, server_us, postgres_us) = self.cost(|| load.run(self.target.address))?;
        let mut figures = vec![("requests/s", outcome.served), ("CPU us", server_us / outcome.responses)];
        figures.extend(postgres_us.map(|us| ("of PostgreSQL", us / outcome.responses)));
        figures.extend([("p50 ms", outcome.p50_ms), ("p99 ms", outcome.p99_ms), ("bytes", outcome.bytes)]);
        if load.may_fail {
            figures.extend([("503/s", outcome.refused), ("failed/s", outcome.failed)]);
        }
        Ok(figures)
    }

    /// Sends a load while another one runs, which begins earlier and ends later.
    pub(crate) fn drive_beside(&self, load: &Load, background: &Load) -> Result<Figures> {
        const MARGIN: Duration = Duration::from_millis(500);
        let (background, address) =
            (Load { seconds: load.seconds + 1, ..background.clone() }, self.target.address);
        let may_fail = background.may_fail;
        let running = thread::spawn(move || background.run(address));
        pause(MARGIN);
        let mut figures = self.drive(load)?;
        // The processor time is that of both loads.
        figures.retain(|(name, _)| !["CPU us", "of PostgreSQL"].contains(name));
        let outcome = running.join().map_err(|_| anyhow!("the other load panicked"))??;
        figures.push(("beside it, requests/s", outcome.served));
        if may_fail {
            figures.push(("beside it, 503/s", outcome.refused));
        }
        self.wait_until_idle()?;
        Ok(figures)
    }

    /// A load of as many seconds as the options say.
    pub(crate) fn load(&self, requests: Requests, connections: u32) -> Load {
        Load::new(requests, connections, self.seconds)
    }

    /// A side that sends a load.
    pub(crate) fn side(self: &Rc<Self>, label: impl Into<String>, load: Load) -> Side {
        let service = self.clone();
        Side::new(label, move || service.drive(&load))
    }

    /// A side that sends a load alone, and one that sends it beside another load.
    pub(crate) fn sides_beside(self: &Rc<Self>, load: &Load, label: &str, background: Load) -> Vec<Side> {
        let (service, beside) = (self.clone(), load.clone());
        let beside = Side::new(label, move || service.drive_beside(&beside, &background));
        vec![self.side("alone", load.clone()), beside]
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;

    fn other(url: &str) -> Target {
        let options = Options::parse_from(["cargo benchmark", "--against", url, "--against-token", "t1"]);
        Target::of_options(&options).unwrap().unwrap()
    }

    #[test]
    fn base_url_of_another_server_is_split_into_its_parts() {
        let target = other("http://127.0.0.1:9000/acme/api/");
        assert_eq!(target.address.port(), 9_000);
        let text = "GET /acme/api/v1/a?page[number]=2 HTTP/1.1\r\nHost: 127.0.0.1:9000\r\nAccept: application/json\r\n\
                    Authorization: Bearer t1\r\nIf-None-Match: \"e\"\r\n\r\n";
        let bytes = target.get_with("/v1/a?page[number]=2", "If-None-Match: \"e\"\r\n");
        assert_eq!(String::from_utf8(bytes).unwrap(), text);
        assert_eq!(other("http://127.0.0.1").address.port(), 80);
    }

    #[test]
    fn body_has_its_length() {
        let text = String::from_utf8(other("http://127.0.0.1/").send("POST", "/v1/a", "{\"a\":1}")).unwrap();
        assert!(text.starts_with("POST /v1/a HTTP/1.1\r\n"), "{text}");
        assert!(text.ends_with("Content-Length: 7\r\n\r\n{\"a\":1}"), "{text}");
    }
}
