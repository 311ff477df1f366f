//! `POST /v1/manage/users/import`: creates many users, and replaces their profiles, in one commit.

use std::sync::Arc;

use http::StatusCode;
use pointbook_domain::{Day, Timestamp};
use pointbook_http::answer::finish;
use pointbook_http::body::{BodyFields, NdjsonBody, Reader, new_user_id, past_day, schema_of};
use pointbook_http::describe::{BodyDoc, Operation};
use pointbook_http::documentation::Tag;
use pointbook_http::error::FieldErrors;
use pointbook_http::import_lines::taken;
use pointbook_http::kernel::Response;
use pointbook_http::permits::holding;
use pointbook_http::query::{ReadQuery, describe, import_lines};
use pointbook_http::views::import::{RejectedLine, RejectedLines, rejected_lines_schema};
use pointbook_http::views::success::{Success, success_named};
use pointbook_http::{Answer, ApiError, ApiRequest, view};
use pointbook_store::ports::{Execution, UpsertOutcome, UserProfile};

use super::put::locale;
use crate::earning::dry_run::try_users;
use crate::members::put::ImportUsers;

/// Stores all lines or none, or the good ones.
pub(super) async fn import(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let permit = request.state.import_permit(&request).await?;
    let body = NdjsonBody::of(&request).await?;
    let (mode, is_dry) = request.query_string.read(import_lines)?;
    let today = request.now.day();
    let lines = body.read(|fields| read_profile(fields, today)).await;
    let (profiles, rejected) = taken(mode, lines, "user_id", |profile| profile.id.clone())?;
    let rejected = Arc::new(rejected);
    let render = move |outcomes: &Vec<UpsertOutcome>| answer(outcomes, &rejected);
    if is_dry {
        let context = request.context::<()>();
        let outcomes = holding(permit, async move { try_users(&context, profiles).await }).await?;
        return finish(Execution::Executed(outcomes), render);
    }
    let context = request.once(body.key, render.clone());
    let command = ImportUsers { profiles, now: request.now };
    finish(holding(permit, async move { context.execute(command).await }).await?, render)
}

fn read_profile(mut fields: BodyFields<'_>, today: Day) -> Result<UserProfile, FieldErrors> {
    let id = fields.required("user_id", new_user_id());
    let birth_date = fields.optional("birth_date", past_day(today).about("Not in the future."));
    let locale = fields.optional("locale", locale().about("A language tag, such as `de-AT`."));
    fields.finish(|| Some(UserProfile { id: id?, birth_date, locale }))
}

view! {
    struct SummaryView {
        created: usize,
        /// Users whose profile changed.
        replaced: usize,
        unchanged: usize,
        /// Lines that the server refused.
        rejected: usize,
        errors: Vec<RejectedLine> => rejected_lines_schema(),
    }
}

fn answer(outcomes: &[UpsertOutcome], rejected: &RejectedLines) -> Answer {
    let count = |kind| outcomes.iter().filter(|outcome| **outcome == kind).count();
    let view = SummaryView {
        created: count(UpsertOutcome::Created),
        replaced: count(UpsertOutcome::Replaced),
        unchanged: count(UpsertOutcome::Unchanged),
        rejected: rejected.count(),
        errors: rejected.clone().told(),
    };
    Answer::json(StatusCode::OK, &Success::of(view))
}

pub(super) fn documentation() -> Operation {
    Operation::ours("importUsers", Tag::Management, "Create many users and replace their profiles")
        .describe(
            "Takes one user per line, and stores all good lines in one commit. A line replaces the whole profile: a field that is \
             absent or null is cleared. Balance, history and tokens stay, and a disabled user stays disabled. If two lines have the \
             same `user_id`, the later one wins. A request has at most 10,000 lines and 16 MiB; the operator may set another size.",
        )
        .taking(describe(import_lines))
        .defining("UserLine", || schema_of(|fields| read_profile(fields, Timestamp::MAX.day())))
        .reading(BodyDoc::Lines("UserLine", LINES))
        .answering(StatusCode::OK, "The result of the lines.", success_named::<SummaryView>("UserImport"), EXAMPLE)
}

const LINES: &str = concat!(
    r#"{"user_id": "noa", "birth_date": "1991-06-30", "locale": "ja"}"#,
    "\n",
    r#"{"user_id": "sam"}"#,
    "\n",
);

const EXAMPLE: &str = r#"{"success": true, "data": {"created": 2, "replaced": 0, "unchanged": 0, "rejected": 0, "errors": []}}"#;
