use proptest::prelude::*;

use super::super::Bounds;
use super::*;

mod model;

const NONE: usize = usize::MAX;

fn lane(tenant: &'static str, name: usize) -> Lane<&'static str, usize> {
    Lane::of(tenant, name)
}

fn service() -> Lane<&'static str, usize> {
    Lane { tenant: None, name: 0 }
}

/// Four in a lane, eight of a tenant, twelve in all.
fn bounded<J>() -> Queue<&'static str, usize, J> {
    let waiting = Bounds { all: 12, tenant: 8, lane: 4 };
    Queue::new(Limits { waiting, ..Limits::default() })
}

/// Four permits, of a tenant three, of a lane as many.
fn with_permits<J>() -> Queue<&'static str, usize, J> {
    let permits = Bounds { all: 4, tenant: 3, lane: NONE };
    Queue::new(Limits { permits, ..Limits::default() })
}

/// The next job of a queue whose tenants took no time.
fn popped<J>(queue: &mut Queue<&'static str, usize, J>) -> Option<J> {
    match queue.pop(Instant::now()) {
        Next::Job(_, job) => Some(job),
        Next::Wait(_) | Next::Nothing => None,
    }
}

fn drain<J>(queue: &mut Queue<&'static str, usize, J>) -> Vec<J> {
    std::iter::from_fn(|| popped(queue)).collect()
}

fn is_empty<J>(queue: &Queue<&'static str, usize, J>) -> bool {
    queue.tenants.is_empty() && queue.turns.is_empty() && queue.count == Count::default()
}

#[test]
fn lanes_take_turns_and_each_keeps_its_order() {
    let mut queue = bounded();
    for (name, job) in [(1, "a1"), (1, "a2"), (1, "a3"), (2, "b1"), (3, "c1"), (2, "b2")] {
        queue.push(&lane("acme", name), job).unwrap();
    }
    assert_eq!(drain(&mut queue), ["a1", "b1", "c1", "a2", "b2", "a3"]);
    queue.push(&lane("acme", 1), "again").unwrap();
    assert_eq!(drain(&mut queue), ["again"]);
}

#[test]
fn a_tenant_of_many_lanes_gets_no_more_turns_than_one_of_few() {
    let mut queue = Queue::new(Limits::default());
    for number in 0..1_000 {
        queue.push(&lane("large", number), "large").unwrap();
    }
    for name in [1, 1, 2] {
        queue.push(&lane("small", name), "small").unwrap();
    }
    queue.push(&service(), "service").unwrap();
    let order = drain(&mut queue);
    let begin = ["large", "small", "service", "large", "small", "large", "small", "large", "large"];
    assert_eq!(order[..9], begin);
    assert_eq!(order.len(), 1_004);
}

#[test]
fn a_full_lane_refuses_and_another_takes() {
    let mut queue = bounded();
    for _ in 0..4 {
        queue.push(&lane("a", 1), "a").unwrap();
    }
    assert_eq!(queue.push(&lane("a", 1), "late"), Err(Overloaded::Lane));
    queue.push(&lane("a", 2), "b").unwrap();
    popped(&mut queue).unwrap();
    queue.push(&lane("a", 1), "in time").unwrap();
}

#[test]
fn a_full_tenant_refuses_and_another_takes() {
    let mut queue = bounded();
    for number in 0..8 {
        queue.push(&lane("a", number), "a").unwrap();
    }
    assert_eq!(queue.push(&lane("a", 9), "late"), Err(Overloaded::Tenant));
    queue.push(&lane("b", 1), "b").unwrap();
    popped(&mut queue).unwrap();
    queue.push(&lane("a", 0), "in time").unwrap();
}

#[test]
fn all_tenants_together_are_bounded_and_given_back() {
    let mut queue = bounded();
    for number in 0..12 {
        queue.push(&lane(["a", "b", "c"][number % 3], number), "job").unwrap();
    }
    assert_eq!(queue.count().waiting, 12);
    assert_eq!(queue.push(&lane("new", 1), "late"), Err(Overloaded::All));
    assert_eq!(drain(&mut queue).len(), 12);
    assert!(is_empty(&queue), "nothing is kept of tenants and lanes that are done");
    queue.push(&lane("new", 1), "in time").unwrap();
}

#[test]
fn the_limits_of_a_tenant_do_not_apply_to_the_service() {
    let mut queue = bounded();
    for name in 0..12 {
        queue.push(&Lane { tenant: None, name }, "service").unwrap();
    }
    let mut queue = with_permits::<()>();
    assert!((0..4).all(|_| queue.take_permits(&service(), 1).is_ok()));
    assert_eq!(queue.take_permits(&service(), 1), Err(Overloaded::All));
}

