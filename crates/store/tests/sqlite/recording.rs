//! Tests of one request that records several activities, some of unknown types.

use std::sync::Arc;

use pointbook_domain::{Activity, ActivityType};
use pointbook_points::earning::record_activities::{NewActivity, record_activities};
use pointbook_store::ports::{Execution, StoredAnswer};
use pointbook_store::{Actor, Context, Service, ServiceLimits};
use pointbook_testkit::build::{activity, context, noon, once, request_key, tenant, user_id};
use pointbook_testkit::sqlite::new_file;
use pointbook_testkit::{FixedClock, OneSecret};

/// Some activities have types that the tenant does not have.
#[tokio::test]
async fn kept_response_has_outcome_of_every_activity() {
    let (_folder, _, database) = new_file();
    database.insert_tenant(&tenant("acme"), &[]).await.unwrap();
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
    let (first, conflicting) = (activity("s1", 5), activity("s1", 6));
    let activities = [unknown.clone(), unknown.clone(), first, unknown.clone(), conflicting, unknown];
    let given = || {
        activities.clone().map(|activity| NewActivity {
            user_id: user_id("u1"),
            activity,
            has_breakdown: false,
            asks_campaigns: false,
        })
    };
    let context = context(&served, Actor::Key { id: "k".into(), label: None }, noon());
    let context = Context { once: once(request_key("k", 1), noon()), ..context };
    let record = async || record_activities(&context, given().to_vec(), 0).await.unwrap();
    let Execution::Executed(outcomes) = record().await else { panic!("the first request must be executed") };
    let response = format!("{outcomes:?}");
    let kind = r#"UnknownType(ActivityType("dance"))"#;
    assert_eq!(response, format!("[{kind}, {kind}, Recorded, {kind}, Conflict, {kind}]"));
    assert_eq!(record().await, Execution::Replayed(StoredAnswer(response.into_bytes())));
}
