//! `PUT /v1/manage/clock`: sets the virtual clock of a staging tenant.

use http::StatusCode;
use pointbook_domain::Timestamp;
use pointbook_http::answer::finish;
use pointbook_http::body::{BodyFields, JsonBody, Reader, date_time, schema_of};
use pointbook_http::describe::{BodyDoc, Operation};
use pointbook_http::documentation::Tag;
use pointbook_http::error::{Conflict, FieldCode, FieldErrors, Rule};
use pointbook_http::kernel::Response;
use pointbook_http::views::success::Success;
use pointbook_http::{Answer, ApiError, ApiRequest};
use pointbook_store::ports::Execution;
use pointbook_store::tenants::set_clock::{ClockOutcome, ClockTarget, set_clock};

use crate::clock::view::ClockView;

pub(super) async fn put(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let body = JsonBody::of(&request).await?;
    let at = read_clock(body.fields())?;
    let execution: Execution<_> = set_clock(request.service, &request.context(), ClockTarget::At(at)).await?;
    finish(execution, render)
}

fn read_clock(mut fields: BodyFields<'_>) -> Result<Timestamp, FieldErrors> {
    let about = "With `Z` or an offset. Not before the time of the tenant, and at most 100 years after the real time.";
    let now = fields.required("now", date_time().about(about));
    fields.finish(|| now)
}

fn render(outcome: &ClockOutcome) -> Answer {
    let refused = |rule| ApiError::from(FieldErrors::one("now", rule)).into();
    match outcome {
        ClockOutcome::Set { now } => Answer::json(StatusCode::OK, &Success::of(ClockView::of(*now, true))),
        ClockOutcome::NotStaging => ApiError::from(Conflict::NotAStagingTenant).into(),
        ClockOutcome::GoesBack { now } => {
            let rule = format!("must not be before the time of the tenant, {now}");
            refused(Rule::new(FieldCode::BeforeNow, rule))
        }
        ClockOutcome::TooFar => {
            let rule = "must be at most 100 years after the real time";
            refused(Rule::new(FieldCode::OutOfRange, rule))
        }
        // Only the command line returns a tenant to the real time.
        ClockOutcome::HasLaterEvents => ApiError::Internal.into(),
    }
}

pub(super) fn documentation() -> Operation {
    Operation::ours("putClock", Tag::Management, "Set the virtual clock of a staging tenant")
        .describe(
            "Sets the time of the tenant, which runs on from there. The next request of the tenant sees the new time, and \
             its jobs run at once; other instances follow within a second. The time never goes back: an earlier one is a \
             422 on `now`. A production tenant has no virtual clock: 409 `not_a_staging_tenant`.",
        )
        .defining("ClockChange", || schema_of(read_clock))
        .reading(BodyDoc::Json("ClockChange", r#"{"now": "2027-01-31T09:00:00Z"}"#))
        .conflicting()
        .success::<ClockView>(StatusCode::OK, "The new time.", EXAMPLE)
}

const EXAMPLE: &str =
    r#"{"success": true, "data": {"now": "2027-01-31T09:00:00.000000Z", "is_virtual": true}}"#;

#[cfg(test)]
mod tests {
    use pointbook_testkit::read_text;

    use super::*;

    #[test]
    fn the_time_is_required_and_has_a_zone() {
        let read = |text| read_text(text, read_clock);
        assert_eq!(
            read(r#"{"now": "2027-01-31T09:00:00+01:00"}"#).unwrap().to_string(),
            "2027-01-31T08:00:00.000000Z"
        );
        for bad in ["{}", r#"{"now": "2027-01-31"}"#, r#"{"now": 1}"#] {
            let errors = serde_json::to_string(&read(bad).unwrap_err()).unwrap();
            assert!(errors.starts_with(r#"{"now":["The now "#), "{errors}");
        }
    }
}
