//! `POST /v1/manage/users/{userId}/activities`: records an activity, once.

use http::StatusCode;
use pointbook_domain::{TenantSettings, Timestamp, UserId};
use pointbook_http::answer::finish;
use pointbook_http::body::{BodyFields, JsonBody, new_user_id, schema_of};
use pointbook_http::describe::{BodyDoc, Missing, Operation, ResponseBody, Schema};
use pointbook_http::documentation::Tag;
use pointbook_http::error::{Conflict, FieldCode, FieldErrors, Rule};
use pointbook_http::guard::check_scopes;
use pointbook_http::kernel::Response;
use pointbook_http::query::{ReadQuery, describe};
use pointbook_http::views::success::{Success, success_of};
use pointbook_http::{Answer, ApiError, ApiRequest, new_path_id};
use pointbook_store::ports::{RecordActivityOutcome, RecordedActivity};

use crate::earning::body::{ActivityBody, read_activity, read_bonus};
use crate::earning::explanation_view::DryRunView;
use crate::earning::query::dry_run_of_activity;
use crate::earning::record_activities::NewActivity;
use crate::earning::record_activity::record_activity;
use crate::earning::view::ActivityView;
use crate::held::api::{Hold, hold_field, read_hold, render_hold};
use crate::held::{HeldView, hold_activity};

/// Records it, or only tries it. A repeat returns the first transaction.
pub(super) async fn record(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let is_dry = request.query_string.read(dry_run_of_activity)?;
    if is_dry {
        // It tells what `activities/dry-run` tells.
        check_scopes(super::TOLD_OF_USERS, request.sender)?;
    }
    let body = JsonBody::of(&request).await?;
    let mut fields = body.fields();
    let user_id = new_path_id(&mut fields, "user_id", request.params, "userId", new_user_id());
    let Asked { new, has_own_time, hold } =
        read(fields, user_id, &request.tenant.tenant.settings, request.now)?;
    if is_dry {
        return super::dry_run::answer(&request.context(), new).await;
    }
    if let Some(hold) = hold {
        let context = request.once(body.key, render_hold);
        let release_at = hold.release_at(new.activity.created_at);
        let has_own_release = has_own_time || matches!(hold, Hold::Until(_));
        let release = (release_at, has_own_release);
        return finish(hold_activity(&context, new, has_own_time, release).await?, render_hold);
    }
    let context = request.once(body.key, render);
    finish(record_activity(&context, new, has_own_time).await?, render)
}

/// What a request asks for.
pub(super) struct Asked {
    pub(super) new: NewActivity,
    /// Whether the activity has its own time.
    pub(super) has_own_time: bool,
    hold: Option<Hold>,
}

pub(super) fn read(
    mut fields: BodyFields<'_>,
    user_id: Option<UserId>,
    settings: &TenantSettings,
    now: Timestamp,
) -> Result<Asked, FieldErrors> {
    let activity = read_activity(&mut fields, settings, now);
    let hold = hold_field(&mut fields, activity.as_ref().map(|body| &body.activity));
    fields.finish(|| {
        let ActivityBody { activity, has_own_time, has_breakdown, asks_campaigns } = activity?;
        let new = NewActivity { user_id: user_id?, activity, has_breakdown, asks_campaigns };
        Some(Asked { new, has_own_time, hold })
    })
}

fn render(outcome: &RecordActivityOutcome) -> Answer {
    let refused = |rule| ApiError::Invalid(FieldErrors::one("points", rule)).into();
    match outcome {
        RecordActivityOutcome::Recorded(recorded) => show(StatusCode::CREATED, recorded),
        RecordActivityOutcome::AlreadyRecorded(recorded) => show(StatusCode::OK, recorded),
        RecordActivityOutcome::Conflict => ApiError::from(Conflict::AlreadyRecorded).into(),
        RecordActivityOutcome::TooFewPoints => {
            refused(Rule::new(FieldCode::InsufficientPoints, "must not take more than the balance"))
        }
        RecordActivityOutcome::OutOfRange => refused(Rule::BALANCE_IN_RANGE),
    }
}

fn show(status: StatusCode, recorded: &RecordedActivity) -> Answer {
    Answer::json(status, &Success::with_points(ActivityView::from(recorded), recorded.user_points))
}

pub(super) fn documentation() -> Operation {
    Operation::ours("recordActivity", Tag::Management, "Record an activity")
        .describe(
            "A user gets points once per `type` and `source_id`, for ever. The same activity again returns 200 with \
             the first transaction. With other content it returns 409, and the server records nothing. The server \
             creates an unknown user. Negative points reduce the balance; if the balance is too small, the response is \
             a 422 on `points`. Campaigns add bonuses, unless the request has a `bonus_breakdown`, even an empty one.\n\nWith \
             `hold` the points wait: the response is 202, the points are in `pending_points` of the user, and the server records the \
             transaction at that time. A repeat returns 200 with the held activity, or with its transaction. With \
             `dry_run=true` the server records nothing, and responds as `activities/dry-run` does, whose scopes the key then needs, too.",
        )
        .taking(describe(dry_run_of_activity))
        .defining("NewActivity", || {
            schema_of(|fields| read(fields, None, &TenantSettings::default(), Timestamp::MAX))
        })
        .defining("NewBonus", || schema_of(read_bonus))
        .defining("Hold", || schema_of(read_hold))
        .reading(BodyDoc::Json("NewActivity", BODY))
        .answering(StatusCode::OK, "The first transaction, or what the dry run says.", recorded_or_tried(), EXAMPLE)
        .success_with_points::<ActivityView<'_>>(StatusCode::CREATED, "The transaction, and the balance.", EXAMPLE)
        .success_with_points::<HeldView>(StatusCode::ACCEPTED, "The activity that waits, and the balance.", HELD)
        .missing(Missing::Never)
}

/// What a request records, or what it would record with `dry_run`.
fn recorded_or_tried() -> ResponseBody {
    let schema = || Schema::any_of(["RecordedActivityWritten", "HeldActivityWritten", "DryRunAnswer"]);
    ResponseBody::named("RecordedOrTriedActivity", schema).and(success_of::<DryRunView<'_>>())
}

pub(super) const BODY: &str = include_str!("record_activity_body.json");

const EXAMPLE: &str = include_str!("record_activity.json");

const HELD: &str = include_str!("record_activity_held.json");
