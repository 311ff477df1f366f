//! `POST /v1/manage/users/{user_id}/activities`: records an activity, once.

use http::StatusCode;
use pointbook_app::ports::{RecordActivityOutcome, RecordedActivity};
use pointbook_app::{NewActivity, record_activity};
use pointbook_domain::UserId;

use crate::answer::{Answer, finish, once};
use crate::body::{JsonBody, read_activity};
use crate::error::{Conflict, FieldErrors};
use crate::response::Response;
use crate::routes::{HttpState, new_path_id};
use crate::wire::activity::ActivityView;
use crate::wire::success::Success;
use crate::{ApiError, Asked};

/// Records; the same again is the first transaction.
pub(super) async fn record(state: &HttpState, mut asked: Asked<'_>) -> Result<Response, ApiError> {
    let body = JsonBody::of(&mut asked).await?;
    let (tenant, now) = (asked.tenant, asked.now);
    let mut fields = body.fields();
    let user_id = new_path_id(&mut fields, "user_id", asked.path, UserId::new);
    let activity = read_activity(&mut fields, &tenant.tenant.settings, now);
    let (user_id, activity) = fields.finish(|| user_id.zip(activity))?;
    let new = NewActivity { user_id, activity: activity.activity };
    let once = once(body.key, now, render);
    let execution = record_activity(tenant, new, activity.has_own_time, &*state.ids, now, once).await?;
    finish(execution, render)
}

fn render(outcome: &RecordActivityOutcome) -> Answer {
    let refused = |rule: &str| ApiError::Invalid(FieldErrors::one("points", rule)).into();
    match outcome {
        RecordActivityOutcome::Recorded(recorded) => show(StatusCode::CREATED, recorded),
        RecordActivityOutcome::AlreadyRecorded(recorded) => show(StatusCode::OK, recorded),
        RecordActivityOutcome::Conflict => ApiError::from(Conflict::RecordedOtherwise).into(),
        RecordActivityOutcome::TooFewPoints => refused("must not take more than the balance"),
        RecordActivityOutcome::OutOfRange => refused("would make the balance exceed its bounds"),
    }
}

fn show(status: StatusCode, recorded: &RecordedActivity) -> Answer {
    Answer::json(status, &Success::with_points(ActivityView::from(recorded), recorded.user_points))
}
