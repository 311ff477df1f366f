//! A running instance.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

/// It is killed when the value is dropped.
pub(crate) struct Instance {
    child: Child,
    /// The host and port that it listens on.
    pub(crate) authority: String,
    /// The host and port of its metrics.
    pub(crate) metrics: String,
}

impl Instance {
    /// Starts `serve` and waits until it listens. Discards its later output.
    pub(crate) fn start(database: &str) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pointbook"));
        command.args(["--database", database, "serve", "--listen", "127.0.0.1:0"]).env_clear();
        command.env("POINTBOOK_LISTEN_METRICS", "127.0.0.1:0");
        command.env("POINTBOOK_WEBHOOKS_ALLOW_HTTP_TO_LOOPBACK", "true");
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let mut said = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        let mut authority_after = |words: &str| loop {
            line.clear();
            assert!(said.read_line(&mut line).unwrap() > 0, "ended before it listened");
            if let Some((_, rest)) = line.split_once(words) {
                break rest.split(['"', ' ', '\n', '/']).next().unwrap().to_owned();
            }
        };
        let metrics = authority_after("metrics at http://");
        let authority = authority_after("listening on http://");
        std::thread::spawn(move || std::io::copy(&mut said, &mut std::io::sink()));
        Self { child, authority, metrics }
    }

    /// The whole response to a request with a JSON body, which may be empty.
    pub(crate) fn send(authority: &str, head: &str, body: &str) -> String {
        let mut stream = TcpStream::connect(authority).unwrap();
        let length = body.len();
        write!(stream, "{head}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}").unwrap();
        let mut response = String::new();
        stream.read_to_string(&mut response).unwrap();
        response
    }

    /// The metrics, without the head of the response.
    pub(crate) fn scrape(&self) -> String {
        let response = Self::send(&self.metrics, "GET /metrics HTTP/1.1\r\nHost: metrics", "");
        assert!(response.starts_with("HTTP/1.1 200 "), "{response}");
        response.split_once("\r\n\r\n").unwrap().1.to_owned()
    }

    /// Kills the process, as `kill -9` does.
    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        // The process may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs a command that must succeed. Returns its output without the last line end.
pub(crate) fn run(database: &str, line: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pointbook"));
    let output = command.args(["--database", database]).args(line.split(' ')).env_clear().output().unwrap();
    assert!(output.status.success(), "{line}: {output:?}");
    String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
}
