//! A `PgBouncer` between tests and their databases. It gives a client another server connection for every transaction.

use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use tokio_postgres::Config;
use tokio_postgres::config::Host;

use super::{PostgresDatabase, skip};
use xtask::throwaway_postgres::{Shell, host, on_path, quoted};

/// Debian's folder of the program, which may be missing in a user's `PATH`.
const DEBIAN: &str = "/usr/sbin";

/// How long to wait for a starting `PgBouncer`.
const STARTUP: Duration = Duration::from_mins(1);

/// A URL of the same database through a `PgBouncer` in transaction mode, which ends with the process. Returns `None` when
/// `PgBouncer` is not installed.
pub fn pooled_url(database: &PostgresDatabase) -> Option<String> {
    static POOLER: OnceLock<Option<String>> = OnceLock::new();
    let pooler = POOLER.get_or_init(|| {
        let Some(program) = find() else {
            skip("tests with PgBouncer are skipped: install it, or add it to the PATH");
            return None;
        };
        Some(start(&program, &database.url.parse().unwrap()))
    });
    Some(format!("postgres://pointbook@{}/{}", pooler.as_ref()?, database.name))
}

fn find() -> Option<PathBuf> {
    let folders = on_path().chain([PathBuf::from(DEBIAN)]);
    folders.map(|folder| folder.join("pgbouncer")).find(|program| program.is_file())
}

/// Starts a `PgBouncer` for this database's server. Returns its host.
fn start(program: &Path, server: &Config) -> String {
    let mut shell = Shell::start().unwrap();
    shell.run("mkdir \"$folder/pooler.run\"").unwrap();
    for line in [
        "[databases]",
        &format!("* = {}", place(server)),
        "[pgbouncer]",
        "pool_mode = transaction",
        "listen_addr =",
        &format!("unix_socket_dir = {}/pooler.run", shell.folder()),
        "listen_port = 5432",
        // Every client is the user of the tests.
        "auth_type = any",
        "max_client_conn = 1000",
        "default_pool_size = 20",
    ] {
        shell.run(&format!("printf '%s\\n' '{line}' >>\"$folder/pooler.ini\"")).unwrap();
    }
    let program = quoted(program);
    let line = format!(
        "{{ {program} \"$folder/pooler.ini\" >>\"$folder/pooler.log\" 2>&1 & }} && at_end=\"kill $!\""
    );
    shell.run(&line).unwrap();
    await_socket(&format!("{}/pooler.run/.s.PGSQL.5432", shell.folder()));
    let host = host(&shell, "pooler");
    // The end of its input is the end of the process.
    std::mem::forget(shell);
    host
}

/// Waits until it accepts connections, because its socket exists a little before it listens.
fn await_socket(path: &str) {
    let began = Instant::now();
    while let Err(error) = UnixStream::connect(path) {
        assert!(began.elapsed() < STARTUP, "cannot connect to PgBouncer: {error}");
        std::thread::yield_now();
    }
}

/// The server's address in the syntax of `PgBouncer`.
fn place(server: &Config) -> String {
    let host = match &server.get_hosts()[0] {
        Host::Unix(folder) => folder.display().to_string(),
        Host::Tcp(name) => name.clone(),
    };
    let port = server.get_ports().first().copied().unwrap_or(5432);
    let password = server.get_password().map(|password| String::from_utf8(password.to_vec()).unwrap());
    let password = password.map_or_else(String::new, |password| format!(" password={password}"));
    format!("host={host} port={port} user={}{password}", server.get_user().unwrap())
}
