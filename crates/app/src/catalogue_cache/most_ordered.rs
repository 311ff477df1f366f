//! Which products are popular because they were ordered most, as the store said not long ago.

use std::sync::Arc;

use pointbook_domain::settings::POPULAR_PERIOD_DAYS;
use pointbook_domain::{ProductId, Timestamp};

use super::CatalogueOptions;
use crate::StoreResult;
use crate::ports::TenantData;

/// How old the answer gets before the store is asked again, in seconds: it goes through the orders of
/// months, and each order would change it.
const MOST_ORDERED_MAX_AGE_SECONDS: u32 = 600;

/// The store's last answer. A default one was never asked for.
#[derive(Debug, Default)]
pub(super) struct MostOrdered {
    /// By id, so that two answers differ only when a product comes or goes.
    ids: Arc<[ProductId]>,
    /// For how many products the store was asked.
    limit: u32,
    asked_at: Option<Timestamp>,
}

impl MostOrdered {
    /// As many as the options ask for, by id. The store is asked when its last answer is old, or was
    /// for another number; not at all when none are asked for.
    pub(super) async fn at(
        &mut self,
        data: &dyn TenantData,
        options: &CatalogueOptions,
        now: Timestamp,
    ) -> StoreResult<Arc<[ProductId]>> {
        let limit = options.popular_most_ordered;
        if limit == 0 {
            *self = Self::default();
        } else if self.is_outdated(limit, now) {
            let since = now.minus_days(POPULAR_PERIOD_DAYS);
            let mut ids = data.most_ordered(since, limit).await?;
            ids.sort_unstable();
            *self = Self { ids: ids.into(), limit, asked_at: Some(now) };
        }
        Ok(self.ids.clone())
    }

    fn is_outdated(&self, limit: u32, now: Timestamp) -> bool {
        let outdated_at = |asked_at: Timestamp| asked_at.plus_seconds(MOST_ORDERED_MAX_AGE_SECONDS);
        self.limit != limit || self.asked_at.is_none_or(|asked_at| outdated_at(asked_at) <= now)
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
        let asked = MostOrdered { asked_at: Some(at(1_000)), limit: 10, ..MostOrdered::default() };
        assert!(!asked.is_outdated(10, at(1_599)));
        assert!(asked.is_outdated(10, at(1_600)));
        assert!(asked.is_outdated(11, at(1_000)));
        assert!(MostOrdered::default().is_outdated(10, at(0)));
    }
}
