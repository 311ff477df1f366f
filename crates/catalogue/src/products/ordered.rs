//! How many pieces of a product members ordered in the last weeks, from the figures of reports.

use std::collections::HashMap;

use pointbook_domain::{Day, ProductId, Timestamp};
use pointbook_store::ports::{read_all, read_one};
use pointbook_store::schema::Query;
use pointbook_store::schema::rows::{FiguresState, ProductDay};
use pointbook_store::{ServedTenant, StoreResult};

/// The days that are counted, today among them.
pub const DAYS: i32 = 28;

/// The pieces of orders that were placed in the last [`DAYS`] days, less those that were cancelled, by product.
pub struct Ordered(HashMap<String, i64>);

impl Ordered {
    /// One read for all these products. `None` while the server still counts the first figures.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn of<'p>(
        tenant: &ServedTenant,
        ids: impl IntoIterator<Item = &'p ProductId>,
        now: Timestamp,
    ) -> StoreResult<Option<Self>> {
        let (data, zone) = (&*tenant.data, tenant.zone());
        let state: Option<FiguresState> = read_one(data, Query::of::<FiguresState>("figures", &[])).await?;
        if !state.is_some_and(|state| state.follows(&zone)) {
            return Ok(None);
        }
        let today = zone.local_time(now).day;
        let first = Day::from_days(today.as_days() + 1 - DAYS).unwrap_or(today);
        let days = Query::of::<ProductDay>("ordered_pieces", &["day", "product_id"])
            .between("day", [&first, &today])
            .one_of("product_id", ids.into_iter().map(ProductId::as_str));
        let mut pieces = HashMap::new();
        for row in read_all::<ProductDay>(data, days).await? {
            *pieces.entry(row.product_id).or_insert(0) += row.pieces - row.cancelled_pieces;
        }
        Ok(Some(Self(pieces)))
    }

    pub fn pieces(&self, id: &ProductId) -> i64 {
        self.0.get(id.as_str()).copied().unwrap_or_default().max(0)
    }

    /// For how many days the stock lasts when members order as they did. `None` for an unlimited stock, and when nothing was ordered.
    pub fn days_left(&self, id: &ProductId, stock: Option<u32>) -> Option<i64> {
        (i64::from(stock?) * i64::from(DAYS)).checked_div(self.pieces(id))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stock_lasts_as_long_as_the_orders_of_four_weeks_say() {
        let id = |id: &str| ProductId::new(id).unwrap();
        let ordered = Ordered(HashMap::from([("mug".to_owned(), 14), ("cup".to_owned(), -1)]));
        assert_eq!(ordered.days_left(&id("mug"), Some(5)), Some(10));
        assert_eq!(ordered.days_left(&id("mug"), Some(0)), Some(0));
        assert_eq!(ordered.days_left(&id("mug"), None), None);
        assert_eq!((ordered.pieces(&id("cup")), ordered.days_left(&id("cup"), Some(5))), (0, None));
        assert_eq!(ordered.days_left(&id("pot"), Some(5)), None);
    }
}
