//! The campaign that a path names.

use pointbook_campaigns::CampaignId;
use pointbook_http::{ApiError, PathParams};

/// The id in the path. One of a wrong form names no campaign.
pub(super) fn campaign_id(params: PathParams<'_>) -> Result<CampaignId, ApiError> {
    let id = params.text("campaignId").and_then(|id| CampaignId::new(&id).ok());
    id.ok_or(ApiError::NotFound)
}
