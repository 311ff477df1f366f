//! Reads one page of a user's history.

use pointbook_domain::history::{ReadRow, UncheckedHistoryRows};
use pointbook_domain::order::is_refund;
use pointbook_domain::{Day, HistoryRows, PageRequest, Points, Timestamp, UserId};
use rusqlite::{Connection, params};

use crate::ports::HistoryRead;
use crate::schema::rows::RawHistoryLine;
use crate::schema::{ColumnAt, Corrupt, Group, RawText, Record};
use crate::sql;
use crate::sqlite::error::Outcome;
use crate::sqlite::row::Stored;

/// The most rows of a page that the calling thread reads. A row takes about half a microsecond, so other requests of the
/// thread wait for a millisecond or two at most.
pub(super) const MAX_SHORT_ROWS: u64 = 1_000;
/// How many rows most pages have at most.
const ROWS_OF_MOST_PAGES: usize = 64;

pub(super) struct Page<'p> {
    pub(super) tenant: &'p str,
    pub(super) user: &'p UserId,
    pub(super) request: PageRequest,
}

impl Page<'_> {
    /// Reads the page. Returns `None` when it has more than `max_rows`, or more days are before it.
    pub(super) fn read(&self, database: &Connection, max_rows: u64) -> Outcome<Option<HistoryRead>> {
        let mut read = HistoryRead::default();
        let mut select = database.prepare_cached(
            "SELECT id, balance, day_count, next_expiry_on FROM users WHERE tenant_id = ?1 AND id = ?2",
        )?;
        // This statement stays open until all is read. While one statement is open, the others see the same snapshot.
        // That costs less than a transaction.
        let mut users = select.query([self.tenant, self.user.as_str()])?;
        if let Some(row) = users.next()? {
            let user: (ColumnAt, Points, u64, Option<Day>) = Record::new("users", 1, &Stored(row)).read()?;
            (_, read.user_points, read.day_count, read.next_expiry_on) = user;
        }
        if self.request.offset() >= read.day_count {
            return Ok(Some(read));
        }
        if self.request.offset() > max_rows {
            return Ok(None);
        }
        let Some(until) = self.newest(database)? else { return Ok(Some(read)) };
        let Some(rows) = self.rows(database, until, max_rows)? else { return Ok(None) };
        read.rows = rows;
        Ok(Some(read))
    }

    /// Where the newest day of the page ends, in microseconds. Each day of the pages before is one search.
    fn newest(&self, database: &Connection) -> Outcome<Option<i64>> {
        let mut select = database.prepare_cached(
            "SELECT id, created_at FROM transactions WHERE tenant_id = ?1 AND user_id = ?2 AND created_at < ?3
             ORDER BY created_at DESC LIMIT 1",
        )?;
        let mut until = Timestamp::MAX.as_micros() + 1;
        for _ in 0..self.request.offset() {
            let mut rows = select.query(params![self.tenant, self.user.as_str(), until])?;
            let Some(row) = rows.next()? else { return Ok(None) };
            let (_, newest): (ColumnAt, Timestamp) = Record::new("transactions", 1, &Stored(row)).read()?;
            until = newest.day().start().as_micros();
        }
        Ok(Some(until))
    }

    /// The rows of as many days before `until` as a page has. `None` when there are more than `max_rows`.
    fn rows(&self, database: &Connection, until: i64, max_rows: u64) -> Outcome<Option<HistoryRows>> {
        let mut select = database.prepare_cached(sql!(select_rows()))?;
        let mut rows = select.query(params![self.tenant, self.user.as_str(), until])?;
        let mut history = UncheckedHistoryRows::with_capacity(ROWS_OF_MOST_PAGES);
        let (mut days_left, mut day_begins) = (self.request.size.get(), until);
        let mut rows_left = max_rows;
        while let Some(row) = rows.next()? {
            let stored = Stored(row);
            let record = Record::new("transactions", 1, &stored);
            let is_of_next_day = |at: Timestamp| at.as_micros() < day_begins;
            let created_at = add(&record, &mut history, |at| days_left > 0 || !is_of_next_day(at))?;
            let Some(created_at) = created_at else { break };
            if is_of_next_day(created_at) {
                (days_left, day_begins) = (days_left - 1, created_at.day().start().as_micros());
            }
            let Some(left) = rows_left.checked_sub(1) else { return Ok(None) };
            rows_left = left;
        }
        let history = history.check();
        Ok(Some(history.map_err(|error| Corrupt::wrong("transactions", self.user.as_str(), error))?))
    }
}

