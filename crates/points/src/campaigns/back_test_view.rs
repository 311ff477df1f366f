//! The back-test of a campaign as the back office sees it.

use pointbook_domain::id::MAX_ID_CHARS;
use pointbook_http::describe::{Described, Schema};
use pointbook_http::view;
use pointbook_http::views::values::DateTimeView;
use pointbook_store::schema::rows::BackTestRow;

use crate::campaigns::back_test::{
    BackTestDetail, BackTestResult, BackTestState, DayTotal, DifferingRow, PaidTotal, UserTotal,
};

view! {
    /// A back-test, with its result when it is done.
    pub struct BackTestView<'b> as "BackTest" {
        campaign: &'b str,
        /// The version of the campaign that is tested.
        version: u32,
        state: &'b str => Schema::one_of(BackTestState::ALL.map(BackTestState::as_str)),
        /// Activities from this time on count.
        from: DateTimeView,
        /// Activities before this time count.
        until: DateTimeView,
        /// How many ledger rows the test has read so far. It reads the rows of all time, for the ordinals.
        rows_read: u64,
        /// How many rows there were when the test began.
        #[serde(skip_serializing_if = "Option::is_none")]
        rows_total: Option<u64>,
        requested_at: DateTimeView,
        /// Who requested it, such as a key.
        requested_by: &'b str,
        #[serde(skip_serializing_if = "Option::is_none")]
        ended_at: Option<DateTimeView>,
        #[serde(skip_serializing_if = "Option::is_none")]
        result: Option<BackTestResultView<'b>>,
    }

    /// What a back-test found. A test without a result says nothing of awards.
    pub struct BackTestResultView<'b> as "BackTestResult" {
        /// The ledger rows between `from` and `until`, without orders and reversals.
        activities: u64,
        /// How many bonuses the campaign would have given.
        awards: u64,
        /// Their points.
        points: i64,
        /// How many users would have had a bonus.
        users: u64,
        /// How many bonuses a limit would have made smaller.
        clipped: u64,
        /// The local days with bonuses.
        days: Vec<DayView<'b>>,
        /// The users who would have gained most. The one with the most points comes first.
        top_users: Vec<UserView<'b>> => Vec::<UserView<'b>>::schema().at_most(20),
        /// What the rows have of the campaign, back-fills included, also when it was reversed later. Of the bonuses of requests and
        /// imports, those with the kind and a title of the tested version count.
        paid: PaidView,
        /// The bonuses that the rows do not have yet: what a back-fill would give at most.
        due: PaidView,
        /// How many rows have other points of this campaign than the test gives them.
        differing: u64,
        /// The first of them, by user and in the order of recording.
        differing_rows: Vec<DifferingView<'b>> => Vec::<DifferingView<'b>>::schema().at_most(20),
    }

    struct DayView<'b> {
        day: &'b str => Schema::date(),
        awards: u64,
        points: i64,
    }

    struct UserView<'b> {
        user_id: &'b str => Schema::text().at_most_chars(MAX_ID_CHARS),
        awards: u64,
        points: i64,
    }

    struct PaidView {
        awards: u64,
        points: i64,
    }

    struct DifferingView<'b> {
        user_id: &'b str => Schema::text().at_most_chars(MAX_ID_CHARS),
        transaction_id: &'b str,
        /// The points that the test gives.
        simulated: i64,
        /// The points that the row has.
        paid: i64,
    }
}

impl<'b> From<&'b BackTestRow> for BackTestView<'b> {
    fn from(row: &'b BackTestRow) -> Self {
        let BackTestRow { campaign_id, version, state, events_from, events_until, .. } = row;
        let BackTestRow { rows_read, rows_total, requested_at, requested_by, ended_at, .. } = row;
        Self {
            campaign: campaign_id,
            version: *version,
            state,
            from: DateTimeView(*events_from),
            until: DateTimeView(*events_until),
            rows_read: *rows_read,
            rows_total: *rows_total,
            requested_at: DateTimeView(*requested_at),
            requested_by,
            ended_at: ended_at.map(DateTimeView),
            result: None,
        }
    }
}

impl<'b> From<&'b BackTestDetail> for BackTestView<'b> {
    fn from(detail: &'b BackTestDetail) -> Self {
        let BackTestDetail { row, result } = detail;
        Self { result: result.as_ref().map(BackTestResultView::from), ..Self::from(row) }
    }
}

impl<'b> From<&'b BackTestResult> for BackTestResultView<'b> {
    fn from(result: &'b BackTestResult) -> Self {
        let BackTestResult { activities, awards, points, users, clipped, days, .. } = result;
        // The fingerprint is for back-fills.
        let BackTestResult { top_users, paid, due, differing, differing_rows, fingerprint: _, .. } = result;
        Self {
            activities: *activities,
            awards: *awards,
            points: *points,
            users: *users,
            clipped: *clipped,
            days: days.iter().map(DayView::from).collect(),
            top_users: top_users.iter().map(UserView::from).collect(),
            paid: PaidView::from(*paid),
            due: PaidView::from(*due),
            differing: *differing,
            differing_rows: differing_rows.iter().map(DifferingView::from).collect(),
        }
    }
}

impl From<PaidTotal> for PaidView {
    fn from(PaidTotal { awards, points }: PaidTotal) -> Self {
        Self { awards, points }
    }
}

impl<'b> From<&'b DayTotal> for DayView<'b> {
    fn from(DayTotal { day, awards, points }: &'b DayTotal) -> Self {
        Self { day, awards: *awards, points: *points }
    }
}

impl<'b> From<&'b UserTotal> for UserView<'b> {
    fn from(UserTotal { user_id, awards, points }: &'b UserTotal) -> Self {
        Self { user_id, awards: *awards, points: *points }
    }
}

impl<'b> From<&'b DifferingRow> for DifferingView<'b> {
    fn from(row: &'b DifferingRow) -> Self {
        let DifferingRow { user_id, transaction_id, simulated, paid } = row;
        Self { user_id, transaction_id, simulated: *simulated, paid: *paid }
    }
}
