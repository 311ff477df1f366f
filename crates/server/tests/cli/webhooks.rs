//! Webhooks of a program: what it sends, and what a restored or a copied database sends.

use serde_json::Value;

use self::receiver::{MARKER, Receiver};
use crate::copy::{End, wait_until};
use crate::program::{Folder, Server, send_to_host};

mod receiver;

/// The log shows everything of deliveries. Receivers are on this machine.
const DELIVERING: &str =
    "[webhooks]\nallow_http_to_loopback = true\n[log]\nlevel = \"info,pointbook_events=trace\"\n";
const SILENT: &str = "[webhooks]\ndeliver = false\nallow_http_to_loopback = true\n";

/// A folder with a tenant, two users, and a key that may do everything.
struct Fixture {
    folder: Folder,
    key: String,
    receiver: Receiver,
}

impl Fixture {
    fn new() -> Self {
        Self::with(Receiver::start())
    }

    fn with(receiver: Receiver) -> Self {
        let folder = Folder::with_tenant();
        folder.write("on.toml", DELIVERING);
        folder.write("off.toml", SILENT);
        let line = "key add --tenant acme --label All --scopes all";
        let key = folder.run(line).expect_code(0).stdout.trim().to_owned();
        let fixture = Self { folder, key, receiver };
        fixture.add_users("pointbook.db", "first", 3);
        fixture
    }

    /// Each new user is one event.
    fn add_users(&self, database: &str, name: &str, count: usize) {
        let ids: Vec<_> = (0..count).map(|number| format!("{name}-{number}\n")).collect();
        self.folder.write("users.csv", &format!("user_id\n{}", ids.concat()));
        let line = format!("--database sqlite:{database} import users users.csv --tenant acme");
        self.folder.run(&line).expect_code(0);
    }

    fn serve(&self, url: &str, config: &str) -> Server {
        self.folder.serve(&format!("--database {url} serve --listen 127.0.0.1:0 --config {config}"))
    }

    /// The whole response.
    fn send(&self, server: &Server, method: &str, path: &str, body: &str) -> String {
        let url = format!("{}/api/v1/manage/webhooks{path}", server.url);
        let headers = format!("Authorization: Bearer {}\r\nContent-Type: application/json\r\n", self.key);
        send_to_host(method, "acme.example", &url, &headers, body)
    }

    fn call(&self, server: &Server, method: &str, path: &str, body: &str) -> Value {
        let response = self.send(server, method, path, body);
        let (head, body) = response.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with("HTTP/1.1 20"), "{response}");
        serde_json::from_str(body).unwrap()
    }

    /// Adds a webhook that begins at the oldest event.
    fn add_webhook(&self, server: &Server) -> String {
        let body = format!("{{\"url\": \"{}\", \"after\": \"1-0\"}}", self.receiver.url);
        self.call(server, "POST", "", &body)["data"]["id"].as_str().unwrap().to_owned()
    }

    /// Adds a webhook. Waits until the three first events have arrived, and the progress is stored.
    fn deliver_first(&self, server: &Server) -> String {
        let id = self.add_webhook(server);
        assert_eq!(self.receiver.wait_for(3), positions(1..=3));
        wait_until(|| self.call(server, "GET", &format!("/{id}"), "")["data"]["delivery"]["lag"] == 0);
        id
    }

    /// Sends a test, which arrives after everything that was sent before. Gives all ids since then.
    fn ids_after_a_test(&self, server: &Server, id: &str) -> Vec<String> {
        self.call(server, "POST", &format!("/{id}/test"), "");
        self.receiver.take()
    }
}

fn positions(range: std::ops::RangeInclusive<usize>) -> Vec<String> {
    range.map(|position| format!("evt_1_{position}")).collect()
}

#[test]
fn nothing_of_a_response_but_its_status_is_kept() {
    let fixture = Fixture::new();
    let server = fixture.serve("sqlite:pointbook.db", "on.toml");
    let id = fixture.deliver_first(&server);
    let test = fixture.call(&server, "POST", &format!("/{id}/test"), "");
    assert_eq!(test["data"]["status"], 200);
    let shown = ["", "/attempts"].map(|path| fixture.call(&server, "GET", &format!("/{id}{path}"), ""));
    assert_eq!(shown[1]["data"][0]["status"], 200, "{shown:?}");
    let (_, said) = server.stop("TERM");
    assert!(!said.is_empty());
    let mut stored = std::fs::read(fixture.folder.path("pointbook.db")).unwrap();
    stored.extend(std::fs::read(fixture.folder.path("pointbook.db-wal")).unwrap_or_default());
    let seen = [test.to_string(), format!("{shown:?}"), said, String::from_utf8_lossy(&stored).into_owned()];
    assert!(seen.iter().all(|seen| !seen.contains(MARKER)), "a response of the receiver was kept");
}

