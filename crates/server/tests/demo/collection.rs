//! Every request of `clients/pointbook.http`, sent from top to bottom to a new demo.

use std::collections::{BTreeSet, HashMap};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::Value;

use super::Demo;

const COLLECTION: &str = include_str!("../../../../clients/pointbook.http");
/// A file beside the collection, whose bytes are text.
const PICTURE: &str = include_str!("../../../../clients/picture.webp");
const DOCUMENT: &str = include_str!("../../../../openapi.json");

/// A request of the file, with its variables.
struct Request {
    name: String,
    method: String,
    url: String,
    headers: String,
    body: String,
}

/// The values of variables: those of the file, and bodies of responses.
struct Values {
    variables: HashMap<String, String>,
    bodies: HashMap<String, Value>,
    keys: usize,
}

fn parse(text: &str) -> (HashMap<String, String>, Vec<Request>) {
    let (head, rest) = text.split_once("\n### ").unwrap();
    let variables = head.lines().filter_map(|line| line.strip_prefix('@')?.split_once(" = "));
    let variables = variables.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    (variables, rest.split("\n### ").map(request).collect())
}

fn request(text: &str) -> Request {
    let (head, body) = text.split_once("\n\n").unwrap_or((text, ""));
    let mut lines = head.lines().skip(1);
    let name = lines.next().unwrap().strip_prefix("# @name ").unwrap().to_owned();
    let (method, url) = lines.next().unwrap().split_once(' ').unwrap();
    let headers = lines.flat_map(|line| [line, "\r\n"]).collect();
    let body = if body.trim() == "< ./picture.webp" { PICTURE } else { body.trim() };
    Request { name, method: method.to_owned(), url: url.to_owned(), headers, body: body.to_owned() }
}

impl Values {
    fn fill(&mut self, text: &str) -> String {
        let mut pieces = text.split("{{");
        let mut filled = pieces.next().unwrap().to_owned();
        for piece in pieces {
            let (name, after) = piece.split_once("}}").unwrap();
            filled += &self.value(name);
            filled += after;
        }
        filled
    }

    fn value(&mut self, name: &str) -> String {
        if name == "$guid" {
            self.keys += 1;
            return format!("key-{}", self.keys);
        }
        if let Some((request, path)) = name.split_once(".response.body.$.") {
            let body = self.bodies.get(request).unwrap_or_else(|| panic!("{name}: not sent before"));
            return body
                .pointer(&format!("/{}", path.replace('.', "/")))
                .unwrap()
                .as_str()
                .unwrap()
                .to_owned();
        }
        self.variables.get(name).unwrap_or_else(|| panic!("{name}: no such variable")).clone()
    }
}

/// The status and the body of the response.
fn send(request: &Request, values: &mut Values) -> (String, String) {
    let url = values.fill(&request.url);
    let (authority, path) = url.strip_prefix("http://").unwrap().split_once('/').unwrap();
    let (headers, body) = (values.fill(&request.headers), &request.body);
    let mut stream = TcpStream::connect(authority).unwrap();
    write!(
        stream,
        "{} /{path} HTTP/1.1\r\nHost: {authority}\r\n{headers}Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
        request.method,
        body.len()
    )
    .unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).unwrap();
    let (head, body) = response.split_once("\r\n\r\n").unwrap();
    (head[9..12].to_owned(), body.to_owned())
}

/// The same. A person waits with a back-fill until its back-test is done.
#[expect(clippy::disallowed_methods, reason = "a job of another process can only be polled")]
fn send_when_tested(request: &Request, values: &mut Values) -> (String, String) {
    for _ in 0..100 {
        let (status, body) = send(request, values);
        if !body.contains("not_back_tested") {
            return (status, body);
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    panic!("the back-test does not end");
}

/// The success statuses of each operation, by operation id.
fn documented() -> HashMap<String, BTreeSet<String>> {
    let document: Value = serde_json::from_str(DOCUMENT).unwrap();
    let items = document["paths"].as_object().unwrap().values();
    let operations = items.flat_map(|item| item.as_object().unwrap().values());
    let successes = |operation: &Value| -> BTreeSet<String> {
        operation["responses"]
            .as_object()
            .unwrap()
            .keys()
            .filter(|status| status.starts_with('2'))
            .cloned()
            .collect()
    };
    operations
        .filter_map(|operation| Some((operation["operationId"].as_str()?.to_owned(), successes(operation))))
        .collect()
}

#[test]
fn every_request_of_the_collection_has_its_response_twice() {
    let folder = tempfile::tempdir().unwrap();
    let demo = Demo::start(folder.path());
    let (mut variables, requests) = parse(COLLECTION);
    assert_eq!(variables["base_url"], "http://localhost:8080/acme/api", "the URL of the demo");
    variables.insert("base_url".to_owned(), format!("http://{}/acme/api", demo.authority));
    let mut values = Values { variables, bodies: HashMap::new(), keys: 0 };
    let documented = documented();
    let mut sent = BTreeSet::new();
    // People send the requests again, so the first round must leave what the second one needs.
    for request in requests.iter().chain(&requests) {
        let (status, body) = send_when_tested(request, &mut values);
        let is_order = ["placeAnotherOrder", "placeThirdOrder"].contains(&&*request.name);
        let operation = if is_order { "placeOrder" } else { &request.name };
        let is_documented = documented[operation].contains(&status);
        let is_expected = match operation {
            // The demo is a production tenant, which has no virtual clock. The activity of the example does not wait.
            "putClock" | "voidHeldActivity" => status == "409",
            // No delivery may have failed at the position of the example. The second round finds the campaign scheduled.
            "skipWebhookEvent" | "stepCampaign" => is_documented || status == "409",
            _ => is_documented,
        };
        assert!(is_expected, "{}: {status} {body}", request.name);
        values.bodies.insert(request.name.clone(), serde_json::from_str(&body).unwrap());
        sent.insert(operation.to_owned());
    }
    assert_eq!(sent, documented.keys().cloned().collect::<BTreeSet<_>>());
}
