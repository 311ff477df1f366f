//! The log of a server: events and requests have the same schema.

use std::io::{Read, Write};
use std::net::TcpStream;

use serde_json::{Map, Value};

use crate::program::{Folder, Server, get};

/// The members of a request line, in order, after the four members that all lines have.
const OF_REQUESTS: [&str; 12] = [
    "request_id",
    "tenant",
    "method",
    "path",
    "route",
    "status",
    "duration_us",
    "response_bytes",
    "token_id",
    "user_id",
    "client",
    "peer",
];

/// Parses a line by the schema of docs/operating/logs.md. Fails for any other member.
fn read(line: &str) -> Map<String, Value> {
    let members: Map<String, Value> = serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}"));
    let mut at = 0;
    for name in ["time", "level", "message", "target"] {
        let found = line.find(&format!("\"{name}\":\"")).unwrap_or_else(|| panic!("{name}: {line}"));
        assert!(found > at || name == "time" && found == 1, "{line}");
        at = found;
    }
    let time = members["time"].as_str().unwrap();
    let is_utc = time.len() == "2026-01-01T00:00:00.000000Z".len() && time.ends_with('Z');
    assert!(is_utc && pointbook_domain::zones::timestamp_text::parse_timestamp(time).is_some(), "{line}");
    let level = members["level"].as_str().unwrap();
    assert!(["error", "warn", "info", "debug", "trace"].contains(&level), "{line}");
    assert!(!members["message"].as_str().unwrap().is_empty(), "{line}");
    assert!(members.values().all(|value| !value.is_object() && !value.is_array()), "{line}");
    if members["message"] == "request" {
        assert_eq!(members.len(), 4 + OF_REQUESTS.len(), "{line}");
        assert!(OF_REQUESTS.iter().all(|name| members.contains_key(*name)), "{line}");
    }
    members
}

fn lines(server: Server) -> Vec<Map<String, Value>> {
    let started = server.started.clone();
    let (_, said) = server.stop("TERM");
    started.lines().chain(said.lines()).map(read).collect()
}

fn send(server: &Server, bytes: &str) {
    let mut stream = TcpStream::connect(server.url.strip_prefix("http://").unwrap()).unwrap();
    stream.write_all(bytes.as_bytes()).unwrap();
    stream.read_to_end(&mut Vec::new()).unwrap();
}

#[test]
fn every_line_has_one_schema_from_start_to_end() {
    let folder = Folder::with_tenant();
    folder.write("a.toml", "[listen]\nmetrics = \"127.0.0.1:0\"\n[log]\nlevel = \"trace\"\n");
    let token = folder.run("token issue --tenant acme --user u-1").expect_code(0).stdout;
    let server = folder.serve("serve --listen 127.0.0.1:0 --config a.toml");
    let authorization = format!("Authorization: Bearer {}\r\n", token.trim_end());
    get(&format!("{}/api/v1/user", server.url), &authorization);
    send(&server, "nonsense\r\n\r\n");
    let file = rusqlite::Connection::open(folder.path("pointbook.db")).unwrap();
    file.execute_batch("ALTER TABLE users RENAME TO lost").unwrap();
    let failed = get(&format!("{}/api/v1/user", server.url), &authorization);
    assert!(failed.starts_with("HTTP/1.1 500 "), "{failed}");
    let lines = lines(server);
    let levels = |message: &str| {
        let of_message = lines.iter().filter(|line| line["message"] == message);
        let mut levels: Vec<_> = of_message.map(|line| line["level"].as_str().unwrap()).collect();
        // Threads buffer their lines, so two requests may be logged in either order.
        levels.sort_unstable();
        levels
    };
    assert_eq!(levels("request"), ["error", "info"]);
    assert_eq!(levels("request refused"), ["info"]);
    assert_eq!(levels("store failed"), ["error"]);
    assert_eq!(levels("shutting down"), ["info"]);
    assert_eq!(
        lines.iter().filter(|line| line["message"].as_str().unwrap().starts_with("listening on")).count(),
        1
    );
}

#[test]
fn a_request_is_logged_with_the_token_and_the_user() {
    let folder = Folder::with_tenant();
    let issue = |rest: &str| {
        let issued = folder.run(&format!("token issue --tenant acme {rest}")).expect_code(0);
        let token = issued.stdout.trim_end().to_owned();
        (pointbook_store::ports::tokens::token_hash(token.as_bytes()).id().to_string(), token)
    };
    let (customer, admin) = (issue("--user u\"1"), issue("--super-user"));
    let server = folder.serve("serve --listen 127.0.0.1:0");
    for (path, (_, token)) in [
        ("user", &customer),
        ("manage/users", &admin),
        ("manage/users", &customer),
        ("user", &(String::new(), "pb_unknown".to_owned())),
    ] {
        let authorization = format!("Authorization: Bearer {token}\r\n");
        get(&format!("{}/api/v1/{path}", server.url), &authorization);
    }
    let lines = lines(server);
    let mut senders: Vec<_> = lines
        .iter()
        .filter(|line| line["message"] == "request")
        .map(|line| (line["status"].as_u64().unwrap(), line["token_id"].clone(), line["user_id"].clone()))
        .collect();
    senders.sort_by_key(|(status, ..)| *status);
    senders.sort_by_key(|(status, _, user)| (*status, user.is_null()));
    let user = Value::from("u\"1");
    let id = |token: &(String, String)| Value::from(token.0.as_str());
    assert_eq!(
        senders,
        [
            (200, id(&customer), user.clone()),
            (200, id(&admin), Value::Null),
            (401, Value::Null, Value::Null),
            (403, id(&customer), user),
        ]
    );
}

