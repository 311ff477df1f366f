//! The load balancer with the configuration of `deploy/haproxy.cfg`.

use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use pointbook_testkit::postgres::empty_database;
use tempfile::TempDir;

use super::instance::{Instance, run as run_command};
use super::tools::{expect_success, run};
use super::{ROOT, deployed};

#[test]
fn haproxy_takes_its_configuration() {
    expect_success(run("haproxy", &["-c", "-f", &format!("{ROOT}/deploy/haproxy.cfg")]));
}

/// The balancer must wait for slow bodies, not an instance.
#[tokio::test]
async fn a_slow_body_does_not_reach_an_instance() {
    let Some(database) = empty_database().await else { return };
    run_command(&database.url, "migrate");
    let instances = [Instance::start(&database.url), Instance::start(&database.url)];
    let soon = [PATIENT[0], PATIENT[1], ("timeout http-request 10s", "timeout http-request 100ms")];
    let Some(balancer) = Balancer::start(&instances, &soon) else { return };
    let answer = ask(
        &balancer.socket(),
        "POST /api/v1/store/orders HTTP/1.1\r\nHost: acme.example\r\nContent-Length: 100\r\n\r\n",
    );
    // An instance would respond with 401 or 404, in JSON.
    assert!(answer.starts_with("HTTP/1.1 408") && !answer.contains("application/json"), "{answer}");
}

/// How long an instance may stall before the balancer counts it as down. The test changes the durations of the
/// configuration: on a machine that other tests share, a second would say nothing.
const PATIENT: [(&str, &str); 2] = [("inter 1s fall 2", "inter 1m fall 2"), ("connect 1s", "connect 1m")];

/// A running balancer that listens on a socket in its folder. It is killed when the value is dropped.
struct Balancer {
    child: Child,
    folder: TempDir,
}

impl Balancer {
    /// Starts the balancer with some words of its configuration replaced; `None` when haproxy is not installed.
    fn start(instances: &[Instance; 2], words: &[(&str, &str)]) -> Option<Self> {
        run("haproxy", &["-v"])?;
        let folder = tempfile::tempdir().unwrap();
        let (socket, states) = (folder.path().join("socket"), folder.path().join("states"));
        let mut configuration = deployed("haproxy.cfg")
            .replace("\nglobal\n", &format!("\nglobal\n    stats socket {}\n", states.display()))
            .replace("bind :8080\n", &format!("bind {}\n", socket.display()))
            .replace("one one:8080\n", &format!("one {}\n", instances[0].authority))
            .replace("two two:8080\n", &format!("two {}\n", instances[1].authority));
        for (word, other) in words {
            assert!(configuration.contains(word), "{word}");
            configuration = configuration.replace(word, other);
        }
        let path = folder.path().join("haproxy.cfg");
        std::fs::write(&path, configuration).unwrap();
        let mut command = Command::new("haproxy");
        let child = command.arg("-db").arg("-f").arg(&path).stdout(Stdio::null()).spawn().unwrap();
        let mut balancer = Self { child, folder };
        while UnixStream::connect(balancer.socket()).is_err() {
            assert!(balancer.child.try_wait().unwrap().is_none(), "HAProxy ended");
            std::thread::yield_now();
        }
        Some(balancer)
    }

    fn socket(&self) -> PathBuf {
        self.folder.path().join("socket")
    }

    /// The result of the last health check of each instance: `UP` or `DOWN`, and the status.
    fn found(&self) -> Vec<(String, String)> {
        let table = ask(&self.folder.path().join("states"), "show stat\n");
        let mut rows = table.lines().map(|line| line.trim_start_matches("# ").split(',').collect::<Vec<_>>());
        let names = rows.next().unwrap();
        let column = |name: &str| names.iter().position(|column| *column == name).unwrap();
        let (name, state, status) = (column("svname"), column("status"), column("check_code"));
        let of_instances =
            rows.filter(|row| row.get(name).is_some_and(|name| matches!(*name, "one" | "two")));
        of_instances.map(|row| (row[state].to_owned(), row[status].to_owned())).collect()
    }

    /// Waits until all instances have this state.
    fn wait_until_found(&self, state: &str, status: &str) {
        let began = Instant::now();
        while self.found().iter().any(|(found, code)| found != state || code != status) {
            assert!(began.elapsed() < CHECKED, "not {state} with {status}: {:?}", self.found());
            std::thread::yield_now();
        }
    }

    /// The whole response to a GET.
    fn get(&self, path: &str, headers: &str) -> String {
        let request =
            format!("GET {path} HTTP/1.1\r\nHost: acme.example\r\n{headers}Connection: close\r\n\r\n");
        ask(&self.socket(), &request)
    }
}

impl Drop for Balancer {
    fn drop(&mut self) {
        // The process may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads the response until the server closes the connection.
fn ask(socket: &Path, question: &str) -> String {
    let mut stream = UnixStream::connect(socket).unwrap();
    stream.write_all(question.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

/// How long to wait for the health checks, which run every second.
const CHECKED: Duration = Duration::from_mins(1);

/// How many requests are sent before an instance dies, and after it. Every second one goes to that instance.
const REQUESTS: usize = 20;

#[tokio::test]
async fn whichever_instance_dies_clients_notice_nothing() {
    let Some(database) = empty_database().await else { return };
    run_command(&database.url, "migrate");
    run_command(&database.url, "tenant add acme --environment production --base-url http://acme.example/api");
    let token = run_command(&database.url, "token issue --tenant acme --user ann");
    let headers = format!("Authorization: Bearer {token}\r\n");
    for dying in 0..2 {
        let mut instances = [Instance::start(&database.url), Instance::start(&database.url)];
        let Some(balancer) = Balancer::start(&instances, &PATIENT) else { return };
        for request in 0..2 * REQUESTS {
            if request == REQUESTS {
                instances[dying].kill();
            }
            let answer = balancer.get("/api/v1/user/point-history", &headers);
            assert!(answer.starts_with("HTTP/1.1 200"), "{request}: {answer}");
        }
    }
}

#[tokio::test]
async fn instances_whose_database_is_away_are_taken_out() {
    let Some(database) = empty_database().await else { return };
    run_command(&database.url, "migrate");
    let instances = [Instance::start(&database.url), Instance::start(&database.url)];
    let Some(balancer) = Balancer::start(&instances, &[]) else { return };
    balancer.wait_until_found("UP", "200");
    drop(database);
    balancer.wait_until_found("DOWN", "503");
}
