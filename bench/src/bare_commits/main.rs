//! `bare-commits DATABASE activities|orders USER_PREFIX PER_COMMIT SECONDS`: commits the rows of activities or
//! orders to a pointbook database as fast as the driver can, durably, `PER_COMMIT` of them per commit. Prints their
//! number per second. The program reads and checks nothing, so its rate is the upper bound for any service on this
//! driver and schema.

mod rows;

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use rusqlite::Connection;

use self::rows::Rows;

/// The settings of pointbook's writer.
const CACHE_KIB: i64 = 64 * 1_024;
const CHECKPOINT_PAGES: i64 = 4_000;

fn main() -> Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [database, kind, users, per_commit, seconds] = words.as_slice() else {
        bail!("usage: bare-commits DATABASE activities|orders USER_PREFIX PER_COMMIT SECONDS")
    };
    let connection = open(Path::new(database))?;
    let mut rows = Rows::new(&connection, kind == "orders", users)?;
    let rate = commit(&connection, &mut rows, per_commit.parse()?, Duration::from_secs(seconds.parse()?))?;
    println!("{rate:.0}");
    Ok(())
}

/// Opens the database with the durability and the checks of pointbook's writing connection.
fn open(path: &Path) -> Result<Connection> {
    let connection = Connection::open(path).with_context(|| format!("cannot open {}", path.display()))?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "cache_size", -CACHE_KIB)?;
    connection.pragma_update(None, "wal_autocheckpoint", CHECKPOINT_PAGES)?;
    let mode: String = connection.pragma_query_value(None, "journal_mode", |row| row.get(0))?;
    if mode == "wal" { Ok(connection) } else { bail!("not a pointbook database: journal mode {mode}") }
}

/// Commits until the time is over. Returns the requests per second.
fn commit(connection: &Connection, rows: &mut Rows<'_>, per_commit: u32, time: Duration) -> Result<f64> {
    let (begun, mut count) = (Instant::now(), 0_u32);
    while begun.elapsed() < time {
        execute(connection, "BEGIN IMMEDIATE")?;
        for _ in 0..per_commit {
            if per_commit == 1 {
                rows.write()?;
            } else {
                execute(connection, "SAVEPOINT job")?;
                rows.write()?;
                execute(connection, "RELEASE job")?;
            }
        }
        execute(connection, "COMMIT")?;
        count += per_commit;
    }
    Ok(f64::from(count) / begun.elapsed().as_secs_f64())
}

fn execute(connection: &Connection, sql: &str) -> Result<()> {
    connection.prepare_cached(sql)?.execute([])?;
    Ok(())
}
