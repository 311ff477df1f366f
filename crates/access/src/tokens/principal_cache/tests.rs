use pointbook_domain::UserId;

use super::*;

const HASH: TokenHash = TokenHash([7; 32]);

fn at(seconds: u32) -> Timestamp {
    Timestamp::from_micros(0).unwrap().plus_seconds(seconds)
}

fn user(id: &str) -> UserId {
    UserId::new(id).unwrap()
}

fn principal(expires_at: Option<Timestamp>) -> Principal {
    Principal::new(TokenKind::Customer(user("ann")), expires_at, "")
}

/// Remembers for ten seconds, and knows a token since second 100.
fn cache(expires_at: Option<Timestamp>) -> Arc<PrincipalCache> {
    let cache = PrincipalCache::new(10);
    cache.keep(HASH, principal(expires_at), at(100), at(100), cache.revocations());
    Arc::new(cache)
}

#[test]
fn a_hash_that_differs_in_a_bit_is_another() {
    let cache = cache(None);
    for bit in 0..256 {
        let mut other = HASH;
        other.0[bit / 8] ^= 1 << (bit % 8);
        assert!(cache.get(&other, at(100)).is_none(), "bit {bit}");
    }
}

#[test]
fn a_principal_is_remembered_for_a_bounded_time() {
    let cache = cache(None);
    assert!(cache.get(&HASH, at(100)).is_some());
    assert!(cache.get(&HASH, at(109)).is_some());
    assert!(cache.get(&HASH, at(110)).is_none());
}

#[test]
fn a_clock_that_was_set_back_makes_no_memory_longer() {
    assert!(cache(None).get(&HASH, at(99)).is_none());
}

#[test]
fn a_remembered_token_still_expires() {
    let cache = cache(Some(at(105)));
    assert!(cache.get(&HASH, at(104)).is_some());
    assert!(cache.get(&HASH, at(105)).is_none());
}

#[test]
fn no_more_are_remembered_than_the_bound() {
    let cache = PrincipalCache::new(10);
    for number in 0..MAX_PRINCIPALS + 1_000 {
        let hash =
            TokenHash(std::array::from_fn(|place| number.to_be_bytes().get(place).copied().unwrap_or(7)));
        cache.keep(hash, principal(None), at(100), at(100), cache.revocations());
    }
    cache.known().run_pending_tasks();
    assert!(cache.known().entry_count() <= MAX_PRINCIPALS, "{}", cache.known().entry_count());
}

#[test]
fn the_tokens_of_a_user_share_their_counts_for_as_long_as_a_minute_lasts() {
    let cache = PrincipalCache::new(10);
    let count = |token: u8, user: &str, seconds: u32| {
        let kind = TokenKind::Customer(UserId::new(user).unwrap());
        let principal = Principal::new(kind, None, "");
        let known =
            cache.keep(TokenHash([token; 32]), principal, at(seconds), at(seconds), cache.revocations());
        known.requests.as_ref().unwrap().writes.add(at(seconds))
    };
    assert_eq!((count(1, "u1", 0), count(2, "u1", 1), count(3, "u2", 2)), (1, 2, 1));
    cache.forget(&Revocation::Of(TokenKind::Customer(user("u1"))), at(2));
    assert_eq!((count(1, "u1", 59), count(1, "u1", 60)), (3, 1), "being forgotten gives no requests back");
    let back_office = Principal { kind: TokenKind::SuperUser, ..principal(None) };
    assert!(cache.keep(HASH, back_office, at(60), at(60), cache.revocations()).requests.is_none());
}

#[test]
fn a_revoked_token_is_forgotten_at_once() {
    for revocation in [Revocation::Token(HASH), Revocation::Of(TokenKind::Customer(user("ann")))] {
        let cache = cache(None);
        cache.forget(&revocation, at(100));
        assert!(cache.get(&HASH, at(100)).is_none());
        assert!(matches!(cache.remembered(&HASH, at(101)), Some(Remembered::Refused)));
    }
}

#[test]
fn the_tokens_of_others_stay_when_a_user_is_shut_out() {
    let cache = cache(None);
    cache.forget(&Revocation::Of(TokenKind::Customer(user("bob"))), at(100));
    assert!(cache.get(&HASH, at(100)).is_some());
}

#[test]
fn a_good_token_is_remembered_for_longer_while_the_database_is_away() {
    let cache = PrincipalCache::new(10).when_away(300);
    cache.keep(HASH, principal(None), at(100), at(100), cache.revocations());
    assert!(cache.get(&HASH, at(110)).is_none());
    assert!(matches!(cache.remembered(&HASH, at(399)), Some(Remembered::Good(_))));
    assert!(cache.remembered(&HASH, at(400)).is_none());
    assert!(cache.remembered(&TokenHash([9; 32]), at(100)).is_none());
}

#[test]
fn a_token_that_expired_is_remembered_as_refused() {
    assert!(matches!(cache(Some(at(105))).remembered(&HASH, at(105)), Some(Remembered::Refused)));
}

#[test]
fn what_the_store_refused_is_remembered_as_refused() {
    let cache = cache(None);
    cache.refuse(HASH, at(101));
    assert!(cache.get(&HASH, at(101)).is_none());
    assert!(matches!(cache.remembered(&HASH, at(101)), Some(Remembered::Refused)));
    cache.keep(HASH, principal(None), at(102), at(102), cache.revocations());
    assert!(cache.get(&HASH, at(102)).is_some());
}

#[test]
fn what_was_read_before_a_revocation_is_not_kept_after_it() {
    let cache = PrincipalCache::new(10);
    let read_at = cache.revocations();
    cache.forget(&Revocation::Token(HASH), at(100));
    cache.keep(HASH, principal(None), at(100), at(100), read_at);
    assert!(cache.get(&HASH, at(100)).is_none());
}

/// In between, a principal may have been remembered once more.
#[tokio::test]
async fn a_revocation_that_nobody_waits_for_is_forgotten_when_it_ends() {
    let cache = cache(None);
    let (commit, committed) = tokio::sync::oneshot::channel::<()>();
    let (tell, ended) = tokio::sync::oneshot::channel::<()>();
    let write = async move {
        let _ended = tell;
        committed.await.map_err(|error| StoreError::Failed(Box::new(error)))
    };
    let revoking = cache.revoking(Revocation::Token(HASH), at(100), write);
    tokio::select! {
        biased;
        _ = revoking => panic!("the write has not ended"),
        () = tokio::task::yield_now() => {}
    }
    assert!(cache.get(&HASH, at(100)).is_none(), "it may stand already");
    cache.keep(HASH, principal(None), at(100), at(100), cache.revocations());
    commit.send(()).unwrap();
    assert!(ended.await.is_err());
    tokio::task::yield_now().await;
    assert!(cache.get(&HASH, at(100)).is_none(), "it stands now");
}
