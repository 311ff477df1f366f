//! `/v1/manage/users/{userId}/held`: what waits, and voiding it. `POST .../activities` holds an activity.

use http::StatusCode;
use pointbook_domain::activity::EXPIRY_PREFIX;
use pointbook_domain::{Activity, Points, Scope, SourceId, Timestamp, TransactionId, UserId};
use pointbook_http::answer::finish;
use pointbook_http::body::{BodyFields, JsonBody, Reader, date_time, integer_in, object, schema_of, title};
use pointbook_http::describe::{BodyDoc, Operation, Schema};
use pointbook_http::documentation::{Tag, page_parameters};
use pointbook_http::error::{Conflict, FieldCode, FieldErrors, Rule};
use pointbook_http::kernel::{Response, json};
use pointbook_http::query::{ReadQuery, unfiltered_list};
use pointbook_http::query_string::PageLinks;
use pointbook_http::views::envelope::page_body;
use pointbook_http::views::success::Success;
use pointbook_http::{Answer, ApiError, ApiRequest, Caller, RouteSpec, path_id, route};
use pointbook_store::limits::MAX_TITLE_CHARS;
use pointbook_store::ports::{Query, read_page};
use pointbook_store::schema::rows::HeldActivity;

use super::{HeldView, HoldOutcome, VoidOutcome, void_activity};
use crate::earning::view::ActivityView;

pub(crate) static ROUTES: [RouteSpec; 2] = [
    route!(
        "manage.users.list_held", GET "/v1/manage/users/{userId}/held",
        Caller::Key(Scope::UsersRead), list, documentation_of_list
    ),
    route!(
        "manage.users.void_held", POST "/v1/manage/users/{userId}/held/{transactionId}/void",
        Caller::Key(Scope::PointsReverse), void, documentation_of_void
    ),
];

/// The longest time that points wait.
const MAX_HOLD_DAYS: u32 = 3_650;
const DAY_SECONDS: u32 = 86_400;

/// How long an activity waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hold {
    /// So many days of 24 hours after its own time.
    Days(u32),
    Until(Timestamp),
}

impl Hold {
    /// When an activity of this time is released.
    pub(crate) fn release_at(self, created_at: Timestamp) -> Timestamp {
        match self {
            Self::Days(days) => created_at.plus_seconds(days * DAY_SECONDS),
            Self::Until(until) => until,
        }
    }
}

/// `{"days": 14}` or `{"until": "..."}`.
pub(crate) fn read_hold(mut fields: BodyFields<'_>) -> Result<Hold, FieldErrors> {
    let days = integer_in(1..=MAX_HOLD_DAYS)
        .about("How many days of 24 hours the points wait after the time of the activity.");
    let days = fields.optional("days", days);
    let until =
        fields.optional("until", date_time().about("When the points are released. With `Z` or an offset."));
    if fields.has("days") == fields.has("until") {
        fields.refuse("days", Rule::new(FieldCode::Required, "or until must be given, and not both"));
    }
    fields.finish(|| days.map(Hold::Days).or(until.map(Hold::Until)))
}

/// The field `hold` of an activity, whose points must then be 0 or more.
pub(crate) fn hold_field(fields: &mut BodyFields<'_>, activity: Option<&Activity>) -> Option<Hold> {
    let about =
        "Lets the points wait: `days` or `until`. Until then they are in no balance, and they can be voided.";
    let hold = fields.optional("hold", object(read_hold).with_schema(|| Schema::named("Hold")).about(about));
    if hold.is_some() && activity.is_some_and(|activity| activity.points < Points::ZERO) {
        fields.refuse("points", Rule::new(FieldCode::Negative, "must not be negative with hold"));
    }
    // The server may record a row with such an id while the points wait.
    let is_reserved =
        |id: &SourceId| id.reversed_transaction().is_some() || id.as_str().starts_with(EXPIRY_PREFIX);
    if hold.is_some() && activity.is_some_and(|activity| is_reserved(&activity.source_id)) {
        fields.refuse(
            "source_id",
            Rule::new(
                FieldCode::WrongForm,
                "must not be that of a reversal or of the end of points with hold",
            ),
        );
    }
    hold
}

