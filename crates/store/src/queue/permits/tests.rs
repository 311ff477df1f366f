use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use proptest::prelude::*;
use proptest::sample::Index;

use super::super::Bounds;
use super::*;

type Tenant = &'static str;
type Asked = Result<Permit<Tenant, ()>, Overloaded>;
type Acquiring<'p> = Pin<Box<dyn Future<Output = Asked> + 'p>>;

/// Four permits, of a tenant three; two of a tenant wait.
const LIMITS: Limits = Limits {
    permits: Bounds { all: 4, tenant: 3, lane: usize::MAX },
    waiting: Bounds { all: usize::MAX, tenant: 2, lane: usize::MAX },
    leaves_room: false,
};

fn poll(acquiring: &mut Acquiring<'_>) -> Poll<Asked> {
    acquiring.as_mut().poll(&mut Context::from_waker(Waker::noop()))
}

/// Asks for a permit and waits no longer.
fn acquire<'p>(permits: &'p Permits<Tenant, ()>, tenant: Tenant) -> (Acquiring<'p>, Poll<Asked>) {
    let mut acquiring: Acquiring<'p> = Box::pin(permits.acquire(Lane::of(tenant, ())));
    let permit = poll(&mut acquiring);
    (acquiring, permit)
}

fn has_one(asked: &Poll<Asked>) -> bool {
    matches!(asked, Poll::Ready(Ok(_)))
}

fn count(permits: &Permits<Tenant, ()>) -> Count {
    permits.shared.change(|queue| queue.count())
}

#[test]
fn a_permit_goes_to_the_next_and_not_to_a_waiter_that_is_gone() {
    let permits = Permits::new(LIMITS);
    let mut taken: Vec<_> = (0..3).map(|_| acquire(&permits, "a").1).collect();
    let [(gone, first), (mut stays, second)] = [acquire(&permits, "a"), acquire(&permits, "a")];
    assert!(taken.iter().all(has_one) && first.is_pending() && second.is_pending());
    drop(gone);
    assert_eq!(count(&permits), Count { permits: 3, waiting: 1 }, "it leaves no trace");
    taken.pop();
    let permit = poll(&mut stays);
    assert!(has_one(&permit));
    drop((taken, permit));
    assert_eq!(count(&permits), Count::default());
}

/// Also when waiters get permits that others give back.
#[test]
fn tenants_that_leave_room_leave_a_permit_for_another_one() {
    let permits = Permits::new(Limits {
        permits: Bounds { all: 8, tenant: 4, lane: usize::MAX },
        leaves_room: true,
        ..Limits::default()
    });
    let mut asked: Vec<_> =
        ["a", "b"].iter().flat_map(|tenant| (0..6).map(|_| acquire(&permits, tenant))).collect();
    let hold = |asked: &mut Vec<(Acquiring<'_>, Poll<Asked>)>| {
        for (acquiring, permit) in asked.iter_mut().filter(|(_, permit)| permit.is_pending()) {
            *permit = poll(acquiring);
        }
        asked.iter().filter(|(_, permit)| has_one(permit)).count()
    };
    // Both have two. A third would leave less free than its lane and its tenant hold together.
    assert_eq!(hold(&mut asked), 4);
    assert!(has_one(&acquire(&permits, "c").1));
    drop(asked.remove(0));
    assert_eq!(
        (hold(&mut asked), count(&permits).permits),
        (4, 4),
        "the next one of the tenant has its permit"
    );
    asked.clear();
    assert_eq!(count(&permits), Count::default());
}

#[test]
fn a_permit_that_was_given_to_a_waiter_that_goes_is_given_on() {
    let permits = Permits::new(LIMITS);
    let mut taken: Vec<_> = (0..3).map(|_| acquire(&permits, "a").1).collect();
    let [(first, _), (mut second, _)] = [acquire(&permits, "a"), acquire(&permits, "a")];
    taken.pop();
    drop(first);
    assert!(has_one(&poll(&mut second)));
}

#[test]
fn more_than_may_wait_are_refused_at_once() {
    let permits = Permits::new(LIMITS);
    let asked: Vec<_> = (0..5).map(|_| acquire(&permits, "a")).collect();
    assert!(matches!(acquire(&permits, "a").1, Poll::Ready(Err(Overloaded::Tenant))));
    assert!(has_one(&acquire(&permits, "b").1));
    drop(asked);
    assert!(has_one(&acquire(&permits, "a").1));
}

