//! `POST /v1/manage/campaigns/{campaignId}/state`: schedules, pauses, resumes, ends and archives a campaign.

use http::StatusCode;
use pointbook_http::answer::finish;
use pointbook_http::body::{JsonBody, choice, date_time};
use pointbook_http::describe::{BodyDoc, Operation};
use pointbook_http::documentation::Tag;
use pointbook_http::kernel::Response;
use pointbook_http::{ApiError, ApiRequest};

use super::path::campaign_id;
use super::written::{EXAMPLE, render};
use crate::campaigns::manage::{CampaignStep, step_campaign};
use crate::campaigns::view::step_schema;

pub(super) async fn step(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let body = JsonBody::of(&request).await?;
    let mut fields = body.fields();
    let step = fields.required("step", choice(CampaignStep::parse));
    let takes_over_at = fields.optional("takes_over_at", date_time);
    let step = fields.finish(|| step)?;
    let id = campaign_id(request.params())?;
    let context = request.once(body.key, render)?;
    finish(step_campaign(&context, id, step, takes_over_at).await?, render)
}

pub(super) fn documentation() -> Operation {
    Operation::ours("stepCampaign", Tag::Management, "Change the state of a campaign")
        .describe(
            "`schedule` lets a draft run from its beginning on. `pause` and `resume` stop and continue a campaign. `end` ends it for good. \
             `archive` hides a draft or an ended campaign from lists. Each step adds a version. A step that is impossible in the \
             present state gets 409.",
        )
        .defining("CampaignStep", step_schema)
        .reading(BodyDoc::Json("CampaignStep", r#"{"step": "schedule"}"#))
        .answering(StatusCode::OK, "The campaign after the step.", "CampaignWritten", EXAMPLE)
        .conflicting()
}