pub(crate) fn render_hold(outcome: &HoldOutcome) -> Answer {
    match outcome {
        HoldOutcome::Held(held, user_points) => show(StatusCode::ACCEPTED, held, *user_points),
        HoldOutcome::AlreadyHeld(held, user_points) => show(StatusCode::OK, held, *user_points),
        HoldOutcome::AlreadyRecorded(recorded) => Answer::json(
            StatusCode::OK,
            &Success::with_points(ActivityView::from(recorded), recorded.user_points),
        ),
        HoldOutcome::Conflict => ApiError::from(Conflict::AlreadyRecorded).into(),
        HoldOutcome::OutOfRange => {
            ApiError::Invalid(FieldErrors::one("points", Rule::BALANCE_IN_RANGE)).into()
        }
    }
}

fn show(status: StatusCode, held: &HeldActivity, user_points: Points) -> Answer {
    Answer::json(status, &Success::with_points(HeldView::from(held), user_points))
}

async fn list(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let user = path_id(request.params, "userId", UserId::new)?;
    let (tenant, data) = (&request.tenant.tenant, &request.tenant.data);
    let page = request.query_string.read(unfiltered_list)?.request(&tenant.settings);
    let waiting = Query::of::<HeldActivity>("held_of_user", &["release_at", "type", "source_id"]);
    let waiting = waiting.equal("user_id", Some(&user)).null("release_at", Some(false));
    let held = read_page::<HeldActivity>(&**data, waiting, page).await?;
    if held.total == 0 && data.user(&user).await?.is_none() {
        return Err(ApiError::NotFound);
    }
    let links = PageLinks::new(tenant.base_url.as_str(), &request.params.link(), request.query_string);
    let views = held.items.iter().map(HeldView::from);
    Ok(json(StatusCode::OK, page_body(views, &page.window(held.total), &links)))
}

fn documentation_of_list() -> Operation {
    Operation::ours("listHeldActivities", Tag::Management, "List the activities of a user that wait")
        .describe("Lists the activities whose points wait, the next to be released first. It has no filters.")
        .taking(page_parameters())
        .page::<HeldView>("A page of held activities.")
}

async fn void(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let body = JsonBody::of(&request).await?;
    let reason = read_void(body.fields())?;
    let user = path_id(request.params, "userId", UserId::new)?;
    let id = path_id(request.params, "transactionId", TransactionId::new)?;
    finish(void_activity(&request.once(body.key, render_void), (user, id), reason).await?, render_void)
}

fn read_void(mut fields: BodyFields<'_>) -> Result<String, FieldErrors> {
    let reason = fields.required("reason", title(MAX_TITLE_CHARS).about("The reason, for the audit log."));
    fields.finish(|| reason)
}

fn render_void(outcome: &VoidOutcome) -> Answer {
    match outcome {
        VoidOutcome::Voided(held, user_points) | VoidOutcome::AlreadyVoided(held, user_points) => {
            show(StatusCode::OK, held, *user_points)
        }
        VoidOutcome::Released => ApiError::from(Conflict::AlreadyReleased).into(),
        VoidOutcome::Unknown => ApiError::NotFound.into(),
    }
}

fn documentation_of_void() -> Operation {
    Operation::ours("voidHeldActivity", Tag::Management, "Void an activity that waits")
        .describe(
            "The points of the activity will not be released. Its `type` and `source_id` stay used: the same activity again returns it as \
             voided. A repeated request returns the same. If it was released already, the response is 409: reverse its \
             transaction, which has the same id.",
        )
        .defining("Void", || schema_of(read_void))
        .reading(BodyDoc::Json("Void", r#"{"reason": "Returned"}"#))
        .success_with_points::<HeldView>(StatusCode::OK, "The voided activity, and the balance.", VOIDED)
}

const VOIDED: &str = r#"{
    "success": true,
    "data": {
        "id": "01a1ff0e1c5573b2a1f09d7e31c0f4aa",
        "type": "code",
        "source_id": "receipt-4711",
        "points": 100,
        "bonus_points": 0,
        "title": "Receipt",
        "subtitle": "",
        "created_at": "2026-05-05T07:30:00.000000Z",
        "status": "voided",
        "release_at": null,
        "voided_at": "2026-05-06T09:00:00.000000Z"
    },
    "user_points": 1370
}"#;
