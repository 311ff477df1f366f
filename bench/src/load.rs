//! The load generator: one thread that keeps many connections busy.
//!
//! It is ours because each request may need its own token (a history belongs to a customer) or a source id that no other
//! request has (an activity). Ready-made generators send the same headers with every request, or draw bodies at random.

use std::cell::{Cell, RefCell};
use std::io;
use std::net::SocketAddr;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::runtime::Builder;
use tokio::task::{LocalSet, spawn_local};
use tokio::time::{Instant, sleep_until, timeout_at};

/// Makes the request with this number.
pub(crate) type Requests = Arc<dyn Fn(usize) -> Vec<u8> + Send + Sync>;

/// Sends the same requests again and again, in order.
pub(crate) fn in_turn(requests: Vec<Vec<u8>>) -> Requests {
    Arc::new(move |number| requests[number % requests.len()].clone())
}

/// What to send, and how fast. By default, each connection sends its next request after each response.
#[derive(Clone)]
pub(crate) struct Load {
    pub(crate) requests: Requests,
    pub(crate) connections: u32,
    pub(crate) seconds: u32,
    /// Requests per second of all connections together.
    pub(crate) rate: Option<f64>,
    /// Stops after so many requests.
    pub(crate) count: Option<usize>,
    /// Whether error responses are part of the outcome. Otherwise one fails the run.
    pub(crate) may_fail: bool,
    /// Whether the generator runs only when no other program wants the processor. Only for a thread that ends with it.
    pub(crate) is_idle: bool,
}

/// The result of a load. Only served requests have times.
#[derive(Debug, PartialEq)]
pub(crate) struct Outcome {
    /// The number of responses with any status.
    pub(crate) responses: f64,
    /// Successful responses per second.
    pub(crate) served: f64,
    /// 503 responses per second.
    pub(crate) refused: f64,
    /// Other error responses and broken connections per second.
    pub(crate) failed: f64,
    pub(crate) p50_ms: f64,
    pub(crate) p99_ms: f64,
    /// The average length of a body.
    pub(crate) bytes: f64,
}

impl Load {
    pub(crate) fn new(requests: Requests, connections: u32, seconds: u32) -> Self {
        Self { requests, connections, seconds, rate: None, count: None, may_fail: false, is_idle: false }
    }

    /// Sends the requests and waits until the time is over.
    ///
    /// # Errors
    /// When the server does not accept connections, serves nothing (or, where errors are allowed, responds to nothing), or gives an error
    /// response that is not allowed.
    pub(crate) fn run(&self, address: SocketAddr) -> Result<Outcome> {
        if self.is_idle {
            give_way()?;
        }
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let outcome = LocalSet::new().block_on(&runtime, self.send(address))?;
        let is_heard = outcome.served > 0.0 || self.may_fail && outcome.responses > 0.0;
        ensure!(is_heard, "no request was served in {} s", self.seconds);
        ensure!(self.may_fail || outcome.refused + outcome.failed <= 0.0, "requests failed: {outcome:?}");
        Ok(outcome)
    }

    async fn send(&self, address: SocketAddr) -> Result<Outcome> {
        let mut clients = Vec::new();
        for _ in 0..self.connections {
            clients.push(Client::connect(address).await.context("the server accepts no connection")?);
        }
        let (tally, next) = (Rc::new(RefCell::new(Tally::default())), Rc::new(Cell::new(0)));
        let begun = Instant::now();
        let end = begun + Duration::from_secs(self.seconds.into());
        let sending: Vec<_> = clients
            .into_iter()
            .map(|client| {
                spawn_local(timeout_at(
                    end,
                    client.send_all(self.clone(), begun, next.clone(), tally.clone()),
                ))
            })
            .collect();
        for client in sending {
            // The end stops each client at its request, unless the count did.
            if let Ok(sent) = client.await? {
                sent?;
            }
        }
        Ok(tally.take().outcome(begun.elapsed()))
    }
}

