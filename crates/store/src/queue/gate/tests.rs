use std::sync::atomic::AtomicUsize;
use std::task::Wake;

use super::*;

/// Counts how often it is woken.
#[derive(Default)]
struct Woken(AtomicUsize);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

type TestGate = Gate<&'static str, &'static str>;

/// The time stands still, so that no tenant becomes light meanwhile.
struct Request<'g> {
    now: Instant,
    polled: GatedRequest<'g, &'static str, &'static str>,
    lane: (&'static str, &'static str),
    woken: Arc<Woken>,
}

impl<'g> Request<'g> {
    fn new((gate, now): &'g (TestGate, Instant), tenant: &'static str, lane: &'static str) -> Self {
        Self { now: *now, polled: gate.request(), lane: (tenant, lane), woken: Arc::default() }
    }

    fn enters(&mut self) -> bool {
        let waker = self.woken.clone().into();
        let (tenant, lane) = self.lane;
        self.polled.enter(&Context::from_waker(&waker), || self.now, || tenant, || lane)
    }

    fn leaves(&mut self) {
        self.polled.leave(self.now);
    }

    fn was_woken(&self) -> bool {
        self.woken.0.load(Ordering::Relaxed) > 0
    }
}

/// A gate with one slot, a tenant that took much time, and a tenant that took little and was just active.
fn closed() -> (TestGate, Instant) {
    let (gate, now) = (Gate::new(2), Instant::now());
    gate.charge(&"heavy", Duration::from_millis(500), now);
    gate.charge(&"light", Duration::from_millis(1), now);
    (gate, now)
}

#[test]
fn a_tenant_that_is_alone_never_waits() {
    let gate = (Gate::new(2), Instant::now());
    gate.0.charge(&"heavy", Duration::from_secs(1), gate.1);
    let mut requests = [Request::new(&gate, "heavy", "a"), Request::new(&gate, "heavy", "b")];
    assert!(requests.iter_mut().all(Request::enters));
}

#[test]
fn beside_a_light_tenant_a_heavy_one_has_one_slot() {
    let gate = closed();
    let [mut first, mut second] = ["a", "b"].map(|lane| Request::new(&gate, "heavy", lane));
    let mut light = [Request::new(&gate, "light", "a"), Request::new(&gate, "light", "a")];
    assert!(first.enters() && !second.enters() && !second.enters());
    assert!(light.iter_mut().all(Request::enters));
    for request in &mut light {
        request.leaves();
    }
    assert!(!second.was_woken());
    first.leaves();
    assert!(second.was_woken() && second.enters());
    assert!(!first.enters(), "each poll needs a slot");
    second.leaves();
    assert!(first.was_woken() && first.enters());
}

#[test]
fn the_heavy_tenant_that_took_less_and_its_lanes_take_turns() {
    let gate = closed();
    gate.0.charge(&"heavier", Duration::from_millis(900), gate.1);
    let mut first = Request::new(&gate, "heavy", "a");
    let mut waiting = [("heavier", "a"), ("heavy", "a"), ("heavy", "a"), ("heavy", "b")]
        .map(|(tenant, lane)| Request::new(&gate, tenant, lane));
    assert!(first.enters() && !waiting.iter_mut().any(Request::enters));
    first.leaves();
    for next in [1, 3, 2, 0] {
        assert!(waiting[next].was_woken(), "{next}");
        assert!(waiting[next].enters());
        waiting[next].leaves();
    }
}

#[test]
fn a_request_that_was_given_up_holds_nothing() {
    let gate = closed();
    let [mut first, mut second, mut third] = ["a", "b", "c"].map(|lane| Request::new(&gate, "heavy", lane));
    assert!(first.enters() && !second.enters() && !third.enters());
    drop(second);
    drop(first);
    assert!(third.was_woken() && third.enters());
}
