//! Time stands still, and goes on only where a test says so.

mod model;

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use super::*;

const PATIENCE: Patience = Patience { burst: Duration::from_millis(500), standing: Duration::from_millis(5) };

fn line(places: usize) -> FairLine {
    FairLine::new("test", places, PATIENCE)
}

fn tenants() -> [Arc<str>; 2] {
    ["a".into(), "b".into()]
}

type Answer = Result<Place, Refused>;

/// Those who asked, by number; none for one who was answered or went away.
#[derive(Default)]
struct Crowd<'l>(Vec<Option<Pin<Box<dyn Future<Output = Answer> + 'l>>>>);

impl<'l> Crowd<'l> {
    /// One more asks, and must wait.
    fn ask(&mut self, line: &'l FairLine, tenant: Option<&'l Arc<str>>) {
        self.0.push(Some(Box::pin(line.enter(tenant))));
        assert!(self.answered().is_none());
    }

    fn leave(&mut self, number: usize) {
        self.0[number] = None;
    }

    /// The first who has an answer now.
    fn answered(&mut self) -> Option<(usize, Answer)> {
        let mut context = Context::from_waker(Waker::noop());
        self.0.iter_mut().enumerate().find_map(|(number, asking)| {
            let Poll::Ready(answer) = asking.as_mut()?.as_mut().poll(&mut context) else { return None };
            *asking = None;
            Some((number, answer))
        })
    }

    /// Who has a place now, whose turns they take one after another.
    fn turns(&mut self) -> Vec<usize> {
        std::iter::from_fn(|| self.answered().map(|(number, place)| place.map(|_| number).unwrap())).collect()
    }

    fn refused(&mut self) -> Vec<usize> {
        std::iter::from_fn(|| self.answered().map(|(number, answer)| answer.map(drop).map_err(|_| number)))
            .map(Result::unwrap_err)
            .collect()
    }
}

async fn advance(milliseconds: u64) {
    tokio::time::advance(Duration::from_millis(milliseconds)).await;
}

#[tokio::test(start_paused = true)]
async fn so_many_pass_at_once_and_the_others_when_one_is_done() {
    let (line, [a, _], mut crowd) = (line(2), tenants(), Crowd::default());
    let first = line.enter(Some(&a)).await.unwrap();
    let second = line.enter(Some(&a)).await.unwrap();
    crowd.ask(&line, Some(&a));
    crowd.ask(&line, Some(&a));
    drop(first);
    let (number, third) = crowd.answered().unwrap();
    assert_eq!(number, 0);
    assert!(crowd.answered().is_none());
    drop((second, third));
    assert_eq!(crowd.turns(), [1]);
    assert_eq!(line.shared.state().free, 2);
}

#[tokio::test(start_paused = true)]
async fn tenants_take_turns_and_the_service_is_one_of_them() {
    let (line, [a, b], mut crowd) = (line(1), tenants(), Crowd::default());
    let place = line.enter(Some(&a)).await.unwrap();
    for tenant in [Some(&a), Some(&a), Some(&a), Some(&b), None] {
        crowd.ask(&line, tenant);
    }
    drop(place);
    assert_eq!(crowd.turns(), [0, 3, 4, 1, 2]);
}

#[tokio::test(start_paused = true)]
async fn one_who_goes_away_leaves_no_hole() {
    let (line, [a, _], mut crowd) = (line(1), tenants(), Crowd::default());
    let place = line.enter(Some(&a)).await.unwrap();
    crowd.ask(&line, Some(&a));
    crowd.ask(&line, Some(&a));
    crowd.leave(0);
    drop(place);
    assert_eq!(crowd.turns(), [1]);
}

