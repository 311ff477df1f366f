//! `POST /v1/manage/activities/import`: records many activities as they happened, line by line.

use std::sync::Arc;

use http::StatusCode;
use pointbook_app::{NewActivity, RecordError, RecordResult, Recorded, record_activities};
use pointbook_domain::{TenantSettings, Timestamp, UserId};
use serde::Serialize;

use crate::answer::{Answer, finish, once};
use crate::body::{BodyFields, NdjsonBody, id, read_activity};
use crate::error::{Conflict, FieldErrors};
use crate::response::Response;
use crate::routes::HttpState;
use crate::wire::import::{RejectedLine, RejectedLines};
use crate::wire::success::Success;
use crate::{ApiError, Asked};

/// Records the good lines in one commit, and tells the bad ones.
pub(super) async fn import(state: &HttpState, mut asked: Asked<'_>) -> Result<Response, ApiError> {
    let body = NdjsonBody::of(&mut asked).await?;
    let (tenant, now) = (asked.tenant, asked.now);
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
    let read = Arc::new(read);
    let render = move |results: &Vec<RecordResult>| read.answer(results);
    let once = once(body.key, now, render.clone());
    finish(record_activities(tenant, activities, &*state.ids, now, once).await?, render)
}

fn read_line(
    mut fields: BodyFields<'_>,
    settings: &TenantSettings,
    now: Timestamp,
) -> Result<NewActivity, FieldErrors> {
    let user_id = fields.required("user_id", id(UserId::new));
    let activity = read_activity(&mut fields, settings, now);
    // A line that is sent again must be the same activity, whenever that is.
    if !fields.has("created_at") {
        fields.refuse("created_at", "field is required");
    }
    fields.finish(|| Some(NewActivity { user_id: user_id?, activity: activity?.activity }))
}

/// The numbers of the lines that went to the ledger, in order, and those that did not.
#[derive(Default)]
struct ReadLines {
    good: Vec<usize>,
    bad: RejectedLines,
}

#[derive(Serialize)]
struct SummaryView {
    recorded: usize,
    unchanged: usize,
    rejected: usize,
    errors: Vec<RejectedLine>,
}

impl ReadLines {
    fn answer(&self, results: &[RecordResult]) -> Answer {
        let (mut recorded, mut unchanged, mut bad) = (0, 0, self.bad.clone());
        for (line, result) in self.good.iter().zip(results) {
            match result {
                Ok(Recorded::Now) => recorded += 1,
                Ok(Recorded::Before) => unchanged += 1,
                Err(error) => bad.add(*line, refused(error)),
            }
        }
        let rejected = bad.count();
        let view = SummaryView { recorded, unchanged, rejected, errors: bad.told() };
        Answer::json(StatusCode::OK, &Success::of(view))
    }
}

fn refused(error: &RecordError) -> FieldErrors {
    let mut errors = FieldErrors::default();
    match error {
        RecordError::UnknownType(_) => errors.refuse_choice("type"),
        RecordError::Conflict => errors.add("source_id", Conflict::RecordedOtherwise.message().to_owned()),
        RecordError::OutOfRange => errors.refuse("points", "would make the balance exceed its bounds"),
    }
    errors
}
