//! `GET /v1/manage/clock`: the time of the tenant.

use http::StatusCode;
use pointbook_http::describe::Operation;
use pointbook_http::documentation::Tag;
use pointbook_http::kernel::Response;
use pointbook_http::views::success::Success;
use pointbook_http::{Answer, ApiError, ApiRequest};

use crate::clock::view::ClockView;

pub(super) async fn show(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let view = ClockView::of(request.now, !request.tenant.tenant.clock.is_none());
    Ok(Answer::json(StatusCode::OK, &Success::of(view)).into_response())
}

pub(super) fn documentation() -> Operation {
    Operation::ours("getClock", Tag::Management, "Get the time of the tenant")
        .describe(
            "Returns the time at which the request arrived, by the clock of the tenant. A staging tenant may have a \
             virtual clock. Then every response of the tenant has the time in `X-Pointbook-Clock`.",
        )
        .success::<ClockView>(StatusCode::OK, "The time.", EXAMPLE)
}

const EXAMPLE: &str =
    r#"{"success": true, "data": {"now": "2026-05-04T08:00:00.000000Z", "is_virtual": false}}"#;
