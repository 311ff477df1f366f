//! Reads campaigns.

use http::StatusCode;
use pointbook_http::describe::Operation;
use pointbook_http::documentation::Tag;
use pointbook_http::kernel::{Response, json};
use pointbook_http::query::{ReadQuery, describe};
use pointbook_http::views::success::Success;
use pointbook_http::{Answer, ApiError, ApiRequest};

use super::example::campaign as example;
use super::path::campaign_id;
use crate::campaigns::manage::{campaign, campaigns};
use crate::campaigns::query::campaign_list;
use crate::campaigns::view::{CampaignDetailView, CampaignListView};

pub(super) async fn list(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let with_archived = request.query_string.read(campaign_list)?;
    let found = campaigns(request.tenant, request.now, with_archived).await?;
    let body = serde_json::to_vec(&CampaignListView::from(found.as_slice()));
    Ok(json(StatusCode::OK, body.map_err(|_| ApiError::Internal)?))
}

pub(super) async fn show(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let id = campaign_id(request.params)?;
    let detail = campaign(request.tenant, &id, request.now).await?.ok_or(ApiError::NotFound)?;
    let view = CampaignDetailView::from(&detail);
    Ok(Answer::json(StatusCode::OK, &Success::of(view)).into_response())
}

pub(super) fn list_documentation() -> Operation {
    Operation::ours("listCampaigns", Tag::Management, "List campaigns")
        .describe("The campaigns of the tenant by id, each with the version in force.")
        .taking(describe(campaign_list))
        .body::<CampaignListView<'_>>(StatusCode::OK, "The campaigns, perhaps none.", LIST)
}

pub(super) fn show_documentation() -> Operation {
    Operation::ours("showCampaign", Tag::Management, "Show a campaign")
        .describe("The campaign with the version in force, all versions with their authors, and what is spent of its budget.")
        .success::<CampaignDetailView<'_>>(StatusCode::OK, "The campaign.", SHOW)
}

const LIST: &str = concat!(r#"{"data": ["#, example!("running"), "}]}");
const SHOW: &str = concat!(
    r#"{"success": true, "data": "#,
    example!("running"),
    r#",
        "versions": [
            {
                "version": 1, "state": "draft", "valid_from": "2026-05-04T07:50:01.000000Z",
                "created_at": "2026-05-04T07:50:00.000000Z", "created_by": "key:a0a1a2a3a4a5a6a7a8a9"
            },
            {
                "version": 2, "state": "active", "valid_from": "2026-05-04T08:00:01.000000Z",
                "created_at": "2026-05-04T08:00:00.000000Z", "created_by": "key:a0a1a2a3a4a5a6a7a8a9"
            }
        ]
    }}"#
);
