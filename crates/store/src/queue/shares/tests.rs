use super::super::{Lane, Limits, Next, Queue};
use super::*;

const MILLISECOND: Duration = Duration::from_millis(1);

/// A place that does one job at a time, and its clock.
struct Place {
    queue: Queue<&'static str, (), Duration>,
    now: Instant,
    took: HashMap<&'static str, Duration>,
    idle: Duration,
}

impl Place {
    fn new() -> Self {
        let queue = Queue::new(Limits::default());
        Self { queue, now: Instant::now(), took: HashMap::new(), idle: Duration::ZERO }
    }

    fn push(&mut self, tenant: &'static str, job: Duration) {
        self.queue.push(&Lane::of(tenant, ()), job).unwrap();
    }

    /// Does one job, or waits.
    fn step(&mut self) -> Option<&'static str> {
        match self.queue.pop(self.now) {
            Next::Job(lane, job) => {
                self.now += job;
                self.queue.charge(lane.tenant.as_ref(), job, self.now);
                *self.took.entry(lane.tenant?).or_default() += job;
                lane.tenant
            }
            Next::Wait(wait) => {
                assert!(!wait.is_zero());
                self.now += wait;
                self.idle += wait;
                None
            }
            Next::Nothing => {
                self.now += MILLISECOND;
                None
            }
        }
    }

    /// Goes on until this tenant has had a turn. Returns how long its job waited for that.
    fn turn_of(&mut self, tenant: &'static str, job: Duration) -> Duration {
        let begun = self.now;
        self.push(tenant, job);
        while self.step() != Some(tenant) {}
        self.now.duration_since(begun + job)
    }
}

#[test]
fn a_tenant_that_is_alone_gets_all_the_time() {
    let mut place = Place::new();
    for _ in 0..10_000 {
        place.push("alone", MILLISECOND);
        assert_eq!(place.step(), Some("alone"));
    }
    assert_eq!((place.took["alone"], place.idle), (10_000 * MILLISECOND, Duration::ZERO));
}

#[test]
fn the_service_is_no_reason_to_leave_time_free() {
    let mut place = Place::new();
    for _ in 0..1_000 {
        place.queue.push(&Lane { tenant: None, name: () }, MILLISECOND).unwrap();
        place.push("alone", MILLISECOND);
        place.step();
        place.step();
    }
    assert_eq!(place.idle, Duration::ZERO);
}

#[test]
fn a_light_tenant_finds_the_place_free_most_of_the_time() {
    let mut place = Place::new();
    let mut waits = Vec::new();
    for _ in 0..1_000 {
        // Two connections that always have one more large job, and one that has many small ones.
        while place.queue.count().waiting < 3 {
            place.push("large", 200 * MILLISECOND);
            place.push("many", MILLISECOND / 10);
        }
        let until = place.now + 20 * MILLISECOND;
        while place.now < until {
            place.step();
        }
        waits.push(place.turn_of("light", MILLISECOND));
    }
    waits.sort_unstable();
    assert_eq!(waits[500], Duration::ZERO);
    let heavy = place.took["large"] + place.took["many"];
    let all = heavy + place.took["light"] + place.idle;
    assert!(heavy > all / 4 && heavy < all / 2, "{heavy:?} of {all:?}");
}

#[test]
fn heavy_tenants_get_the_same_time() {
    let mut place = Place::new();
    for _ in 0..2_000 {
        for (tenant, job) in [("large", 50 * MILLISECOND), ("small", MILLISECOND)] {
            place.push(tenant, job);
        }
        place.step();
    }
    let [large, small] = ["large", "small"].map(|tenant| place.took[tenant]);
    assert!(large < small + 200 * MILLISECOND && small < large + 200 * MILLISECOND, "{large:?} {small:?}");
    assert!(place.idle < ACTIVE, "only while one of them has been light: {:?}", place.idle);
}

#[test]
fn a_heavy_tenant_is_light_again_after_ten_seconds() {
    let (mut now, mut shares) = (Instant::now(), Shares::new(Instant::now()));
    shares.charge(&"a", 100 * MAX_DEBT, now);
    assert!(!shares.is_light(&"a", now));
    now += MAX_DEBT * LIGHT_DIVISOR;
    assert!(shares.is_light(&"a", now));
}

#[test]
fn tenants_without_debt_are_forgotten() {
    let mut now = Instant::now();
    let mut shares = Shares::new(now);
    for tenant in 0..100_000 {
        shares.charge(&tenant, MILLISECOND, now);
        now += MILLISECOND;
    }
    assert!(shares.debts.len() <= MIN_TO_FORGET, "{}", shares.debts.len());
}

#[test]
fn two_tenants_that_take_about_half_each_are_both_heavy() {
    let mut place = Place::new();
    let mut light = 0;
    for round in 0..10_000 {
        for (tenant, micros) in [("more", 550), ("less", 450)] {
            place.now += Duration::from_micros(micros);
            place.queue.charge(Some(&tenant), Duration::from_micros(micros), place.now);
            light += u32::from(round > 1_000 && place.queue.shares.is_light(&tenant, place.now));
        }
    }
    assert_eq!(light, 0);
}
