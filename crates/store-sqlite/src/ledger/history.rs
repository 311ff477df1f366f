//! Reading one page of a user's history.

use pointbook_app::ports::HistoryRead;
use pointbook_domain::{Day, PageRequest, Points, Transaction, UserId};
use rusqlite::{Connection, params};

use super::transaction_row;
use crate::access::in_snapshot;
use crate::error::Outcome;
use crate::row::{Record, count, day};

/// How many rows a page may have to be read on the calling thread. Rows cost about a microsecond
/// each, so other requests of the thread wait at most for a millisecond or two.
const MAX_SHORT_ROWS: u64 = 1_000;

/// Reads a page; none when it is long, and then nothing of it was read.
pub(super) fn short_page(
    database: &Connection,
    tenant: &str,
    user: &UserId,
    page: PageRequest,
) -> Outcome<Option<HistoryRead>> {
    in_snapshot(database, |database| {
        let plan = Plan::read(database, tenant, user, page)?;
        if plan.row_count > MAX_SHORT_ROWS {
            return Ok(None);
        }
        plan.fulfil(database, tenant, user).map(Some)
    })
}

/// Reads a page of any length. To be called inside a read transaction.
pub(super) fn page(
    database: &Connection,
    tenant: &str,
    user: &UserId,
    page: PageRequest,
) -> Outcome<HistoryRead> {
    Plan::read(database, tenant, user, page)?.fulfil(database, tenant, user)
}

/// What is known of a page before its rows are read.
#[derive(Default)]
struct Plan {
    user_points: Points,
    day_count: u64,
    /// The newest and the oldest day of the page; none on an empty page.
    days: Option<(Day, Day)>,
    row_count: u64,
}

impl Plan {
    fn read(database: &Connection, tenant: &str, user: &UserId, page: PageRequest) -> Outcome<Self> {
        let mut plan = Self::default();
        let mut select = database
            .prepare_cached("SELECT id, balance, day_count FROM users WHERE tenant_id = ?1 AND id = ?2")?;
        let mut rows = select.query([tenant, user.as_str()])?;
        if let Some(row) = rows.next()? {
            let record = Record::new("users", 1, row);
            plan.user_points = record.read(1, Points::new)?;
            plan.day_count = record.read(2, count)?;
        }
        if page.offset() < plan.day_count {
            plan.read_days(database, tenant, user, page)?;
        }
        Ok(plan)
    }

    fn read_days(
        &mut self,
        database: &Connection,
        tenant: &str,
        user: &UserId,
        page: PageRequest,
    ) -> Outcome<()> {
        let mut select = database.prepare_cached(
            "SELECT user_id, day, transaction_count FROM history_days
             WHERE tenant_id = ?1 AND user_id = ?2 ORDER BY day DESC LIMIT ?3 OFFSET ?4",
        )?;
        // The offset is below a count that was stored as a signed number.
        let offset = page.offset().cast_signed();
        let mut rows = select.query(params![tenant, user.as_str(), page.size.get(), offset])?;
        while let Some(row) = rows.next()? {
            let record = Record::new("history_days", 2, row);
            let day = record.read(1, day)?;
            let newest = self.days.map_or(day, |(newest, _)| newest);
            self.days = Some((newest, day));
            self.row_count = self.row_count.saturating_add(record.read(2, count)?);
        }
        Ok(())
    }

    fn fulfil(self, database: &Connection, tenant: &str, user: &UserId) -> Outcome<HistoryRead> {
        let Self { user_points, day_count, days, row_count } = self;
        let mut transactions =
            Vec::with_capacity(usize::try_from(row_count.min(MAX_SHORT_ROWS)).unwrap_or_default());
        if let Some((newest, oldest)) = days {
            read_rows(database, tenant, user, newest, oldest, &mut transactions)?;
        }
        Ok(HistoryRead { user_points, day_count, transactions })
    }
}

/// One range of the clustered key: every day in it that has transactions is on the page.
fn read_rows(
    database: &Connection,
    tenant: &str,
    user: &UserId,
    newest: Day,
    oldest: Day,
    into: &mut Vec<Transaction>,
) -> Outcome<()> {
    let mut select = database.prepare_cached(
        "SELECT id, created_at, type, source_id, points, bonus_breakdown, title, subtitle FROM transactions
         WHERE tenant_id = ?1 AND user_id = ?2 AND created_at BETWEEN ?3 AND ?4 ORDER BY created_at DESC, id DESC",
    )?;
    let (from, to) = (oldest.start().as_micros(), newest.end().as_micros());
    let mut rows = select.query(params![tenant, user.as_str(), from, to])?;
    while let Some(row) = rows.next()? {
        into.push(transaction_row::read(&Record::new("transactions", 1, row), 0)?);
    }
    Ok(())
}
