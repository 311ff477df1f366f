//! `GET /v1/user/point-history`: a page of days.

use pointbook_domain::history::group_by_day;
use pointbook_domain::{GroupedHistory, PageNumber, PageRequest, PageWindow, Points};
use pointbook_store::background::{MAX_ROWS_AT_ONCE, in_background_for};
use pointbook_store::ports::HistoryRead;
use pointbook_store::{Context, StoreResult};

use crate::members::read::end_due;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PointHistory {
    /// The days of the page, newest first.
    pub grouped: GroupedHistory,
    /// The numbers of the envelope, which count days.
    pub window: PageWindow,
    pub user_points: Points,
}

/// Reads the page with one port call and groups it. Points that are over end first.
pub async fn point_history(context: &Context, page: PageNumber) -> StoreResult<PointHistory> {
    let (tenant, user) = (&context.tenant, context.customer()?);
    let request = PageRequest { number: page, size: tenant.tenant.settings.history_days_per_page };
    let mut read = tenant.data.history_page(user, request).await?;
    if end_due(context, user, read.next_expiry_on).await? {
        read = tenant.data.history_page(user, request).await?;
    }
    let HistoryRead { rows, day_count, user_points, next_expiry_on: _ } = read;
    let grouped = if rows.len() <= MAX_ROWS_AT_ONCE {
        group_by_day(rows)
    } else {
        in_background_for(context.worker(), move || group_by_day(rows)).await?
    };
    Ok(PointHistory { grouped, window: request.window(day_count), user_points })
}
