use futures_util::FutureExt;
use pointbook_domain::UserId;

use super::*;

/// The permits of twelve connections: ten may write, and eight may write for one tenant.
fn writes() -> (WritePermits, [Arc<str>; 3]) {
    (WritePermits::new(12), tenants())
}

fn tenants() -> [Arc<str>; 3] {
    ["a", "b", "c"].map(Arc::from)
}

fn user(number: usize) -> commands::Lane {
    commands::Lane::User(UserId::new(number.to_string()).unwrap())
}

/// The permits that ten writers of one kind get at once.
fn granted(writes: &WritePermits, tenant: &Arc<str>, kind: Writer) -> Vec<WritePermit> {
    (0..10).filter_map(|_| writes.acquire(tenant, kind).now_or_never()).map(Result::unwrap).collect()
}

/// The permits that writers of all kinds get at once for one tenant.
fn all_granted(writes: &WritePermits, tenant: &Arc<str>) -> Vec<WritePermit> {
    let kinds = [Writer::Group, Writer::BackOffice, Writer::Alone];
    kinds.into_iter().flat_map(|kind| granted(writes, tenant, kind)).collect()
}

#[test]
fn tenant_gets_two_thirds_and_all_writers_five_sixths() {
    let (writes, [first, second, third]) = writes();
    let of_first = all_granted(&writes, &first);
    let of_second = all_granted(&writes, &second);
    assert_eq!((of_first.len(), of_second.len(), all_granted(&writes, &third).len()), (8, 2, 0));
    drop(of_first);
    assert_eq!(all_granted(&writes, &third).len(), 8);
}

#[test]
fn commands_executed_alone_leave_permits_to_groups() {
    let (writes, [tenant, ..]) = writes();
    assert_eq!(granted(&writes, &tenant, Writer::Alone).len(), 4);
    let _alone = granted(&writes, &tenant, Writer::Alone);
    assert!(writes.acquire(&tenant, Writer::Group).now_or_never().is_some());
}

#[test]
fn back_office_leaves_permits_to_customers() {
    let (writes, [tenant, ..]) = writes();
    let of_back_office = granted(&writes, &tenant, Writer::BackOffice);
    assert_eq!(of_back_office.len(), 4);
    assert!(writes.acquire(&tenant, Writer::Group).now_or_never().is_some());
}

#[test]
fn tenant_runs_at_most_four_groups() {
    let (writes, [tenant, ..]) = writes();
    let mut groups = granted(&writes, &tenant, Writer::Group);
    assert_eq!(groups.len(), 4);
    groups.pop();
    assert!(writes.acquire(&tenant, Writer::Group).now_or_never().is_some());
}

#[test]
fn single_connection_has_write_permit() {
    let writes = WritePermits::new(1);
    assert!(writes.acquire(&"a".into(), Writer::Group).now_or_never().is_some());
}

#[test]
fn full_lane_refuses_while_another_accepts() {
    let (writes, [tenant, ..]) = writes();
    let mut admitted: Vec<_> = (0..256).map(|_| writes.admit(&tenant, user(1)).unwrap()).collect();
    assert_eq!(writes.admit(&tenant, user(1)).unwrap_err(), Overloaded::Lane);
    assert!(writes.admit(&tenant, user(2)).is_ok());
    admitted.pop();
    assert!(writes.admit(&tenant, user(1)).is_ok());
}

#[test]
fn admissions_are_bounded_per_tenant_and_in_total() {
    let (writes, [first, second, third]) = writes();
    let fill = |tenant: &Arc<str>| -> Vec<_> {
        (0..2_048).map(|number| writes.admit(tenant, user(number)).unwrap()).collect()
    };
    let mut admitted = fill(&first);
    assert_eq!(writes.admit(&first, user(0)).unwrap_err(), Overloaded::Tenant);
    admitted.extend(fill(&second));
    assert_eq!(
        writes.admit(&third, user(0)).unwrap_err(),
        Overloaded::All,
        "two tenants must use all admissions"
    );
    admitted.clear();
    assert!(writes.admit(&third, user(0)).is_ok());
}

/// The permits that a thousand reads of a tenant get at once. Four connections have 64 permits, 32 for one tenant.
fn granted_reads(reads: &ReadPermits, tenant: &Arc<str>) -> Vec<Permit<Arc<str>, ()>> {
    let acquire = || reads.acquire(Lane::of(tenant.clone(), ())).now_or_never();
    (0..1_000).map_while(|_| acquire()).map(Result::unwrap).collect()
}

fn reads() -> (ReadPermits, [Arc<str>; 3]) {
    (read_permits(4, Duration::from_mins(1)), tenants())
}

#[tokio::test]
async fn tenant_gets_half_of_read_permits() {
    let (reads, [first, second, third]) = reads();
    let (of_first, of_second) = (granted_reads(&reads, &first), granted_reads(&reads, &second));
    assert_eq!((of_first.len(), of_second.len(), granted_reads(&reads, &third).len()), (32, 32, 0));
    drop(of_first);
    assert_eq!(granted_reads(&reads, &third).len(), 32);
}

#[tokio::test]
async fn waiting_read_continues_when_another_ends() {
    let (reads, [tenant, ..]) = reads();
    let mut permits = granted_reads(&reads, &tenant);
    let mut next = Box::pin(reads.acquire(Lane::of(tenant, ())));
    assert!(next.as_mut().now_or_never().is_none());
    permits.pop();
    assert!(next.now_or_never().is_some_and(|permit| permit.is_ok()));
}

#[tokio::test]
async fn waiting_reads_are_bounded() {
    let (reads, [first, second, third]) = reads();
    let wait = |tenant: &Arc<str>| {
        let mut waiting = Vec::new();
        loop {
            let mut permit = Box::pin(reads.acquire(Lane::of(tenant.clone(), ())));
            match permit.as_mut().now_or_never() {
                Some(Err(_)) => return waiting,
                Some(Ok(_)) => panic!("all permits must be in use"),
                None => waiting.push(permit),
            }
        }
    };
    let (_of_first, _of_second) = (granted_reads(&reads, &first), granted_reads(&reads, &second));
    let waiting = wait(&first);
    assert_eq!(waiting.len(), 512 - 32);
    let _others = wait(&second);
    let refused = reads.acquire(Lane::of(third.clone(), ())).now_or_never();
    assert!(matches!(refused, Some(Err(Overloaded::All))), "two tenants must fill the queue");
    drop(waiting);
    let waits = reads.acquire(Lane::of(third, ())).now_or_never();
    assert!(waits.is_none(), "the read must wait for a permit again");
}

#[tokio::test]
async fn waiting_read_times_out() {
    let (reads, tenant) = (read_permits(1, Duration::from_millis(1)), Arc::from("a"));
    let _permits = granted_reads(&reads, &tenant);
    assert_eq!(reads.acquire(Lane::of(tenant, ())).await.unwrap_err(), Overloaded::Wait);
}
