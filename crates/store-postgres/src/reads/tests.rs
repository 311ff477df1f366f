use futures_util::FutureExt;

use super::*;

/// Over four connections: 64 reads at once, 32 of one tenant.
fn tenants() -> [TenantReads; 3] {
    let all = Arc::new(Reads::new(4, Duration::from_mins(1)));
    [(); 3].map(|()| TenantReads::new(all.clone()))
}

/// How many of a thousand of a tenant are let through at once.
fn let_through(tenant: &TenantReads) -> Vec<ReadTurn<'_>> {
    (0..1_000).map_while(|_| tenant.turn().now_or_never()).map(|turn| turn.ok().unwrap()).collect()
}

#[tokio::test]
async fn a_tenant_has_half_of_the_turns() {
    let [first, second, third] = tenants();
    let (of_first, of_second) = (let_through(&first), let_through(&second));
    assert_eq!((of_first.len(), of_second.len(), let_through(&third).len()), (32, 32, 0));
    drop(of_first);
    assert_eq!(let_through(&third).len(), 32);
}

#[tokio::test]
async fn who_waits_reads_when_another_is_done() {
    let [tenant, ..] = tenants();
    let mut turns = let_through(&tenant);
    let mut next = Box::pin(tenant.turn());
    assert!(next.as_mut().now_or_never().is_none());
    turns.pop();
    assert!(next.now_or_never().is_some_and(|turn| turn.is_ok()));
}

#[tokio::test]
async fn no_more_wait_than_there_are_places_for() {
    let [first, second, third] = tenants();
    let wait = |tenant| {
        let mut waiting = Vec::new();
        loop {
            let mut turn = Box::pin(TenantReads::turn(tenant));
            match turn.as_mut().now_or_never() {
                Some(Err(Full)) => return waiting,
                Some(Ok(_)) => panic!("turns are given up again"),
                None => waiting.push(turn),
            }
        }
    };
    let (_first_turns, _second_turns) = (let_through(&first), let_through(&second));
    let waiting = wait(&first);
    assert_eq!(waiting.len(), MAX_PLACES / 2 - 32);
    let _others = wait(&second);
    assert!(matches!(third.turn().now_or_never(), Some(Err(Full))), "two tenants have all places");
    drop(waiting);
    assert!(third.turn().now_or_never().is_none(), "there is a place again, and no turn yet");
}

#[tokio::test]
async fn nobody_waits_for_long() {
    let tenant = TenantReads::new(Arc::new(Reads::new(1, Duration::from_millis(1))));
    let _turns = let_through(&tenant);
    assert!(tenant.turn().await.is_err());
}
