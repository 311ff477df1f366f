//! Running the release binary: its commands with what they cost, and its server.

use std::fs;
use std::io::Write;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use crate::operate::cargo::cargo;
use crate::operate::http_client;
use crate::operate::processor_time::Threads;
use crate::operate::root::repository;

/// How long a server may take until it accepts connections.
const START_TIMEOUT: Duration = Duration::from_mins(1);
/// How often a running process is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(2);

/// Settings of a tenant whose users send more requests than people do.
pub const NO_RATE_LIMIT: [&str; 4] =
    ["--set", "rate_limit_reads_per_minute=0", "--set", "rate_limit_writes_per_minute=0"];

/// The release binary and the database that it works on.
pub struct Pointbook {
    binary: PathBuf,
    database: String,
}

/// What a command printed and what it cost.
pub struct Finished {
    /// What the command printed on stdout.
    pub stdout: String,
    /// How long the command ran.
    pub wall: Duration,
    /// The largest resident memory that was seen, in bytes.
    pub peak_memory_bytes: u64,
}

/// Builds the release binaries of these packages.
///
/// # Errors
/// When cargo fails.
pub fn build_release(packages: &[&str]) -> Result<()> {
    let mut cargo = cargo(&["build", "--release", "--locked"]);
    for package in packages {
        cargo.args(["--package", package]);
    }
    ensure!(cargo.status()?.success(), "the release build failed");
    Ok(())
}

/// Where a release binary is after a build.
pub fn release_binary(name: &str) -> PathBuf {
    repository().join("target/release").join(name)
}

impl Pointbook {
    /// On an embedded database.
    pub fn new(database: &Path) -> Self {
        Self::on(format!("sqlite:{}", database.display()))
    }

    /// Another binary than that of the release, on an embedded database.
    pub fn of(binary: PathBuf, database: &Path) -> Self {
        Self { binary, database: format!("sqlite:{}", database.display()) }
    }

    /// On the database of a URL.
    pub fn on(database: String) -> Self {
        Self { binary: release_binary("pointbook"), database }
    }

    /// Another binary on the same database.
    #[must_use]
    pub fn with_binary(self, binary: PathBuf) -> Self {
        Self { binary, ..self }
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(&self.binary);
        command.arg("--database").arg(&self.database).args(words);
        command
    }

    /// Runs a command to its end; fails when it does.
    ///
    /// # Errors
    /// When the binary cannot be started, or its exit status is not 0.
    pub fn run(&self, words: &[&str]) -> Result<Finished> {
        let started = Instant::now();
        let output = tempfile::NamedTempFile::new()?;
        let stdout = output.reopen()?;
        let mut child =
            self.command(words).stdin(Stdio::null()).stdout(stdout).stderr(Stdio::inherit()).spawn()?;
        let mut peak_memory_bytes = 0;
        let status = loop {
            peak_memory_bytes = peak_memory_bytes.max(memory_bytes(child.id(), "VmHWM").unwrap_or(0));
            match child.try_wait()? {
                Some(status) => break status,
                None => pause(LOOK_EVERY),
            }
        };
        let stdout = fs::read_to_string(output.path())?;
        ensure!(status.success(), "pointbook {} ended with {status}\n{stdout}", words.join(" "));
        Ok(Finished { stdout, wall: started.elapsed(), peak_memory_bytes })
    }

    /// Runs a command to its end; gives what it printed. What it has to say is shown only when it fails.
    ///
    /// # Errors
    /// When the binary cannot be started, or its exit status is not 0.
    pub fn quiet(&self, words: &[&str]) -> Result<String> {
        let output = self.command(words).stdin(Stdio::null()).output()?;
        let (stdout, stderr) = (String::from_utf8(output.stdout)?, String::from_utf8_lossy(&output.stderr));
        let status = output.status;
        ensure!(status.success(), "pointbook {} ended with {status}\n{stdout}{stderr}", words.join(" "));
        Ok(stdout)
    }

    /// Starts the server on a free port; gives it back once it accepts connections.
    ///
    /// # Errors
    /// As [`Server::start`].
    pub fn serve(&self) -> Result<Server> {
        self.serve_under(&[])
    }

    /// Starts the server as the last words of another command.
    ///
    /// # Errors
    /// As [`Server::start`].
    pub fn serve_under(&self, wrapper: &[&str]) -> Result<Server> {
        self.serve_as("serve", wrapper)
    }

