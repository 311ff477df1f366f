//! `POST`, `GET` and `DELETE /v1/manage/campaigns/{campaignId}/back-test`.

use http::StatusCode;
use pointbook_campaigns::CampaignId;
use pointbook_domain::Timestamp;
use pointbook_http::answer::finish;
use pointbook_http::body::{BodyFields, JsonBody, Reader, date_time, integer_in, schema_of};
use pointbook_http::describe::{BodyDoc, Operation};
use pointbook_http::documentation::Tag;
use pointbook_http::error::{Conflict, FieldCode, FieldErrors, Rule};
use pointbook_http::kernel::Response;
use pointbook_http::query::{ReadQuery, describe};
use pointbook_http::views::success::Success;
use pointbook_http::{Answer, ApiError, ApiRequest};

use super::path::campaign_id;
use crate::campaigns::back_test::{
    BackTestOutcome, BackTestRequest, back_test, cancel_back_test, request_back_test,
};
use crate::campaigns::back_test_view::BackTestView;
use crate::campaigns::query::back_test_show;
use crate::campaigns::test_window::{WindowFault, check_window};

pub(super) async fn start(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let body = JsonBody::of(&request).await?;
    let wanted = read_request(body.fields())?;
    let id = campaign_id(request.params)?;
    let context = request.once(body.key, render);
    finish(request_back_test(&context, wanted.of(id)).await?, render)
}

pub(super) async fn show(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let version = request.query_string.read(back_test_show)?;
    let id = campaign_id(request.params)?;
    let version =
        version.map(|version| u32::try_from(version).map_err(|_| ApiError::NotFound)).transpose()?;
    let detail = back_test(request.tenant, &id, version).await?.ok_or(ApiError::NotFound)?;
    Ok(Answer::json(StatusCode::OK, &Success::of(BackTestView::from(&detail))).into_response())
}

pub(super) async fn cancel(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let id = campaign_id(request.params)?;
    let outcome = cancel_back_test(&request.context::<()>(), id).await?;
    Ok(answer(StatusCode::OK, &outcome).into_response())
}

/// The fields of a body.
struct Wanted {
    from: Timestamp,
    until: Timestamp,
    version: Option<u32>,
}

impl Wanted {
    fn of(self, campaign: CampaignId) -> BackTestRequest {
        let Self { from, until, version } = self;
        BackTestRequest { campaign, version, from, until }
    }
}

fn read_request(mut fields: BodyFields<'_>) -> Result<Wanted, FieldErrors> {
    let from = fields.required("from", date_time().about("Activities from this time on count."));
    let until = "Activities before this time count. At most 40 years later.";
    let until = fields.required("until", date_time().about(until));
    let version = "The version of the campaign. Default: the newest one.";
    let version = fields.optional("version", integer_in(1..=u32::MAX).about(version));
    if let (Some(from), Some(until)) = (from, until)
        && let Err(fault) = check_window(from, until)
    {
        let code = match fault {
            WindowFault::NotAfterFrom => FieldCode::Contradiction,
            WindowFault::TooLong => FieldCode::OutOfRange,
        };
        fields.refuse("until", Rule::new(code, fault.to_string()));
    }
    fields.finish(|| Some(Wanted { from: from?, until: until?, version }))
}

/// The response to a request.
fn render(outcome: &BackTestOutcome) -> Answer {
    answer(StatusCode::ACCEPTED, outcome)
}

fn answer(status: StatusCode, outcome: &BackTestOutcome) -> Answer {
    match outcome {
        BackTestOutcome::Stored(row) => Answer::json(status, &Success::of(BackTestView::from(row))),
        BackTestOutcome::NotFound => ApiError::NotFound.into(),
        BackTestOutcome::Running => ApiError::from(Conflict::BackTestRunning).into(),
    }
}

pub(super) fn start_documentation() -> Operation {
    Operation::ours("startBackTest", Tag::Management, "Back-test a campaign")
        .describe(
            "Computes in the background what a version of the campaign would have given for the activities from `from` on and before \
             `until`, as if it had run all the time. It changes no points. It ignores other campaigns, and it also counts activities \
             whose bonuses came from a request or an import, and activities that were reversed later. Limits per user and the budget \
             count only what the test itself gives. The result replaces an earlier one of the same version. A tenant has one back-test \
             at a time: another one gets 409 `back_test_running`.",
        )
        .defining("NewBackTest", || schema_of(read_request))
        .reading(BodyDoc::Json("NewBackTest", BODY))
        .success::<BackTestView<'_>>(StatusCode::ACCEPTED, "The back-test, which waits.", QUEUED)
        .conflicting()
}

pub(super) fn show_documentation() -> Operation {
    Operation::ours("showBackTest", Tag::Management, "Show a back-test")
        .describe(
            "The back-test of a version, or the one of the campaign that was requested last, with its progress. A test that is `done` has \
             its result. A test whose server died begins again.",
        )
        .taking(describe(back_test_show))
        .success::<BackTestView<'_>>(StatusCode::OK, "The back-test.", DONE)
}

pub(super) fn cancel_documentation() -> Operation {
    Operation::ours("cancelBackTest", Tag::Management, "Cancel a back-test")
        .describe(
            "Cancels the back-test of the campaign that waits or runs. One that has ended stays as it is.",
        )
        .success::<BackTestView<'_>>(StatusCode::OK, "The back-test after that.", CANCELLED)
}

const BODY: &str = r#"{"from": "2026-04-01T00:00:00Z", "until": "2026-05-01T00:00:00Z"}"#;

macro_rules! example {
    ($state:literal, $rest:literal) => {
        concat!(
            r#"{"success": true, "data": {
        "campaign": "double-points-week",
        "version": 2,
        "state": ""#,
            $state,
            r#"",
        "from": "2026-04-01T00:00:00.000000Z",
        "until": "2026-05-01T00:00:00.000000Z",
        "#,
            $rest,
            r#"
        "requested_at": "2026-05-04T08:00:00.000000Z",
        "requested_by": "key:a0a1a2a3a4a5a6a7a8a9"
    }}"#
        )
    };
}

const QUEUED: &str = example!("queued", r#""rows_read": 0,"#);
const CANCELLED: &str = example!(
    "cancelled",
    r#""rows_read": 8000, "rows_total": 538114, "ended_at": "2026-05-04T08:00:01.250000Z","#
);
const DONE: &str = example!(
    "done",
    r#""rows_read": 538114, "rows_total": 538114, "ended_at": "2026-05-04T08:00:09.500000Z",
        "result": {
            "activities": 41033, "awards": 3, "points": 1500, "users": 2, "clipped": 1,
            "days": [
                {"day": "2026-04-06", "awards": 2, "points": 1200},
                {"day": "2026-04-07", "awards": 1, "points": 300}
            ],
            "top_users": [
                {"user_id": "m-1042", "awards": 2, "points": 1300},
                {"user_id": "m-7", "awards": 1, "points": 200}
            ],
            "paid": {"awards": 2, "points": 1300},
            "due": {"awards": 1, "points": 200},
            "differing": 1,
            "differing_rows": [
                {
                    "user_id": "m-7", "transaction_id": "0191a2b3-c4d5-7e6f-8a9b-0c1d2e3f4a5b",
                    "simulated": 200, "paid": 0
                }
            ]
        },"#
);
