//! `pointbook demo`: the tests start the program and check that what it prints is true.
#![expect(clippy::unwrap_used, reason = "an error fails the test")]

mod collection;
mod events;
mod home;
mod reach;

use std::collections::HashSet;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

/// The line after which the demo serves requests.
const READY: &str = "The demo is running";

/// A running demo. It is killed when the value is dropped.
struct Demo {
    child: Child,
    /// The output until the demo was ready.
    text: String,
    authority: String,
}

impl Drop for Demo {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Demo {
    /// Starts the demo in a folder on a free port, and waits until it is ready.
    fn start(folder: &Path) -> Self {
        Self::start_with(folder, &["--listen", "127.0.0.1:0"])
    }

    fn start_with(folder: &Path, options: &[&str]) -> Self {
        let log = File::create(folder.join("stderr.log")).unwrap();
        let mut child = program(folder, &[&["demo"], options].concat())
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut text = String::new();
        let ready = lines.any(|line| {
            let line = line.unwrap();
            text.push_str(&line);
            text.push('\n');
            line.starts_with(READY)
        });
        let log = || std::fs::read_to_string(folder.join("stderr.log")).unwrap();
        assert!(ready, "the demo ended before it served: {text}{}", log());
        let (_, rest) = text.split_once("http://").unwrap();
        let authority = rest.split('/').next().unwrap().to_owned();
        Self { child, text, authority }
    }

    /// The body of a response of production, which must be 200.
    fn production(&self, path: &str, token: &str) -> Value {
        self.get(&format!("/acme/api{path}"), token)
    }

    fn get(&self, path: &str, token: &str) -> Value {
        let answer = self.send("GET", path, token, "");
        assert!(answer.starts_with("HTTP/1.1 200 "), "{path}: {answer}");
        let (_, body) = answer.split_once("\r\n\r\n").unwrap();
        serde_json::from_str(body).unwrap()
    }

