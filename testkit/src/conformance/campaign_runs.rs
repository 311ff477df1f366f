//! Facts of the starts and ends of campaigns.

use std::sync::Arc;

use futures_util::future::join_all;
use pointbook_domain::Timestamp;
use pointbook_points::campaigns::manage::CampaignStep;
use pointbook_points::campaigns::runs::{CAMPAIGN_EVENTS_JOB, tell_runs};
use pointbook_store::ports::{Database, JobId, StoredJob};
use serde_json::json;

use super::campaign_helpers::CampaignFixture;
use super::feed::told;
use crate::build::{at, noon, on_day};

const SECOND: i64 = 1_000_000;

/// When the job of the tenant acme is due.
async fn due_at(database: &Arc<dyn Database>, fixture: &CampaignFixture) -> Timestamp {
    let tenant = &fixture.served.tenant.id;
    let [StoredJob { id, next_run_at, .. }] = &database.jobs_of(tenant, 10).await.unwrap()[..] else {
        panic!("not one job")
    };
    assert_eq!(*id, JobId::recurring(tenant, CAMPAIGN_EVENTS_JOB));
    *next_run_at
}

/// A later change never moves an earlier run of the job.
pub async fn a_change_of_a_campaign_makes_its_job_due(database: Arc<dyn Database>) {
    let fixture = CampaignFixture::new(&database).await;
    fixture.put(&json!({}), Some(on_day(2)), noon()).await;
    assert_eq!(due_at(&database, &fixture).await, on_day(2));
    fixture.put(&json!({"id": "autumn"}), None, noon()).await;
    assert_eq!(due_at(&database, &fixture).await, at(SECOND));
    fixture.step("autumn", CampaignStep::Schedule, on_day(1)).await;
    assert_eq!(due_at(&database, &fixture).await, at(SECOND));
}

pub async fn starts_and_ends_that_are_told_at_once_are_told_once(database: Arc<dyn Database>) {
    let fixture = CampaignFixture::new(&database).await;
    let bounds = json!({"starts_at": at(-SECOND).to_string(), "ends_at": at(SECOND).to_string()});
    fixture.start(&bounds).await;
    let mut expected = vec!["1 campaign.started  spring"];
    for (now, next_at) in [(noon(), Some(at(SECOND))), (at(SECOND), None)] {
        let contexts: Vec<_> = (0..5).map(|_| fixture.context(now)).collect();
        let all = join_all(contexts.iter().map(tell_runs)).await;
        let all: Vec<_> = all.into_iter().map(Result::unwrap).collect();
        assert_eq!(all.iter().map(|told| told.told).sum::<usize>(), 1);
        assert!(all.iter().all(|told| (told.now, told.next_at) == (now, next_at)), "{all:?}");
        assert_eq!(told(&fixture.data).await, expected);
        expected.push("2 campaign.ended  spring");
    }
}
