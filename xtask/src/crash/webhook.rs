//! `--events`: a webhook gets the events of transactions while servers are killed. Each event must arrive at least once, and the
//! first arrivals of a user's events in the order of `seq`.

use std::collections::{HashMap, HashSet};
use std::io::{BufRead, BufReader, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};
use xtask::operate::http_client::{Call, Connection};
use xtask::operate::pointbook::pause;

use super::setup::{CrashSetup, below_base};

/// A lease of a killed server is taken over after a minute. Then the rest must arrive.
const ARRIVAL_TIMEOUT: Duration = Duration::from_mins(4);

const LOOK_EVERY: Duration = Duration::from_millis(200);

/// A receiver in this process.
pub(super) struct Receiver {
    address: SocketAddr,
    arrived: Arc<Mutex<Arrivals>>,
}

/// What the receiver got so far.
#[derive(Default)]
struct Arrivals {
    positions: HashSet<u64>,
    /// The last `seq` by user.
    seqs: HashMap<String, u64>,
    again: usize,
    problem: Option<String>,
}

impl Receiver {
    /// Listens, and adds a webhook with 8 lanes.
    pub(super) fn start(setup: &CrashSetup, server: SocketAddr) -> Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let receiver = Self { address: listener.local_addr()?, arrived: Arc::default() };
        let arrived = receiver.arrived.clone();
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let arrived = arrived.clone();
                thread::spawn(move || converse(stream, &arrived));
            }
        });
        receiver.add_webhook(setup, server)?;
        Ok(receiver)
    }

    fn add_webhook(&self, setup: &CrashSetup, server: SocketAddr) -> Result<()> {
        let mut connection = Connection::new(server);
        let feed = Call::get(below_base("/v1/manage/events?limit=1"), &setup.back_office);
        let earliest = connection.send(&feed)?.json()?["meta"]["earliest"].take();
        let body = json!({
            "url": format!("http://{}/", self.address),
            "event_types": ["transaction.recorded", "transaction.reversed"],
            "parallel": 8,
            "after": earliest,
        });
        let path = below_base("/v1/manage/webhooks");
        let call = Call { method: "POST", path, token: &setup.back_office, key: None, body: Some(body) };
        let answer = connection.send(&call)?;
        ensure!(answer.status == 201, "the webhook: {} {}", answer.status, answer.text());
        Ok(())
    }

    /// Waits until the events at all these positions have arrived. Prints the counts.
    pub(super) fn compare(&self, positions: &HashSet<u64>) -> Result<()> {
        let begun = Instant::now();
        loop {
            let arrived = lock(&self.arrived);
            if let Some(problem) = &arrived.problem {
                bail!("the webhook: {problem}");
            }
            let missing = positions.difference(&arrived.positions).count();
            if missing == 0 {
                println!(
                    "webhook: {} events arrived, {} of them again; none lost, none out of order",
                    positions.len(),
                    arrived.again
                );
                return Ok(());
            }
            ensure!(
                begun.elapsed() < ARRIVAL_TIMEOUT,
                "{missing} of {} events did not arrive",
                positions.len()
            );
            drop(arrived);
            pause(LOOK_EVERY);
        }
    }
}

fn lock(arrived: &Mutex<Arrivals>) -> std::sync::MutexGuard<'_, Arrivals> {
    arrived.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes the requests of a connection until it ends. A killed server ends it in the middle.
fn converse(stream: TcpStream, arrived: &Mutex<Arrivals>) {
    let Ok(mut output) = stream.try_clone() else { return };
    let mut input = BufReader::new(stream);
    while let Some(body) = read_request(&mut input) {
        let taken =
            serde_json::from_slice(&body).context("no JSON").and_then(|event| lock(arrived).take(&event));
        if let Err(error) = taken {
            lock(arrived).problem = Some(format!("{error:#}"));
        }
        if output.write_all(b"HTTP/1.1 204 No Content\r\n\r\n").is_err() {
            return;
        }
    }
}

/// The body of the next request. `None` at the end of the connection.
fn read_request(input: &mut impl BufRead) -> Option<Vec<u8>> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if input.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let line = line.trim_end().to_ascii_lowercase();
        if line.is_empty() {
            break;
        }
        if let Some(value) = line.strip_prefix("content-length: ") {
            length = value.parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    input.read_exact(&mut body).ok()?;
    Some(body)
}

impl Arrivals {
    fn take(&mut self, event: &Value) -> Result<()> {
        let position = event["position"].as_u64().context("an event without a position")?;
        if !self.positions.insert(position) {
            self.again += 1;
            return Ok(());
        }
        let user = event["data"]["user_id"].as_str().context("an event without a user")?;
        let seq = event["data"]["seq"].as_u64().context("an event without seq")?;
        let last = self.seqs.insert(user.to_owned(), seq);
        ensure!(last.is_none_or(|last| last < seq), "seq {seq} of {user} came after {last:?}");
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(position: u64, seq: u64) -> Value {
        json!({ "position": position, "data": { "user_id": "u", "seq": seq } })
    }

    #[test]
    fn an_event_may_arrive_again_but_not_out_of_order() {
        let mut arrived = Arrivals::default();
        for event in [event(1, 1), event(3, 2), event(1, 1), event(4, 3)] {
            arrived.take(&event).unwrap();
        }
        assert_eq!((arrived.positions.len(), arrived.again), (3, 1));
        assert!(arrived.take(&event(2, 2)).is_err());
    }
}
