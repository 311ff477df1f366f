//! Permits of work that may be long: imports, and requests that wait for events. A request that waits also holds a working permit of the
//! gateway.

use pointbook_domain::TenantId;
use pointbook_store::queue::{Bounds, Limits, Permit, Permits};
use pointbook_store::{StoreError, StoreResult};

/// How many imports run at once. Further ones get 503. One tenant gets at most half of them.
const MAX_IMPORTS: Bounds = Bounds { all: 8, tenant: 4, lane: usize::MAX };

pub(crate) type ImportPermits = Permits<TenantId, ()>;
pub(crate) type ImportPermit = Permit<TenantId, ()>;

pub(crate) fn import_permits() -> ImportPermits {
    Permits::new(Limits { permits: MAX_IMPORTS, ..Limits::default() })
}

/// Does the work of an import. It holds the permit until the work ends, also when the request is cancelled before.
///
/// # Errors
/// Those of the work.
pub async fn holding<T: Send + 'static>(
    permit: impl Send + 'static,
    work: impl Future<Output = StoreResult<T>> + Send + 'static,
) -> StoreResult<T> {
    let held = tokio::spawn(async move {
        let _permit = permit;
        work.await
    });
    held.await.map_err(|error| StoreError::Failed(Box::new(error)))?
}

/// How many readers wait at once. Further ones get their response at once.
const MAX_WAITING_FOR_EVENTS: Bounds = Bounds { all: 128, tenant: 16, lane: usize::MAX };

pub(crate) type EventPermits = Permits<TenantId, ()>;
pub(crate) type EventPermit = Permit<TenantId, ()>;

pub(crate) fn event_permits() -> EventPermits {
    Permits::new(Limits { permits: MAX_WAITING_FOR_EVENTS, ..Limits::default() })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use pointbook_store::queue::{Lane, Overloaded};
    use tokio::sync::Notify;

    use super::*;

    #[test]
    fn a_tenant_has_half_the_permits_and_gives_them_back() {
        let permits = import_permits();
        let acquire = |tenant: &str| permits.try_acquire(Lane::of(TenantId::new(tenant).unwrap(), ()), 1);
        let first: Vec<_> = (0..4).map(|_| acquire("a").unwrap()).collect();
        assert_eq!(acquire("a").unwrap_err(), Overloaded::Tenant);
        let second: Vec<_> = (0..3).map(|_| acquire("b").unwrap()).collect();
        let last = acquire("c").unwrap();
        assert_eq!(acquire("b").unwrap_err(), Overloaded::All);
        assert_eq!(acquire("d").unwrap_err(), Overloaded::All, "all eight are taken");
        drop(last);
        assert!(acquire("a").is_err());
        assert!(acquire("b").is_ok(), "for a moment");
        drop((first, second));
        assert!(acquire("a").is_ok());
    }

    #[tokio::test]
    async fn a_cancelled_request_holds_its_permit_until_its_work_ends() {
        let (permits, end) = (import_permits(), Arc::new(Notify::new()));
        let acquire = || permits.try_acquire(Lane::of(TenantId::new("a").unwrap(), ()), 4);
        let (permit, ended) = (acquire().unwrap(), end.clone());
        let request = tokio::spawn(holding(permit, async move {
            ended.notified().await;
            Ok(())
        }));
        tokio::task::yield_now().await;
        request.abort();
        assert!(request.await.unwrap_err().is_cancelled());
        assert!(acquire().is_err(), "the work goes on");
        end.notify_one();
        while acquire().is_err() {
            tokio::task::yield_now().await;
        }
    }
}
