//! Running the release binary: its commands with what they cost, and its server.

use std::fs;
use std::io::Write;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use crate::root::repository;

/// How long a server may take until it accepts connections.
const START_TIMEOUT: Duration = Duration::from_mins(1);
/// How often a running process is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(2);

/// The release binary and the database that it works on.
pub(crate) struct Pointbook {
    binary: PathBuf,
    database: PathBuf,
}

/// What a command printed and what it cost.
pub(crate) struct Finished {
    pub(crate) stdout: String,
    pub(crate) wall: Duration,
    /// The largest resident memory that was seen, in bytes.
    pub(crate) peak_memory_bytes: u64,
}

/// Builds the release binaries of these packages.
pub(crate) fn build_release(packages: &[&str]) -> Result<()> {
    let mut cargo = Command::new("cargo");
    cargo.args(["build", "--release", "--locked"]).current_dir(repository());
    for package in packages {
        cargo.args(["--package", package]);
    }
    ensure!(cargo.status()?.success(), "the release build failed");
    Ok(())
}

/// Where a release binary is after a build.
pub(crate) fn release_binary(name: &str) -> PathBuf {
    repository().join("target/release").join(name)
}

impl Pointbook {
    pub(crate) fn new(database: &Path) -> Self {
        Self { binary: release_binary("pointbook"), database: database.to_owned() }
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(&self.binary);
        command.arg("--database").arg(format!("sqlite:{}", self.database.display())).args(words);
        command
    }

    /// Runs a command to its end; fails when it does.
    pub(crate) fn run(&self, words: &[&str]) -> Result<Finished> {
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
                None => pause(),
            }
        };
        let stdout = fs::read_to_string(output.path())?;
        ensure!(status.success(), "pointbook {} ended with {status}\n{stdout}", words.join(" "));
        Ok(Finished { stdout, wall: started.elapsed(), peak_memory_bytes })
    }

    /// Starts the server on a free port; gives it back once it accepts connections.
    pub(crate) fn serve(&self) -> Result<Server> {
        let address = TcpListener::bind("127.0.0.1:0")?.local_addr()?;
        let mut command = self.command(&["serve", "--listen", &address.to_string()]);
        Server::start(command.stdout(Stdio::null()).stderr(Stdio::null()), address)
    }
}

/// A server that is killed when it is let go.
pub(crate) struct Server {
    child: Child,
    pub(crate) address: SocketAddr,
    pub(crate) start: Duration,
}

impl Server {
    /// Runs a command that serves at an address; waits until it accepts connections.
    pub(crate) fn start(command: &mut Command, address: SocketAddr) -> Result<Self> {
        let started = Instant::now();
        let mut child = command.spawn().context("cannot start the server")?;
        while TcpStream::connect(address).is_err() {
            if let Some(status) = child.try_wait()? {
                bail!("the server ended with {status}");
            }
            ensure!(started.elapsed() < START_TIMEOUT, "the server does not accept connections");
            pause();
        }
        Ok(Self { child, address, start: started.elapsed() })
    }

    /// Processor time so far, of threads that have ended too, in microseconds. Counted by the kernel
    /// in ticks of 10 ms.
    pub(crate) fn cpu_us(&self) -> Result<u64> {
        const TICK_US: u64 = 10_000;
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.child.id()))?;
        // The name in parentheses may hold anything; user and system time are the 12th and 13th behind it.
        let (_, fields) = stat.rsplit_once(") ").context("a process without a name")?;
        let ticks = fields.split(' ').skip(11).take(2).map(str::parse::<u64>).sum::<Result<u64, _>>()?;
        Ok(ticks * TICK_US)
    }

    /// Resident memory now, in bytes.
    pub(crate) fn resident_bytes(&self) -> Result<u64> {
        memory_bytes(self.child.id(), "VmRSS").context("the server's memory cannot be read")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself; there is nothing else to do then.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn memory_bytes(process: u32, field: &str) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(field)?.strip_prefix(':'))?;
    line.trim().strip_suffix(" kB")?.parse::<u64>().ok().map(|kib| kib * 1_024)
}

#[expect(clippy::disallowed_methods, reason = "another process's progress can only be polled")]
fn pause() {
    std::thread::sleep(LOOK_EVERY);
}

/// Says what is being done, without ending the line.
pub(crate) fn announce(what: &str) {
    eprint!("{what} ... ");
    // A message that cannot be shown does not matter.
    let _ = std::io::stderr().flush();
}