#[test]
fn a_tenant_leaves_a_permit_for_another() {
    let mut queue = with_permits();
    let taken = (0..4).filter(|_| queue.take_permits(&lane("a", 1), 1).is_ok()).count();
    assert_eq!(taken, 3);
    queue.push(&lane("a", 1), 1).unwrap();
    assert_eq!(queue.pop_with_permit(), None);
    queue.take_permits(&lane("b", 1), 1).unwrap();
    assert_eq!(queue.take_permits(&service(), 1), Err(Overloaded::All));
    queue.give_back(&lane("a", 1), 1);
    assert_eq!(queue.pop_with_permit(), Some((lane("a", 1), 1)));
}

#[test]
fn a_tenant_that_leaves_room_never_takes_the_last_permit() {
    let permits = Bounds { all: 1_000, ..Bounds::default() };
    let mut queue = Queue::<_, _, ()>::new(Limits { permits, leaves_room: true, ..Limits::default() });
    let mut takes =
        |tenant, name| (0..1_000).filter(|_| queue.take_permits(&lane(tenant, name), 1).is_ok()).count();
    assert_eq!(takes("a", 1), 333, "one lane");
    assert_eq!([takes("a", 2), takes("a", 3), takes("a", 4)], [111, 37, 12]);
    assert_eq!((5..100).map(|name| takes("a", name)).sum::<usize>() + 493, 499, "the tenant has half");
    let more = ["b", "c", "d", "e"].map(|tenant| (1..100).map(|name| takes(tenant, name)).sum::<usize>());
    assert_eq!(more, [250, 125, 62, 31]);
    assert_eq!(queue.take_permits(&lane("a", 200), 1), Err(Overloaded::Tenant));
    assert_eq!(queue.take_permits(&lane("a", 1), 1), Err(Overloaded::Tenant));
}

#[test]
fn a_job_that_waits_has_a_permit_before_one_that_comes() {
    let mut queue = with_permits();
    assert!((0..4).all(|_| queue.take_permits(&service(), 1).is_ok()));
    queue.push(&lane("a", 1), 1).unwrap();
    queue.give_back(&service(), 1);
    assert_eq!(queue.take_permits(&lane("b", 1), 1), Err(Overloaded::All));
    assert_eq!(queue.pop_with_permit(), Some((lane("a", 1), 1)));
}

#[test]
fn permits_go_round_the_tenants() {
    let mut queue = with_permits();
    assert!((0..4).all(|_| queue.take_permits(&service(), 1).is_ok()));
    for (tenant, job) in [("a", 1), ("a", 2), ("a", 3), ("b", 4), ("c", 5), ("b", 6)] {
        queue.push(&lane(tenant, 0), job).unwrap();
    }
    queue.give_back(&service(), 1);
    let mut order = Vec::new();
    while let Some((lane, job)) = queue.pop_with_permit() {
        order.push(job);
        queue.give_back(&lane, 1);
    }
    assert_eq!(order, [1, 4, 5, 2, 6, 3]);
    queue.give_back(&service(), 3);
    assert!(is_empty(&queue));
}

#[test]
fn jobs_of_a_lane_can_be_taken_at_once_and_forgotten() {
    let mut queue = Queue::new(Limits::default());
    for job in 0..6 {
        queue.push(&lane("a", job % 2), job).unwrap();
    }
    assert_eq!(queue.drain(&lane("a", 0), 2), [0, 2]);
    assert_eq!(queue.drain(&lane("b", 0), 2), [0; 0]);
    queue.retain(&lane("a", 1), |&job| job == 3);
    queue.retain(&lane("a", 0), |_| false);
    assert_eq!((drain(&mut queue), is_empty(&queue)), (vec![3], true));
}

proptest! {
    #[test]
    fn a_queue_does_what_its_naive_model_does(
        limits in model::limits(),
        steps in prop::collection::vec(model::step(), 1..200),
    ) {
        let (mut queue, mut model) = (Queue::new(limits), model::Model::new(limits));
        for (number, step) in steps.iter().enumerate() {
            let given_back = model.gives_back(step);
            let outcome = model::take(&mut queue, step, number, given_back.as_ref());
            prop_assert_eq!(outcome, model.take(step, number, given_back.as_ref()), "step {}", number);
            prop_assert_eq!(queue.count(), model.count(|_| true), "step {}", number);
        }
        model.permits.iter().for_each(|lane| queue.give_back(lane, 1));
        drain(&mut queue);
        prop_assert!(is_empty(&queue));
    }
}
