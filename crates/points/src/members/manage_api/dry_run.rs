//! `POST /v1/manage/users/{userId}/activities/dry-run`: what would become of an activity.

use http::StatusCode;
use pointbook_http::answer::finish;
use pointbook_http::body::{JsonBody, new_user_id};
use pointbook_http::describe::{BodyDoc, Missing, Operation};
use pointbook_http::documentation::Tag;
use pointbook_http::kernel::Response;
use pointbook_http::views::success::Success;
use pointbook_http::{Answer, ApiError, ApiRequest, new_path_id};
use pointbook_store::Context;

use super::record_activity::{Asked, BODY, read};
use crate::earning::explain::{DryRunOutcome, dry_run};
use crate::earning::explanation_view::DryRunView;
use crate::earning::record_activities::NewActivity;

pub(super) async fn try_activity(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let body = JsonBody::of(&request).await?;
    let mut fields = body.fields();
    let user_id = new_path_id(&mut fields, "user_id", request.params, "userId", new_user_id());
    let Asked { new, .. } = read(fields, user_id, &request.tenant.tenant.settings, request.now)?;
    answer(&request.once(body.key, render), new).await
}

/// What would become of the activity.
pub(super) async fn answer(context: &Context<DryRunOutcome>, new: NewActivity) -> Result<Response, ApiError> {
    finish(dry_run(context, new).await?, render)
}

fn render(outcome: &DryRunOutcome) -> Answer {
    Answer::json(StatusCode::OK, &Success::of(DryRunView::from(outcome)))
}

pub(super) fn documentation() -> Operation {
    Operation::ours("tryActivity", Tag::Management, "Say what an activity would earn")
        .describe(
            "Takes the body of an activity and records nothing. The response has the transaction as it would be, and says of each \
             campaign whether it would give a bonus, or the one reason why not. A dry run does not check the balance.",
        )
        .reading(BodyDoc::Json("NewActivity", BODY))
        .success::<DryRunView<'_>>(StatusCode::OK, "What each campaign says.", EXAMPLE)
        .missing(Missing::Never)
}

const EXAMPLE: &str = include_str!("dry_run.json");