/// Puts this thread below all others.
fn give_way() -> Result<()> {
    let thread = std::fs::read_link("/proc/thread-self")?;
    let id = thread.file_name().context("a thread without an id")?;
    let mut chrt = std::process::Command::new("chrt");
    let status = chrt.args(["--idle", "--pid", "0"]).arg(id).status().context("cannot run chrt")?;
    ensure!(status.success(), "chrt: {status}");
    Ok(())
}

struct Client {
    address: SocketAddr,
    stream: TcpStream,
    received: Vec<u8>,
}

impl Client {
    async fn connect(address: SocketAddr) -> io::Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self { address, stream, received: Vec::with_capacity(64 * 1_024) })
    }

    async fn send_all(
        mut self,
        load: Load,
        begun: Instant,
        next: Rc<Cell<usize>>,
        tally: Rc<RefCell<Tally>>,
    ) -> io::Result<()> {
        loop {
            let number = next.replace(next.get() + 1);
            if load.count.is_some_and(|count| number >= count) {
                return Ok(());
            }
            let from = match load.rate {
                None => Instant::now(),
                Some(rate) => wait_until(begun + time_of(number, rate)).await,
            };
            let head = self.exchange(&(load.requests)(number)).await;
            tally.borrow_mut().add(from.elapsed(), head.as_ref().ok());
            if !head.is_ok_and(|head| !head.closes) {
                self = Self::connect(self.address).await?;
            }
        }
    }

    async fn exchange(&mut self, request: &[u8]) -> io::Result<Head> {
        self.stream.write_all(request).await?;
        self.received.clear();
        let head = loop {
            self.receive().await?;
            if let Some(head) = Head::parse(&self.received) {
                break head;
            }
        };
        while !head.is_whole(&self.received) {
            self.receive().await?;
        }
        Ok(Head { body_bytes: self.received.len() - head.body_at, ..head })
    }

    async fn receive(&mut self) -> io::Result<()> {
        match self.stream.read_buf(&mut self.received).await? {
            0 => Err(io::ErrorKind::UnexpectedEof.into()),
            _ => Ok(()),
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "a number of requests")]
fn time_of(number: usize, rate: f64) -> Duration {
    Duration::from_secs_f64(number as f64 / rate)
}

/// Waits until a request is due. Its time counts from then, or from when the timer woke this thread, which may be a
/// millisecond late. A request that had to wait for its connection counts from when it was due.
async fn wait_until(due: Instant) -> Instant {
    if due <= Instant::now() {
        return due;
    }
    sleep_until(due).await;
    Instant::now()
}

/// The head of a response.
#[derive(Debug, PartialEq)]
struct Head {
    status: u16,
    body_at: usize,
    /// The length of the body. `None` when it comes in chunks.
    length: Option<usize>,
    body_bytes: usize,
    closes: bool,
}

impl Head {
    /// `None` while the head is not complete.
    fn parse(received: &[u8]) -> Option<Self> {
        let body_at = received.windows(4).position(|four| four == b"\r\n\r\n")? + 4;
        let text = std::str::from_utf8(&received[..body_at]).unwrap_or_default();
        let status = text.split(' ').nth(1).and_then(|word| word.parse().ok()).unwrap_or_default();
        let mut head = Self { status, body_at, length: Some(0), body_bytes: 0, closes: false };
        for (name, value) in text.lines().filter_map(|line| line.split_once(": ")) {
            if name.eq_ignore_ascii_case("content-length") && ![204, 304].contains(&status) {
                head.length = value.parse().ok();
            } else if name.eq_ignore_ascii_case("transfer-encoding") {
                head.length = None;
            } else if name.eq_ignore_ascii_case("connection") {
                head.closes = value.eq_ignore_ascii_case("close");
            }
        }
        Some(head)
    }

    fn is_whole(&self, received: &[u8]) -> bool {
        match self.length {
            Some(length) => received.len() >= self.body_at + length,
            None => received.ends_with(b"0\r\n\r\n"),
        }
    }
}

#[derive(Default)]
struct Tally {
    served_us: Vec<u64>,
    bytes: usize,
    refused: u32,
    failed: u32,
}

