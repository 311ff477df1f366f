//! Health, and what the overview says of it.

use pointbook_domain::{Role, WebhookState};
use pointbook_events::webhooks::{ChangeWebhook, WebhookChange};
use pointbook_server::jobs::JOBS;
use pointbook_store::ports::JobId;

use super::operator::Browser;
use crate::harness::TestServer;

#[tokio::test]
async fn jobs_are_listed_with_what_they_do_and_late_ones_are_on_the_overview() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Auditor).await;
    assert!(browser.page("/health").await.contains("No jobs yet."));
    let tenant = server.production().tenant.id.clone();
    for job in JOBS.iter() {
        let id = JobId::recurring(&tenant, job.name());
        server.service().database.schedule_job(&id, server.now()).await.unwrap();
    }
    let page = browser.page("/health").await;
    for job in JOBS.iter() {
        let sentence =
            page.split_once(&format!("<br><code class=\"quiet\">{}</code>", job.name())).unwrap().0;
        assert!(sentence.ends_with('.'), "{} has no sentence", job.name());
    }
    assert!(!page.contains("Late"), "{page}");
    assert!(!browser.page("").await.contains("Background jobs that"));
    server.advance_seconds(61);
    assert!(browser.page("/health").await.contains("Late"));
    let overview = browser.page("").await;
    assert!(
        overview.contains(&format!("Background jobs that are late or fail: {}.", JOBS.len())),
        "{overview}"
    );
    let analyst = Browser::of(&server, Role::Analyst).await;
    assert!(!analyst.page("").await.contains("Background jobs that"));
}

#[tokio::test]
async fn webhooks_that_fail_are_named() {
    let server = TestServer::with_sample().await;
    let (owner, auditor) =
        (Browser::of(&server, Role::Owner).await, Browser::of(&server, Role::Auditor).await);
    server.add_failing_webhook().await;
    assert!(owner.page("/health").await.contains("No webhook has failed for an hour"));
    let change =
        WebhookChange::State { epoch: 1, failing_since: None, state: WebhookState::Failing, because: None };
    let change = ChangeWebhook { id: "wh_1".to_owned(), change, at: server.now() };
    server.production().data.write(change).await.unwrap();
    let page = owner.page("/health").await;
    assert!(page.contains("Failing") && page.contains("/console/shop/webhooks/wh_1"), "{page}");
    let seen = auditor.page("/health").await;
    assert!(seen.contains("Failing") && !seen.contains("/console/shop/webhooks/wh_1"), "{seen}");
    assert!(owner.page("").await.contains("the service disabled: 1."));
}
