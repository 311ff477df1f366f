//! Facts of request keys.

use std::sync::Arc;

use futures_util::future::join_all;
use pointbook_domain::Timestamp;
use pointbook_points::orders::place::PlaceOrder;
use pointbook_store::StoreError;
use pointbook_store::ports::{
    Database, Execution, NewAnswer, Once, PlaceOrderOutcome, RequestKey, StoredAnswer, TenantData,
};

use super::add_tenant;
use super::orders::{award, put_product, shop};
use super::state::tenant_state;
use crate::build;
use crate::build::{once, order, product, request_key};
use crate::faulty::{Fault, FaultyDatabase, WriteFault};

type Placing = Execution<PlaceOrderOutcome>;

/// Orders a mug for u1 with this key, at this time.
async fn place(data: &Arc<dyn TenantData>, id: &str, key: RequestKey, now: Timestamp) -> Placing {
    data.execute(PlaceOrder::without_end(order(id, "u1", "mug")), once(key, now)).await.unwrap()
}

fn is_executed(placing: &Placing) -> bool {
    matches!(placing, Execution::Executed(PlaceOrderOutcome::Placed(_)))
}

async fn order_count(data: &Arc<dyn TenantData>) -> u64 {
    data.orders(&pointbook_store::ports::OrderFilter::default(), build::page(1, 1)).await.unwrap().total
}

/// Keys differ by principal and by each letter, including its case.
pub async fn a_key_is_its_principals_own(database: Arc<dyn Database>) {
    let data = shop(&database, product("mug"), 10_000).await;
    let of = |principal: &str| RequestKey { principal: principal.into(), ..request_key("k", 1) };
    let keys = [
        of("customer:u1"),
        of("customer:u2"),
        of("super-user:00"),
        request_key("K", 1),
        request_key("k ", 1),
    ];
    for (place_of, key) in keys.iter().enumerate() {
        assert!(is_executed(&place(&data, &format!("o{place_of}"), key.clone(), build::noon()).await));
    }
    for key in keys {
        assert!(matches!(place(&data, "again", key, build::noon()).await, Execution::Replayed(_)));
    }
    assert_eq!(order_count(&data).await, 5);
}

/// Removing a key of one tenant keeps the key of another.
pub async fn tenants_share_no_request_keys(database: Arc<dyn Database>) {
    let a = shop(&database, product("mug"), 10_000).await;
    let b = add_tenant(&database, "b").await;
    put_product(&b, product("mug")).await;
    award(&b, "u1", 10_000).await;
    let key = || request_key("k", 1);
    assert!(is_executed(&place(&a, "o1", key(), build::noon()).await));
    assert_eq!(b.forget_request_keys(build::on_day(9), 10).await.unwrap(), 0);
    assert!(is_executed(&place(&b, "o1", request_key("k", 2), build::noon()).await));
    assert!(matches!(place(&a, "o2", key(), build::noon()).await, Execution::Replayed(_)));
    assert_eq!((order_count(&a).await, order_count(&b).await), (1, 1));
}

/// The response may have any length and any bytes, because the store does not parse it.
pub async fn an_answer_is_kept_byte_for_byte(database: Arc<dyn Database>) {
    let data = shop(&database, product("mug"), 100_000).await;
    for (place, bytes) in [vec![], vec![0, 255, b'\n', 0], vec![7; 300_000]].into_iter().enumerate() {
        let kept = StoredAnswer(bytes);
        let once = || {
            let answer = NewAnswer { answer: kept.clone(), is_refusal: false };
            let key = request_key(&place.to_string(), 1);
            Some(Once {
                key,
                now: build::noon(),
                answer: Arc::new(move |_: &PlaceOrderOutcome| Some(answer.clone())),
            })
        };
        let mug = order(&place.to_string(), "u1", "mug");
        assert!(is_executed(&data.execute(PlaceOrder::without_end(mug.clone()), once()).await.unwrap()));
        assert_eq!(
            data.execute(PlaceOrder::without_end(mug.clone()), once()).await.unwrap(),
            Execution::Replayed(kept.clone())
        );
    }
}

/// A retry under the key finds no kept response.
pub async fn a_write_whose_answer_cannot_be_made_is_undone(database: Arc<dyn Database>) {
    let data = shop(&database, product("mug"), 100_000).await;
    let before = tenant_state(&data).await;
    let answer = Arc::new(|_: &PlaceOrderOutcome| None);
    let once = Some(Once { key: request_key("k", 1), now: build::noon(), answer });
    assert!(matches!(
        data.execute(PlaceOrder::without_end(order("o1", "u1", "mug")), once).await,
        Err(StoreError::Failed(_))
    ));
    assert_eq!(tenant_state(&data).await, before);
    assert!(is_executed(&place(&data, "o2", request_key("k", 1), build::noon()).await));
}

