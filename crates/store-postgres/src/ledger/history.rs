//! Reading one page of a user's history: one statement, so one moment and one round trip.

use pointbook_app::ports::HistoryRead;
use pointbook_app::stored_bonuses::bonuses_from_json;
use pointbook_domain::history::ReadRow;
use pointbook_domain::order::is_refund;
use pointbook_domain::{HistoryRows, PageRequest, Points, UserId};
use tokio_postgres::Row;

use crate::connection::{Connection, Params};
use crate::error::Outcome;
use crate::row::{Record, count, timestamp};

/// The user with each transaction of the page, or alone where the page is empty. The days of a page are
/// one range of the transactions' key, since every day in it that has transactions is on the page. A day
/// has 86,400,000,000 microseconds.
const PAGE: &str = "WITH days AS (
        SELECT day FROM history_days WHERE tenant_id = $1 AND user_id = $2 ORDER BY day DESC LIMIT $3 OFFSET $4
    )
    SELECT users.id, transactions.id AS transaction_id, transactions.created_at, type, source_id, points,
        bonus_breakdown, title, subtitle, balance, day_count,
        type = 'order' AND EXISTS (
            SELECT 1 FROM orders WHERE orders.tenant_id = $1
                AND orders.id IN (source_id, regexp_replace(source_id, ':refund$', ''))
        ) AS is_own_order
    FROM users LEFT JOIN transactions ON transactions.tenant_id = $1 AND transactions.user_id = $2
        AND transactions.created_at >= (SELECT min(day) FROM days) * 86400000000
        AND transactions.created_at < ((SELECT max(day) FROM days) + 1) * 86400000000
    WHERE users.tenant_id = $1 AND users.id = $2
    ORDER BY transactions.created_at DESC, transactions.id DESC";

pub(super) async fn page(
    database: &Connection,
    tenant: &str,
    user: &UserId,
    page: PageRequest,
) -> Outcome<HistoryRead> {
    // The largest page number and the largest size are 31 and 32 bits wide.
    let (size, offset) = (i64::from(page.size.get()), page.offset().cast_signed());
    let mut history = HistoryRead::default();
    let params: Params<'_> = &[&tenant, &user.as_str(), &size, &offset];
    database.each_row(PAGE, params, |row| add(&mut history, row)).await?;
    Ok(history)
}

fn add(history: &mut HistoryRead, row: &Row) -> Outcome<()> {
    let user = Record::new("users", 1, row);
    history.user_points = user.read(9, Points::new)?;
    history.day_count = user.read(10, count)?;
    let record = Record::new("transactions", 2, row);
    if record.get::<Option<&str>>(1)?.is_some() { push(&record, &mut history.rows) } else { Ok(()) }
}

fn push(record: &Record<'_>, history: &mut HistoryRows) -> Outcome<()> {
    let (kind, points): (&str, _) = (record.get(3)?, record.read(5, Points::new)?);
    let row = ReadRow {
        kind,
        points,
        bonuses: record.parse(6, bonuses_from_json)?,
        is_refund: is_refund(kind, points, || record.get::<&str>(4))?,
        is_own_order: record.get(11)?,
        title: record.get(7)?,
        subtitle: record.get(8)?,
        created_at: record.read(2, timestamp)?,
    };
    history.push(row).map_err(|error| record.corrupt(3, error))
}
