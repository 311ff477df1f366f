//! The back-fill of a campaign as the back office sees it.

use pointbook_http::describe::Schema;
use pointbook_http::view;
use pointbook_http::views::values::DateTimeView;
use pointbook_store::schema::rows::BackFillRow;

use crate::campaigns::back_fill::BackFillState;

view! {
    pub struct BackFillView<'b> as "BackFill" {
        campaign: &'b str,
        /// The version of the campaign that gives the awards.
        version: u32,
        state: &'b str => Schema::one_of(BackFillState::ALL.map(BackFillState::as_str)),
        /// The back-test counted activities from this time on.
        from: DateTimeView,
        /// The back-test counted activities before this time.
        until: DateTimeView,
        /// What the back-test found.
        found: TotalView,
        /// How many of these awards the activities had already. Known when the back-fill begins to give.
        paid_before: u64,
        /// What this back-fill gave so far.
        given: TotalView,
        /// How many awards it did not give: the activity was reversed, a limit of the user or the budget had no room, the balance would
        /// be out of range, or another activity has the source id.
        left_out: u64,
        requested_at: DateTimeView,
        /// Who requested it, such as a key.
        requested_by: &'b str,
        #[serde(skip_serializing_if = "Option::is_none")]
        ended_at: Option<DateTimeView>,
    }

    struct TotalView {
        awards: u64,
        points: i64,
    }
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
