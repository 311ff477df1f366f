//! Helpers of several facts.

use std::sync::Arc;

use pointbook_app::ports::{Database, HistoryRead, NewTransaction, RecordOutcome, TenantData};

use crate::build;

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
