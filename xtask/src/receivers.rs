//! `cargo xtask receivers`: the example receivers of webhooks in `clients/receivers`, tried with the demo.

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};
use xtask::operate::http_client::{Response, exchange};
use xtask::operate::pointbook::pause;
use xtask::operate::root;

use crate::check::{Skipped, build_binary, quietly, step};
use crate::contract::installed;
use crate::demo::{Demo, SUPER_USER_TOKEN};
use crate::tools::{Tools, emptied, target};

/// How long a delivery may take.
const DELIVERY_TIMEOUT: Duration = Duration::from_secs(30);
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// A secret that no webhook of the demo has.
const OTHER_SECRET: &str = "whsec_QUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUE=";

/// Gives the command that runs a receiver.
type Prepare = fn(&Tools) -> Result<Command>;

/// Each receiver by its language.
const RECEIVERS: [(&str, Prepare); 2] = [("python", |tools| Ok(python(tools))), ("typescript", typescript)];

/// Tries every receiver against a separate demo.
///
/// # Errors
/// Names the first receiver that fails.
pub(crate) fn command(words: &[String]) -> Result<()> {
    if let Some(word) = words.first() {
        bail!("unknown option {word:?}; this command takes no options");
    }
    let Some(tools) = installed()? else {
        return Ok(());
    };
    step("build", build_binary)?;
    for (language, prepare) in RECEIVERS {
        step(language, || attempt(&mut prepare(&tools)?).map(|()| Skipped::new()))?;
    }
    Ok(())
}

fn source() -> PathBuf {
    root::repository().join("clients/receivers")
}

fn python(tools: &Tools) -> Command {
    let mut python = tools.python("python");
    // Warnings are errors.
    python.args(["-W", "error"]).arg(source().join("receiver.py"));
    python
}

/// Checks the types. Then Node runs the file as it is: it passes over the types.
fn typescript(tools: &Tools) -> Result<Command> {
    let folder = target()?.join("receivers");
    emptied(&folder)?;
    symlink(tools.node_package(""), folder.join("node_modules"))?;
    for file in ["receiver.mts", "tsconfig.json"] {
        fs::copy(source().join(file), folder.join(file)).with_context(|| format!("cannot copy {file}"))?;
    }
    let mut compiler = tools.node_program("tsc")?;
    compiler.arg("--typeRoots").arg(tools.node_package("@types")).arg("--noEmit");
    compiler.arg("--project").arg(&folder);
    quietly(compiler)?;
    let mut node = tools.node()?;
    node.arg(folder.join("receiver.mts"));
    Ok(node)
}

/// Adds a webhook to the receiver, which must refuse a wrong signature, accept events, and handle each once.
fn attempt(receiver: &mut Command) -> Result<()> {
    let demo = Demo::start()?;
    let office = Office { demo: &demo };
    let address = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?;
    let url = format!("http://{address}/hooks");
    // The demo's campaigns start while this runs.
    let webhook =
        office.post("/webhooks", &json!({ "url": url, "event_types": ["transaction.recorded"] }))?;
    let path = format!("/webhooks/{}", text(&webhook["data"]["id"])?);

    refuses_wrong_signatures(&office, &path, receiver, address)?;

    let running = Running::start(receiver, text(&webhook["data"]["secret"])?, address)?;
    let test = office.post(&format!("{path}/test"), &json!({}))?;
    ensure!(test["data"]["status"] == 204, "the test: {test}");
    running.handles("webhook.test test_")?;

    let latest = office.get("/events?limit=1")?["meta"]["latest"].take();
    office.record("hook-1")?;
    let first = running.handles("transaction.recorded evt_")?;
    office.post(&format!("{path}/rewind"), &json!({ "after": latest }))?;
    office.wait_until_delivered(&path, 2)?;
    // The secret before a rotation signs for another day.
    office.post(&format!("{path}/rotate"), &json!({}))?;
    office.record("hook-2")?;
    let second = running.handles("transaction.recorded evt_")?;
    ensure!(first != second, "an event that came twice was handled twice: {first}");
    Ok(())
}

