//! Facts of the virtual clocks of tenants.

use std::sync::Arc;

use futures_util::future::join_all;
use pointbook_access::tokens::issue::StoreToken;
use pointbook_catalogue::commands::{RetireProducts, UpsertProducts};
use pointbook_domain::{ClockOffset, Environment, Tenant, Timestamp, TokenRecord};
use pointbook_store::ports::{Database, JobId, Lease, RunEnd, TenantData};
use pointbook_store::tenants::set_clock::{ClockOutcome, ClockTarget, SetClock};

use super::tenants::staging;
use super::{add_tenant, record_all};
use crate::build;

const HOUR_MICROS: i64 = 3_600_000_000;

/// A staging tenant and its data.
async fn tenant(database: &Arc<dyn Database>) -> (Tenant, Arc<dyn TenantData>) {
    let tenant = staging(&build::tenant("acme"));
    database.insert_tenant(&tenant, &[]).await.unwrap();
    let data = database.tenant(&tenant.id);
    (tenant, data)
}

/// Sets the clock of a staging tenant at noon.
async fn set(data: &Arc<dyn TenantData>, target: ClockTarget) -> ClockOutcome {
    set_at(data, target, build::noon()).await
}

async fn set_at(data: &Arc<dyn TenantData>, target: ClockTarget, real_now: Timestamp) -> ClockOutcome {
    data.write(SetClock { environment: Environment::Staging, real_now, target }).await.unwrap()
}

/// The stored clocks, by tenant.
async fn clocks(database: &Arc<dyn Database>) -> Vec<i64> {
    database.tenants().await.unwrap().iter().map(|tenant| tenant.clock.as_micros()).collect()
}

pub async fn a_clock_goes_forward_and_other_tenants_keep_theirs(database: Arc<dyn Database>) {
    add_tenant(&database, "acme").await;
    let (_, data) = tenant(&database).await;
    let before = database.tenants_version().await.unwrap();
    let later = build::at(HOUR_MICROS);
    assert_eq!(set(&data, ClockTarget::At(later)).await, ClockOutcome::Set { now: later });
    assert_ne!(database.tenants_version().await.unwrap(), before);
    assert_eq!(clocks(&database).await, [0, HOUR_MICROS]);
    let advanced = set(&data, ClockTarget::Forward { seconds: 60 }).await;
    assert_eq!(advanced, ClockOutcome::Set { now: build::at(HOUR_MICROS + 60_000_000) });
    assert_eq!(
        set(&data, ClockTarget::At(later)).await,
        ClockOutcome::GoesBack { now: build::at(HOUR_MICROS + 60_000_000) }
    );
    assert_eq!(clocks(&database).await, [0, HOUR_MICROS + 60_000_000]);
}

pub async fn a_clock_survives_an_update_of_its_tenant(database: Arc<dyn Database>) {
    let (tenant, data) = tenant(&database).await;
    set(&data, ClockTarget::Forward { seconds: 60 }).await;
    database.update_tenant(&Tenant { name: "Acme".to_owned(), ..tenant }, &[]).await.unwrap();
    let [stored] = &database.tenants().await.unwrap()[..] else { panic!("not one tenant") };
    assert_eq!((&*stored.name, stored.clock), ("Acme", ClockOffset::from_micros(60_000_000).unwrap()));
}

pub async fn advances_at_once_all_count(database: Arc<dyn Database>) {
    let (_, data) = tenant(&database).await;
    let all = join_all((0..10).map(|_| set(&data, ClockTarget::Forward { seconds: 1 }))).await;
    assert!(all.iter().all(|outcome| matches!(outcome, ClockOutcome::Set { .. })), "{all:?}");
    assert_eq!(clocks(&database).await, [10_000_000]);
}

pub async fn all_jobs_of_a_tenant_are_due_when_its_clock_is_set(database: Arc<dyn Database>) {
    let (tenant, data) = tenant(&database).await;
    add_tenant(&database, "other").await;
    let tomorrow = build::at(build::DAY_MICROS);
    let of = |slug: &str, name: &str| {
        let id = if slug == "other" { build::tenant(slug).id } else { tenant.id.clone() };
        JobId::recurring(&id, name)
    };
    let [clean, send, foreign] = [of("acme", "clean"), of("acme", "send"), of("other", "clean")];
    for id in [&clean, &send, &foreign] {
        database.schedule_job(id, tomorrow).await.unwrap();
    }
    let lease = Lease { owner: "one".to_owned(), ends_at: build::at(10_000_000) };
    database.lease_job(&send, &lease, tomorrow, build::noon()).await.unwrap().unwrap();
    set(&data, ClockTarget::Forward { seconds: 60 }).await;
    let due = async || database.due_jobs(&["clean", "send"], build::noon(), 10).await.unwrap();
    assert_eq!(due().await, std::slice::from_ref(&clean));
    let end = RunEnd::Succeeded { at: build::noon(), next_run_at: Some(tomorrow) };
    assert!(database.end_run(&send, &lease, &end).await.unwrap(), "a run in progress keeps its lease");
    assert_eq!(due().await, [clean, send]);
}

/// Every kind of event, because the clock decides about each.
pub async fn a_clock_returns_only_when_nothing_happened_later(database: Arc<dyn Database>) {
    let (_, data) = tenant(&database).await;
    set(&data, ClockTarget::Forward { seconds: 3_600 }).await;
    assert_eq!(set(&data, ClockTarget::Real).await, ClockOutcome::Set { now: build::noon() });
    assert_eq!(clocks(&database).await, [0]);
    let refused = ClockOutcome::HasLaterEvents;
    let at = |seconds: i64| build::at(seconds * 1_000_000);
    let is_refused = async |seconds: i64| set_at(&data, ClockTarget::Real, at(seconds)).await == refused;
    assert!(!is_refused(-1).await);
    record_all(&data, &[build::recorded("u1", build::activity("a", 10))]).await;
    assert_eq!((is_refused(-1).await, is_refused(0).await), (true, false), "it was recorded at noon");
    let token = |created_at| TokenRecord { created_at, ..build::token(1, None) };
    data.write(StoreToken(token(at(10)))).await.unwrap();
    assert_eq!((is_refused(9).await, is_refused(10).await), (true, false));
    data.write(UpsertProducts(vec![build::upsert(build::product("mug"))])).await.unwrap();
    data.write(RetireProducts { ids: vec![build::product("mug").id], at: at(20) }).await.unwrap();
    assert_eq!((is_refused(19).await, is_refused(20).await), (true, false));
}
