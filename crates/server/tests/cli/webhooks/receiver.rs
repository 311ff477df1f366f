//! A receiver of webhooks on this machine.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

/// What each response of the receiver has in its body and in a header.
pub(super) const MARKER: &str = "said-by-the-receiver";

/// Accepts all requests, and keeps their ids.
pub(super) struct Receiver {
    pub(super) url: String,
    shared: Arc<(Mutex<Vec<String>>, Condvar)>,
    /// Whether responses wait.
    hold: Arc<(Mutex<bool>, Condvar)>,
}

impl Receiver {
    pub(super) fn start() -> Self {
        Self::with(false)
    }

    /// Responds only after [`Self::release`].
    pub(super) fn holding() -> Self {
        Self::with(true)
    }

    fn with(holds: bool) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/hooks", listener.local_addr().unwrap());
        let shared: Arc<(Mutex<Vec<String>>, Condvar)> = Arc::default();
        let hold = Arc::new((Mutex::new(holds), Condvar::new()));
        let (kept, waits) = (shared.clone(), hold.clone());
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (kept, waits) = (kept.clone(), waits.clone());
                std::thread::spawn(move || converse(&stream, &kept, &waits));
            }
        });
        Self { url, shared, hold }
    }

    pub(super) fn release(&self) {
        *self.hold.0.lock().unwrap() = false;
        self.hold.1.notify_all();
    }

    /// Waits until it has this many events. Gives them, and forgets all.
    pub(super) fn wait_for(&self, count: usize) -> Vec<String> {
        let (ids, arrived) = &*self.shared;
        let ids = ids.lock().unwrap();
        let lacks = |ids: &mut Vec<String>| ids.len() < count;
        let (mut ids, waited) = arrived.wait_timeout_while(ids, Duration::from_mins(1), lacks).unwrap();
        assert!(!waited.timed_out(), "{ids:?}");
        std::mem::take(&mut *ids)
    }

    /// Gives the ids that have arrived since, and forgets them.
    pub(super) fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.shared.0.lock().unwrap())
    }
}

fn converse(
    stream: &TcpStream,
    kept: &(Mutex<Vec<String>>, Condvar),
    (holds, released): &(Mutex<bool>, Condvar),
) {
    let mut reader = BufReader::new(stream);
    while let Some(id) = read_id(&mut reader) {
        kept.0.lock().unwrap().push(id);
        kept.1.notify_all();
        drop(released.wait_while(holds.lock().unwrap(), |holds| *holds).unwrap());
        let length = MARKER.len();
        let response =
            format!("HTTP/1.1 200 OK\r\nx-marker: {MARKER}\r\ncontent-length: {length}\r\n\r\n{MARKER}");
        if (&mut &*stream).write_all(response.as_bytes()).is_err() {
            return;
        }
    }
}

/// The `webhook-id` of the next request. `None` at the end of the connection.
fn read_id(reader: &mut impl BufRead) -> Option<String> {
    let (mut id, mut length) = (None, 0);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end().split_once(": ") {
            Some(("webhook-id", value)) => id = Some(value.to_owned()),
            Some(("content-length", value)) => length = value.parse().unwrap(),
            None if line.trim_end().is_empty() => break,
            Some(_) | None => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    id
}
