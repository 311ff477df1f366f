//! Durable writes over HTTP, beside the same rows that the bare driver commits in the same run.

mod databases;
mod overload;
mod report;

use std::process::Command;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, ensure};
use pointbook_operate::pointbook::{Server, pause, release_binary};

use self::databases::{READER, WriteDatabases};
use super::context::Bench;
use super::load::{self, Load, Round};
use super::requests::{self, Get, Target};
use super::script::Script;
use super::writers::Writers;

/// How many clients write at once.
const CLIENTS: [u32; 3] = [1, 16, 64];
/// How many clients read histories while others write.
const READERS: [u32; 2] = [1, 16];
/// How many clients write while histories are read.
const WRITERS: u32 = 64;
/// The most writes in one commit of pointbook.
const MAX_PER_COMMIT: u32 = 256;

/// A kind of write.
#[derive(Debug, Clone, Copy)]
pub(super) enum Kind {
    ManyUsers,
    OneUser,
    Orders,
}

const KINDS: [Kind; 3] = [Kind::ManyUsers, Kind::OneUser, Kind::Orders];
const HISTORY: &str = "writes, history read beside";
const OVERLOAD: &str = "writes, overload";

impl Kind {
    /// Its name in the table and on the command line.
    fn name(self) -> &'static str {
        match self {
            Self::ManyUsers => "writes, activities of many users",
            Self::OneUser => "writes, activities of one user",
            Self::Orders => "writes, orders",
        }
    }

    fn script(self, writers: &Writers) -> Result<Script> {
        match self {
            Self::ManyUsers => Script::activities_of_many(writers),
            Self::OneUser => Script::activities_of_one(writers),
            Self::Orders => Script::orders_of_one(writers),
        }
    }
}

/// The results of one kind of write: rounds of ours, of the driver with grouped commits, and with single commits.
pub(super) struct Measured {
    kind: Kind,
    clients: u32,
    rounds: Vec<(Round, f64, f64)>,
}

/// The results of history reads: quiet rounds, and rounds beside writers with their rate.
pub(super) struct Beside {
    readers: u32,
    rounds: Vec<(Round, Round, f64)>,
}

pub(super) fn names() -> Vec<String> {
    KINDS.into_iter().map(Kind::name).chain([HISTORY, OVERLOAD]).map(str::to_owned).collect()
}

/// Measures the selected scenarios.
pub(super) fn run(bench: &Bench) -> Result<()> {
    let databases = WriteDatabases::prepare()?;
    let server = databases.pointbook.serve()?;
    let contest = Contest { databases: &databases, server: &server, seconds: bench.extent.seconds };
    for kind in KINDS.into_iter().filter(|kind| bench.wants(kind.name())) {
        for clients in CLIENTS {
            report::add(bench, &contest.write(bench, kind, clients)?);
        }
    }
    for readers in READERS.iter().filter(|_| bench.wants(HISTORY)) {
        report::add_beside(bench, &contest.read_beside(bench, *readers)?);
    }
    if bench.wants(OVERLOAD) {
        overload::measure(bench, OVERLOAD, &contest)?;
    }
    Ok(())
}

struct Contest<'b> {
    databases: &'b WriteDatabases,
    server: &'b Server,
    seconds: u32,
}

impl Contest<'_> {
    /// Rounds of ours and of the driver alternate, so that other load of the machine affects all of them.
    fn write(&self, bench: &Bench, kind: Kind, clients: u32) -> Result<Measured> {
        let seconds = self.seconds;
        self.load(kind, clients, seconds)?;
        let rounds = bench.repeat(&format!("{}, {clients} clients", kind.name()), || {
            let ours = self.load(kind, clients, seconds)?;
            let grouped = self.commit_bare(kind, clients.min(MAX_PER_COMMIT))?;
            Ok((ours, grouped, self.commit_bare(kind, 1)?))
        })?;
        let (ours, grouped, single) = rounds[0];
        eprintln!("{:.0}/s, bare {grouped:.0}/s and {single:.0}/s", ours.rate);
        Ok(Measured { kind, clients, rounds })
    }

    fn load(&self, kind: Kind, connections: u32, seconds: u32) -> Result<Round> {
        let script = kind.script(&self.databases.writers)?;
        load::run(&Target::of(self.server), &Load { script: &script.file, connections, seconds })
    }

    /// Sends more writes than the server can do. It may refuse some of them.
    fn overload(&self, kind: Kind, connections: u32) -> Result<Round> {
        let script = kind.script(&self.databases.writers)?;
        let load = Load { script: &script.file, connections, seconds: self.seconds };
        load::run_overloaded(&Target::of(self.server), &load)
    }

    /// Requests per second of the bare driver, on a copy of the same database.
    fn commit_bare(&self, kind: Kind, per_commit: u32) -> Result<f64> {
        let rows = if matches!(kind, Kind::Orders) { "orders" } else { "activities" };
        let (per_commit, seconds) = (per_commit.to_string(), self.seconds.to_string());
        let output = Command::new(release_binary("bare-commits"))
            .arg(&self.databases.bare_database)
            .args([rows, databases::prefix(kind), &per_commit, &seconds])
            .output()?;
        ensure!(output.status.success(), "bare-commits: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout)?.trim().parse().context("bare-commits printed no number")
    }

    fn read_beside(&self, bench: &Bench, readers: u32) -> Result<Beside> {
        self.read(readers)?;
        let turn = || {
            let quiet = self.read(readers)?;
            let (busy, writes) = self.read_while_written(readers)?;
            Ok((quiet, busy, writes))
        };
        let rounds = bench.repeat(&format!("{HISTORY}, {readers} readers"), turn)?;
        let (quiet, busy, _) = rounds[0];
        eprintln!("p99 {:.2} ms, {:.2} ms beside {WRITERS} writers", quiet.p99_ms, busy.p99_ms);
        Ok(Beside { readers, rounds })
    }

    /// Runs a round of reads while others write. Returns it with the rate of the writes.
    fn read_while_written(&self, readers: u32) -> Result<(Round, f64)> {
        /// How long the writers run before the first read and after the last one.
        const MARGIN: Duration = Duration::from_millis(500);
        thread::scope(|scope| {
            let writing = scope.spawn(|| self.load(Kind::ManyUsers, WRITERS, self.seconds + 1));
            pause(MARGIN);
            let busy = self.read(readers)?;
            let written = writing.join().map_err(|_| anyhow!("the writers panicked"))??;
            Ok((busy, written.rate))
        })
    }

    fn read(&self, connections: u32) -> Result<Round> {
        let (target, token) = (Target::of(self.server), &self.databases.writers.tokens[READER]);
        let script =
            requests::Script::write("reader", &target, &[Get::new("/v1/user/point-history", token)])?;
        let seconds = self.seconds;
        load::run(&target, &Load { script: &script.file, connections, seconds })
    }
}
