//! The cost of a server without requests, with the catalogues of many tenants in memory.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use pointbook_operate::pointbook::{Pointbook, Server, announce, pause};
use pointbook_operate::postgres::Postgres;
use pointbook_operate::processor_time::{self, Threads};

use super::context::Bench;
use super::data;
use super::record::Bound;
use super::spread::Spread;

const SQLITE: &str = "idle tenants";
/// The name of the scenario for `--database`.
pub(super) const POSTGRES: &str = "idle tenants on PostgreSQL";
const TENANTS: u32 = 2_000;
const QUICK_TENANTS: u32 = 200;
/// The length of a round.
const LOOK: Duration = Duration::from_secs(10);
/// How long PostgreSQL may take to count the transactions of an idle connection.
const COUNTED_AFTER: Duration = Duration::from_secs(12);
/// How long a server may take to load all catalogues.
const LOAD_TIMEOUT: Duration = Duration::from_mins(5);
const HEAD: &[&str] = &["scenario", "tenants", "CPU, % of a core", "of PostgreSQL", "transactions/s"];
const TITLE: &str = "Without requests";

pub(super) fn names() -> Vec<String> {
    vec![SQLITE.to_owned()]
}

/// Measures on SQLite.
pub(super) fn run(bench: &Bench) -> Result<()> {
    let server = Pointbook::new(&prepare(tenants(bench))?).serve()?;
    wait_until_loaded(&server)?;
    measure(bench, SQLITE, &server, None)
}

/// Measures on PostgreSQL, with a copy of the same tenants.
pub(super) fn run_on_postgres(bench: &Bench, database: &str) -> Result<()> {
    let (source, postgres) = (prepare(tenants(bench))?, Postgres::open(database)?);
    let from = format!("sqlite:{}", source.display());
    Pointbook::new(&source).quiet(&["copy", "--from", &from, "--to", &postgres.url])?;
    let server = postgres.pointbook().serve()?;
    wait_until_loaded(&server)?;
    pause(COUNTED_AFTER);
    measure(bench, POSTGRES, &server, Some(&postgres))
}

fn tenants(bench: &Bench) -> u32 {
    if bench.options.is_quick { QUICK_TENANTS } else { TENANTS }
}

/// The database of this many tenants with a few products each. Generates it when it is missing.
fn prepare(tenants: u32) -> Result<PathBuf> {
    let database = data::folder()?.join(format!("idle-{tenants}.db"));
    let complete = database.with_extension("complete");
    if complete.exists() {
        return Ok(database);
    }
    announce(&format!("making {tenants} tenants"));
    for leftover in ["db", "db-wal", "db-shm"] {
        // A missing file is fine.
        let _ = fs::remove_file(database.with_extension(leftover));
    }
    fill(&Pointbook::new(&database), tenants)?;
    fs::write(complete, "")?;
    Ok(database)
}

fn fill(pointbook: &Pointbook, tenants: u32) -> Result<()> {
    let products = tempfile::Builder::new().suffix(".csv").tempfile()?;
    fs::write(products.path(), "sku,title,regular_price\nmug,Mug,100\ncup,Cup,90\ncap,Cap,300\n")?;
    let products = products.path().to_string_lossy();
    for number in 0..tenants {
        let (tenant, url) = (format!("t{number}"), format!("http://bench.example/t{number}/api"));
        pointbook.quiet(&["tenant", "add", &tenant, "--environment", "production", "--base-url", &url])?;
        pointbook.quiet(&["import", "products", &products, "--tenant", &tenant])?;
    }
    Ok(())
}

/// The result of a round: percent of a core, percent of a core for PostgreSQL, transactions per second.
type Round = (f64, f64, f64);

fn measure(bench: &Bench, name: &str, server: &Server, postgres: Option<&Postgres>) -> Result<()> {
    let database = postgres.and_then(Postgres::process);
    let rounds = bench.repeat_with_process(name, database, || look_on(server, postgres))?;
    let [cpu, cpu_of_postgres, transactions] =
        Spread::of_each(&rounds, [|round: &Round| round.0, |round| round.1, |round| round.2]);
    eprintln!("{cpu} % of a core, {transactions} transactions/s");
    bench.judge(name, "under 0.5 % of a core", cpu, Bound::AtMost(0.5));
    let mut cells = vec![name.to_owned(), tenants(bench).to_string(), cpu.to_string()];
    if postgres.is_some() {
        bench.judge(name, "fewer than 5 transactions/s", transactions, Bound::AtMost(5.0));
        cells.extend([cpu_of_postgres.to_string(), transactions.to_string()]);
    } else {
        cells.extend([String::new(), String::new()]);
    }
    bench.row(TITLE, HEAD, cells);
    Ok(())
}

fn look_on(server: &Server, postgres: Option<&Postgres>) -> Result<Round> {
    let of_postgres = || postgres.and_then(Postgres::process).map_or(Ok(0), processor_time::in_us);
    let transactions = || postgres.map_or(Ok(0), commits);
    let (threads, database, count) = (Threads::of(server.process())?, of_postgres()?, transactions()?);
    let begun = Instant::now();
    pause(LOOK);
    let (seconds, cpu_us) =
        (begun.elapsed().as_secs_f64(), Threads::of(server.process())?.us_since(&threads));
    let (database, count) = (of_postgres()?.saturating_sub(database), transactions()? - count);
    #[expect(clippy::cast_precision_loss, reason = "counts of some seconds")]
    let [database_us, count] = [database as f64, count as f64];
    let percent = |us: f64| us / seconds / 1e6 * 100.0;
    Ok((percent(cpu_us), percent(database_us), count / seconds))
}

/// Waits until the server is idle twice in a row, because it loads the catalogues after its start.
fn wait_until_loaded(server: &Server) -> Result<()> {
    const REST: Duration = Duration::from_secs(2);
    let begun = Instant::now();
    server.first_answer()?;
    loop {
        let before = Threads::of(server.process())?;
        pause(REST);
        if Threads::of(server.process())?.us_since(&before) < 0.05 * 1e6 {
            return Ok(());
        }
        ensure!(begun.elapsed() < LOAD_TIMEOUT, "the server is not idle after {} s", LOAD_TIMEOUT.as_secs());
    }
}

/// How many transactions the database has ended so far, without those of this query.
fn commits(postgres: &Postgres) -> Result<u64> {
    const COUNT: &str =
        "SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = current_database()";
    let psql = Command::new("psql").args(["-XAtc", COUNT, &postgres.url]).output();
    let output = psql.context("cannot run psql, which counts transactions")?;
    ensure!(output.status.success(), "psql: {}", String::from_utf8_lossy(&output.stderr));
    Ok(String::from_utf8(output.stdout)?.trim().parse()?)
}
