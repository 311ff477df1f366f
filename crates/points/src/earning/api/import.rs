//! `POST /v1/manage/activities/import`: records many past activities, line by line.

use std::sync::Arc;

use http::StatusCode;
use pointbook_domain::{TenantSettings, Timestamp, UserId};
use pointbook_http::answer::finish;
use pointbook_http::body::{BodyFields, NdjsonBody, new_user_id, schema_of};
use pointbook_http::describe::{BodyDoc, Operation, Schema};
use pointbook_http::documentation::Tag;
use pointbook_http::error::{Conflict, FieldCode, FieldErrors, Rule};
use pointbook_http::kernel::Response;
use pointbook_http::permits::holding;
use pointbook_http::query::{ReadQuery, describe, dry_run};
use pointbook_http::views::import::{RejectedLine, RejectedLines, rejected_lines_schema};
use pointbook_http::views::success::{Success, success_named};
use pointbook_http::{Answer, ApiError, ApiRequest, view};
use pointbook_store::ports::{Execution, RecordOutcome};

use crate::earning::body::{ActivityBody, read_activity_line};
use crate::earning::dry_run::{TriedActivities, try_activities};
use crate::earning::record_activities::{NewActivity, record_activities};

/// How many new users the response to a dry run names.
const MAX_NAMED_USERS: usize = 10;

/// Records the good lines in one commit, and reports the bad ones.
pub(super) async fn import(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let permit = request.state.import_permit(&request).await?;
    let body = NdjsonBody::of(&request).await?;
    let is_dry = request.query_string.read(dry_run)?;
    let (tenant, now) = (request.tenant, request.now);
    let (mut activities, mut read) = (Vec::new(), ReadLines::default());
    for line in body.read(|fields| read_line(fields, &tenant.tenant.settings, now)).await {
        match line.item {
            Ok(activity) => {
                activities.push(activity);
                read.good.push(line.number);
            }
            Err(errors) => read.bad.add(line.number, errors),
        }
    }
    let (refused, read) = (read.bad.count(), Arc::new(read));
    if is_dry {
        let context = request.context::<()>();
        let tried = holding(permit, async move { try_activities(&context, activities).await }).await?;
        let render = |tried: &TriedActivities| read.answer(&tried.outcomes, Some(&tried.new_users));
        return finish(Execution::Executed(tried), render);
    }
    let render = move |outcomes: &Vec<RecordOutcome>| read.answer(outcomes, None);
    let context = request.once(body.key, render.clone());
    let work = async move { record_activities(&context, activities, refused).await };
    let recorded = holding(permit, work).await?;
    finish(recorded, render)
}

fn read_line(
    mut fields: BodyFields<'_>,
    settings: &TenantSettings,
    now: Timestamp,
) -> Result<NewActivity, FieldErrors> {
    let user_id = fields.required("user_id", new_user_id());
    let read = read_activity_line(&mut fields, settings, now);
    fields.finish(|| {
        let (user_id, ActivityBody { activity, has_breakdown, .. }) = (user_id?, read?);
        Some(NewActivity { user_id, activity, has_breakdown, asks_campaigns: false })
    })
}

/// The numbers of the recorded lines in order, and of the refused lines.
#[derive(Default)]
struct ReadLines {
    good: Vec<usize>,
    bad: RejectedLines,
}

view! {
    struct SummaryView<'v> {
        /// Lines that the server recorded.
        recorded: usize,
        /// Lines that were already recorded.
        unchanged: usize,
        /// Lines that the server refused.
        rejected: usize,
        /// Users whom the lines would create. Only of a dry run.
        #[serde(skip_serializing_if = "Option::is_none")]
        new_users: Option<usize>,
        /// The first of these users.
        #[serde(skip_serializing_if = "Option::is_none")]
        first_new_users: Option<Vec<&'v str>> => Schema::list(Schema::id()).at_most(MAX_NAMED_USERS),
        errors: Vec<RejectedLine> => rejected_lines_schema(),
    }
}

impl ReadLines {
    /// `new_users` are those of a dry run.
    fn answer(&self, outcomes: &[RecordOutcome], new_users: Option<&Vec<UserId>>) -> Answer {
        let (mut recorded, mut unchanged, mut bad) = (0, 0, self.bad.clone());
        for (line, outcome) in self.good.iter().zip(outcomes) {
            let mut errors = FieldErrors::default();
            match outcome {
                RecordOutcome::Recorded => recorded += 1,
                RecordOutcome::AlreadyRecorded => unchanged += 1,
                RecordOutcome::UnknownType(_) => errors.refuse("type", Rule::CHOICE),
                RecordOutcome::Conflict => {
                    let message = Conflict::AlreadyRecorded.message();
                    errors.refuse("source_id", Rule::sentence(FieldCode::AlreadyRecorded, message));
                }
                RecordOutcome::OutOfRange => {
                    errors.refuse("points", Rule::BALANCE_IN_RANGE);
                }
            }
            if !errors.is_empty() {
                bad.add(*line, errors);
            }
        }
        let rejected = bad.count();
        let first_new_users =
            new_users.map(|users| users.iter().take(MAX_NAMED_USERS).map(UserId::as_str).collect());
        let new_users = new_users.map(Vec::len);
        let view =
            SummaryView { recorded, unchanged, rejected, new_users, first_new_users, errors: bad.told() };
        Answer::json(StatusCode::OK, &Success::of(view))
    }
}

pub(super) fn documentation() -> Operation {
    Operation::ours("importActivities", Tag::Management, "Record many activities")
        .describe(
            "Records activities of the past, one per line, with `user_id` and `created_at`. A balance may become \
             negative. The server records all good lines in one commit, and reports the bad ones. A request has at \
             most 10,000 lines and 16 MiB; the operator may set another size.",
        )
        .taking(describe(dry_run))
        .defining("ActivityLine", || {
            schema_of(|fields| read_line(fields, &TenantSettings::default(), Timestamp::MAX))
        })
        .reading(BodyDoc::Lines("ActivityLine", LINES))
        .answering(StatusCode::OK, "The result of the lines.", success_named::<SummaryView<'_>>("ActivityImport"), EXAMPLE)
}

const LINES: &str = concat!(
    r#"{"user_id": "ben", "type": "code", "source_id": "scan-1", "points": 60, "title": "QR code scan", "#,
    r#""created_at": "2024-05-04T08:15:30Z"}"#,
    "\n",
    r#"{"user_id": "mia", "type": "quiz", "source_id": "quiz-7", "points": 25, "title": "Quiz answered", "#,
    r#""created_at": "2024-05-04T09:00:00+02:00"}"#,
    "\n",
);

const EXAMPLE: &str = include_str!("import.json");
