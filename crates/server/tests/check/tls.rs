//! Servers with TLS: the client sends the token only when it trusts the certificate.

use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

use crate::demo::program;

/// A certificate authority, and a certificate for `localhost` that it signed.
const CERTIFICATES: &str = "\
set -e
key='-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes'
openssl req -x509 $key -days 2 -subj /CN=root -keyout root.key -out root.pem
openssl req $key -subj /CN=server -keyout server.key -out server.csr
echo subjectAltName=DNS:localhost > names
openssl x509 -req -days 2 -in server.csr -CA root.pem -CAkey root.key -CAcreateserial -extfile names -out server.pem";

/// A server that responds to every request with a text page.
struct TextServer {
    child: Child,
    port: u16,
}

impl TextServer {
    fn start(folder: &Path) -> Self {
        // No other process takes the port in between, because the system gives out ports in turn.
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut command = Command::new("openssl");
        command.args(["s_server", "-www", "-quiet", "-cert", "server.pem", "-key", "server.key"]);
        command.args(["-accept", &format!("127.0.0.1:{port}")]).current_dir(folder);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(child.try_wait().unwrap().is_none(), "the server ended before it listened");
        }
        Self { child, port }
    }
}

impl Drop for TextServer {
    fn drop(&mut self) {
        // The process may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[expect(clippy::disallowed_methods, reason = "only a developer's machine may go without openssl")]
fn has_openssl() -> bool {
    let is_installed = Command::new("openssl").arg("version").output().is_ok();
    assert!(is_installed || std::env::var("CI").as_deref() != Ok("true"), "openssl is not installed");
    if !is_installed {
        eprintln!("skipped: openssl is not installed");
    }
    is_installed
}

/// A folder with certificates, and a server that uses them.
fn with_certificates() -> (TempDir, TextServer) {
    let folder = tempfile::tempdir().unwrap();
    let made = Command::new("sh").args(["-c", CERTIFICATES]).current_dir(&folder).output().unwrap();
    assert!(made.status.success(), "{made:?}");
    let server = TextServer::start(folder.path());
    (folder, server)
}

#[test]
fn check_needs_a_certificate_that_the_system_trusts() {
    if !has_openssl() {
        return;
    }
    let (folder, server) = with_certificates();
    let check = |host: &str, roots: &str| {
        let base = format!("https://{host}:{}/api", server.port);
        let mut command = program(&folder);
        command.args(["check", &base, "--token", "secret"]).env("SSL_CERT_FILE", roots);
        let output = command.output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let (code, said) = check("localhost", "root.pem");
    assert!(
        code == Some(1) && said.contains("does not follow the interface: GET /v1/store/products"),
        "{said}"
    );
    for (host, roots) in [("localhost", "names"), ("127.0.0.1", "root.pem")] {
        let (code, said) = check(host, roots);
        assert!(code == Some(3) && said.contains("invalid peer certificate"), "{host}, {roots}: {said}");
    }
}

/// The certificate of the issuer takes the place of the signature of its tokens.
#[test]
fn an_issuer_needs_a_certificate_that_the_system_trusts() {
    if !has_openssl() {
        return;
    }
    let (folder, server) = with_certificates();
    for (host, roots, reason) in [
        ("localhost", "root.pem", "response.type"),
        ("localhost", "names", "unreachable"),
        ("127.0.0.1", "root.pem", "unreachable"),
    ] {
        let mut command = program(&folder);
        command.arg("doctor").env("SSL_CERT_FILE", roots).env("POINTBOOK_OPENID_CLIENT_ID", "pointbook");
        command.env("POINTBOOK_OPENID_ISSUER", format!("https://{host}:{}", server.port));
        let said = String::from_utf8(command.output().unwrap().stdout).unwrap();
        assert!(said.contains(&format!("is not usable: {reason}\n")), "{host}, {roots}: {said}");
    }
}
