//! Reads histories over one connection, on one thread.

use std::hint::black_box;
use std::iter::Sum;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, Row, Statement, params};

use super::{HistoryUsers, statements};

const DAY_MICROS: i64 = 86_400_000_000;

/// The page cache of a pointbook reader.
const CACHE_KIB: i64 = 8 * 1_024;

/// The numbers of reads and rows.
#[derive(Default)]
pub(super) struct Counts {
    pub(super) reads: u64,
    pub(super) rows: u64,
}

impl Sum for Counts {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |sum, one| Self { reads: sum.reads + one.reads, rows: sum.rows + one.rows })
    }
}

/// Opens a connection with the settings of pointbook's readers.
pub(super) fn open(path: &Path) -> Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)
        .with_context(|| format!("cannot open {}", path.display()))?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "cache_size", -CACHE_KIB)?;
    connection.pragma_update(None, "query_only", true)?;
    Ok(connection)
}

/// Reads until the given time.
pub(super) fn read(
    path: &Path,
    history_users: &HistoryUsers,
    days: u32,
    seed: u64,
    until: Instant,
) -> Result<Counts> {
    /// How many reads are between two looks at the clock.
    const READS_AT_ONCE: u32 = 64;
    let database = open(path)?;
    let mut reader = Reader::prepare(&database, &history_users.tenant, days)?;
    let (mut counts, mut users) = (Counts::default(), Users { history_users, state: seed });
    while Instant::now() < until {
        for _ in 0..READS_AT_ONCE {
            counts.rows += reader.read(users.next()?)?;
            counts.reads += 1;
        }
    }
    Ok(counts)
}

/// Users in pseudo-random order, the same on every run.
struct Users<'w> {
    history_users: &'w HistoryUsers,
    state: u64,
}

impl<'w> Users<'w> {
    fn next(&mut self) -> Result<&'w str> {
        // The generator of Knuth's MMIX. Only its high bits are random.
        self.state =
            self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let users = &self.history_users.users;
        let place = usize::try_from(self.state >> 33)? % users.len();
        users.get(place).map(String::as_str).context("no users")
    }
}

/// The prepared statements.
struct Reader<'d> {
    tenant: &'d str,
    days: u32,
    user: Statement<'d>,
    newest_days: Statement<'d>,
    transactions: Statement<'d>,
}

impl<'d> Reader<'d> {
    fn prepare(database: &'d Connection, tenant: &'d str, days: u32) -> Result<Self> {
        Ok(Self {
            tenant,
            days,
            user: database.prepare(statements::HISTORY_USER)?,
            newest_days: database.prepare(statements::HISTORY_DAYS)?,
            transactions: database.prepare(statements::HISTORY_TRANSACTIONS)?,
        })
    }

    /// Reads a page and returns its number of rows. The first statement stays open, so that all see one snapshot.
    fn read(&mut self, user: &str) -> Result<u64> {
        let mut of_user = self.user.query([self.tenant, user])?;
        look(of_user.next()?.context("no such user")?, 3)?;
        let (mut newest, mut oldest) = (None, 0);
        let mut days = self.newest_days.query(params![self.tenant, user, self.days, 0])?;
        while let Some(row) = days.next()? {
            look(row, 3)?;
            oldest = row.get::<_, i64>(1)?;
            newest = newest.or(Some(oldest));
        }
        let newest = newest.context("a user without a day")?;
        let (from, to) = (oldest * DAY_MICROS, (newest + 1) * DAY_MICROS - 1);
        let mut transactions = self.transactions.query(params![self.tenant, user, from, to])?;
        let mut count = 0;
        while let Some(row) = transactions.next()? {
            look(row, 8)?;
            count += 1;
        }
        ensure!(count > 0, "days without a transaction");
        Ok(count)
    }
}

/// Reads every column in place.
fn look(row: &Row<'_>, columns: usize) -> Result<()> {
    for column in 0..columns {
        black_box(row.get_ref(column)?);
    }
    Ok(())
}
