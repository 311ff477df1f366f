//! Requests and answers, judged in passing by prism, a proxy that validates.

use std::net::TcpListener;
use std::process::Stdio;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::requests::{Request, read};
use super::{Skipped, description};
use crate::demo::Demo;
use crate::http_client::Response;
use crate::pointbook::Server;
use crate::tools::Tools;

/// Sends every request through the proxy; fails when it finds something in an answer, or in a request that the
/// server took.
pub(super) fn run(tools: &Tools, demo: &Demo) -> Result<Skipped> {
    let address = TcpListener::bind("127.0.0.1:0")?.local_addr()?;
    let mut prism = tools.node_program("prism")?;
    prism.arg("proxy").arg(description()).arg(demo.base_url());
    prism.args(["--port", &address.port().to_string(), "--verboseLevel", "error"]);
    let proxy = Server::start(prism.stdout(Stdio::null()).stderr(Stdio::null()), address)?;
    let (mut found, mut kept) = (Vec::new(), String::new());
    for mut request in read()? {
        request.target = request.target.replace("{kept}", &kept);
        let response = request.send(proxy.address)?;
        found.extend(verdict(&request, &response)?);
        if request.is_kept {
            let answer = response.json()?;
            answer["data"]["id"].as_str().context("an answer without an id")?.clone_into(&mut kept);
        }
    }
    if !found.is_empty() {
        eprintln!("\n{}", found.join("\n"));
    }
    ensure!(found.is_empty(), "{} request(s) or answer(s) are not as described", found.len());
    Ok(Skipped::new())
}

/// What is wrong, if anything is.
fn verdict(request: &Request, response: &Response) -> Result<Option<String>> {
    let told = response.header("sl-violations").unwrap_or("[]");
    let violations: Vec<Value> = serde_json::from_str(told).context("the proxy's violations are no JSON")?;
    let status = response.status()?;
    let counts = |violation: &&Value| is_of_answer(violation) || status < 400;
    let violations: Vec<String> = violations.iter().filter(counts).map(Value::to_string).collect();
    let Request { method, target, status: expected, .. } = request;
    let is_well = violations.is_empty() && status == *expected;
    Ok((!is_well)
        .then(|| format!("{method} {target}: {status}, expected {expected} {}", violations.join(" "))))
}

/// A request may be wrong where the answer says so; an answer never.
fn is_of_answer(violation: &Value) -> bool {
    violation["location"][0] == "response"
}