fn select_rows() -> String {
    format!(
        "SELECT {}, CASE type WHEN 'order' THEN coalesce(
            (SELECT 1 FROM orders WHERE tenant_id = ?1 AND id = source_id),
            (SELECT 1 FROM orders WHERE tenant_id = ?1 AND source_id GLOB '*:refund'
                AND id = substr(source_id, 1, length(source_id) - 7))
        ) END AS is_own_order
    FROM transactions WHERE tenant_id = ?1 AND user_id = ?2 AND created_at < ?3
    ORDER BY created_at DESC, id DESC",
        RawHistoryLine::names_of("transactions")
    )
}

/// Adds a row with raw strings. [`UncheckedHistoryRows::check`] checks their UTF-8 after the last row.
/// Adds a row, unless it is beyond the page. Gives its time.
fn add(
    record: &Record<'_, Stored<'_>>,
    history: &mut UncheckedHistoryRows,
    is_on_page: impl FnOnce(Timestamp) -> bool,
) -> Outcome<Option<Timestamp>> {
    let (line, is_own_order): (RawHistoryLine<'_>, Option<bool>) = record.read()?;
    let RawHistoryLine { id: _, created_at, kind, source_id, points, bonuses, title, subtitle } = line;
    if !is_on_page(created_at) {
        return Ok(None);
    }
    let row = ReadRow {
        kind: kind.0,
        points,
        bonuses,
        is_refund: is_refund(kind.0, points, || record.at(source_id).map(|RawText(text)| text))?,
        is_own_order: is_own_order.unwrap_or_default(),
        title: title.0,
        subtitle: subtitle.0,
        created_at,
    };
    history.push(row).map_err(|error| record.corrupt_in("type", error))?;
    Ok(Some(created_at))
}

#[cfg(test)]
mod tests {
    use pointbook_testkit::build;
    use pointbook_testkit::build::{activity, recorded};
    use pointbook_testkit::conformance::add_tenant;

    use super::*;
    use crate::sqlite::SqliteOptions;
    use crate::sqlite::connection::open_reader;

    /// Another connection adds a point between any two steps of the reader.
    #[tokio::test]
    async fn page_is_consistent_during_concurrent_commits() {
        let (_folder, path, database) = pointbook_testkit::sqlite::new_file();
        let options = SqliteOptions::new(build::noon());
        let data = add_tenant(&database, "acme").await;
        data.write(build::history([recorded("u1", activity("s1", 5))])).await.unwrap();
        let other = Connection::open(&path).unwrap();
        let give = "BEGIN; UPDATE users SET balance = balance + 1; UPDATE transactions SET points = points + 1; COMMIT";
        let mut reader = open_reader(&path, &options).unwrap();
        let meanwhile = move || other.execute_batch(give).is_err();
        reader.progress_handler(1, Some(meanwhile)).unwrap();

        let tenant = database.tenants().await.unwrap()[0].id.to_string();
        let page = Page { tenant: &tenant, user: &build::user_id("u1"), request: build::page(1, 15) };
        let read = page.read(&reader, 1).unwrap().unwrap();
        assert_eq!(read.rows.iter().map(|row| row.points).collect::<Vec<_>>(), [read.user_points]);
        let after = data.history_page(page.user, page.request).await.unwrap();
        assert!(after.user_points > read.user_points);
    }
}