/// One request is executed, and all others get its response.
pub async fn one_of_many_requests_with_one_key_is_executed(database: Arc<dyn Database>) {
    let data = shop(&database, product("mug"), 100_000).await;
    let requests = (0..50).map(|request| {
        let data = data.clone();
        let new = order(&format!("o{request}"), "u1", "mug");
        tokio::spawn(async move {
            data.execute(PlaceOrder::without_end(new.clone()), once(request_key("k", 1), build::noon()))
                .await
                .unwrap()
        })
    });
    let (executed, replayed): (Vec<_>, Vec<_>) =
        join_all(requests).await.into_iter().map(Result::unwrap).partition(is_executed);
    let [Execution::Executed(outcome)] = &executed[..] else { panic!("executed: {executed:?}") };
    let answer = Execution::Replayed(build::answer(outcome));
    assert_eq!(replayed.len(), 49);
    assert!(replayed.iter().all(|other| *other == answer));
    assert_eq!(order_count(&data).await, 1);
}

/// The last use counts, and a call removes at most `limit` keys.
pub async fn only_keys_that_were_not_used_since_are_forgotten(database: Arc<dyn Database>) {
    let data = shop(&database, product("mug"), 100_000).await;
    for (id, day) in [("a", 0), ("b", 0), ("c", 0), ("d", 5), ("e", 6)] {
        place(&data, id, request_key(id, 1), build::on_day(day)).await;
    }
    let forget = async |limit| data.forget_request_keys(build::on_day(5), limit).await.unwrap();
    assert_eq!([forget(0).await, forget(2).await, forget(2).await, forget(2).await], [0, 2, 1, 0]);
    for (id, forgotten) in [("a", true), ("b", true), ("c", true), ("d", false), ("e", false)] {
        let again = place(&data, &format!("{id} again"), request_key(id, 1), build::on_day(6)).await;
        assert_eq!(is_executed(&again), forgotten, "{id}");
    }
}

/// Therefore a key is kept for some time after its last use, not after its first.
pub async fn a_replay_uses_the_key(database: Arc<dyn Database>) {
    let data = shop(&database, product("mug"), 100_000).await;
    for (id, day) in [("a", 0), ("b", 0), ("a", 5)] {
        place(&data, id, request_key(id, 1), build::on_day(day)).await;
    }
    assert_eq!(data.forget_request_keys(build::on_day(5), 10).await.unwrap(), 1);
    let again = place(&data, "a again", request_key("a", 1), build::on_day(5)).await;
    assert!(matches!(again, Execution::Replayed(_)));
    assert_eq!(data.forget_request_keys(build::at(5 * build::DAY_MICROS + 1), 10).await.unwrap(), 1);
}

/// The last use never moves back, even when the clock does.
pub async fn an_earlier_replay_does_not_age_a_key(database: Arc<dyn Database>) {
    let data = shop(&database, product("mug"), 100_000).await;
    for day in [5, 1] {
        place(&data, "a", request_key("a", 1), build::on_day(day)).await;
    }
    assert_eq!(data.forget_request_keys(build::on_day(5), 10).await.unwrap(), 0);
}

/// Replays do not extend its time.
pub async fn the_key_of_a_refusal_is_forgotten_sooner(database: Arc<dyn Database>) {
    let data = shop(&database, product("mug"), 0).await;
    let refused = async |key: &str, day| {
        let answer = |_: &PlaceOrderOutcome| {
            Some(NewAnswer { answer: StoredAnswer(b"no".to_vec()), is_refusal: true })
        };
        let once = Once { key: request_key(key, 1), now: build::on_day(day), answer: Arc::new(answer) };
        data.execute(PlaceOrder::without_end(order(&format!("{key}{day}"), "u1", "mug")), Some(once))
            .await
            .unwrap()
    };
    assert!(matches!(refused("a", 20).await, Execution::Executed(PlaceOrderOutcome::Refused(_))));
    assert_eq!(refused("a", 21).await, Execution::Replayed(StoredAnswer(b"no".to_vec())));
    let forget = async |day| data.forget_request_keys(build::on_day(day).minus_days(7), 10).await.unwrap();
    assert_eq!((forget(21).await, forget(22).await), (0, 1), "one day after the first time");
    assert!(matches!(refused("a", 22).await, Execution::Executed(_)));
}