#[test]
fn a_trusted_proxy_tells_the_client() {
    let folder = Folder::with_tenant();
    folder.write("a.toml", "[listen]\ntrusted_proxies = [\"127.0.0.0/8\", \"::1\"]\n");
    let server = folder.serve("serve --listen 127.0.0.1:0 --config a.toml");
    get(&format!("{}/api/v1/user", server.url), "X-Forwarded-For: 198.51.100.1, 192.0.2.7\r\n");
    let lines = lines(server);
    let line = lines.iter().find(|line| line["message"] == "request").unwrap();
    assert_eq!(line["client"], "192.0.2.7");
    assert!(line["peer"].as_str().unwrap().starts_with("127.0.0.1:"));
    folder.write("a.toml", "[listen]\ntrusted_proxies = \"127.0.0.0/8, proxy\"\n");
    folder
        .run("serve --listen 127.0.0.1:0 --config a.toml")
        .expect_refusal(&["listen.trusted_proxies must be"]);
}

/// A proxy may pass on a header that it does not write. The network of the proxy is no way into the networks of a key.
#[test]
fn a_client_that_the_headers_hide_is_in_no_network() {
    let folder = Folder::with_tenant();
    folder.write("a.toml", "[listen]\ntrusted_proxies = \"127.0.0.0/8\"\n");
    let key = "key add --tenant acme --label Shop --scopes orders:read --networks 127.0.0.0/8,192.0.2.0/24";
    let key = folder.run(key).expect_code(0).stdout;
    let server = folder.serve("serve --listen 127.0.0.1:0 --config a.toml");
    let mut expected = vec![];
    for (headers, client, status) in [
        ("X-Forwarded-For: 192.0.2.7\r\n", "192.0.2.7", 200),
        ("X-Forwarded-For: 203.0.113.9\r\n", "203.0.113.9", 403),
        ("X-Forwarded-For: 203.0.113.9\r\nForwarded: x\r\n", "unknown", 403),
        ("X-Forwarded-For: 203.0.113.9\r\nForwarded: for=127.0.0.1\r\n", "unknown", 403),
        ("X-Forwarded-For: x\r\n", "unknown", 403),
        ("Forwarded: for=_hidden\r\n", "unknown", 403),
    ] {
        let headers = format!("Authorization: Bearer {}\r\n{headers}", key.trim_end());
        get(&format!("{}/api/v1/manage/orders", server.url), &headers);
        expected.push((Value::from(client), Value::from(status)));
    }
    let lines = lines(server);
    let requests = lines.iter().filter(|line| line["message"] == "request");
    let logged: Vec<_> = requests.map(|line| (line["client"].clone(), line["status"].clone())).collect();
    assert_eq!(logged, expected);
}

#[test]
fn a_super_user_token_that_expires_soon_is_warned_of() {
    let folder = Folder::with_tenant();
    folder.write("a.toml", "[listen]\nmetrics = \"127.0.0.1:0\"\n");
    let issue = |rest: &str| {
        let line = format!("token issue --tenant acme --super-user{rest}");
        let token = folder.run(&line).expect_code(0).stdout;
        pointbook_store::ports::tokens::token_hash(token.trim_end().as_bytes()).id().to_string()
    };
    let (soon, _later, _never) =
        (issue(" --expires-in 29d --label till"), issue(""), issue(" --expires-in never"));
    let mut server = folder.serve("serve --listen 127.0.0.1:0 --config a.toml");
    server.wait_for(&format!("\"token_id\":\"{soon}\",\"label\":\"till\",\"expires_at\":\""));
    let metrics = get(server.metrics_url.as_deref().unwrap(), "");
    let name = "pointbook_super_user_token_expires_in_seconds{tenant=\"acme/production\"} ";
    let (_, value) = metrics.split_once(name).unwrap_or_else(|| panic!("{metrics}"));
    let seconds: f64 = value.lines().next().unwrap().parse().unwrap();
    assert!((28.9..=29.0).contains(&(seconds / 86_400.0)), "{seconds}");
    let (_, said) = server.stop("TERM");
    assert!(!said.contains("expires soon"), "{said}");
}