#[tokio::test(start_paused = true)]
async fn no_caller_waits_for_longer_than_the_longest_wait() {
    let permits = Permits::with_max_wait(LIMITS, Duration::from_secs(3), |_| ());
    let _taken = permits.try_acquire(Lane::of("a", ()), 3).unwrap();
    let begun = tokio::time::Instant::now();
    assert_eq!(permits.acquire(Lane::of("a", ())).await.unwrap_err(), Overloaded::Wait);
    assert_eq!(begun.elapsed(), Duration::from_secs(3));
    assert_eq!(count(&permits).waiting, 0);
}

#[tokio::test(start_paused = true)]
async fn a_permit_that_arrives_as_the_longest_wait_ends_is_not_lost() {
    let permits = Permits::with_max_wait(LIMITS, Duration::from_secs(3), |_| ());
    let taken = permits.try_acquire(Lane::of("a", ()), 3).unwrap();
    let (waiting, permit) = acquire(&permits, "a");
    assert!(permit.is_pending());
    drop(taken);
    tokio::time::advance(Duration::from_secs(4)).await;
    drop(waiting.await);
    assert_eq!(count(&permits), Count::default());
}

#[test]
fn permits_grow_within_the_limits_and_are_given_back_together() {
    let permits = Permits::new(LIMITS);
    let mut taken = permits.try_acquire(Lane::of("a", ()), 1).unwrap();
    taken.grow(2).unwrap();
    assert_eq!(taken.grow(1), Err(Overloaded::Tenant));
    assert_eq!(permits.try_acquire(Lane::of("b", ()), 2).unwrap_err(), Overloaded::All);
    drop(taken);
    assert!(permits.try_acquire(Lane::of("b", ()), 2).is_ok());
}

#[test]
fn each_count_is_shown() {
    let shown = Arc::new(Mutex::new(Vec::new()));
    let into = shown.clone();
    let permits = Permits::watched(LIMITS, move |count| into.lock().unwrap().push(count));
    let taken = permits.try_acquire(Lane::of("a", ()), 3).unwrap();
    let (waiting, _) = acquire(&permits, "a");
    drop(waiting);
    drop(taken);
    let counts = [(3, 0), (3, 1), (3, 0), (0, 0)].map(|(permits, waiting)| Count { permits, waiting });
    assert_eq!(*shown.lock().unwrap(), counts);
}

/// A caller, and the permit that it got.
struct Caller<'p> {
    tenant: Tenant,
    acquiring: Option<Acquiring<'p>>,
    permit: Option<Permit<Tenant, ()>>,
}

proptest! {
    /// Callers come, wait, leave and give back in any order.
    #[test]
    fn permits_are_neither_lost_nor_given_twice(
        steps in prop::collection::vec((0_u8..4, any::<Index>()), 1..200),
    ) {
        let permits = Permits::new(LIMITS);
        let mut callers: Vec<Caller<'_>> = Vec::new();
        for (step, index) in steps {
            if step < 2 || callers.is_empty() {
                let tenant = ["a", "b", "c"][index.index(3)];
                let acquiring: Acquiring<'_> = Box::pin(permits.acquire(Lane::of(tenant, ())));
                callers.push(Caller { tenant, acquiring: Some(acquiring), permit: None });
            } else {
                callers.swap_remove(index.index(callers.len()));
            }
            // Some see their permits later, and some of those leave before.
            for caller in callers.iter_mut().skip(usize::from(step % 2)) {
                let asked = caller.acquiring.as_mut().map_or(Poll::Pending, poll);
                if let Poll::Ready(asked) = asked {
                    (caller.acquiring, caller.permit) = (None, asked.ok());
                }
            }
            callers.retain(|caller| caller.acquiring.is_some() || caller.permit.is_some());
            callers.iter_mut().filter(|_| step % 2 == 0).for_each(|caller| {
                assert!(caller.acquiring.as_mut().is_none_or(|acquiring| poll(acquiring).is_pending()));
            });
            let having = |tenant: Tenant| {
                callers.iter().filter(|caller| caller.tenant == tenant && caller.permit.is_some()).count()
            };
            let all = having("a") + having("b") + having("c");
            prop_assert!(all <= 4 && ["a", "b", "c"].into_iter().all(|tenant| having(tenant) <= 3));
            for caller in callers.iter().filter(|caller| caller.permit.is_none() && step % 2 == 0) {
                prop_assert!(all == 4 || having(caller.tenant) == 3, "{} waits for nothing", caller.tenant);
            }
        }
        drop(callers);
        prop_assert_eq!(count(&permits), Count::default());
    }
}