#[tokio::test(start_paused = true)]
async fn a_place_that_was_given_to_one_who_goes_away_goes_on() {
    let (line, [a, _], mut crowd) = (line(1), tenants(), Crowd::default());
    let place = line.enter(Some(&a)).await.unwrap();
    crowd.ask(&line, Some(&a));
    crowd.ask(&line, Some(&a));
    drop(place);
    crowd.leave(0);
    assert_eq!(crowd.turns(), [1]);
    assert_eq!(line.shared.state().free, 1);
}

#[tokio::test(start_paused = true)]
async fn a_full_queue_refuses_a_tenant_and_no_other() {
    let (line, [a, b], mut crowd) = (line(1), tenants(), Crowd::default());
    let _place = line.enter(Some(&a)).await.unwrap();
    for _ in 0..=MAX_WAITING_OF_TENANT {
        crowd.ask(&line, Some(&a));
    }
    crowd.ask(&line, Some(&b));
    advance(100).await;
    assert_eq!(crowd.refused(), [MAX_WAITING_OF_TENANT]);
    crowd.leave(7);
    crowd.ask(&line, Some(&a));
    advance(100).await;
    assert!(crowd.refused().is_empty(), "the place of one who left is there for another");
}

#[tokio::test(start_paused = true)]
async fn nobody_waits_for_longer_than_a_burst_but_the_service() {
    let (line, [a, _], mut crowd) = (line(1), tenants(), Crowd::default());
    let place = line.enter(Some(&a)).await.unwrap();
    crowd.ask(&line, Some(&a));
    crowd.ask(&line, None);
    advance(499).await;
    assert!(crowd.answered().is_none());
    advance(2).await;
    assert_eq!(crowd.refused(), [0]);
    advance(3_600_000).await;
    drop(place);
    assert_eq!(crowd.turns(), [1]);
}

#[tokio::test(start_paused = true)]
async fn a_queue_that_stands_serves_those_who_just_came_and_refuses_the_others_late() {
    let (line, [a, _], mut crowd) = (line(1), tenants(), Crowd::default());
    let place = line.enter(Some(&a)).await.unwrap();
    crowd.ask(&line, Some(&a));
    advance(490).await;
    crowd.ask(&line, Some(&a));
    crowd.ask(&line, Some(&a));
    drop(place);
    let (number, place) = crowd.answered().unwrap();
    assert_eq!(number, 0, "not standing yet");
    advance(20).await;
    crowd.ask(&line, Some(&a));
    drop(place);
    let (number, place) = crowd.answered().unwrap();
    assert_eq!(number, 3, "the others waited for 20 ms, and the queue stands for 510");
    advance(79).await;
    assert!(crowd.answered().is_none(), "a refusal is told 100 ms after its question");
    advance(2).await;
    assert_eq!(crowd.refused(), [1, 2]);
    drop(place);
    drop(line.enter(Some(&a)).await.unwrap());
}

#[tokio::test(start_paused = true)]
async fn a_queue_is_no_burst_for_as_long_after_a_refusal() {
    for (calm, is_served) in [(500, false), (501, true)] {
        let (line, [a, _], mut crowd) = (line(1), tenants(), Crowd::default());
        let place = line.enter(Some(&a)).await.unwrap();
        crowd.ask(&line, Some(&a));
        advance(600).await;
        drop(place);
        assert_eq!(crowd.refused(), [0]);
        advance(calm).await;
        let place = line.enter(Some(&a)).await.unwrap();
        crowd.ask(&line, Some(&a));
        advance(110).await;
        drop(place);
        assert_eq!(crowd.answered().unwrap().1.is_ok(), is_served, "{calm}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_queue_that_was_empty_is_a_burst_again() {
    let (line, [a, _], mut crowd) = (line(1), tenants(), Crowd::default());
    let place = line.enter(Some(&a)).await.unwrap();
    crowd.ask(&line, Some(&a));
    advance(400).await;
    drop(place);
    let (_, place) = crowd.answered().unwrap();
    crowd.ask(&line, Some(&a));
    advance(400).await;
    drop(place);
    assert_eq!(crowd.turns(), [1]);
}
