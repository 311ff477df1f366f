//! What a user earned and spent in each of the last months.

use pointbook_domain::{CivilDate, Timestamp};
use pointbook_store::schema::rows_of_service::MovedPoints;
use pointbook_store::{Context, StoreResult};

/// The months of a report, with the current one.
pub const MONTHS: usize = 6;
const BEFORE_CURRENT: u32 = 5;

/// A user with more transactions in this time gets no report: a page must not wait for a long ledger. An ordinary member has some 200.
const MAX_ROWS: u32 = 2_000;

/// A month of the history, so of UTC days.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Month {
    /// From 1 to 12.
    pub month: u32,
    /// The points of all activities but orders, with bonuses. Below 0 when more was reversed than earned.
    pub earned: i64,
    /// The points of orders without those that came back. Below 0 when more came back.
    pub spent: i64,
}

/// The last [`MONTHS`], the oldest first. `None` for a user with very many transactions.
pub async fn last_months(context: &Context) -> StoreResult<Option<[Month; MONTHS]>> {
    let today = CivilDate::from(context.now.day());
    let first = place(today).saturating_sub(BEFORE_CURRENT);
    let since = CivilDate { year: first / 12, month: first % 12 + 1, day: 1 }.to_day();
    let Some(since) = since else { return Ok(None) };
    let time = (since.start(), Timestamp::MAX);
    let rows = context.tenant.data.moved_points(context.customer()?, time, MAX_ROWS).await?;
    Ok(rows.map(|rows| sums(first, &rows)))
}

/// The place of a month among all months since the year 0.
fn place(date: CivilDate) -> u32 {
    date.year * 12 + date.month - 1
}

/// Rows of another month than these are left out, and those in which points ended.
fn sums(first: u32, rows: &[MovedPoints]) -> [Month; MONTHS] {
    let mut months = [Month::default(); MONTHS];
    for (month, place) in months.iter_mut().zip(first..) {
        month.month = place % 12 + 1;
    }
    for MovedPoints { created_at, kind, source_id, points, bonus_points } in rows {
        let place = place(created_at.day().into()).checked_sub(first);
        let Some(month) = place.and_then(|place| months.get_mut(place as usize)) else { continue };
        if source_id.is_of_expiry(*points) {
            continue;
        }
        if kind.takes_points() {
            month.spent = month.spent.saturating_sub(*points);
        } else {
            month.earned = month.earned.saturating_add(points.saturating_add(*bonus_points));
        }
    }
    months
}

#[cfg(test)]
mod tests {
    use pointbook_domain::{ActivityType, SourceId};

    use super::*;

    fn row(kind: &str, points: i64, [year, month, day]: [u32; 3]) -> MovedPoints {
        let created_at = CivilDate { year, month, day }.to_day().unwrap().start();
        let (kind, source_id) = (ActivityType::new(kind).unwrap(), SourceId::new("s").unwrap());
        MovedPoints { created_at, kind, source_id, points, bonus_points: 0 }
    }

    #[test]
    fn each_row_counts_in_its_month_and_orders_apart() {
        let rows = [
            row("quiz", 9, [2025, 8, 31]),
            row("quiz", 100, [2025, 9, 1]),
            MovedPoints { bonus_points: 50, ..row("code", 10, [2025, 9, 30]) },
            row("order", -70, [2025, 12, 31]),
            row("order", 70, [2026, 1, 1]),
            MovedPoints {
                source_id: SourceId::new("expiry:2026-01-30").unwrap(),
                ..row("order", -4, [2026, 1, 31])
            },
            row("quiz", -5, [2026, 2, 28]),
            row("quiz", 9, [2026, 3, 1]),
        ];
        let first = place(CivilDate { year: 2025, month: 9, day: 1 });
        let months = sums(first, &rows).map(|month| (month.month, month.earned, month.spent));
        assert_eq!(months, [(9, 160, 0), (10, 0, 0), (11, 0, 0), (12, 0, 70), (1, 0, -70), (2, -5, 0)]);
    }
}
