//! Starts the proxy prism and sends the exchanges through it.

use std::fs::{self, File};
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use anyhow::{Context, Error, Result, anyhow};
use pointbook_operate::http_client::{self, Response};
use pointbook_operate::pointbook::Server;

use super::exchange::Exchange;
use super::{parameters, playback, verdict};
use crate::contract::description;
use crate::tools::Tools;

/// How many requests are sent at a time.
const AT_ONCE: usize = 4;

/// The longest head that the proxy reads, in bytes. The suite also sends heads that are too long for our server.
const MAX_HEAD_BYTES: usize = 1 << 20;

/// Sends the exchanges through the proxy and returns the violations. The proxy's output goes into the file `log`, and is
/// printed when something is wrong.
pub(super) fn judge(tools: &Tools, exchanges: Vec<Exchange>, log: &Path) -> Result<Vec<String>> {
    let found = judge_all(tools, &Arc::new(exchanges), log);
    if !found.as_ref().is_ok_and(Vec::is_empty) {
        let printed = fs::read(log).unwrap_or_default();
        eprintln!("\nprism printed:\n{}", String::from_utf8_lossy(&printed).trim_end());
    }
    found
}

fn judge_all(tools: &Tools, exchanges: &Arc<Vec<Exchange>>, log: &Path) -> Result<Vec<String>> {
    let mut proxy = start(tools, playback::start(exchanges.clone())?, log).context("prism")?;
    let found = send_all(exchanges, proxy.address);
    // When the proxy has ended, that explains all other errors.
    proxy.is_alive().context("prism")?;
    found
}

fn start(tools: &Tools, upstream: SocketAddr, log: &Path) -> Result<Server> {
    let address = TcpListener::bind("127.0.0.1:0")?.local_addr()?;
    let log = File::create(log)?;
    let mut prism = tools.node_program("prism")?;
    prism.env("NODE_OPTIONS", format!("--max-http-header-size={MAX_HEAD_BYTES}"));
    prism.arg("proxy").arg(description()).arg(format!("http://{upstream}"));
    prism.args(["--port", &address.port().to_string(), "--verboseLevel", "fatal"]);
    Server::start(prism.stdout(log.try_clone()?).stderr(log), address)
}

/// Sends every request through the proxy and returns the violations.
fn send_all(exchanges: &[Exchange], proxy: SocketAddr) -> Result<Vec<String>> {
    let next = AtomicUsize::new(0);
    let work = || -> Result<Vec<String>> {
        let numbers = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
        let mine = numbers.map_while(|number| Some((number, exchanges.get(number)?)));
        let verdicts = mine.map(|(number, exchange)| verdict_on(exchange, number, proxy));
        verdicts.filter_map(Result::transpose).collect()
    };
    let ends = thread::scope(|scope| {
        let workers: Vec<_> = (0..AT_ONCE).map(|_| scope.spawn(work)).collect();
        let panicked = || anyhow!("a thread that sends requests has panicked");
        let ends = workers.into_iter().map(|worker| worker.join().unwrap_or_else(|_| Err(panicked())));
        ends.collect::<Vec<_>>()
    });
    joined(ends)
}

/// The violations of all threads, or the most useful error. A refused connection is the least useful one.
fn joined(ends: Vec<Result<Vec<String>>>) -> Result<Vec<String>> {
    let (mut found, mut errors) = (Vec::new(), Vec::new());
    for end in ends {
        match end {
            Ok(some) => found.extend(some),
            Err(error) => errors.push(error),
        }
    }
    errors.into_iter().min_by_key(is_refusal).map_or(Ok(found), Err)
}

fn is_refusal(error: &Error) -> bool {
    let mut causes = error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>());
    causes.any(|cause| cause.kind() == io::ErrorKind::ConnectionRefused)
}

/// The violations of an exchange as one message, if any.
fn verdict_on(exchange: &Exchange, number: usize, proxy: SocketAddr) -> Result<Option<String>> {
    let Exchange { method, path, query, status, .. } = exchange;
    let asked = format!("{method} {path}{query}: {status}");
    let mut response = send(exchange, number, proxy).with_context(|| asked.clone())?;
    if verdict::is_cut(&response) && !exchange.has_good_request {
        // The list of violations of the request is so long that those of the response are cut off.
        response = send(&exchange.bare(), number, proxy).with_context(|| asked.clone())?;
    }
    let violations = verdict::violations(exchange, number, &response).with_context(|| asked.clone())?;
    Ok((!violations.is_empty()).then(|| format!("{asked} {}", violations.join(" "))))
}

fn send(exchange: &Exchange, number: usize, proxy: SocketAddr) -> Result<Response> {
    let Exchange { method, path, query, request, .. } = exchange;
    let with =
        [("host", &*proxy.to_string()), (playback::NUMBER, &number.to_string()), ("connection", "close")];
    let query = parameters::for_prism(query);
    let request = request.bytes(&format!("{method} {path}{query} HTTP/1.1"), &["host", "connection"], &with);
    http_client::exchange(proxy, &request)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_useful_error_is_returned() {
        let failed = |kind: io::ErrorKind, asked: &str| {
            Err(Error::from(io::Error::from(kind)).context(asked.to_owned()))
        };
        let refused = || failed(io::ErrorKind::ConnectionRefused, "GET /a: 200");
        let reset = || failed(io::ErrorKind::ConnectionReset, "GET /b: 200");
        let found = || Ok(vec!["c".to_owned()]);
        assert_eq!(joined(vec![found(), found()]).unwrap(), ["c", "c"]);
        let told = |ends| joined(ends).unwrap_err().to_string();
        assert_eq!(told(vec![found(), refused(), reset()]), "GET /b: 200");
        assert_eq!(told(vec![refused(), found()]), "GET /a: 200");
    }
}
