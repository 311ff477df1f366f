//! Helpers of several facts.

use std::sync::Arc;

use futures_util::future::join_all;
use pointbook_domain::webhook::MAX_WEBHOOKS;
use pointbook_events::webhooks::{AddWebhook, RemoveWebhook, WebhookOutcome};
use pointbook_store::ports::{Database, HistoryRead, NewTransaction, RecordOutcome, TenantData};

use super::audit_log::write;
use super::webhooks::{stored, webhooks};
use crate::build;
use crate::build::webhook;

/// Adds a production tenant with this slug and returns its data.
pub async fn add_tenant(database: &Arc<dyn Database>, slug: &str) -> Arc<dyn TenantData> {
    let tenant = build::tenant(slug);
    database.insert_tenant(&tenant, &[]).await.unwrap();
    database.tenant(&tenant.id)
}

/// Records transactions at noon. All of them must be new.
pub(super) async fn record_all(data: &Arc<dyn TenantData>, transactions: &[NewTransaction]) {
    let outcomes = data.write(build::history(transactions.to_vec())).await.unwrap();
    assert_eq!(outcomes, vec![RecordOutcome::Recorded; transactions.len()]);
}

/// The first page of a user's history, large enough for all of it.
pub(super) async fn whole_history(data: &Arc<dyn TenantData>, user: &str) -> HistoryRead {
    data.history_page(&build::user_id(user), build::page(1, 1_000)).await.unwrap()
}

/// Many writers at the same time add as many webhooks as a tenant may have. The handles may belong to two instances.
pub async fn keep_the_limit_of_webhooks(handles: [Arc<dyn TenantData>; 2]) {
    let [data, _] = &handles;
    let writers = (0..MAX_WEBHOOKS + 10).map(|writer| {
        let data = handles[writer % 2].clone();
        tokio::spawn(
            async move { data.write(AddWebhook(webhook(&format!("wh_{writer:02}")))).await.unwrap() },
        )
    });
    let outcomes: Vec<_> = join_all(writers).await.into_iter().map(Result::unwrap).collect();
    let refused = outcomes.iter().filter(|outcome| **outcome == WebhookOutcome::TooMany).count();
    assert_eq!(refused, 10, "{outcomes:?}");
    let kept = webhooks(data).await;
    assert_eq!(kept.len(), MAX_WEBHOOKS);
    write(data, RemoveWebhook(kept[0].id.clone())).await;
    stored(write(data, AddWebhook(webhook("wh_last"))).await);
    assert_eq!(write(data, AddWebhook(webhook("wh_too_many"))).await, WebhookOutcome::TooMany);
}
