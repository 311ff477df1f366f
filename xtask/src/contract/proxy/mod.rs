//! Every request of the black-box suite and its answer, judged in passing by prism, a proxy that validates.
//!
//! The suite runs and writes down what is said. Then each request goes through the proxy, and behind that stands a
//! server that gives the answer which was given in the suite. So the proxy sees what the tests saw, of hundreds of
//! servers, each with a database, a clock and faults of its own, and changes nothing for them.

mod exchange;
mod left_out;
mod message;
mod operations;
mod parameters;
mod playback;
mod tally;
mod verdict;

use std::collections::HashSet;
use std::fs::File;
use std::io::BufReader;
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use anyhow::{Context, Result, anyhow, ensure};

use self::exchange::{Entry, Exchange};
use self::left_out::Reason;
use self::operations::{Operation, Operations};
use self::tally::Tally;
use super::{Skipped, description};
use crate::check::{cargo, quietly};
use crate::http_client;
use crate::pointbook::Server;
use crate::tools::Tools;

/// The variable that tells the suite where to write.
const BOOK: &str = "POINTBOOK_EXCHANGES";

/// So many requests are on their way at a time.
const AT_ONCE: usize = 4;

/// The longest head that the proxy reads, in bytes. The suite also sends what our server finds too long.
const MAX_HEAD_BYTES: usize = 1 << 20;

/// What a run came to.
pub(super) struct Judged {
    /// How much was judged.
    pub(super) told: String,
    pub(super) left_out: Skipped,
}

/// Runs the suite and has all that was said in it judged. Fails when the proxy finds something in an answer, or in a
/// request that the server took.
pub(super) fn run(tools: &Tools) -> Result<Judged> {
    let operations = Operations::read()?;
    let folder = tempfile::tempdir()?;
    let book = folder.path().join("exchanges");
    write(&book)?;
    let (exchanges, tally) = read(&book, &operations)?;
    tally.ensure_enough(&operations)?;
    let exchanges = Arc::new(exchanges);
    let proxy = start(tools, playback::start(exchanges.clone())?)?;
    let found = judge(&exchanges, proxy.address)?;
    if !found.is_empty() {
        eprintln!("\n{}", found.join("\n"));
    }
    ensure!(found.is_empty(), "{} exchange(s) are not as described", found.len());
    Ok(Judged { told: tally.told(), left_out: tally.left_out() })
}

/// Has the suite write down what is said in it. It runs anew, so that the code is judged as it stands; built as
/// `cargo xtask check` builds it, with the features of the whole workspace, so that nothing is built twice.
fn write(book: &Path) -> Result<()> {
    let mut suite = cargo(&["test", "--quiet", "--workspace", "--locked", "--test", "it", "suite::"]);
    suite.env(BOOK, book);
    quietly(suite).context("the black-box suite")?;
    Ok(())
}

/// What can be judged of it.
fn read(book: &Path, operations: &Operations) -> Result<(Vec<Exchange>, Tally)> {
    let mut book = BufReader::new(File::open(book).context("the suite has written nothing")?);
    let (mut exchanges, mut tally, mut marks) = (Vec::new(), Tally::default(), HashSet::new());
    while let Some(entry) = Entry::read(&mut book)? {
        match left_out::sift(&entry, operations) {
            Err(reason) => tally.leave_out(reason),
            Ok((exchange, _)) if !marks.insert(exchange.mark()) => tally.leave_out(Reason::Repeated),
            Ok((mut exchange, operation)) => {
                tally.judge(&operation.id, exchange.status);
                if let Some(reason) =
                    left_out::leniency(&exchange, operation).filter(|_| exchange.has_good_request)
                {
                    tally.leave_out(reason);
                    exchange.has_good_request = false;
                }
                exchanges.push(with_kind(exchange, operation));
            }
        }
    }
    Ok((exchanges, tally))
}

/// The server takes a body that does not say what it is for what it should be; the proxy has to be told.
fn with_kind(mut exchange: Exchange, operation: &Operation) -> Exchange {
    let request = &mut exchange.request;
    let is_silent = !request.body.is_empty() && request.header("content-type").is_none();
    if let Some(kind) = operation.kind.as_ref().filter(|_| is_silent && exchange.status < 400) {
        request.headers.push(("content-type".to_owned(), kind.clone()));
    }
    exchange
}