fn refuses_wrong_signatures(
    office: &Office<'_>,
    path: &str,
    receiver: &mut Command,
    address: SocketAddr,
) -> Result<()> {
    let _running = Running::start(receiver, OTHER_SECRET, address)?;
    let test = office.post(&format!("{path}/test"), &json!({}))?;
    ensure!(test["data"]["status"] == 401, "a signature by another secret: {test}");
    for headers in ["", "webhook-id: a\r\nwebhook-timestamp: now\r\nwebhook-signature: none\r\n"] {
        let status = post(address, "/hooks", headers, "{}")?.status()?;
        ensure!(status == 401, "the headers {headers:?}: {status}");
    }
    Ok(())
}

/// The back office of the demo.
struct Office<'d> {
    demo: &'d Demo,
}

impl Office<'_> {
    fn get(&self, path: &str) -> Result<Value> {
        self.send("GET", path, "")
    }

    fn post(&self, path: &str, body: &Value) -> Result<Value> {
        self.send("POST", path, &body.to_string())
    }

    fn send(&self, method: &str, path: &str, body: &str) -> Result<Value> {
        let path = format!("/acme/api/v1/manage{path}");
        let headers = format!("Authorization: Bearer {SUPER_USER_TOKEN}\r\n");
        let response = send(self.demo.address(), method, &path, &headers, body)?;
        let is_success = matches!(response.status()?, 200 | 201);
        ensure!(is_success, "{method} {path}: {}", String::from_utf8_lossy(&response.bytes));
        response.json()
    }

    fn record(&self, source_id: &str) -> Result<Value> {
        let activity =
            json!({ "type": "code", "source_id": source_id, "points": 60, "title": "QR code scan" });
        self.post("/users/ben/activities", &activity)
    }

    /// The server counts requests that the receiver accepted shortly after the receiver's response.
    fn wait_until_delivered(&self, path: &str, count: u64) -> Result<()> {
        let begun = Instant::now();
        loop {
            let delivery = self.get(path)?["data"]["delivery"].take();
            if delivery["delivered_count"] == count {
                return Ok(());
            }
            ensure!(begun.elapsed() < DELIVERY_TIMEOUT, "not {count} deliveries: {delivery}");
            pause(LOOK_EVERY);
        }
    }
}

fn text(value: &Value) -> Result<&str> {
    value.as_str().with_context(|| format!("not a string: {value}"))
}

fn post(address: SocketAddr, path: &str, headers: &str, body: &str) -> Result<Response> {
    send(address, "POST", path, headers, body)
}

fn send(address: SocketAddr, method: &str, path: &str, headers: &str, body: &str) -> Result<Response> {
    let (port, length) = (address.port(), body.len());
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: localhost:{port}\r\n{headers}Content-Type: application/json\r\n\
         Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    );
    exchange(address, request.as_bytes())
}

/// A receiver that runs. It is killed when the value is dropped.
struct Running {
    child: Child,
    /// What it prints.
    lines: mpsc::Receiver<String>,
}

impl Running {
    /// Returns once the receiver listens.
    fn start(command: &mut Command, secret: &str, address: SocketAddr) -> Result<Self> {
        let port = address.port();
        command.env("WEBHOOK_SECRET", secret).env("PORT", port.to_string());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let printed = child.stdout.take();
        let (sender, lines) = mpsc::channel();
        let running = Self { child, lines };
        let printed = BufReader::new(printed.context("the receiver has no standard output")?);
        thread::spawn(move || printed.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        running.handles(&format!("listening on port {port}"))?;
        Ok(running)
    }

    /// The next line, which must begin like this.
    fn handles(&self, beginning: &str) -> Result<String> {
        let line = self.lines.recv_timeout(DELIVERY_TIMEOUT);
        let line = line.with_context(|| format!("the receiver does not print {beginning:?}"))?;
        ensure!(line.starts_with(beginning), "the receiver does not print {beginning:?}, but {line:?}");
        Ok(line)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // If it has ended already, there is nothing to do.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