    /// The 422 response to an order of ben.
    fn refusal_of_order(&self, product: &str) -> String {
        let body = format!(r#"{{"product_id":"{product}"}}"#);
        let answer = self.send("POST", "/acme/api/v1/store/orders", "demo-ben", &body);
        assert!(answer.starts_with("HTTP/1.1 422 "), "{answer}");
        answer
    }

    fn send(&self, method: &str, path: &str, token: &str, body: &str) -> String {
        let (mut stream, length) = (TcpStream::connect(&self.authority).unwrap(), body.len());
        let (host, end) = (&self.authority, "Connection: close\r\n\r\n");
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\n\
             Content-Length: {length}\r\n{end}{body}"
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    fn products(&self, query: &str) -> u64 {
        self.production(&format!("/v1/store/products?{query}"), "demo-ben")["meta"]["total"].as_u64().unwrap()
    }

    /// All pages of a history as (day, groups), and the balance.
    fn history(&self, path: &str, token: &str) -> (Vec<(String, Value)>, i64) {
        let (mut days, mut page) = (Vec::new(), 1);
        loop {
            let answer = self.get(&format!("{path}?page[number]={page}"), token);
            let found = answer["data"].as_object().unwrap();
            days.extend(found.iter().map(|(day, groups)| (day.clone(), groups.clone())));
            if page >= answer["meta"]["last_page"].as_u64().unwrap() {
                assert_eq!(answer["meta"]["total"].as_u64().unwrap(), days.len() as u64);
                return (days, answer["user_points"].as_i64().unwrap());
            }
            page += 1;
        }
    }

    fn history_of(&self, user: &str) -> (Vec<(String, Value)>, i64) {
        self.history("/acme/api/v1/user/point-history", &format!("demo-{user}"))
    }

    fn curl_lines(&self) -> Vec<&str> {
        self.text.lines().filter(|line| line.starts_with("curl ")).collect()
    }
}

fn program(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pointbook"));
    command.args(arguments).current_dir(folder).env_remove("POINTBOOK_DATABASE");
    command
}

/// All transactions of these days.
fn transactions(days: &[(String, Value)]) -> Vec<&Value> {
    let groups = days.iter().flat_map(|(_, groups)| groups.as_array().unwrap());
    groups.flat_map(|group| group["data"].as_array().unwrap()).collect()
}

fn sum_of_points(transactions: &[&Value]) -> i64 {
    let points = |row: &&Value| row["points"].as_i64().unwrap() + row["bonus_points"].as_i64().unwrap();
    transactions.iter().map(points).sum()
}

fn depth(categories: &Value) -> usize {
    let below = categories.as_array().unwrap().iter().map(|category| depth(&category["children"]) + 1);
    below.max().unwrap_or_default()
}

#[test]
fn every_filter_finds_demo_products() {
    let folder = tempfile::tempdir().unwrap();
    let demo = Demo::start(folder.path());
    let all = demo.products("");
    assert!(all >= 60, "{all} products");
    for flag in ["newProducts", "lowStock", "onSale", "onlyPopular"] {
        let found = demo.products(&format!("filter[{flag}]=true"));
        assert!((1..all).contains(&found), "{flag}: {found} of {all}");
    }
    assert_eq!(demo.products("filter[title]=CAFE"), 1);
    assert_eq!(demo.products("filter[title]=strasse"), 1);
    assert_eq!(demo.products("filter[title]=%E6%97%A5%E6%9C%AC%E8%AA%9E"), 1);
    let categories = demo.production("/v1/store/categories", "demo-ben");
    assert_eq!(depth(&categories["data"]), 3);
}

#[test]
fn inactive_and_unpublished_products_are_unknown() {
    let folder = tempfile::tempdir().unwrap();
    let demo = Demo::start(folder.path());
    for title in ["steam%20train", "charging%20dock"] {
        assert_eq!(demo.products(&format!("filter[title]={title}")), 0, "{title}");
    }
    let stove = demo.production("/v1/store/products/gas-stove", "demo-ben");
    assert_eq!(stove["data"]["title"], "Pocket gas stove", "sold out is not gone");
    let lantern = demo.production("/v1/store/products/paper-lantern", "demo-ben");
    let description = lantern["data"]["description"].as_str().unwrap();
    assert!(description.contains("Rain-proof") && !description.contains("style="), "{description}");
}

#[test]
fn histories_match_the_printed_table() {
    let folder = tempfile::tempdir().unwrap();
    let demo = Demo::start(folder.path());
    assert_eq!(demo.history_of("mia"), (vec![], 0));
    assert_eq!(demo.history_of("leo").0.len(), 1);

    let (days, points) = demo.history_of("ben");
    let rows = transactions(&days);
    assert!((35..=45).contains(&rows.len()), "{}", rows.len());
    assert_eq!(sum_of_points(&rows), points);

    let (days, points) = demo.history_of("aiko");
    let rows = transactions(&days);
    assert!(days.len() > 3 * 15, "{} days are too few for four pages", days.len());
    assert_eq!(sum_of_points(&rows), points);
    assert!(points > 0);
    let types: HashSet<&str> = rows.iter().map(|row| row["type"].as_str().unwrap()).collect();
    assert_eq!(types, HashSet::from(["code", "video", "quiz", "order"]));
    let bonuses = rows.iter().filter_map(|row| row["bonus_breakdown"].as_array()).flatten();
    let kinds: HashSet<&str> = bonuses.map(|bonus| bonus["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, HashSet::from(["birthday", "campaign"]));
    assert!(days.iter().any(|(_, groups)| groups.as_array().unwrap().len() >= 3));
}

#[test]
fn docs_pages_have_the_printed_tokens() {
    let folder = tempfile::tempdir().unwrap();
    let demo = Demo::start(folder.path());
    let page = format!("http://{}/docs", demo.authority);
    assert!(demo.text.contains(&page), "{}", demo.text);
    assert!(demo.send("GET", "/docs", "", "").starts_with("HTTP/1.1 200 "));
    let settings = demo.get("/docs/settings.json", "");
    let base = settings["base_path"].as_str().unwrap();
    let tokens = settings["tokens"].as_object().unwrap();
    for (scheme, path) in [("customer", "/v1/user"), ("superUser", "/v1/manage/users")] {
        demo.get(&format!("{base}{path}"), tokens[scheme].as_str().unwrap());
    }
    let description = demo.get("/openapi.json", "");
    let schemes = description["components"]["securitySchemes"].as_object().unwrap();
    assert!(tokens.keys().all(|scheme| schemes.contains_key(scheme)), "{tokens:?}");
}

#[test]
fn staging_shares_nothing_with_production() {
    let folder = tempfile::tempdir().unwrap();
    let demo = Demo::start(folder.path());
    let list = demo.get("/acme-staging/api/v1/store/products", "demo-staging-ben");
    assert_eq!(list["meta"]["total"], 10);
    assert!(list["data"][0]["title"].as_str().unwrap().starts_with("[Staging] "));
    let trial = demo.history("/acme-staging/api/v1/user/point-history", "demo-staging-ben");
    assert_ne!(trial, demo.history_of("ben"));
}

#[test]
fn second_start_keeps_data_with_a_new_address() {
    let folder = tempfile::tempdir().unwrap();
    let counts = |demo: &Demo| (demo.products(""), demo.history_of("aiko"), demo.history_of("ben"));
    let first = Demo::start(folder.path());
    let before = counts(&first);
    drop(first);
    let second = Demo::start(folder.path());
    assert_eq!(counts(&second), before);
    let list = second.production("/v1/store/products", "demo-ben");
    let path = list["meta"]["path"].as_str().unwrap();
    assert_eq!(path, format!("http://{}/acme/api/v1/store/products", second.authority));
    drop(second);

    let audit =
        program(folder.path(), &["audit", "--database", "sqlite:pointbook-demo.db"]).output().unwrap();
    assert!(audit.status.success(), "{audit:?}");
}

#[test]
fn demo_makes_one_key_file_beside_its_database() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pointbook-demo.keys");
    drop(Demo::start(folder.path()));
    let made = std::fs::read(&path).unwrap();
    assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    drop(Demo::start(folder.path()));
    assert_eq!(std::fs::read(&path).unwrap(), made);
    let line =
        ["keyring", "check", "--file", "pointbook-demo.keys", "--database", "sqlite:pointbook-demo.db"];
    let check = program(folder.path(), &line).output().unwrap();
    assert!(check.status.success(), "{check:?}");
}

#[test]
fn port_in_use_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let refused = program(folder.path(), &["demo", "--listen", &address]).output().unwrap();
    let words = String::from_utf8(refused.stderr).unwrap();
    assert!(!refused.status.success());
    assert!(words.contains(&address) && words.contains("--listen"), "{words}");
    assert!(refused.stdout.is_empty());
}

#[test]
fn printed_curl_lines_work_as_printed() {
    if !curl_is_installed() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let demo = Demo::start(folder.path());
    let lines = demo.curl_lines();
    assert!(lines.len() >= 8, "{lines:?}");
    let mut refusals = HashSet::new();
    for line in lines {
        // The test must not use a proxy of this machine.
        let answer = Command::new("sh").args(["-c", line]).env("NO_PROXY", "*").output().unwrap();
        assert!(answer.status.success(), "{line}");
        let answer = String::from_utf8(answer.stdout).unwrap();
        match answer.strip_prefix("HTTP/1.1 ") {
            Some(answer) => drop(refusals.insert(answer[..3].to_owned())),
            None => assert!(says_something(&answer), "{line}: {answer}"),
        }
    }
    assert_eq!(refusals, HashSet::from(["401".to_owned(), "422".to_owned()]));
    let audit =
        program(folder.path(), &["audit", "--database", "sqlite:pointbook-demo.db"]).output().unwrap();
    assert!(audit.status.success(), "{audit:?}");
}

#[test]
fn there_is_an_order_in_every_status_and_a_product_that_is_sold_out() {
    let folder = tempfile::tempdir().unwrap();
    let demo = Demo::start(folder.path());
    let mine = demo.production("/v1/store/orders", "demo-aiko");
    let statuses: Vec<&str> =
        mine["data"].as_array().unwrap().iter().map(|order| order["status"].as_str().unwrap()).collect();
    assert_eq!(statuses, ["placed", "cancelled", "fulfilled"]);
    let listed = |status: &str| {
        demo.production(&format!("/v1/manage/orders?filter[status]={status}"), "demo-admin")["meta"]["total"]
            .as_u64()
    };
    assert_eq!([listed("placed"), listed("cancelled"), listed("fulfilled")], [Some(1); 3]);
    let (days, points) = demo.history_of("aiko");
    assert_eq!(sum_of_points(&transactions(&days)), points);
    assert!(demo.refusal_of_order("gas-stove").contains("The selected product is sold out."));
}

/// Whether the response is JSON with data that is not empty.
fn says_something(answer: &str) -> bool {
    let answer: Value = serde_json::from_str(answer).unwrap_or_default();
    match &answer["data"] {
        Value::Array(items) => !items.is_empty(),
        Value::Object(members) => !members.is_empty(),
        _ => false,
    }
}

#[expect(clippy::disallowed_methods, reason = "only a developer's machine may go without curl")]
fn curl_is_installed() -> bool {
    let is_installed = Command::new("curl").arg("--version").output().is_ok();
    assert!(is_installed || std::env::var("CI").as_deref() != Ok("true"), "curl is not installed");
    if !is_installed {
        eprintln!("skipped: curl is not installed");
    }
    is_installed
}
