//! Whether a tenant has operators, remembered for a moment. Everyone may request pages of a console. Without this cache, each
//! such request would read the database.

use std::time::Duration;

use pointbook_domain::{Operator, TenantSettings};
use pointbook_store::ports::{Query, TenantData, read_all};
use pointbook_store::{ServedTenant, StoreResult, TenantState};
use tokio::sync::Mutex;
use tokio::time::Instant;

/// How long an answer counts. Another process may add the first operator.
const GOOD_FOR: Duration = Duration::from_secs(1);

/// The last answer. Held during a read, so that many requests cause one.
#[derive(Default)]
pub(crate) struct KnownOperators(Mutex<Option<(Instant, bool)>>);

impl TenantState for KnownOperators {
    fn new(_: &ServedTenant, _: &TenantSettings) -> Self {
        Self::default()
    }
}

impl KnownOperators {
    /// Whether the tenant with this data has operators. Without one, it has no console.
    ///
    /// # Errors
    /// When the store fails.
    pub(crate) async fn are_some(&self, data: &dyn TenantData) -> StoreResult<bool> {
        let first = Query::of::<Operator>("has_operators", &["email"]).limit(1);
        self.known_or(async || Ok(!read_all::<Operator>(data, first).await?.is_empty())).await
    }

    async fn known_or(&self, read: impl AsyncFnOnce() -> StoreResult<bool>) -> StoreResult<bool> {
        let mut known = self.0.lock().await;
        if let Some((at, are_some)) = *known
            && at.elapsed() < GOOD_FOR
        {
            return Ok(are_some);
        }
        let at = Instant::now();
        let are_some = read().await?;
        *known = Some((at, are_some));
        Ok(are_some)
    }

    /// This process changes the operators.
    pub(crate) async fn forget(&self) {
        *self.0.lock().await = None;
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::advance;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn an_answer_counts_for_a_second() {
        let known = KnownOperators::default();
        let asked = async |stored| known.known_or(async || Ok(stored)).await.unwrap();
        assert!(!asked(false).await && !asked(true).await);
        advance(GOOD_FOR).await;
        assert!(asked(true).await && asked(false).await);
        known.forget().await;
        assert!(!asked(false).await);
    }
}
