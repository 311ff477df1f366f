//! A server that clients can reach with TLS, and that has a password.

use std::net::TcpListener;

use pointbook_throwaway_postgres::{SERVER as PROGRAMS, Shell, find, host, init, launch, on_path};

use super::skip;

/// A server on a port of this machine. Its certificate is for the name `localhost`; the user `pointbook` has the
/// password `hush`. It ends with this.
pub struct TlsServer {
    shell: Shell,
    /// Where it listens, on 127.0.0.1.
    pub port: u16,
}

/// Makes a key and a certificate that vouches for others, by this name.
const ROOT: &str = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=NAME \
                    -keyout \"$folder/NAME.key\" -out \"$folder/NAME.pem\"";

/// Asks for the server's certificate, and gives it.
const SERVER: [&str; 3] = [
    "openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=server \
     -keyout \"$folder/server.key\" -out \"$folder/server.csr\"",
    "echo subjectAltName=DNS:localhost >\"$folder/server.names\"",
    "openssl x509 -req -days 2 -in \"$folder/server.csr\" -CA \"$folder/root.pem\" -CAkey \"$folder/root.key\" \
     -CAcreateserial -extfile \"$folder/server.names\" -out \"$folder/server.pem\"",
];

impl TlsServer {
    /// None where none can be started.
    pub fn start() -> Option<Self> {
        let binaries = find(PROGRAMS).unwrap();
        let has_openssl = on_path().any(|folder| folder.join("openssl").is_file());
        let (Some(binaries), true) = (binaries, has_openssl) else {
            skip("no PostgreSQL or no openssl found, the tests of TLS are skipped: install both");
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
        // Nobody else takes it in between: ports are given out in turn.
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let options = "-c listen_addresses=127.0.0.1 -c ssl=on -c ssl_cert_file=\"$folder/server.pem\" \
                       -c ssl_key_file=\"$folder/server.key\"";
        launch(&mut shell, &binaries, "a", &format!("{options} -c port={port}")).unwrap();
        shell.run(&format!(
            "until [ -S \"$folder/a.run/.s.PGSQL.{port}\" ]; do kill -0 $pid_a && sleep 0.02 || break; done; kill -0 $pid_a"
        )).unwrap();
        Some(Self { shell, port })
    }

    /// The URL of a database, for somebody on this machine: without TLS and without a password.
    pub fn local_url(&self) -> String {
        format!("postgres://pointbook@{}:{}/postgres", host(&self.shell, "a"), self.port)
    }

    /// The path of the certificate that vouches for the server's.
    pub fn root(&self) -> String {
        format!("{}/root.pem", self.shell.folder())
    }

    /// The path of one that does not.
    pub fn other_root(&self) -> String {
        format!("{}/other.pem", self.shell.folder())
    }
}
