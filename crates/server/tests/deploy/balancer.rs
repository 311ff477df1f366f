//! The balancer, as `deploy/haproxy.cfg` sets it up.

use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use pointbook_testkit::postgres::empty_database;
use tempfile::TempDir;

use super::instance::{Instance, run as run_command};
use super::tools::{expect_success, run};
use super::{ROOT, deployed};

#[test]
fn haproxy_takes_its_configuration() {
    expect_success(run("haproxy", &["-c", "-f", &format!("{ROOT}/deploy/haproxy.cfg")]));
}

/// A running balancer that listens on a socket in its folder; killed when it is let go.
struct Balancer {
    child: Child,
    folder: TempDir,
}

impl Balancer {
    /// None where its program is not installed.
    fn start(instances: &[Instance; 2]) -> Option<Self> {
        run("haproxy", &["-v"])?;
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("socket");
        let configuration = deployed("haproxy.cfg")
            .replace("bind :8080\n", &format!("bind {}\n", socket.display()))
            .replace("one one:8080\n", &format!("one {}\n", instances[0].authority))
            .replace("two two:8080\n", &format!("two {}\n", instances[1].authority));
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

    /// The whole answer to a GET.
    fn get(&self, path: &str, headers: &str) -> String {
        get(&self.socket(), path, headers)
    }
}

impl Drop for Balancer {
    fn drop(&mut self) {
        // It may have ended already; there is nothing else to do then.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn get(socket: &Path, path: &str, headers: &str) -> String {
    let mut stream = UnixStream::connect(socket).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: acme.example\r\n{headers}Connection: close\r\n\r\n")
        .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

/// How many requests are sent before an instance dies, and after it; every second one is its turn.
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
        let Some(balancer) = Balancer::start(&instances) else { return };
        for request in 0..2 * REQUESTS {
            if request == REQUESTS {
                instances[dying].kill();
            }
            let answer = balancer.get("/api/v1/user/point-history", &headers);
            assert!(answer.starts_with("HTTP/1.1 200"), "{request}: {answer}");
        }
    }
}
