//! A held activity for the back office.

use pointbook_domain::{Points, Transaction};
use pointbook_http::describe::{Sample, Schema};
use pointbook_http::view;
use pointbook_http::views::values::DateTimeView;
use pointbook_store::schema::rows::HeldActivity;

use super::transaction;
use crate::earning::view::{SOURCE_ID, activity_type_schema};

view! {
    /// An activity whose points wait, or that was voided.
    #[derive(Debug)]
    pub(crate) struct HeldView as "HeldActivity" {
        /// The id that the transaction has when it is released.
        id: String => Schema::id(),
        #[serde(rename = "type")]
        kind: String => activity_type_schema(),
        source_id: String => Schema::id().describe(SOURCE_ID),
        points: i64 => Schema::price(),
        /// Those of the request. Campaigns add theirs at the release.
        bonus_points: i64 => Schema::price(),
        title: String,
        subtitle: String,
        created_at: DateTimeView,
        /// `pending`, or `voided`.
        status: &'static str => Schema::one_of(["pending", "voided"]),
        /// When the points are released. `null` of a voided activity.
        release_at: Option<DateTimeView>,
        /// When it was voided.
        voided_at: Option<DateTimeView>,
    }
}

impl From<&HeldActivity> for HeldView {
    fn from(held: &HeldActivity) -> Self {
        let Transaction { id, activity, .. } = transaction(held);
        let bonus_points = activity.bonuses.total();
        Self {
            id: id.to_string(),
            kind: activity.kind.to_string(),
            source_id: activity.source_id.to_string(),
            points: Points::get(activity.points),
            bonus_points: bonus_points.get(),
            title: activity.title,
            subtitle: activity.subtitle,
            created_at: DateTimeView(activity.created_at),
            status: if held.release_at.is_some() { "pending" } else { "voided" },
            release_at: held.release_at.map(DateTimeView),
            voided_at: held.voided_at.map(DateTimeView),
        }
    }
}

impl Sample for HeldView {
    const SAMPLE: &'static str = r#"{
    "id": "01a1ff0e1c5573b2a1f09d7e31c0f4aa",
    "type": "code",
    "source_id": "receipt-4711",
    "points": 100,
    "bonus_points": 0,
    "title": "Receipt",
    "subtitle": "",
    "created_at": "2026-05-05T07:30:00.000000Z",
    "status": "pending",
    "release_at": "2026-05-19T07:30:00.000000Z",
    "voided_at": null
}"#;
}
