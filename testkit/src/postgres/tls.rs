//! A server that clients can reach with TLS, and that has a password.

use std::net::TcpListener;

use super::skip;
use xtask::throwaway_postgres::{SERVER as PROGRAMS, Shell, find, host, init, launch, on_path};

/// A server on a port of this machine. Its certificate is for the name `localhost`, and the user `pointbook` has the
/// password `hush`. Dropping this value ends the server.
pub struct TlsServer {
    shell: Shell,
    /// Its port on 127.0.0.1.
    pub port: u16,
}

/// Creates a key and a certificate of an authority named `NAME`.
const ROOT: &str = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=NAME \
                    -keyout \"$folder/NAME.key\" -out \"$folder/NAME.pem\"";

/// Requests and signs the server's certificate.
const SERVER: [&str; 3] = [
    "openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=server \
     -keyout \"$folder/server.key\" -out \"$folder/server.csr\"",
    "echo subjectAltName=DNS:localhost >\"$folder/server.names\"",
    "openssl x509 -req -days 2 -in \"$folder/server.csr\" -CA \"$folder/root.pem\" -CAkey \"$folder/root.key\" \
     -CAcreateserial -extfile \"$folder/server.names\" -out \"$folder/server.pem\"",
];

impl TlsServer {
    /// Starts a server. Returns `None` when PostgreSQL or openssl is missing.
    pub fn start() -> Option<Self> {
        let binaries = find(PROGRAMS).unwrap();
        let has_openssl = on_path().any(|folder| folder.join("openssl").is_file());
        let (Some(binaries), true) = (binaries, has_openssl) else {
            skip("tests of TLS are skipped: found no PostgreSQL or no openssl, install both");
            return None;
        };
        let mut shell = Shell::start().unwrap();
        for name in ["root", "other"] {
            shell.run(&ROOT.replace("NAME", name)).unwrap();
        }
        for line in SERVER {
            shell.run(line).unwrap();
        }
        shell.run("echo hush >\"$folder/password\"").unwrap();
        init(&mut shell, &binaries, "a", "--auth-host=scram-sha-256 --pwfile=\"$folder/password\"").unwrap();
        // No other process gets the port in between, because the system assigns ports in turn.
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let options = "-c listen_addresses=127.0.0.1 -c ssl=on -c ssl_cert_file=\"$folder/server.pem\" \
                       -c ssl_key_file=\"$folder/server.key\"";
        launch(&mut shell, &binaries, "a", &format!("{options} -c port={port}")).unwrap();
        shell.run(&format!(
            "until [ -S \"$folder/a.run/.s.PGSQL.{port}\" ]; do kill -0 $pid_a && sleep 0.02 || break; done; kill -0 $pid_a"
        )).unwrap();
        Some(Self { shell, port })
    }

    /// The URL of a database through a local socket, without TLS and password.
    pub fn local_url(&self) -> String {
        format!("postgres://pointbook@{}:{}/postgres", host(&self.shell, "a"), self.port)
    }

    /// The path of the authority's certificate that signed the server's.
    pub fn root(&self) -> String {
        format!("{}/root.pem", self.shell.folder())
    }

    /// The path of another authority's certificate.
    pub fn other_root(&self) -> String {
        format!("{}/other.pem", self.shell.folder())
    }
}
