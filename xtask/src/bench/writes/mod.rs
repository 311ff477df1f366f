//! Writes: durable ones over HTTP, beside the same rows committed by the bare driver in the same run.

mod ground;
mod report;

use std::process::Command;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, ensure};

use self::ground::{Ground, READER};
use super::Extent;
use super::load::{self, Load, Requests, Round};
use super::script::Script;
use super::writers::Writers;
use crate::pointbook::{Server, announce, pause, release_binary};

/// How many clients write at once.
const CLIENTS: [u32; 3] = [1, 16, 64];
/// How many clients read histories while others write.
const READERS: [u32; 2] = [1, 16];
/// How many clients write while histories are read.
const WRITERS: u32 = 64;
/// How many jobs pointbook commits at once at most.
const MAX_PER_COMMIT: u32 = 256;

/// What is written.
#[derive(Debug, Clone, Copy)]
pub(super) enum Kind {
    ManyUsers,
    OneUser,
    Orders,
}

const KINDS: [Kind; 3] = [Kind::ManyUsers, Kind::OneUser, Kind::Orders];
const HISTORY: &str = "writes, history read beside";

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

/// One kind of write by so many clients: rounds of ours, of the grouped driver and of single commits.
pub(super) struct Measured {
    kind: Kind,
    clients: u32,
    rounds: Vec<(Round, f64, f64)>,
}

/// Reads of histories by so many readers: quiet rounds, and rounds beside writers with their rate.
pub(super) struct Beside {
    readers: u32,
    rounds: Vec<(Round, Round, f64)>,
}

/// Measures the scenarios whose name has the word, and prints their tables.
pub(super) fn run(word: &str, extent: Extent) -> Result<()> {
    let kinds: Vec<Kind> = KINDS.into_iter().filter(|kind| kind.name().contains(word)).collect();
    let reads = HISTORY.contains(word);
    if kinds.is_empty() && !reads {
        return Ok(());
    }
    let ground = Ground::prepare()?;
    let server = ground.pointbook.serve()?;
    let bench = Bench { ground: &ground, server: &server, extent };
    let mut measured = Vec::new();
    for kind in kinds {
        for clients in CLIENTS {
            measured.push(bench.write(kind, clients)?);
        }
    }
    let mut beside = Vec::new();
    for readers in READERS.iter().filter(|_| reads) {
        beside.push(bench.read_beside(*readers)?);
    }
    report::print(&measured, &beside);
    Ok(())
}

struct Bench<'b> {
    ground: &'b Ground,
    server: &'b Server,
    extent: Extent,
}

impl Bench<'_> {
    /// Rounds of ours and of the driver alternate, so that whatever else the machine does meets all of them.
    fn write(&self, kind: Kind, clients: u32) -> Result<Measured> {
        announce(&format!("{}, {clients} clients", kind.name()));
        self.load(kind, clients, 1)?;
        let mut rounds = Vec::with_capacity(self.extent.rounds);
        for _ in 0..self.extent.rounds {
            let ours = self.load(kind, clients, self.extent.seconds)?;
            let grouped = self.commit_bare(kind, clients.min(MAX_PER_COMMIT))?;
            rounds.push((ours, grouped, self.commit_bare(kind, 1)?));
        }
        let (ours, grouped, single) = rounds[0];
        eprintln!("{:.0}/s, bare {grouped:.0}/s and {single:.0}/s", ours.rate);
        Ok(Measured { kind, clients, rounds })
    }

    fn load(&self, kind: Kind, connections: u32, seconds: u32) -> Result<Round> {
        let script = kind.script(&self.ground.writers)?;
        load::run(self.server, &Load { requests: Requests::Script(&script.file), connections, seconds })
    }

    /// Requests per second of the bare driver, on a copy of the same database.
    fn commit_bare(&self, kind: Kind, per_commit: u32) -> Result<f64> {
        let rows = if matches!(kind, Kind::Orders) { "orders" } else { "activities" };
        let (per_commit, seconds) = (per_commit.to_string(), self.extent.seconds.to_string());
        let output = Command::new(release_binary("bare-commits"))
            .arg(&self.ground.bare_database)
            .args([rows, ground::prefix(kind), &per_commit, &seconds])
            .output()?;
        ensure!(output.status.success(), "bare-commits: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout)?.trim().parse().context("bare-commits printed no number")
    }

    fn read_beside(&self, readers: u32) -> Result<Beside> {
        announce(&format!("{HISTORY}, {readers} readers"));
        self.read(readers)?;
        let mut rounds = Vec::with_capacity(self.extent.rounds);
        for _ in 0..self.extent.rounds {
            let quiet = self.read(readers)?;
            let (busy, writes) = self.read_while_written(readers)?;
            rounds.push((quiet, busy, writes));
        }
        let (quiet, busy, _) = rounds[0];
        eprintln!("p99 {:.2} ms, {:.2} ms beside {WRITERS} writers", quiet.p99_ms, busy.p99_ms);
        Ok(Beside { readers, rounds })
    }

    /// A round of reads that begins and ends while others write; and the rate of the writes.
    fn read_while_written(&self, readers: u32) -> Result<(Round, f64)> {
        /// Until the writers are at work, and for as long after the last read.
        const MARGIN: Duration = Duration::from_millis(500);
        thread::scope(|scope| {
            let writing = scope.spawn(|| self.load(Kind::ManyUsers, WRITERS, self.extent.seconds + 1));
            pause(MARGIN);
            let busy = self.read(readers)?;
            let written = writing.join().map_err(|_| anyhow!("the writers panicked"))??;
            Ok((busy, written.rate))
        })
    }

    fn read(&self, connections: u32) -> Result<Round> {
        let path = format!("{}/v1/user/point-history", super::BASE_PATH);
        let token = &self.ground.writers.tokens[READER];
        let requests = Requests::Get { path: &path, token };
        load::run(self.server, &Load { requests, connections, seconds: self.extent.seconds })
    }
}