/// The service uses it to decide when to clean up next.
pub async fn the_key_that_was_used_the_longest_ago_is_known(database: Arc<dyn Database>) {
    let data = shop(&database, product("mug"), 100_000).await;
    assert_eq!(data.oldest_request_key().await.unwrap(), None);
    for (id, day) in [("a", 3), ("b", 2), ("c", 4)] {
        place(&data, id, request_key(id, 1), build::on_day(day)).await;
    }
    assert_eq!(data.oldest_request_key().await.unwrap(), Some(build::on_day(2)));
    assert_eq!(data.forget_request_keys(build::on_day(3), 10).await.unwrap(), 1);
    assert_eq!(data.oldest_request_key().await.unwrap(), Some(build::on_day(3)));
}

/// At the bound, existing keys still work. New keys work after some were removed.
pub async fn a_principal_has_a_bounded_number_of_keys(database: Arc<dyn Database>) {
    let data = shop(&database, product("mug"), 100_000).await;
    let key = |key: &str| RequestKey { max_kept: Some(3), ..request_key(key, 1) };
    for (id, day) in [("a", 0), ("b", 1), ("c", 1)] {
        assert!(is_executed(&place(&data, id, key(id), build::on_day(day)).await));
    }
    assert_eq!(place(&data, "d", key("d"), build::on_day(1)).await, Execution::TooManyKeys);
    assert!(matches!(place(&data, "a again", key("a"), build::on_day(0)).await, Execution::Replayed(_)));
    let other = RequestKey { fingerprint: [2; 32], ..key("b") };
    assert_eq!(place(&data, "b again", other, build::on_day(1)).await, Execution::KeyTaken);
    let others = RequestKey { principal: "customer:u10".to_owned(), ..key("d") };
    assert!(is_executed(&place(&data, "e", others, build::on_day(1)).await));
    assert!(is_executed(&place(&data, "f", request_key("f", 1), build::on_day(1)).await), "unbounded");
    assert_eq!(
        (order_count(&data).await, data.forget_request_keys(build::on_day(1), 10).await.unwrap()),
        (5, 1)
    );
    assert_eq!(place(&data, "d", key("d"), build::on_day(1)).await, Execution::TooManyKeys);
    data.forget_request_keys(build::on_day(2), 10).await.unwrap();
    assert!(is_executed(&place(&data, "d", key("d"), build::on_day(1)).await));
}

/// A lost request is executed when it is sent again, with a key or without.
pub async fn a_lost_request_leaves_nothing_behind(database: Arc<dyn Database>) {
    shop(&database, product("mug"), 100_000).await;
    let faulty = FaultyDatabase::healthy(database);
    let data = faulty.tenant(&build::tenant("acme").id);
    let before = tenant_state(&data).await;
    faulty.fail_next_write(Some(WriteFault::Before(Fault::Unavailable)));
    let key = || once(request_key("k", 1), build::noon());
    let mug = order("o1", "u1", "mug");
    assert!(matches!(
        data.execute(PlaceOrder::without_end(mug.clone()), key()).await,
        Err(StoreError::Unavailable(_))
    ));
    assert_eq!(tenant_state(&data).await, before);
    assert!(is_executed(&data.execute(PlaceOrder::without_end(mug.clone()), key()).await.unwrap()));
}

/// The request of a lost response was executed. A retry with a key gets the response, and one without a key is executed
/// again.
pub async fn a_lost_answer_is_found_under_its_key(database: Arc<dyn Database>) {
    shop(&database, product("mug"), 100_000).await;
    let faulty = FaultyDatabase::healthy(database);
    let data = faulty.tenant(&build::tenant("acme").id);
    for (round, has_key, orders) in [(1, true, 1), (2, false, 3)] {
        let key = || if has_key { once(request_key("k", 1), build::noon()) } else { None };
        faulty.fail_next_write(Some(WriteFault::AnswerLost));
        let lost =
            data.execute(PlaceOrder::without_end(order(&format!("{round}a"), "u1", "mug")), key()).await;
        assert!(matches!(lost, Err(StoreError::Unavailable(_))));
        let retry = data
            .execute(PlaceOrder::without_end(order(&format!("{round}b"), "u1", "mug")), key())
            .await
            .unwrap();
        assert_eq!(is_executed(&retry), !has_key);
        assert_eq!(order_count(&data).await, orders);
    }
}
