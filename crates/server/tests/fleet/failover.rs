//! The primary is lost and a standby is promoted.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use pointbook_testkit::postgres::Cluster;

use crate::setup::FleetSetup;
use crate::wait_until;
use crate::writer::{Progress, Writer};

/// How soon after the promotion all clients can write again.
const RESUME: Duration = Duration::from_secs(5);

const WRITERS: usize = 4;

const READER: &str = "reader";

/// Stops the threads of a scope, also when the test fails.
struct StopOnDrop<'o>(&'o AtomicBool);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

#[test]
fn failover_neither_loses_nor_repeats_writes() {
    let Some(mut cluster) = Cluster::with_standby() else { return };
    let setup = FleetSetup::on(&cluster.url());
    let server = setup.serve();
    let mut writers: Vec<Writer> =
        (0..WRITERS).map(|number| Writer::new(&setup, &format!("writer-{number}"))).collect();
    let resumed = write_through_a_failover(&mut cluster, &setup, &mut writers, server.address);
    assert!(resumed < RESUME, "writes resumed {resumed:?} after the promotion");
    println!("writes resumed {resumed:?} after the promotion");
    for writer in &mut writers {
        writer.settle(server.address);
    }
    assert_each_happened_once(&setup, &writers);
    // The lost machine comes back as a standby, and is first in the URL.
    cluster.rejoin();
    drop(server);
    writers[0].settle(setup.serve().address);
    assert_each_happened_once(&setup, &writers);
}

/// Returns how long after the promotion all clients had a successful response again.
fn write_through_a_failover(
    cluster: &mut Cluster,
    setup: &FleetSetup,
    writers: &mut [Writer],
    address: SocketAddr,
) -> Duration {
    let (customer, reader) = (setup.customer(READER, 1), Arc::new(Progress::default()));
    let all: Vec<_> = writers.iter().map(|writer| writer.progress.clone()).chain([reader.clone()]).collect();
    let is_over = &AtomicBool::new(false);
    thread::scope(|scope| {
        let _over = StopOnDrop(is_over);
        scope.spawn(|| reader.read(&customer, address, is_over));
        for writer in writers {
            scope.spawn(move || writer.write(address, is_over));
        }
        await_more(&all, 20, Progress::good);
        cluster.kill_primary();
        await_more(&all, 3, Progress::unavailable);
        let promoted = Instant::now();
        cluster.promote_standby();
        await_more(&all, 1, Progress::good);
        let resumed = promoted.elapsed();
        await_more(&all, 20, Progress::good);
        resumed
    })
}

/// Waits until all clients have this many more responses of a kind.
fn await_more(all: &[Arc<Progress>], more: usize, count: impl Fn(&Progress) -> usize) {
    let enough: Vec<usize> = all.iter().map(|progress| count(progress) + more).collect();
    wait_until(|| all.iter().zip(&enough).all(|(progress, enough)| count(progress) >= *enough));
}

fn assert_each_happened_once(setup: &FleetSetup, writers: &[Writer]) {
    let expected = writers.iter().flat_map(Writer::rows).collect();
    let mut rows = setup.rows();
    rows.remove(&(READER.to_owned(), "code".to_owned(), "opening".to_owned()));
    assert_eq!(rows, expected);
    setup.assert_audit_is_clean();
}
