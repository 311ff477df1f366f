//! `bare-history DATABASE USER_PREFIX DAYS THREADS SECONDS`: reads the newest history pages of random users whose ids have the
//! prefix, with the statements of `crates/store-sqlite`. Prints reads per second, processor microseconds per read and rows
//! per read. The program prepares the statements once, reads every column, and checks nothing. So its rate is the upper
//! bound for any service on this driver and schema with these statements.

mod processor;
mod reader;
mod statements;

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow, bail, ensure};
use rusqlite::Connection;

use self::reader::Counts;

fn main() -> Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [database, prefix, days, threads, seconds] = words.as_slice() else {
        bail!("usage: bare-history DATABASE USER_PREFIX DAYS THREADS SECONDS")
    };
    let database = Path::new(database);
    let history_users = history_users(&reader::open(database)?, prefix)?;
    let (days, threads) = (days.parse()?, threads.parse()?);
    let (begun, processor) = (Instant::now(), processor::micros()?);
    let until = begun + Duration::from_secs(seconds.parse()?);
    let Counts { reads, rows } = read_on_threads(database, &history_users, days, threads, until)?;
    let micros = processor::micros()? - processor;
    #[expect(clippy::cast_precision_loss, reason = "counts of some seconds")]
    let (reads, rows, micros) = (reads as f64, rows as f64, micros as f64);
    let rate = reads / begun.elapsed().as_secs_f64();
    println!("{rate:.0} {:.2} {:.1}", micros / reads, rows / reads);
    Ok(())
}

/// The users whose histories are read, and their tenant.
struct HistoryUsers {
    tenant: String,
    users: Vec<String>,
}

/// The users of the only tenant whose ids have the prefix.
fn history_users(database: &Connection, prefix: &str) -> Result<HistoryUsers> {
    let tenant: String = database.query_row(statements::TENANT, [], |row| row.get(0))?;
    let mut select = database.prepare(statements::USERS)?;
    let users = select.query_map([tenant.as_str(), prefix], |row| row.get(0))?;
    let users: Vec<String> = users.collect::<rusqlite::Result<_>>()?;
    ensure!(!users.is_empty(), "no user's id begins with {prefix}");
    Ok(HistoryUsers { tenant, users })
}

fn read_on_threads(
    path: &Path,
    history_users: &HistoryUsers,
    days: u32,
    threads: u64,
    until: Instant,
) -> Result<Counts> {
    thread::scope(|scope| {
        let read = |thread| scope.spawn(move || reader::read(path, history_users, days, thread, until));
        let threads: Vec<_> = (0..threads).map(read).collect();
        let counts =
            threads.into_iter().map(|thread| thread.join().map_err(|_| anyhow!("a thread panicked"))?);
        counts.sum()
    })
}
