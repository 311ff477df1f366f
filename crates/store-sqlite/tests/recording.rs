//! Recording many activities for one request, of types that the tenant has and of others.

use std::sync::Arc;

use pointbook_app::ports::{Database, Execution, Once, StoredAnswer};
use pointbook_app::{NewActivity, RecordResult, Service, ServiceLimits, record_activities};
use pointbook_domain::{Activity, ActivityType};
use pointbook_store_sqlite::{SqliteOptions, SqliteStore};
use pointbook_testkit::build::{activity, noon, once, request_key, tenant, user_id};
use pointbook_testkit::{FixedClock, OneSecret, SequentialIds};

/// With the results of all activities, though the store was asked to record some of them.
#[tokio::test]
async fn a_keyed_answer_is_made_of_what_became_of_every_activity() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(&folder.path().join("test.db"), &SqliteOptions::new(noon())).unwrap();
    let database: Arc<dyn Database> = Arc::new(store);
    database.insert_tenant(&tenant("acme")).await.unwrap();
    let limits = ServiceLimits {
        principal_max_age_seconds: 0,
        principal_max_age_when_away_seconds: 0,
        refresh_interval_ms: 500,
        catalogue_bytes: 0,
    };
    let (clock, secrets) = (Arc::new(FixedClock::new(noon())), Arc::new(OneSecret));
    let service = Service::open(database, clock, secrets, limits).await.unwrap();
    let served = service.directory().tenants()[0].clone();
    let unknown = Activity { kind: ActivityType::new("dance").unwrap(), ..activity("s2", 1) };
    let activities = [unknown.clone(), activity("s1", 5), unknown, activity("s1", 6)];
    let given = || activities.clone().map(|activity| NewActivity { user_id: user_id("u1"), activity });
    let ids = SequentialIds::default();
    let record = async || {
        let once: Option<Once<Vec<RecordResult>>> = once(request_key("k", 1), noon());
        record_activities(&served, given().to_vec(), &ids, noon(), once).await.unwrap()
    };
    let Execution::Executed(results) = record().await else { panic!("nobody asked before") };
    let told = format!("{results:?}");
    let kind = r#"Err(UnknownType(ActivityType("dance")))"#;
    assert_eq!(told, format!("[{kind}, Ok(Now), {kind}, Err(Conflict)]"));
    assert_eq!(record().await, Execution::Replayed(StoredAnswer(told.into_bytes())));
}
