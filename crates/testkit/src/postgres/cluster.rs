//! Servers of a test's own that keep what they have acknowledged, and that a test can take away.

use std::path::PathBuf;

use pointbook_throwaway_postgres::{Shell, find, host, init, launch, quoted};

use super::skip;

/// Little to copy.
const SMALL: &str = "--wal-segsize=1";

/// What makes a server wait with every commit until a standby has it on its disk too.
const SYNCHRONOUS: &str = "-c synchronous_standby_names='*'";

/// What servers are started, copied and promoted with.
const PROGRAMS: &[&str] = &["initdb", "postgres", "pg_basebackup", "pg_ctl", "pg_isready"];

/// The names of the servers, in the order of their URL.
const NAMES: [&str; 2] = ["a", "b"];

/// A server whose commits are on its disk, or two of which one has what the other one acknowledged. They end
/// with this.
pub struct Cluster {
    shell: Shell,
    binaries: PathBuf,
    /// How many servers there are.
    size: usize,
    /// Which of them takes writes, or took them before it was killed.
    primary: usize,
}

impl Cluster {
    /// One server, at its default durability; none where none can be started.
    pub fn alone() -> Option<Self> {
        Self::of(1)
    }

    /// A primary, and a standby that every commit waits for.
    pub fn with_standby() -> Option<Self> {
        let mut cluster = Self::of(2)?;
        cluster.join(1);
        Some(cluster)
    }

    fn of(size: usize) -> Option<Self> {
        let Some(binaries) = find(PROGRAMS).unwrap() else {
            skip(
                "no PostgreSQL with all its programs found, tests that kill servers are skipped: install the server",
            );
            return None;
        };
        let mut cluster = Self { shell: Shell::start().unwrap(), binaries, size, primary: 0 };
        init(&mut cluster.shell, &cluster.binaries, NAMES[0], SMALL).unwrap();
        cluster.start_primary();
        Some(cluster)
    }

    /// The URL of a database that names all servers, and wants the one that takes writes.
    pub fn url(&self) -> String {
        let hosts: Vec<String> = NAMES[..self.size].iter().map(|name| host(&self.shell, name)).collect();
        format!("postgres://pointbook@{}/postgres?target_session_attrs=read-write", hosts.join(","))
    }

    /// Ends the server that takes writes as a machine ends that loses its power.
    pub fn kill_primary(&mut self) {
        self.end_primary("KILL");
    }

    /// Ends the server that takes writes as an operator does who waits for nobody: its clients are told.
    pub fn stop_primary(&mut self) {
        self.end_primary("INT");
    }

    /// Stops the server that takes writes as a machine stops that hangs: its connections stay, and nobody answers.
    pub fn hang_primary(&mut self) {
        self.signal_primary("STOP");
    }

    /// Lets it go on.
    pub fn wake_primary(&mut self) {
        self.signal_primary("CONT");
    }

    /// Starts the server again that took writes before it was ended.
    pub fn start_primary(&mut self) {
        self.start(self.primary, if self.size == 1 { "" } else { SYNCHRONOUS });
    }

    /// Tells the standby to take writes, and does not wait until it does.
    pub fn promote_standby(&mut self) {
        self.primary = 1 - self.primary;
        let (program, name) = (self.program("pg_ctl"), NAMES[self.primary]);
        self.run(&format!("{program} promote --silent --no-wait --pgdata=\"$folder/{name}\""));
    }

    /// Ends the server that hangs after another one was promoted in its place.
    pub fn end_former_primary(&mut self) {
        self.primary = 1 - self.primary;
        self.signal_primary("KILL");
        self.primary = 1 - self.primary;
    }

    /// Brings back the server that was killed, as a standby of the one that was promoted.
    pub fn rejoin(&mut self) {
        self.join(1 - self.primary);
    }

    /// Makes a copy of the primary and starts it as its standby.
    fn join(&mut self, server: usize) {
        let (program, name, primary) = (self.program("pg_basebackup"), NAMES[server], NAMES[self.primary]);
        self.run(&format!(
            "rm -rf \"$folder/{name}\" && {program} --host=\"$folder/{primary}.run\" --username=pointbook \
             --pgdata=\"$folder/{name}\" --checkpoint=fast --no-sync --write-recovery-conf"
        ));
        self.start(server, "");
    }

    /// Starts a server and waits until it answers.
    fn start(&mut self, server: usize, options: &str) {
        let name = NAMES[server];
        launch(&mut self.shell, &self.binaries, name, options).unwrap();
        let program = self.program("pg_isready");
        self.run(&format!(
            "until {program} --quiet --host=\"$folder/{name}.run\"; do \
             kill -0 $pid_{name} && sleep 0.02 || {{ cat \"$folder/{name}.log\"; break; }}; done; kill -0 $pid_{name}"
        ));
    }

    /// Gives all processes of a server the same signal: first to the one that could make another.
    fn signal_primary(&mut self, signal: &str) {
        let pid = format!("$pid_{}", NAMES[self.primary]);
        self.run(&format!(
            "kill -s {signal} {pid} && for status in $(grep -ls \"^PPid:[[:space:]]*{pid}\\$\" /proc/[0-9]*/status); do \
             status=${{status%/status}} && kill -s {signal} ${{status#/proc/}} || break; done"
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