#[test]
fn a_stop_waits_for_the_request_that_runs_so_that_no_event_is_sent_twice() {
    let fixture = Fixture::with(Receiver::holding());
    let mut server = fixture.serve("sqlite:pointbook.db", "on.toml");
    fixture.add_webhook(&server);
    let mut ids = fixture.receiver.wait_for(1);
    server.signal("TERM");
    server.wait_for("stopping");
    fixture.receiver.release();
    let (status, said) = server.end();
    assert!(status.success(), "{status}: {said}");
    ids.extend(fixture.receiver.take());
    let _server = fixture.serve("sqlite:pointbook.db", "on.toml");
    ids.extend(fixture.receiver.wait_for(3 - ids.len()));
    assert_eq!(ids, positions(1..=3));
}

/// The receiver is the one of the first database. So a drill must be able to keep silent.
#[test]
fn a_restored_database_sends_only_where_webhooks_deliver() {
    let fixture = Fixture::new();
    let server = fixture.serve("sqlite:pointbook.db", "on.toml");
    let id = fixture.deliver_first(&server);
    drop(server.stop("TERM"));
    fixture.folder.run("backup copy.db").expect_code(0);
    fixture.folder.run("restore copy.db --database sqlite:restored.db").expect_code(0);
    fixture.add_users("restored.db", "second", 2);
    fixture.receiver.take();

    let mut silent = fixture.serve("sqlite:restored.db", "off.toml");
    silent.wait_for("webhooks.deliver is false");
    let shown = fixture.call(&silent, "GET", &format!("/{id}"), "");
    assert_eq!(
        (&shown["data"]["state"], &shown["data"]["url"]),
        (&"active".into(), &(*fixture.receiver.url).into())
    );
    let ids = fixture.ids_after_a_test(&silent, &id);
    assert!(ids.len() == 1 && ids[0].starts_with("test_"), "{ids:?}");
    drop(silent.stop("TERM"));

    let _server = fixture.serve("sqlite:restored.db", "on.toml");
    let ids = fixture.receiver.wait_for(2);
    let generation = ids[0].split('_').nth(1).unwrap().to_owned();
    assert_ne!(generation, "1");
    assert_eq!(ids, [4, 5].map(|position| format!("evt_{generation}_{position}")));
}

/// The server of the target knows the tenant, its webhook and its events while the copy brings them.
#[tokio::test]
async fn a_copy_to_a_running_server_leaves_its_webhooks_and_positions_alone() {
    let fixture = Fixture::new();
    let server = fixture.serve("sqlite:pointbook.db", "on.toml");
    let id = fixture.deliver_first(&server);
    drop(server.stop("TERM"));
    let targets = [Some(End::File("target.db")), End::server(&fixture.folder).await];
    for (turn, target) in targets.into_iter().flatten().enumerate() {
        fixture.receiver.take();
        let silent = fixture.serve(&target.url(), "off.toml");
        for round in 0..3 {
            fixture.add_users("pointbook.db", &format!("{turn}-{round}"), 2);
            let line = format!("copy --from sqlite:pointbook.db --to {}", target.url());
            // Ends with 1 when something differs.
            fixture.folder.run(&line).expect_code(0);
        }
        wait_until(|| fixture.send(&silent, "GET", "", "").starts_with("HTTP/1.1 200"));
        let ids = fixture.ids_after_a_test(&silent, &id);
        assert!(ids.len() == 1 && ids[0].starts_with("test_"), "{ids:?}");
        drop(silent.stop("TERM"));
        let delivering = fixture.serve(&target.url(), "on.toml");
        let count = 6 * (turn + 1);
        let ids = fixture.receiver.wait_for(count);
        assert_eq!(
            ids,
            positions(4..=3 + count),
            "each event once, in order, after the cursor of the source"
        );
        drop(delivering.stop("TERM"));
    }
}
