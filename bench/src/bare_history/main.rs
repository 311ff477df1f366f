//! `bare-history DATABASE USER_PREFIX DAYS THREADS SECONDS`: reads the newest page of the histories of random users,
//! whose ids begin like this, with the statements of `crates/store-sqlite` on so many threads, and prints reads per
//! second, processor microseconds per read and rows per read. The statements are prepared once, every column is
//! looked at, and nothing is checked, kept or answered: it is the most that any service on this driver and schema could
//! reach with these statements.

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
    let whose = whose(&reader::open(database)?, prefix)?;
    let (days, threads) = (days.parse()?, threads.parse()?);
    let (begun, processor) = (Instant::now(), processor::micros()?);
    let until = begun + Duration::from_secs(seconds.parse()?);
    let Counts { reads, rows } = read_on_threads(database, &whose, days, threads, until)?;
    let micros = processor::micros()? - processor;
    #[expect(clippy::cast_precision_loss, reason = "what is done in some seconds")]
    let (reads, rows, micros) = (reads as f64, rows as f64, micros as f64);
    let rate = reads / begun.elapsed().as_secs_f64();
    println!("{rate:.0} {:.2} {:.1}", micros / reads, rows / reads);
    Ok(())
}

/// Whose histories are read.
struct Whose {
    tenant: String,
    users: Vec<String>,
}

/// Of the only tenant there is.
fn whose(database: &Connection, prefix: &str) -> Result<Whose> {
    let tenant: String = database.query_row(statements::TENANT, [], |row| row.get(0))?;
    let mut select = database.prepare(statements::USERS)?;
    let users = select.query_map([tenant.as_str(), prefix], |row| row.get(0))?;
    let users: Vec<String> = users.collect::<rusqlite::Result<_>>()?;
    ensure!(!users.is_empty(), "nobody's id begins with {prefix}");
    Ok(Whose { tenant, users })
}

fn read_on_threads(path: &Path, whose: &Whose, days: u32, threads: u64, until: Instant) -> Result<Counts> {
    thread::scope(|scope| {
        let read = |thread| scope.spawn(move || reader::read(path, whose, days, thread, until));
        let threads: Vec<_> = (0..threads).map(read).collect();
        let counts =
            threads.into_iter().map(|thread| thread.join().map_err(|_| anyhow!("a thread panicked"))?);
        counts.sum()
    })
}
