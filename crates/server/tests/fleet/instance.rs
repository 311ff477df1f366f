//! A running server.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, ChildStderr, Command, Stdio};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;

/// A server. It is killed when the value is dropped.
pub(crate) struct Instance {
    process: Child,
    pub(crate) address: SocketAddr,
    /// The log so far.
    said: Arc<Mutex<String>>,
}

impl Instance {
    /// Waits until it listens.
    pub(crate) fn start(command: &mut Command) -> Self {
        let mut process = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let stderr = process.stderr.take().unwrap();
        let said = Arc::new(Mutex::new(String::new()));
        let (found, address) = channel();
        let kept = said.clone();
        thread::spawn(move || listen(stderr, &kept, &found));
        let address = address.recv().unwrap_or_else(|_| panic!("no server: {}", said.lock().unwrap()));
        Self { process, address, said }
    }

    /// The log so far.
    pub(crate) fn said(&self) -> String {
        self.said.lock().unwrap().clone()
    }

    /// Kills it with SIGKILL, as the kernel does when memory runs out.
    pub(crate) fn kill(&mut self) {
        assert!(self.process.try_wait().unwrap().is_none(), "the server ended before the test killed it");
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        // The process may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
        if thread::panicking() {
            eprintln!("{} said:\n{}", self.address, self.said.lock().unwrap());
        }
    }
}

/// Reads the log to its end, so that the server never blocks on it. Sends the address once.
fn listen(stderr: ChildStderr, said: &Mutex<String>, found: &Sender<SocketAddr>) {
    for line in BufReader::new(stderr).lines().map_while(Result::ok) {
        if let Some((_, rest)) = line.split_once("listening on http://") {
            let address = rest.split(['"', ' ']).next().unwrap().parse().unwrap();
            found.send(address).unwrap();
        }
        said.lock().unwrap().extend([&line, "\n"]);
    }
}
