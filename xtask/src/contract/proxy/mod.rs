//! The validating proxy prism judges every request of the black-box suite and its response.
//!
//! The suite runs and records its exchanges. Then each request goes through the proxy to a server that replays the
//! recorded response. So the proxy sees the exchanges of hundreds of test servers, with their databases, clocks and
//! faults, and does not disturb the tests. Further exchanges are wrong on purpose, and prism must find each violation.

mod exchange;
mod left_out;
mod message;
mod operations;
mod parameters;
mod planted;
mod playback;
mod prism;
mod tally;
mod verdict;

use std::collections::HashSet;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use anyhow::{Context, Result, ensure};

use self::exchange::{Entry, Exchange};
use self::left_out::Reason;
use self::operations::{Operation, Operations};
use self::tally::Tally;
use super::Skipped;
use crate::check::{cargo, quietly};
use crate::tools::Tools;

/// The environment variable with the file in which the suite records its exchanges.
const BOOK: &str = "POINTBOOK_EXCHANGES";

/// The result of a run.
pub(super) struct Judged {
    pub(super) summary: String,
    pub(super) left_out: Skipped,
}

/// Runs the suite and judges its exchanges. Fails when the proxy finds a violation in a response or in an accepted
/// request, and when it misses a planted violation.
pub(super) fn run(tools: &Tools) -> Result<Judged> {
    let operations = Operations::read()?;
    let folder = tempfile::tempdir()?;
    let book = folder.path().join("exchanges");
    write(&book)?;
    let (mut exchanges, tally) = read(&book, &operations)?;
    tally.ensure_enough(&operations)?;
    let planted = planted::of(&exchanges, &operations)?;
    let summary = format!("{}, and all of {} planted violations found", tally.summary(), planted.len());
    exchanges.extend(planted);
    let found = prism::judge(tools, exchanges, &folder.path().join("prism.log"))?;
    if !found.is_empty() {
        eprintln!("\n{}", found.join("\n"));
    }
    ensure!(found.is_empty(), "{} exchange(s) have a violation, or a missed planted one", found.len());
    Ok(Judged { summary, left_out: tally.left_out() })
}

/// Runs the suite, which records its exchanges. It runs again each time, so that the current code is judged. The build
/// has the features of the whole workspace, like `cargo xtask check`, so nothing is built twice.
fn write(book: &Path) -> Result<()> {
    let mut suite = cargo(&["test", "--quiet", "--workspace", "--locked", "--test", "it", "suite::"]);
    suite.env(BOOK, book);
    quietly(suite).context("the black-box suite")?;
    Ok(())
}

/// Reads the exchanges that can be judged.
fn read(book: &Path, operations: &Operations) -> Result<(Vec<Exchange>, Tally)> {
    let mut book = BufReader::new(File::open(book).context("the suite has recorded nothing")?);
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

/// Adds the expected media type to an accepted body without one: the server accepts this, the proxy does not.
fn with_kind(mut exchange: Exchange, operation: &Operation) -> Exchange {
    let request = &mut exchange.request;
    let is_silent = !request.body.is_empty() && request.header("content-type").is_none();
    if let Some(kind) = operation.kind.as_ref().filter(|_| is_silent && exchange.status < 400) {
        request.headers.push(("content-type".to_owned(), kind.clone()));
    }
    exchange
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
    fn repeated_exchange_is_judged_once() {
        let operations = Operations::read().unwrap();
        let other = ORDER.replace("{}", "[]");
        let book = book(&[ORDER, &other, ORDER], 201);
        let (exchanges, tally) = read(book.path(), &operations).unwrap();
        assert_eq!(exchanges.len(), 2);
        assert_eq!(tally.summary(), "2 exchanges of 1 operations");
        assert_eq!(tally.left_out(), [format!("1 {}", Reason::Repeated.text())]);
    }

    #[test]
    fn undocumented_request_is_judged_by_its_response_only() {
        let operations = Operations::read().unwrap();
        let book = book(&["GET /a/api/v1/manage/users?filter[disabled]=1 HTTP/1.1\r\n\r\n"], 200);
        let (exchanges, tally) = read(book.path(), &operations).unwrap();
        assert!(!exchanges[0].has_good_request);
        assert_eq!(tally.summary(), "1 exchanges of 1 operations");
        assert_eq!(tally.left_out(), [format!("1 {}", Reason::OtherFlag.text())]);
    }

    #[test]
    fn accepted_body_gets_the_expected_media_type() {
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
