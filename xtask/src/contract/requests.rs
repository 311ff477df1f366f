//! Requests of every operation, good ones and bad ones, with the status that the demo answers them with.

use std::fs;
use std::net::SocketAddr;

use anyhow::{Context, Result};
use serde_json::Value;

use super::settings;
use crate::http_client::{Response, exchange};

/// One request.
pub(super) struct Request {
    pub(super) method: String,
    /// From the first slash on, with the query string.
    pub(super) target: String,
    /// None for a request without a token.
    token: Option<String>,
    /// The lines of a body of many lines, or the only one.
    body: Vec<Value>,
    pub(super) status: u16,
    /// Whether the id that is answered is kept: `{kept}` in a later target stands for it.
    pub(super) is_kept: bool,
}

/// Those of the committed file, in its order.
pub(super) fn read() -> Result<Vec<Request>> {
    let text = fs::read_to_string(settings().join("requests.jsonl")).context("cannot read the requests")?;
    let lines = text.lines().zip(1..);
    lines.map(|(line, number)| parse(line).with_context(|| format!("requests.jsonl:{number}"))).collect()
}

fn parse(line: &str) -> Result<Request> {
    let value: Value = serde_json::from_str(line)?;
    let text = |name: &str| value[name].as_str();
    let (method, target) = text("send").and_then(|send| send.split_once(' ')).context("no `send`")?;
    let body = match &value["body"] {
        Value::Null => Vec::new(),
        Value::Array(lines) => lines.clone(),
        body => vec![body.clone()],
    };
    Ok(Request {
        method: method.to_owned(),
        target: target.to_owned(),
        token: text("token").map(str::to_owned),
        body,
        is_kept: value["keep"] == true,
        status: value["status"].as_u64().and_then(|status| status.try_into().ok()).context("no `status`")?,
    })
}

impl Request {
    /// Sends it on a connection of its own.
    pub(super) fn send(&self, address: SocketAddr) -> Result<Response> {
        let Self { method, target, token, body, .. } = self;
        let token =
            token.as_ref().map_or_else(String::new, |token| format!("Authorization: Bearer {token}\r\n"));
        let lines: Vec<String> = body.iter().map(Value::to_string).collect();
        let (body, kind) = (lines.join("\n"), self.kind());
        let head = format!(
            "{method} {target} HTTP/1.1\r\nHost: {address}\r\nAccept: application/json\r\n{token}{kind}"
        );
        let length = body.len();
        exchange(address, &format!("{head}Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"))
    }

    fn kind(&self) -> &'static str {
        match (self.body.is_empty(), self.target.contains("/import")) {
            (true, _) => "",
            (false, false) => "Content-Type: application/json\r\n",
            (false, true) => "Content-Type: application/x-ndjson\r\n",
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::contract::description;

    /// The operation that answers a request: that of the path without parameters, if there is one.
    fn operation<'d>(description: &'d Value, request: &Request) -> &'d str {
        let path = request.target.split('?').next().unwrap();
        let paths = description["paths"].as_object().unwrap();
        let fits = |template: &str| {
            let pairs = || template.split('/').zip(path.split('/'));
            template.split('/').count() == path.split('/').count()
                && pairs().all(|(part, given)| part == given || part.starts_with('{'))
        };
        let item =
            paths.get(path).or_else(|| paths.iter().find(|(path, _)| fits(path)).map(|(_, item)| item));
        item.unwrap()[request.method.to_lowercase()]["operationId"].as_str().unwrap()
    }

    #[test]
    fn every_operation_is_asked_for_something_good_and_something_bad() {
        let description = serde_json::from_slice(&fs::read(description()).unwrap()).unwrap();
        let requests = read().unwrap();
        let of = |is_good: bool| -> BTreeSet<&str> {
            let some = requests.iter().filter(|request| (request.status < 300) == is_good);
            some.map(|request| operation(&description, request)).collect()
        };
        let paths = description["paths"].as_object().unwrap().values();
        let operations = paths.flat_map(|path| path.as_object().unwrap().values());
        let all: BTreeSet<&str> =
            operations.filter_map(|operation| operation["operationId"].as_str()).collect();
        assert_eq!(of(true), all);
        assert_eq!(of(false), all);
    }
}
