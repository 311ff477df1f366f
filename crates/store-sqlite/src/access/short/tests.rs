//! One thread and its line, by hand: a request goes on where a test asks it to, and time stands still.

use std::pin::Pin;
use std::sync::mpsc;
use std::task::{Context, Poll, Waker};

use pointbook_app::StoreError;
use pointbook_domain::Timestamp;
use tokio::time::advance;

use super::*;
use crate::connection::SqliteOptions;
use crate::store::SqliteStore;

type Reading<'s> = Pin<Box<dyn Future<Output = StoreResult<()>> + 's>>;

/// Requests that read, and what was read, in order.
struct Thread {
    _folder: tempfile::TempDir,
    store: SqliteStore,
    read: (mpsc::Sender<&'static str>, mpsc::Receiver<&'static str>),
}

impl Thread {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let options = SqliteOptions::new(Timestamp::MIN);
        let store = SqliteStore::open(&folder.path().join("test.db"), &options).unwrap();
        Self { _folder: folder, store, read: mpsc::channel() }
    }

    /// A request that comes to read. The first letter is its tenant.
    fn ask(&self, name: &'static str) -> Reading<'_> {
        self.ask_for(name, |_| Ok(()))
    }

    fn ask_for(
        &self,
        name: &'static str,
        work: impl FnOnce(&Connection) -> Outcome<()> + Send + 'static,
    ) -> Reading<'_> {
        let (tenant, read): (Arc<str>, _) = (name[..1].into(), self.read.0.clone());
        let mut reading: Reading<'_> = Box::pin(async move {
            let work = move |database: &Connection| {
                read.send(name).unwrap();
                work(database)
            };
            self.store.access.read_in_turn("test", &tenant, work).await
        });
        assert!(go_on(&mut reading).is_none());
        reading
    }

    /// What was read since this was asked.
    fn was_read(&self) -> Vec<&'static str> {
        self.read.1.try_iter().collect()
    }
}

/// What came of it, if it is done.
fn go_on(reading: &mut Reading<'_>) -> Option<StoreResult<()>> {
    match reading.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(read) => Some(read),
        Poll::Pending => None,
    }
}

/// Lets all go on until each has read.
async fn finish(mut readings: Vec<Reading<'_>>) {
    while !readings.is_empty() {
        readings.retain_mut(|reading| go_on(reading).map(Result::unwrap).is_none());
        // The runtime lets a task do only so much at a time.
        yield_now().await;
    }
}

fn millis(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

#[tokio::test(start_paused = true)]
async fn a_request_reads_after_the_thread_has_looked_what_else_came() {
    let thread = Thread::new();
    let mut reading = thread.ask("a1");
    assert!(thread.was_read().is_empty());
    go_on(&mut reading).unwrap().unwrap();
    assert_eq!(thread.was_read(), ["a1"]);
}

#[tokio::test(start_paused = true)]
async fn tenants_take_turns() {
    let thread = Thread::new();
    let readings = ["a1", "a2", "a3", "a4", "b1", "c1", "b2"].map(|name| thread.ask(name));
    finish(readings.into()).await;
    assert_eq!(thread.was_read(), ["a1", "a2", "b1", "c1", "a3", "b2", "a4"]);
    finish(vec![thread.ask("a5")]).await;
}

#[tokio::test(start_paused = true)]
async fn reads_get_time_beside_all_else_that_the_thread_had_to_do() {
    let thread = Thread::new();
    let mut readings = ["a1", "a2", "b1"].map(|name| thread.ask(name));
    advance(millis(1)).await;
    go_on(&mut readings[0]).unwrap().unwrap();
    assert_eq!(thread.was_read(), ["a1", "a2", "b1"], "time stands still meanwhile, so all of them");
    for reading in &mut readings[1..] {
        go_on(reading).unwrap().unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn one_who_goes_away_leaves_no_hole_wherever_it_was() {
    let thread = Thread::new();
    let [first, second, third, fourth] = ["a1", "a2", "a3", "a4"].map(|name| thread.ask(name));
    drop(third);
    drop(first);
    assert!(thread.was_read().is_empty());
    // Has the duty by now, and has not learnt it.
    drop(second);
    finish(vec![fourth]).await;
    assert_eq!(thread.was_read(), ["a4"]);
    finish(vec![thread.ask("a5")]).await;
}

#[tokio::test(start_paused = true)]
async fn one_who_goes_away_with_the_duty_passes_it_on() {
    let thread = Thread::new();
    let [mut first, mut second, third] = ["a1", "a2", "a3"].map(|name| thread.ask(name));
    go_on(&mut first).unwrap().unwrap();
    assert!(go_on(&mut second).is_none(), "looks what else came");
    drop(second);
    finish(vec![third]).await;
    assert_eq!(thread.was_read(), ["a1", "a3"]);
}

#[tokio::test(start_paused = true)]
async fn a_read_that_panics_for_another_fails_alone() {
    let thread = Thread::new();
    let mut first = thread.ask("a1");
    let mut second = thread.ask_for("a2", |_| panic!("a panic that was asked for"));
    let mut third = thread.ask("a3");
    advance(millis(1)).await;
    go_on(&mut first).unwrap().unwrap();
    let error = go_on(&mut second).unwrap().unwrap_err();
    assert!(matches!(error, StoreError::Failed(_)), "{error:?}");
    go_on(&mut third).unwrap().unwrap();
}

#[tokio::test(start_paused = true)]
async fn in_a_line_that_stands_only_those_who_just_came_are_read_for() {
    let thread = Thread::new();
    let mut first = thread.ask("a1");
    let mut old = thread.ask("a2");
    advance(PATIENCE.burst).await;
    let mut waited = thread.ask("a3");
    advance(PATIENCE.standing + millis(1)).await;
    let mut came = thread.ask("a4");
    go_on(&mut first).unwrap().unwrap();
    go_on(&mut came).unwrap().unwrap();
    assert_eq!(thread.was_read(), ["a1", "a4"]);
    let error = go_on(&mut old).unwrap().unwrap_err();
    assert!(matches!(error, StoreError::Refused(_)), "{error:?}");
    assert!(go_on(&mut waited).is_none(), "a refusal is told late");
    advance(millis(100)).await;
    assert!(go_on(&mut waited).unwrap().is_err());
    finish(vec![thread.ask("a5")]).await;
}

#[tokio::test(start_paused = true)]
async fn a_burst_of_500_is_read_whole() {
    let thread = Thread::new();
    let readings: Vec<_> = (0..500).map(|_| thread.ask("a")).collect();
    advance(millis(400)).await;
    finish(readings).await;
    assert_eq!(thread.was_read().len(), 500);
}