fn start(tools: &Tools, upstream: SocketAddr) -> Result<Server> {
    let address = TcpListener::bind("127.0.0.1:0")?.local_addr()?;
    let mut prism = tools.node_program("prism")?;
    prism.env("NODE_OPTIONS", format!("--max-http-header-size={MAX_HEAD_BYTES}"));
    prism.arg("proxy").arg(description()).arg(format!("http://{upstream}"));
    prism.args(["--port", &address.port().to_string(), "--verboseLevel", "fatal"]);
    Server::start(prism.stdout(Stdio::null()).stderr(Stdio::null()), address)
}

/// Sends every request through the proxy; gives what is wrong.
fn judge(exchanges: &[Exchange], proxy: SocketAddr) -> Result<Vec<String>> {
    let next = AtomicUsize::new(0);
    let work = || -> Result<Vec<String>> {
        let numbers = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
        let mine = numbers.map_while(|number| Some((number, exchanges.get(number)?)));
        let verdicts = mine.map(|(number, exchange)| verdict_on(exchange, number, proxy));
        verdicts.filter_map(Result::transpose).collect()
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..AT_ONCE).map(|_| scope.spawn(work)).collect();
        let mut found = Vec::new();
        for worker in workers {
            found.extend(worker.join().map_err(|_| anyhow!("a thread that sends requests has panicked"))??);
        }
        Ok(found)
    })
}

/// What is wrong with an exchange, if anything is.
fn verdict_on(exchange: &Exchange, number: usize, proxy: SocketAddr) -> Result<Option<String>> {
    let Exchange { method, path, query, request, status, .. } = exchange;
    let asked = format!("{method} {path}{query}: {status}");
    let with =
        [("host", &*proxy.to_string()), (playback::NUMBER, &number.to_string()), ("connection", "close")];
    let query = parameters::for_prism(query);
    let request = request.bytes(&format!("{method} {path}{query} HTTP/1.1"), &["host", "connection"], &with);
    let response = http_client::exchange(proxy, &request).with_context(|| asked.clone())?;
    let violations = verdict::violations(exchange, number, &response).with_context(|| asked.clone())?;
    Ok((!violations.is_empty()).then(|| format!("{asked} {}", violations.join(" "))))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ORDER: &str = "POST /a/api/v1/store/orders HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}";

    fn book(requests: &[&str], status: u16) -> tempfile::NamedTempFile {
        let book = tempfile::NamedTempFile::new().unwrap();
        let answer = format!("HTTP/1.1 {status}\r\n\r\n");
        let entries = requests
            .iter()
            .map(|request| format!("{} {} /a/api\n{request}{answer}", request.len(), answer.len()));
        std::fs::write(book.path(), entries.collect::<String>()).unwrap();
        book
    }

    #[test]
    fn what_was_said_twice_is_judged_once() {
        let operations = Operations::read().unwrap();
        let other = ORDER.replace("{}", "[]");
        let book = book(&[ORDER, &other, ORDER], 201);
        let (exchanges, tally) = read(book.path(), &operations).unwrap();
        assert_eq!(exchanges.len(), 2);
        assert_eq!(tally.told(), "2 exchanges of 1 operations");
        assert_eq!(tally.left_out(), [format!("1 {}", Reason::Repeated.told())]);
    }

    #[test]
    fn of_a_request_that_is_only_understood_the_answer_counts() {
        let operations = Operations::read().unwrap();
        let book = book(&["GET /a/api/v1/manage/users?filter[disabled]=1 HTTP/1.1\r\n\r\n"], 200);
        let (exchanges, tally) = read(book.path(), &operations).unwrap();
        assert!(!exchanges[0].has_good_request);
        assert_eq!(tally.told(), "1 exchanges of 1 operations");
        assert_eq!(tally.left_out(), [format!("1 {}", Reason::OtherFlag.told())]);
    }

    #[test]
    fn a_body_that_was_taken_is_sent_as_what_it_was_taken_for() {
        let operations = Operations::read().unwrap();
        let kind = |request: &str, status: u16| {
            let (exchanges, _) = read(book(&[request], status).path(), &operations).unwrap();
            exchanges[0].request.kind()
        };
        assert_eq!(kind(ORDER, 201).as_deref(), Some("application/json"));
        assert_eq!(kind(ORDER, 422), None);
        assert_eq!(kind(&ORDER.replace("2\r\n\r\n{}", "0\r\n\r\n"), 201), None);
        let said = ORDER.replace("Content-L", "Content-Type: text/plain\r\nContent-L");
        assert_eq!(kind(&said, 201).as_deref(), Some("text/plain"));
    }
}
