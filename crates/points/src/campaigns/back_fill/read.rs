//! Shows back-fills.

use std::cmp::Reverse;

use pointbook_campaigns::CampaignId;
use pointbook_store::ports::{Query, read_all};
use pointbook_store::schema::rows::BackFillRow;
use pointbook_store::{ServedTenant, StoreResult};

/// The back-fill of this version, or the one of the campaign that was requested last. `None` without such a back-fill.
///
/// # Errors
/// When the store fails.
pub async fn back_fill(
    tenant: &ServedTenant,
    id: &CampaignId,
    version: Option<u32>,
) -> StoreResult<Option<BackFillRow>> {
    let query = Query::of::<BackFillRow>("back_fills", &["version"]);
    let query = query.equal("campaign_id", Some(id.as_str())).equal("version", version.as_ref());
    let rows: Vec<BackFillRow> = read_all(&*tenant.data, query).await?;
    Ok(rows.into_iter().max_by_key(|row| (row.requested_at, row.version)))
}

/// All back-fills that the tenant keeps, those that were requested last first.
///
/// # Errors
/// When the store fails.
pub async fn back_fills(tenant: &ServedTenant) -> StoreResult<Vec<BackFillRow>> {
    let query = Query::of::<BackFillRow>("all_back_fills", &["campaign_id", "version"]);
    let mut rows: Vec<BackFillRow> = read_all(&*tenant.data, query).await?;
    rows.sort_by_key(|row| Reverse(row.requested_at));
    Ok(rows)
}
