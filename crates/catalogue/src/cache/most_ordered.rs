//! The products that are popular because of their orders. The store counts them from time to time.

use std::sync::Arc;

use arc_swap::ArcSwap;
use pointbook_domain::settings::POPULAR_PERIOD_DAYS;
use pointbook_domain::{ProductId, Timestamp};
use pointbook_store::StoreResult;
use pointbook_store::ports::TenantData;
use tokio::sync::Mutex;

use super::CatalogueOptions;

/// The age at which the store counts again, in seconds. A count reads the orders of months, and each order could change it.
const MOST_ORDERED_MAX_AGE_SECONDS: u32 = 600;

/// The last result of the store, and the lock for the next count.
#[derive(Debug, Default)]
pub(super) struct MostOrdered {
    last: ArcSwap<Answer>,
    /// Held during a count, which takes time.
    asking: Mutex<()>,
}

/// A result of the store. The default stands for no count yet.
#[derive(Debug, Default)]
struct Answer {
    /// By id, so that two results differ only when a product comes or goes.
    ids: Arc<[ProductId]>,
    /// How many products the store was asked for.
    limit: u32,
    asked_at: Option<Timestamp>,
}

impl MostOrdered {
    pub(super) fn last(&self) -> Arc<[ProductId]> {
        self.last.load().ids.clone()
    }

    /// Whether the last result is old, or was for another number.
    pub(super) fn is_outdated(&self, limit: u32, now: Timestamp) -> bool {
        self.last.load().is_outdated(limit, now)
    }

    /// Returns as many products as the options ask for, by id. It asks the store when the last result is old or was for another
    /// number, and never twice at once. With a number of 0 it does not ask. When the store fails, the last result holds: the
    /// catalogue must not wait for it.
    pub(super) async fn at(
        &self,
        data: &dyn TenantData,
        options: &CatalogueOptions,
        now: Timestamp,
        tenant: &str,
    ) -> Arc<[ProductId]> {
        if let Ok(_asking) = self.asking.try_lock()
            && self.is_outdated(options.popular_most_ordered, now)
        {
            match ask(data, options.popular_most_ordered, now).await {
                Ok(answer) => self.last.store(Arc::new(answer)),
                Err(error) => {
                    let error: &dyn std::error::Error = &error;
                    tracing::warn!(tenant, error, "most ordered products not read");
                }
            }
        }
        self.last()
    }
}

async fn ask(data: &dyn TenantData, limit: u32, now: Timestamp) -> StoreResult<Answer> {
    let since = now.minus_days(POPULAR_PERIOD_DAYS);
    let mut ids = if limit == 0 { Vec::new() } else { data.most_ordered(since, limit).await? };
    ids.sort_unstable();
    Ok(Answer { ids: ids.into(), limit, asked_at: Some(now) })
}

impl Answer {
    /// A result from the future means that the clock was set back, so its age is unknown.
    fn is_outdated(&self, limit: u32, now: Timestamp) -> bool {
        let is_fresh = |asked_at: Timestamp| {
            (asked_at..asked_at.plus_seconds(MOST_ORDERED_MAX_AGE_SECONDS)).contains(&now)
        };
        self.limit != limit || !self.asked_at.is_some_and(is_fresh)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_micros(seconds * 1_000_000).unwrap()
    }

    #[test]
    fn an_answer_is_good_for_ten_minutes_and_one_number() {
        let asked = Answer { asked_at: Some(at(1_000)), limit: 10, ..Answer::default() };
        assert!(!asked.is_outdated(10, at(1_000)));
        assert!(!asked.is_outdated(10, at(1_599)));
        assert!(asked.is_outdated(10, at(1_600)));
        assert!(asked.is_outdated(11, at(1_000)));
        assert!(Answer::default().is_outdated(10, at(0)));
    }

    #[test]
    fn a_clock_that_was_set_back_makes_no_answer_last_longer() {
        let asked = Answer { asked_at: Some(at(1_000)), limit: 10, ..Answer::default() };
        assert!(asked.is_outdated(10, at(999)));
    }
}