impl Tally {
    /// Adds a response. A broken connection has none.
    fn add(&mut self, time: Duration, head: Option<&Head>) {
        match head {
            Some(head) if (200..400).contains(&head.status) => {
                self.served_us.push(u64::try_from(time.as_micros()).unwrap_or(u64::MAX));
                self.bytes += head.body_bytes;
            }
            Some(Head { status: 503, .. }) => self.refused += 1,
            _ => self.failed += 1,
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "numbers of some seconds")]
    fn outcome(mut self, time: Duration) -> Outcome {
        self.served_us.sort_unstable();
        let (served, seconds) = (self.served_us.len(), time.as_secs_f64());
        let at = |percent: usize| {
            let us = self.served_us.get(served * percent / 100);
            us.map_or(f64::NAN, |us| *us as f64 / 1_000.0)
        };
        Outcome {
            responses: served as f64 + f64::from(self.refused) + f64::from(self.failed),
            served: served as f64 / seconds,
            refused: f64::from(self.refused) / seconds,
            failed: f64::from(self.failed) / seconds,
            p50_ms: at(50),
            p99_ms: at(99),
            bytes: self.bytes as f64 / served as f64,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::net::TcpListener;
    use std::thread;

    use super::*;

    #[test]
    fn body_ends_with_its_length_or_its_last_chunk() {
        let whole = |text: &str| {
            let head = Head::parse(text.as_bytes()).unwrap();
            (head.status, head.closes, head.is_whole(text.as_bytes()))
        };
        assert_eq!(Head::parse(b"HTTP/1.1 200 OK\r\ncontent-le"), None);
        assert_eq!(whole("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{"), (200, false, false));
        assert_eq!(
            whole("HTTP/1.1 503 Busy\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}"),
            (503, true, true)
        );
        assert_eq!(whole("HTTP/1.1 304 Same\r\ncontent-length: 9000\r\n\r\n"), (304, false, true));
        assert_eq!(
            whole("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n"),
            (200, false, false)
        );
        assert_eq!(
            whole("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"),
            (200, false, true)
        );
    }

    #[test]
    fn only_served_requests_have_times() {
        let head = |status| Head { status, body_at: 0, length: None, body_bytes: 7, closes: false };
        let mut tally = Tally::default();
        for ms in 1..=100 {
            tally.add(Duration::from_millis(ms), Some(&head(200)));
        }
        tally.add(Duration::ZERO, Some(&head(503)));
        tally.add(Duration::ZERO, Some(&head(404)));
        tally.add(Duration::ZERO, None);
        let outcome = Outcome {
            responses: 103.0,
            served: 50.0,
            refused: 0.5,
            failed: 1.0,
            p50_ms: 51.0,
            p99_ms: 100.0,
            bytes: 7.0,
        };
        assert_eq!(tally.outcome(Duration::from_secs(2)), outcome);
    }

    /// A server that answers each request by its first byte: `g` with 200, anything else with 500.
    fn serve(listener: &TcpListener) {
        let (mut stream, _) = listener.accept().unwrap();
        let mut request = [0; 1];
        while stream.read_exact(&mut request).is_ok() {
            let status = if request == *b"g" { 200 } else { 500 };
            write!(stream, "HTTP/1.1 {status} It\r\ncontent-length: 2\r\n\r\n{{}}").unwrap();
        }
    }

    #[test]
    fn count_ends_the_load_and_an_error_response_fails_it() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let server = thread::spawn(move || (0..3).for_each(|_| serve(&listener)));
        let load = |requests: &[&[u8]]| {
            let requests = in_turn(requests.iter().map(|request| request.to_vec()).collect());
            Load { count: Some(4), ..Load::new(requests, 1, 60) }
        };
        let outcome = load(&[b"g"]).run(address).unwrap();
        assert!((outcome.responses - 4.0).abs() < 0.1 && (outcome.bytes - 2.0).abs() < 0.1, "{outcome:?}");
        let mixed = load(&[b"g", b"b"]);
        assert!(mixed.run(address).unwrap_err().to_string().starts_with("requests failed: "));
        assert!(Load { may_fail: true, ..mixed }.run(address).unwrap().failed > 0.0);
        server.join().unwrap();
    }
}
