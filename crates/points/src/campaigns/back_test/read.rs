//! Shows back-tests.

use pointbook_campaigns::CampaignId;
use pointbook_store::ports::{Query, read_all, read_one};
use pointbook_store::schema::rows::{BackTestResultRow, BackTestRow};
use pointbook_store::{ServedTenant, StoreError, StoreResult};

use super::result::BackTestResult;
use super::state::BackTestState;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BackTestDetail {
    pub row: BackTestRow,
    /// Present when the back-test is done.
    pub result: Option<BackTestResult>,
}

/// The back-test of this version, or the one of the campaign that was requested last. `None` without such a back-test.
///
/// # Errors
/// When the store fails, or a stored result cannot be read.
pub async fn back_test(
    tenant: &ServedTenant,
    id: &CampaignId,
    version: Option<u32>,
) -> StoreResult<Option<BackTestDetail>> {
    let query = Query::of::<BackTestRow>("back_tests", &["version"]);
    let query = query.equal("campaign_id", Some(id.as_str())).equal("version", version.as_ref());
    let rows: Vec<BackTestRow> = read_all(&*tenant.data, query).await?;
    let Some(row) = rows.into_iter().max_by_key(|row| (row.requested_at, row.version)) else {
        return Ok(None);
    };
    let is_done = row.state == BackTestState::Done.as_str();
    let result = if is_done { result(tenant, &row).await? } else { None };
    Ok(Some(BackTestDetail { row, result }))
}

async fn result(tenant: &ServedTenant, row: &BackTestRow) -> StoreResult<Option<BackTestResult>> {
    let BackTestRow { campaign_id, version, .. } = row;
    let query = Query::of::<BackTestResultRow>("back_test_result", &[]);
    let query = query.equal("campaign_id", Some(campaign_id.as_str())).equal("version", Some(version));
    let stored: Option<BackTestResultRow> = read_one(&*tenant.data, query).await?;
    let read = |stored: BackTestResultRow| {
        serde_json::from_str(&stored.result).map_err(|error| {
            let why = format!("campaign {campaign_id}, back-test of version {version}: {error}");
            StoreError::Corrupt(why)
        })
    };
    stored.map(read).transpose()
}
