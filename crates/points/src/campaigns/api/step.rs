//! `POST /v1/manage/campaigns/{campaignId}/state`: schedules, pauses, resumes, ends and archives a campaign.

use http::StatusCode;
use pointbook_domain::Timestamp;
use pointbook_http::answer::finish;
use pointbook_http::body::{BodyFields, JsonBody, Reader, choice, date_time, schema_of};
use pointbook_http::describe::{BodyDoc, Operation, Schema};
use pointbook_http::documentation::Tag;
use pointbook_http::error::FieldErrors;
use pointbook_http::kernel::Response;
use pointbook_http::{ApiError, ApiRequest};

use super::path::campaign_id;
use super::written::{EXAMPLE, render};
use crate::campaigns::manage::{CampaignStep, step_campaign};
use crate::campaigns::view::WrittenCampaignView;

pub(super) async fn step(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let body = JsonBody::of(&request).await?;
    let (step, takes_over_at) = read_step(body.fields())?;
    let id = campaign_id(request.params)?;
    let context = request.once(body.key, render);
    finish(step_campaign(&context, id, step, takes_over_at).await?, render)
}

/// The step, and when it takes effect.
fn read_step(mut fields: BodyFields<'_>) -> Result<(CampaignStep, Option<Timestamp>), FieldErrors> {
    let steps = || Schema::one_of(CampaignStep::ALL.iter().map(|step| step.as_str()));
    let at = "When the state changes. Default: a second after the request, which is the earliest. Only `schedule` takes a time in the past: \
              then activities since that time earn bonuses when they are recorded from now on.";
    let step = fields.required("step", choice(CampaignStep::parse).with_schema(steps));
    let takes_over_at = fields.optional("takes_over_at", date_time().about(at));
    fields.finish(|| Some((step?, takes_over_at)))
}

pub(super) fn documentation() -> Operation {
    Operation::ours("stepCampaign", Tag::Management, "Change the state of a campaign")
        .describe(
            "`schedule` lets a draft run from its beginning on. `pause` and `resume` stop and continue a campaign. `end` ends it for good. \
             `archive` hides a draft or an ended campaign from lists. Each step adds a version. A step that is impossible in the \
             present state gets 409.",
        )
        .defining("CampaignStep", || schema_of(read_step))
        .reading(BodyDoc::Json("CampaignStep", r#"{"step": "schedule"}"#))
        .body::<WrittenCampaignView<'_>>(StatusCode::OK, "The campaign after the step.", EXAMPLE)
        .conflicting()
}
