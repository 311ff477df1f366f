//! Every request of the black-box suite and its answer, judged in passing by prism, a proxy that validates.
//!
//! The suite runs and writes down what is said. Then each request goes through the proxy, and behind that stands a
//! server that gives the answer which was given in the suite. So the proxy sees what the tests saw, of hundreds of
//! servers, each with a database, a clock and faults of its own, and changes nothing for them. Some more exchanges are
//! wrong on purpose, and it has to say so of each.

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

/// The variable that tells the suite where to write.
const BOOK: &str = "POINTBOOK_EXCHANGES";

/// What a run came to.
pub(super) struct Judged {
    /// How much was judged.
    pub(super) told: String,
    pub(super) left_out: Skipped,
}

/// Runs the suite and has all that was said in it judged. Fails when the proxy finds something in an answer, or in a
/// request that the server took, and when it does not find what was planted.
pub(super) fn run(tools: &Tools) -> Result<Judged> {
    let operations = Operations::read()?;
    let folder = tempfile::tempdir()?;
    let book = folder.path().join("exchanges");
    write(&book)?;
    let (mut exchanges, tally) = read(&book, &operations)?;
    tally.ensure_enough(&operations)?;
    let planted = planted::of(&exchanges, &operations)?;
    let told = format!("{}, and all of {} planted violations found", tally.told(), planted.len());
    exchanges.extend(planted);
    let found = prism::judge(tools, exchanges, &folder.path().join("prism.log"))?;
    if !found.is_empty() {
        eprintln!("\n{}", found.join("\n"));
    }
    ensure!(found.is_empty(), "{} exchange(s) are not as described, or not seen to be wrong", found.len());
    Ok(Judged { told, left_out: tally.left_out() })
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
