//! `POST`, `GET` and `DELETE /v1/manage/campaigns/{campaignId}/back-fill`.

use http::StatusCode;
use pointbook_http::answer::finish;
use pointbook_http::body::{BodyFields, JsonBody, Reader, integer_in, schema_of};
use pointbook_http::describe::{BodyDoc, Operation};
use pointbook_http::documentation::Tag;
use pointbook_http::error::{Conflict, FieldErrors};
use pointbook_http::kernel::Response;
use pointbook_http::query::{ReadQuery, describe};
use pointbook_http::views::success::Success;
use pointbook_http::{Answer, ApiError, ApiRequest};

use super::path::campaign_id;
use crate::campaigns::back_fill::{BackFillOutcome, back_fill, cancel_back_fill, request_back_fill};
use crate::campaigns::back_fill_view::BackFillView;
use crate::campaigns::query::back_fill_show;

pub(super) async fn start(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let body = JsonBody::of(&request).await?;
    let version = read_request(body.fields())?;
    let id = campaign_id(request.params)?;
    let context = request.once(body.key, render);
    finish(request_back_fill(&context, &id, version, None).await?, render)
}

pub(super) async fn show(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let version = request.query_string.read(back_fill_show)?;
    let id = campaign_id(request.params)?;
    let version =
        version.map(|version| u32::try_from(version).map_err(|_| ApiError::NotFound)).transpose()?;
    let row = back_fill(request.tenant, &id, version).await?.ok_or(ApiError::NotFound)?;
    Ok(Answer::json(StatusCode::OK, &Success::of(BackFillView::from(&row))).into_response())
}

pub(super) async fn cancel(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let id = campaign_id(request.params)?;
    let outcome = cancel_back_fill(&request.context::<()>(), id).await?;
    Ok(answer(StatusCode::OK, &outcome).into_response())
}

fn read_request(mut fields: BodyFields<'_>) -> Result<u32, FieldErrors> {
    let about = "The version of the campaign that was back-tested.";
    let version = fields.required("version", integer_in(1..=u32::MAX).about(about));
    fields.finish(|| version)
}

/// The response to a request.
fn render(outcome: &BackFillOutcome) -> Answer {
    answer(StatusCode::ACCEPTED, outcome)
}

fn answer(status: StatusCode, outcome: &BackFillOutcome) -> Answer {
    let conflict = |conflict: Conflict| ApiError::from(conflict).into();
    match outcome {
        BackFillOutcome::Stored(row) => Answer::json(status, &Success::of(BackFillView::from(row))),
        BackFillOutcome::NotFound => ApiError::NotFound.into(),
        // A request of the operation expects no result, so none differs from it.
        BackFillOutcome::NotTested | BackFillOutcome::Changed => conflict(Conflict::NotBackTested),
        BackFillOutcome::TooMany => conflict(Conflict::TooManyAwards),
        BackFillOutcome::Running => conflict(Conflict::BackFillRunning),
    }
}

pub(super) fn start_documentation() -> Operation {
    Operation::ours("startBackFill", Tag::Management, "Give the awards of a back-test")
        .describe(
            "Gives in the background the awards that the back-test of a version found, each once for ever. Each award is a new \
             transaction of now: of the type of the activity, without base points, with the award as its bonus, and with the \
             `source_id` `{transaction_id}:{campaign_id}:{version}:back-fill`. An activity that has points of the campaign already gets the \
             difference. A reversed one gets nothing. The back-fill runs the back-test again first. If that finds other awards than \
             before, it gives nothing and is `outdated`. The budget in force pays for the awards and refuses what is beyond it; it never \
             makes an award smaller. Limits per user count only what the back-test gave. The back-test must be done: otherwise the response is 409 `not_back_tested`. A tenant has one \
             back-fill at a time: another one gets 409 `back_fill_running`. One of more than a million awards gets 409 `too_many_awards`.",
        )
        .defining("NewBackFill", || schema_of(read_request))
        .reading(BodyDoc::Json("NewBackFill", BODY))
        .success::<BackFillView<'_>>(StatusCode::ACCEPTED, "The back-fill, which waits.", QUEUED)
        .conflicting()
}

pub(super) fn show_documentation() -> Operation {
    Operation::ours("showBackFill", Tag::Management, "Show a back-fill")
        .describe(
            "The back-fill of a version, or the one of the campaign that was requested last, with what it gave so far. One whose server died \
             goes on.",
        )
        .taking(describe(back_fill_show))
        .success::<BackFillView<'_>>(StatusCode::OK, "The back-fill.", DONE)
}

pub(super) fn cancel_documentation() -> Operation {
    Operation::ours("cancelBackFill", Tag::Management, "Cancel a back-fill")
        .describe(
            "Cancels the back-fill of the campaign that waits or runs. What it gave stays. One that has ended stays as it is.",
        )
        .success::<BackFillView<'_>>(StatusCode::OK, "The back-fill after that.", CANCELLED)
}

const BODY: &str = r#"{"version": 1}"#;

macro_rules! example {
    ($state:literal, $rest:literal) => {
        concat!(
            r#"{"success": true, "data": {
        "campaign": "double-points-week",
        "version": 1,
        "state": ""#,
            $state,
            r#"",
        "from": "2026-04-01T00:00:00.000000Z",
        "until": "2026-05-01T00:00:00.000000Z",
        "found": {"awards": 3, "points": 1500},
        "#,
            $rest,
            r#"
        "requested_at": "2026-05-04T08:00:00.000000Z",
        "requested_by": "key:a0a1a2a3a4a5a6a7a8a9"
    }}"#
        )
    };
}

const QUEUED: &str =
    example!("queued", r#""paid_before": 0, "given": {"awards": 0, "points": 0}, "left_out": 0,"#);
const CANCELLED: &str = example!(
    "cancelled",
    r#""paid_before": 0, "given": {"awards": 1, "points": 800}, "left_out": 0, "ended_at": "2026-05-04T08:00:01.250000Z","#
);
const DONE: &str = example!(
    "done",
    r#""paid_before": 0, "given": {"awards": 2, "points": 1300}, "left_out": 1, "ended_at": "2026-05-04T08:00:09.500000Z","#
);
