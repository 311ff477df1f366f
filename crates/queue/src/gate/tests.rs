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

struct Request<'g> {
    polled: GatedRequest<'g, &'static str, &'static str>,
    lane: Lane<&'static str, &'static str>,
    woken: Arc<Woken>,
}

impl<'g> Request<'g> {
    fn new(gate: &'g TestGate, tenant: &'static str, lane: &'static str) -> Self {
        Self { polled: gate.request(), lane: Lane::of(tenant, lane), woken: Arc::default() }
    }

    fn enters(&mut self) -> bool {
        let waker = self.woken.clone().into();
        self.polled.enter(&Context::from_waker(&waker), || self.lane.clone())
    }

    fn was_woken(&self) -> bool {
        self.woken.0.load(Ordering::Relaxed) > 0
    }
}

/// A gate with one slot, a tenant that took much time, and a tenant that took little and was just active.
fn closed() -> TestGate {
    let (gate, now) = (Gate::new(1), Instant::now());
    gate.charge(&"heavy", Duration::from_millis(500), now);
    gate.charge(&"light", Duration::from_millis(1), now);
    gate
}

#[test]
fn a_tenant_that_is_alone_never_waits() {
    let gate = Gate::new(1);
    gate.charge(&"heavy", Duration::from_secs(1), Instant::now());
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
        request.polled.leave();
    }
    assert!(!second.was_woken());
    first.polled.leave();
    assert!(second.was_woken() && second.enters());
    assert!(!first.enters(), "each poll needs a slot");
    second.polled.leave();
    assert!(first.was_woken() && first.enters());
}

#[test]
fn the_heavy_tenant_that_took_less_and_its_lanes_take_turns() {
    let gate = closed();
    gate.charge(&"heavier", Duration::from_millis(900), Instant::now());
    let mut first = Request::new(&gate, "heavy", "a");
    let mut waiting = [("heavier", "a"), ("heavy", "a"), ("heavy", "a"), ("heavy", "b")]
        .map(|(tenant, lane)| Request::new(&gate, tenant, lane));
    assert!(first.enters() && !waiting.iter_mut().any(Request::enters));
    first.polled.leave();
    for next in [1, 3, 2, 0] {
        assert!(waiting[next].was_woken(), "{next}");
        assert!(waiting[next].enters());
        waiting[next].polled.leave();
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
