//! Reads one page of a user's history.

use pointbook_domain::history::{ReadRow, UncheckedHistoryRows};
use pointbook_domain::order::is_refund;
use pointbook_domain::{Day, HistoryRows, PageRequest, Points, UserId};
use rusqlite::{Connection, params};

use crate::ports::HistoryRead;
use crate::schema::rows::{HistoryDay, RawHistoryLine};
use crate::schema::{ColumnAt, Corrupt, Group, RawText, Record};
use crate::sqlite::error::Outcome;
use crate::sqlite::row::Stored;
use crate::{select, sql};

/// The most rows of a page that the calling thread reads. A row takes about half a microsecond, so other requests of the
/// thread wait for a millisecond or two at most.
pub(super) const MAX_SHORT_ROWS: u64 = 1_000;

pub(super) struct Page<'p> {
    pub(super) tenant: &'p str,
    pub(super) user: &'p UserId,
    pub(super) request: PageRequest,
}

struct Days {
    newest: Day,
    oldest: Day,
    row_count: u64,
}

impl Page<'_> {
    /// Reads the page. Returns `None`, without reading its rows, when it has more than `max_rows`.
    pub(super) fn read(&self, database: &Connection, max_rows: u64) -> Outcome<Option<HistoryRead>> {
        let mut read = HistoryRead::default();
        let mut select = database
            .prepare_cached("SELECT id, balance, day_count FROM users WHERE tenant_id = ?1 AND id = ?2")?;
        // This statement stays open until all is read. While one statement is open, the others see the same snapshot.
        // That costs less than a transaction.
        let mut users = select.query([self.tenant, self.user.as_str()])?;
        if let Some(row) = users.next()? {
            let user: (ColumnAt, Points, u64) = Record::new("users", 1, &Stored(row)).read()?;
            (_, read.user_points, read.day_count) = user;
        }
        if self.request.offset() < read.day_count
            && let Some(days) = self.days(database)?
        {
            if days.row_count > max_rows {
                return Ok(None);
            }
            read.rows = self.rows(database, &days)?;
        }
        Ok(Some(read))
    }

    /// The days of the page; `None` when it has no days.
    fn days(&self, database: &Connection) -> Outcome<Option<Days>> {
        let mut select = database.prepare_cached(select!(
            HistoryDay,
            "WHERE tenant_id = ?1 AND user_id = ?2 ORDER BY day DESC LIMIT ?3 OFFSET ?4"
        ))?;
        // The offset is below a count that was stored as a signed number.
        let (size, offset) = (self.request.size.get(), self.request.offset().cast_signed());
        let mut rows = select.query(params![self.tenant, self.user.as_str(), size, offset])?;
        let mut days: Option<Days> = None;
        while let Some(row) = rows.next()? {
            let (_, oldest, row_count): (ColumnAt, Day, u64) =
                Record::new("history_days", 2, &Stored(row)).read()?;
            days = Some(match days {
                None => Days { newest: oldest, oldest, row_count },
                Some(days) => Days { oldest, row_count: days.row_count.saturating_add(row_count), ..days },
            });
        }
        Ok(days)
    }

    /// Reads one range of the clustered key. Every day with transactions in this range is on the page.
    fn rows(&self, database: &Connection, days: &Days) -> Outcome<HistoryRows> {
        let mut select = database.prepare_cached(sql!(select_rows()))?;
        let (from, to) = (days.oldest.start().as_micros(), days.newest.end().as_micros());
        let mut rows = select.query(params![self.tenant, self.user.as_str(), from, to])?;
        let room = usize::try_from(days.row_count.min(MAX_SHORT_ROWS)).unwrap_or_default();
        let mut history = UncheckedHistoryRows::with_capacity(room);
        while let Some(row) = rows.next()? {
            add(&Record::new("transactions", 1, &Stored(row)), &mut history)?;
        }
        Ok(history.check().map_err(|error| Corrupt::wrong("transactions", self.user.as_str(), error))?)
    }
}

/// Selects the rows of a time range. `is_own_order` says whether an order of the tenant caused the row. Only rows of type
/// `order` need a lookup in the orders.
fn select_rows() -> String {
    format!(
        "SELECT {}, CASE type WHEN 'order' THEN coalesce(
            (SELECT 1 FROM orders WHERE tenant_id = ?1 AND id = source_id),
            (SELECT 1 FROM orders WHERE tenant_id = ?1 AND source_id GLOB '*:refund'
                AND id = substr(source_id, 1, length(source_id) - 7))
        ) END AS is_own_order
    FROM transactions WHERE tenant_id = ?1 AND user_id = ?2 AND created_at BETWEEN ?3 AND ?4
    ORDER BY created_at DESC, id DESC",
        RawHistoryLine::names_of("transactions")
    )
}

/// Adds a row with raw strings. [`UncheckedHistoryRows::check`] checks their UTF-8 after the last row.
fn add(record: &Record<'_, Stored<'_>>, history: &mut UncheckedHistoryRows) -> Outcome<()> {
    let (line, is_own_order): (RawHistoryLine<'_>, Option<bool>) = record.read()?;
    let RawHistoryLine { id: _, created_at, kind, source_id, points, bonuses, title, subtitle } = line;
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
    Ok(history.push(row).map_err(|error| record.corrupt_in("type", error))?)
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