    /// Starts the command of this name, which serves too.
    ///
    /// # Errors
    /// As [`Server::start`].
    pub fn serve_as(&self, name: &str, wrapper: &[&str]) -> Result<Server> {
        let address = TcpListener::bind("127.0.0.1:0")?.local_addr()?;
        let served = self.command(&[name, "--listen", &address.to_string()]);
        let mut command = match wrapper.split_first() {
            None => served,
            Some((program, words)) => {
                let mut command = Command::new(program);
                command.args(words).arg(served.get_program()).args(served.get_args());
                command
            }
        };
        Server::start(command.stdout(Stdio::null()).stderr(Stdio::null()), address)
    }
}

/// A server that is killed when it is let go.
pub struct Server {
    child: Child,
    /// Where the server listens.
    pub address: SocketAddr,
    /// From the start of the process until it accepted a connection.
    pub start: Duration,
}

impl Server {
    /// Runs a command that serves at an address; waits until it accepts connections.
    ///
    /// # Errors
    /// When the process cannot be started, ends, or accepts no connection for a minute.
    pub fn start(command: &mut Command, address: SocketAddr) -> Result<Self> {
        let started = Instant::now();
        let mut child = command.spawn().context("cannot start the server")?;
        while TcpStream::connect(address).is_err() {
            if let Some(status) = child.try_wait()? {
                bail!("the server ended with {status}");
            }
            ensure!(started.elapsed() < START_TIMEOUT, "the server does not accept connections");
            pause(LOOK_EVERY);
        }
        Ok(Self { child, address, start: started.elapsed() })
    }

    /// From its start until it has answered that it is ready.
    ///
    /// # Errors
    /// When the server does not become ready within a minute.
    pub fn first_answer(&self) -> Result<Duration> {
        let asked = Instant::now();
        while http_client::get(self.address, "/readyz", "").is_err() {
            ensure!(asked.elapsed() < START_TIMEOUT, "the server does not become ready");
            pause(LOOK_EVERY);
        }
        Ok(self.start + asked.elapsed())
    }

    /// Fails when the server has ended.
    ///
    /// # Errors
    /// When the server has ended.
    pub fn is_alive(&mut self) -> Result<()> {
        let ended = self.child.try_wait()?;
        ensure!(ended.is_none(), "the server ended by itself: {ended:?}");
        Ok(())
    }

    /// Kills the server with SIGKILL; fails when it has ended before.
    ///
    /// # Errors
    /// When the server has ended before.
    pub fn kill(mut self) -> Result<()> {
        self.is_alive()?;
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }

    /// The id of its process.
    pub fn process(&self) -> u32 {
        self.child.id()
    }

    /// Waits until the server does next to nothing: until what it does behind its first answers is done.
    ///
    /// # Errors
    /// When the server has ended, or is still busy after a minute.
    pub fn wait_until_idle(&self) -> Result<()> {
        const LOOK: Duration = Duration::from_millis(300);
        const IDLE_US: f64 = 6_000.0;
        let begun = Instant::now();
        let mut before = Threads::of(self.process())?;
        loop {
            pause(LOOK);
            let now = Threads::of(self.process())?;
            if now.us_since(&before) < IDLE_US {
                return Ok(());
            }
            ensure!(begun.elapsed() < START_TIMEOUT, "the server does not come to rest");
            before = now;
        }
    }

    /// Resident memory now, in bytes.
    ///
    /// # Errors
    /// When the server has ended.
    pub fn resident_bytes(&self) -> Result<u64> {
        memory_bytes(self.child.id(), "VmRSS").context("the server's memory cannot be read")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // If it has ended already, there is nothing to do.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn memory_bytes(process: u32, field: &str) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(field)?.strip_prefix(':'))?;
    line.trim().strip_suffix(" kB")?.parse::<u64>().ok().map(|kib| kib * 1_024)
}

/// Lets another process go on.
#[expect(clippy::disallowed_methods, reason = "another process's progress can only be polled")]
pub fn pause(time: Duration) {
    std::thread::sleep(time);
}

/// Says what is being done, without ending the line.
pub fn announce(what: &str) {
    eprint!("{what} ... ");
    // A message that cannot be shown does not matter.
    let _ = std::io::stderr().flush();
}
