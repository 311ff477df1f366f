//! Reads one page of a user's history with one statement: one snapshot and one round trip.

use pointbook_domain::history::ReadRow;
use pointbook_domain::order::is_refund;
use pointbook_domain::{Day, PageRequest, Points, Timestamp, UserId};
use tokio_postgres::Row;

use crate::ports::HistoryRead;
use crate::postgres::connection::{Connection, Params};
use crate::postgres::error::Outcome;
use crate::postgres::row::Stored;
use crate::schema::rows::HistoryLine;
use crate::schema::{ColumnAt, Group, Record};
use crate::sql;

/// Selects the user with each transaction of the page, or one row with only the user for an empty page. The days of a page
/// are one range of the transactions' key, because every day with transactions in this range is on the page. Each day is found by one
/// search before the day after it. A day has 86,400,000,000 microseconds.
fn select() -> String {
    format!(
        "WITH RECURSIVE days (number, start) AS (
        SELECT 0::bigint, {end_of_time}::bigint FROM users WHERE tenant_id = $1 AND id = $2 AND day_count > $4
        UNION ALL
        SELECT number + 1, (
            SELECT created_at - ((created_at % 86400000000) + 86400000000) % 86400000000
            FROM transactions WHERE tenant_id = $1 AND user_id = $2 AND created_at < days.start
            ORDER BY created_at DESC LIMIT 1
        )
        FROM days WHERE number < $3 + $4 AND start IS NOT NULL
    )
    SELECT users.id, {columns}, balance, day_count, next_expiry_on,
        type = 'order' AND EXISTS (
            SELECT 1 FROM orders WHERE orders.tenant_id = $1
                AND orders.id IN (source_id, CASE WHEN source_id LIKE '%:refund' THEN left(source_id, -7) END)
        ) AS is_own_order
    FROM users LEFT JOIN transactions ON transactions.tenant_id = $1 AND transactions.user_id = $2
        AND transactions.created_at >= (SELECT min(start) FROM days WHERE number > $4)
        AND transactions.created_at < (SELECT max(start) FROM days WHERE number > $4) + 86400000000
    WHERE users.tenant_id = $1 AND users.id = $2
    ORDER BY transactions.created_at DESC, transactions.id DESC",
        end_of_time = Timestamp::MAX.as_micros() + 1,
        columns = HistoryLine::names_of("transactions")
    )
}

pub(super) async fn page(
    database: &Connection,
    tenant: &str,
    user: &UserId,
    page: PageRequest,
) -> Outcome<HistoryRead> {
    // The offset is at most the largest page number (31 bits) times the largest size (32 bits), so it fits an `i64`.
    let (size, offset) = (i64::from(page.size.get()), page.offset().cast_signed());
    let mut history = HistoryRead::default();
    let params: Params<'_> = &[&tenant, &user.as_str(), &size, &offset];
    database.each_row(sql!(select()), params, |row| add(&mut history, row)).await?;
    Ok(history)
}

fn add(history: &mut HistoryRead, row: &Row) -> Outcome<()> {
    let source = Stored(row);
    let record = Record::new("transactions", 2, &source);
    let (_, line, user_points, day_count, next_expiry_on, is_own_order) = record.read::<Line<'_>>()?;
    (history.user_points, history.day_count) = (user_points, day_count);
    history.next_expiry_on = next_expiry_on;
    let Some(line) = line else { return Ok(()) };
    let HistoryLine { id: _, created_at, kind, source_id, points, bonuses, title, subtitle } = line;
    let is_refund = is_refund(kind, points, || record.at::<&str>(source_id))?;
    let is_own_order = is_own_order.unwrap_or_default();
    let row = ReadRow { kind, points, bonuses, is_refund, is_own_order, title, subtitle, created_at };
    Ok(history.rows.push(row).map_err(|error| record.corrupt_in("type", error))?)
}

/// The user, a ledger row, the balance, the number of days, when the next points end, and whether an order of the tenant caused the row.
type Line<'r> = (ColumnAt, Option<HistoryLine<'r>>, Points, u64, Option<Day>, Option<bool>);
