//! Durable servers that belong to one test, which can stop them.

use std::path::PathBuf;

use super::skip;
use xtask::throwaway_postgres::{Shell, find, host, init, launch, quoted};

/// Small files, so that a copy is fast.
const SMALL: &str = "--wal-segsize=1";

/// The option that makes every commit wait until a standby has it on its disk, too.
const SYNCHRONOUS: &str = "-c synchronous_standby_names='*'";

/// The programs that create, start, copy and promote servers.
const PROGRAMS: &[&str] = &["initdb", "postgres", "pg_basebackup", "pg_ctl", "pg_isready"];

/// The names of the servers, in the order of the URL.
const NAMES: [&str; 2] = ["a", "b"];

/// A durable server, or a primary with a synchronous standby. Dropping the cluster ends the servers.
pub struct Cluster {
    shell: Shell,
    binaries: PathBuf,
    /// The number of servers.
    size: usize,
    /// The index of the primary, also after it was killed.
    primary: usize,
}

impl Cluster {
    /// One server with default durability. Returns `None` when it cannot be started.
    pub fn alone() -> Option<Self> {
        Self::of(1)
    }

    /// A primary, and a standby for which every commit waits.
    pub fn with_standby() -> Option<Self> {
        let mut cluster = Self::of(2)?;
        cluster.join(1);
        Some(cluster)
    }

    fn of(size: usize) -> Option<Self> {
        let Some(binaries) = find(PROGRAMS).unwrap() else {
            skip("tests that kill servers are skipped: install PostgreSQL with all its server programs");
            return None;
        };
        let mut cluster = Self { shell: Shell::start().unwrap(), binaries, size, primary: 0 };
        init(&mut cluster.shell, &cluster.binaries, NAMES[0], SMALL).unwrap();
        cluster.start_primary();
        Some(cluster)
    }

    /// The URL of a database with all servers, which connects to the primary.
    pub fn url(&self) -> String {
        let hosts: Vec<String> = NAMES[..self.size].iter().map(|name| host(&self.shell, name)).collect();
        format!("postgres://pointbook@{}/postgres?target_session_attrs=read-write", hosts.join(","))
    }

    /// Kills the primary, like a power failure.
    pub fn kill_primary(&mut self) {
        self.end_primary("KILL");
    }

    /// Stops the primary with a fast shutdown, which tells its clients and does not wait for them.
    pub fn stop_primary(&mut self) {
        self.end_primary("INT");
    }

    /// Suspends the primary: its connections stay open, but it does not respond.
    pub fn hang_primary(&mut self) {
        self.signal_primary("STOP");
    }

    /// Resumes the suspended primary.
    pub fn wake_primary(&mut self) {
        self.signal_primary("CONT");
    }

    /// Starts the stopped primary again.
    pub fn start_primary(&mut self) {
        self.start(self.primary, if self.size == 1 { "" } else { SYNCHRONOUS });
    }

    /// Promotes the standby, without waiting for the end of the promotion.
    pub fn promote_standby(&mut self) {
        self.primary = 1 - self.primary;
        let (program, name) = (self.program("pg_ctl"), NAMES[self.primary]);
        self.run(&format!("{program} promote --silent --no-wait --pgdata=\"$folder/{name}\""));
    }

    /// Ends the suspended former primary after a promotion.
    pub fn end_former_primary(&mut self) {
        self.primary = 1 - self.primary;
        self.signal_primary("KILL");
        self.primary = 1 - self.primary;
    }

    /// Brings the killed server back as a standby of the promoted one.
    pub fn rejoin(&mut self) {
        self.join(1 - self.primary);
    }

    /// Copies the primary and starts the copy as its standby.
    fn join(&mut self, server: usize) {
        let (program, name, primary) = (self.program("pg_basebackup"), NAMES[server], NAMES[self.primary]);
        self.run(&format!(
            "rm -rf \"$folder/{name}\" && {program} --host=\"$folder/{primary}.run\" --username=pointbook \
             --pgdata=\"$folder/{name}\" --checkpoint=fast --no-sync --write-recovery-conf"
        ));
        self.start(server, "");
    }

    /// Starts a server and waits until it accepts connections.
    fn start(&mut self, server: usize, options: &str) {
        let name = NAMES[server];
        launch(&mut self.shell, &self.binaries, name, options).unwrap();
        let program = self.program("pg_isready");
        self.run(&format!(
            "until {program} --quiet --host=\"$folder/{name}.run\"; do \
             kill -0 $pid_{name} && sleep 0.02 || {{ cat \"$folder/{name}.log\"; break; }}; done; kill -0 $pid_{name}"
        ));
    }

    /// Sends a signal to all processes of the primary. The first one is suspended before they are listed, so that it starts no
    /// more. They are listed before the signal, because the others have another parent once the first one has ended.
    fn signal_primary(&mut self, signal: &str) {
        let pid = format!("$pid_{}", NAMES[self.primary]);
        self.run(&format!(
            "kill -s STOP {pid}; all={pid}; for status in $(grep -ls \"^PPid:[[:space:]]*{pid}\\$\" /proc/[0-9]*/status); do \
             status=${{status%/status}} && all=\"$all ${{status#/proc/}}\"; done; kill -s {signal} $all || kill -0 {pid}"
        ));
    }

    fn end_primary(&mut self, signal: &str) {
        let name = NAMES[self.primary];
        self.run(&format!("kill -s {signal} $pid_{name}; wait $pid_{name}; pid_{name}="));
    }

    #[track_caller]
    fn run(&mut self, line: &str) {
        self.shell.run(line).unwrap();
    }

    fn program(&self, name: &str) -> String {
        quoted(&self.binaries.join(name))
    }
}
