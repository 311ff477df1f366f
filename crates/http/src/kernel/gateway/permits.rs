//! The working permits: how many requests may wait for their responses at a time.

use std::net::IpAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use metrics::Counter;
use pointbook_domain::{Principal, TenantId};
use pointbook_store::queue::{self as queue, Bounds, Lane, Limits};

use super::arriving::{ArrivingBodies, BodyOwner};
use crate::kernel::limits::HttpLimits;

/// Requests with a body get at most three quarters of the working permits, so that writes never block reads.
const RESERVE_DIVISOR: usize = 4;

/// A tenant and a principal together leave twice as many permits free as they hold. So below a third nobody's share is exceeded.
const ROOM_DIVISOR: usize = 3;

/// How long after the last refused request `/readyz` reports overload.
const SATURATED_FOR: Duration = Duration::from_secs(5);

/// Who works: a tenant, or a client that asks for a page, which belongs to no tenant yet. A client is an address, or an IPv6
/// network of 64 bits.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Worker {
    Tenant(TenantId),
    Client(Option<IpAddr>),
}

/// The lane of a principal. A request whose principal is not known yet has a lane of its own.
pub(super) struct WorkLane {
    pub(super) lane: Lane<Worker, String>,
    pub(super) is_of_principal: bool,
    /// Of the client. `None` when it is not known.
    network: Option<IpAddr>,
}

impl WorkLane {
    pub(super) fn of(
        worker: Worker,
        principal: Option<String>,
        network: Option<IpAddr>,
        request_id: &str,
    ) -> Self {
        let is_of_principal = principal.is_some();
        let name = principal.unwrap_or_else(|| format!("request:{request_id}"));
        Self { lane: Lane::of(worker, name), is_of_principal, network }
    }

    /// The principal, or the network of an unknown one. A client cannot choose it.
    pub(super) fn turn(self) -> String {
        match self.network {
            Some(network) if !self.is_of_principal => network.to_string(),
            None if !self.is_of_principal => String::new(),
            _ => self.lane.name,
        }
    }
}

/// The name of the lane of a principal.
pub(super) fn name_of(principal: &Principal) -> String {
    match principal.kind.user() {
        Some(user) => format!("user:{user}"),
        None => format!("key:{}", principal.token_id),
    }
}

/// Working permits count the requests that could not respond at once, up to a limit. There are never more other requests than
/// threads, and counting them would cost time. A tenant leaves as many permits free as it holds, and so does a principal, so that
/// others always find some. A request whose body is still arriving has no working permit: `ArrivingBodies` bounds those.
pub struct Permits {
    /// The number of working permits that are taken. It saves most requests from the lock of `all`.
    working: Arc<AtomicUsize>,
    max_working: usize,
    max_unshared: usize,
    all: WorkPermits,
    with_body: WorkPermits,
    refused: Counter,
    refused_at: Mutex<Option<Instant>>,
    pub(super) arriving: ArrivingBodies,
    pub(super) body_read_timeout: Duration,
}

type WorkPermits = queue::Permits<Worker, String>;

/// The working permit of a request.
pub(super) struct Working {
    count: Arc<AtomicUsize>,
    /// Otherwise the permit is of a request whose principal was not known.
    pub(super) is_of_principal: bool,
    _all: queue::Permit<Worker, String>,
    _with_body: Option<queue::Permit<Worker, String>>,
}

impl Permits {
    pub fn new(limits: &HttpLimits) -> Self {
        let all = limits.max_concurrent_requests;
        let with_body = all - all / RESERVE_DIVISOR;
        let gauge = metrics::gauge!("pointbook_http_requests_in_flight");
        let show = move |count: queue::Count| gauge.set(u32::try_from(count.permits).unwrap_or(u32::MAX));
        Self {
            working: Arc::default(),
            max_working: all,
            max_unshared: with_body / ROOM_DIVISOR,
            all: queue::Permits::watched(shared(all), show),
            with_body: queue::Permits::new(shared(with_body)),
            refused: metrics::counter!("pointbook_http_requests_refused_total", "bound" => "concurrent_requests"),
            refused_at: Mutex::default(),
            arriving: ArrivingBodies::new(limits),
            body_read_timeout: Duration::from_millis(limits.body_read_timeout_ms),
        }
    }

    /// Whether a document at the root, which belongs to no tenant, may be sent. It counts a refusal.
    pub fn admits_document(&self) -> bool {
        let has_room = self.working.load(Ordering::Relaxed) < self.max_working;
        if !has_room {
            self.count_refusal();
        }
        has_room
    }

