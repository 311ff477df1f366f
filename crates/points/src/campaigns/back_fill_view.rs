//! The back-fill of a campaign as the back office sees it.

use pointbook_http::describe::{Schema, optional, required};
use pointbook_http::views::values::DateTimeView;
use pointbook_store::schema::back_tests::BackFillRow;
use serde::Serialize;

use crate::campaigns::back_fill::BackFillState;

#[derive(Serialize)]
pub struct BackFillView<'b> {
    campaign: &'b str,
    version: u32,
    state: &'b str,
    from: DateTimeView,
    until: DateTimeView,
    found: TotalView,
    paid_before: u64,
    given: TotalView,
    left_out: u64,
    requested_at: DateTimeView,
    requested_by: &'b str,
    #[serde(skip_serializing_if = "Option::is_none")]
    ended_at: Option<DateTimeView>,
}

#[derive(Serialize)]
struct TotalView {
    awards: u64,
    points: i64,
}

impl<'b> From<&'b BackFillRow> for BackFillView<'b> {
    fn from(row: &'b BackFillRow) -> Self {
        let BackFillRow { campaign_id, version, state, events_from, events_until, .. } = row;
        let BackFillRow { found_awards, found_points, paid_before, .. } = row;
        let BackFillRow { given_awards, given_points, left_out, .. } = row;
        let BackFillRow { requested_at, requested_by, ended_at, .. } = row;
        Self {
            campaign: campaign_id,
            version: *version,
            state,
            from: DateTimeView(*events_from),
            until: DateTimeView(*events_until),
            found: TotalView { awards: *found_awards, points: *found_points },
            paid_before: *paid_before,
            given: TotalView { awards: *given_awards, points: *given_points },
            left_out: *left_out,
            requested_at: DateTimeView(*requested_at),
            requested_by,
            ended_at: ended_at.map(DateTimeView),
        }
    }
}

pub fn back_fill_schema() -> Schema {
    let total = || Schema::object([required("awards", Schema::count()), required("points", Schema::whole())]);
    Schema::object([
        required("campaign", Schema::text()),
        required("version", Schema::count().describe("The version of the campaign that gives the awards.")),
        required("state", Schema::one_of(BackFillState::ALL.map(BackFillState::as_str))),
        required("from", Schema::date_time().describe("The back-test counted activities from this time on.")),
        required("until", Schema::date_time().describe("The back-test counted activities before this time.")),
        required("found", total().describe("What the back-test found.")),
        required("paid_before", Schema::count().describe(PAID_BEFORE)),
        required("given", total().describe("What this back-fill gave so far.")),
        required("left_out", Schema::count().describe(LEFT_OUT)),
        required("requested_at", Schema::date_time()),
        required("requested_by", Schema::text().describe("Who requested it, such as a key.")),
        optional("ended_at", Schema::date_time()),
    ])
}

const PAID_BEFORE: &str =
    "How many of these awards the activities had already. Known when the back-fill begins to give.";
const LEFT_OUT: &str = "How many awards it did not give: the activity was reversed, a limit of the user or the budget had no room, the balance would be out of \
                        range, or another activity has the source id.";