    /// Whether one more request would get a working permit. It counts a refusal.
    pub(super) fn admits(&self, lane: impl FnOnce() -> WorkLane, has_body: bool) -> bool {
        self.working.load(Ordering::Relaxed) < self.max_unshared
            || self.begin_work(lane(), has_body).is_some()
    }

    /// The same for a request whose body has arrived.
    pub(super) fn admits_owner(&self, owner: impl FnOnce() -> BodyOwner) -> bool {
        let lane = || {
            let Lane { tenant, name } = owner();
            WorkLane {
                lane: Lane { tenant: tenant.map(Worker::Tenant), name },
                is_of_principal: true,
                network: None,
            }
        };
        self.admits(lane, true)
    }

    /// Whether a request was refused in the last seconds because its share of the permits was taken.
    pub fn is_saturated(&self) -> bool {
        let refused_at = *self.refused_at.lock().unwrap_or_else(PoisonError::into_inner);
        refused_at.is_some_and(|at| at.elapsed() < SATURATED_FOR)
    }

    /// Takes a working permit. `None` when the share of the tenant or of the principal is exceeded, which it counts.
    pub(super) fn begin_work(&self, lane: WorkLane, has_body: bool) -> Option<Working> {
        let WorkLane { lane, is_of_principal, network: _ } = lane;
        let taken = self.all.try_acquire(lane.clone(), 1).and_then(|all| {
            let with_body = has_body.then(|| self.with_body.try_acquire(lane, 1)).transpose()?;
            Ok((all, with_body))
        });
        let Ok((of_all, of_bodies)) = taken else {
            self.count_refusal();
            return None;
        };
        self.working.fetch_add(1, Ordering::Relaxed);
        Some(Working { count: self.working.clone(), is_of_principal, _all: of_all, _with_body: of_bodies })
    }

    fn count_refusal(&self) {
        self.refused.increment(1);
        *self.refused_at.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }
}

fn shared(all: usize) -> Limits {
    Limits { permits: Bounds { all, ..Bounds::default() }, leaves_room: true, ..Limits::default() }
}

impl Drop for Working {
    fn drop(&mut self) {
        self.count.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forty() -> Permits {
        Permits::new(&HttpLimits { max_concurrent_requests: 40, ..HttpLimits::default() })
    }

    fn lane(tenant: &str, name: usize) -> WorkLane {
        WorkLane::of(Worker::Tenant(TenantId::new(tenant).unwrap()), Some(name.to_string()), None, "")
    }

    /// Takes permits until this tenant gets none in any lane.
    fn take_all(permits: &Permits, tenant: &str, has_body: bool) -> Vec<Working> {
        let lanes = (0..50).flat_map(|name| std::iter::repeat_n(name, 50));
        lanes.filter_map(|name| permits.begin_work(lane(tenant, name), has_body)).collect()
    }

    #[test]
    fn a_tenant_and_a_principal_leave_permits_to_others() {
        let permits = forty();
        let one: Vec<_> = std::iter::from_fn(|| permits.begin_work(lane("a", 1), false)).collect();
        assert_eq!(one.len(), 13, "a principal has a third");
        assert!(!permits.admits(|| lane("a", 1), false) && permits.is_saturated());
        assert!(permits.admits(|| lane("a", 2), false));
        drop(one);
        let first = take_all(&permits, "a", false);
        assert_eq!(first.len(), 19, "a tenant has half");
        let second = take_all(&permits, "b", false);
        assert_eq!(second.len(), 10);
        assert!(permits.admits(|| lane("c", 1), false) && !permits.admits(|| lane("a", 1), false));
        drop(first);
        assert!(permits.admits(|| lane("a", 1), false));
    }

    #[test]
    fn requests_with_a_body_leave_a_quarter_to_the_others() {
        let permits = forty();
        let writes: Vec<_> = ["a", "b", "c", "d", "e"].map(|tenant| take_all(&permits, tenant, true)).into();
        let count = writes.iter().flatten().count();
        assert!((25..=30).contains(&count), "{count}");
        assert!(take_all(&permits, "f", false).len() >= 5);
    }

    #[test]
    fn few_requests_need_no_look_at_their_tenant() {
        let permits = forty();
        let nine: Vec<_> = (0..9).map(|_| permits.begin_work(lane("a", 1), false).unwrap()).collect();
        assert!(permits.admits(|| unreachable!(), true));
        drop(nine);
    }
}
