//! The back-test of a campaign as the back office sees it.

use pointbook_domain::id::MAX_ID_CHARS;
use pointbook_http::describe::{Field, Schema, optional, required};
use pointbook_http::views::values::DateTimeView;
use pointbook_store::schema::back_tests::BackTestRow;
use serde::Serialize;

use crate::campaigns::back_test::{
    BackTestDetail, BackTestResult, BackTestState, DayTotal, DifferingRow, PaidTotal, UserTotal,
};

/// A back-test, with its result when it is done.
#[derive(Serialize)]
pub struct BackTestView<'b> {
    campaign: &'b str,
    version: u32,
    state: &'b str,
    from: DateTimeView,
    until: DateTimeView,
    rows_read: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    rows_total: Option<u64>,
    requested_at: DateTimeView,
    requested_by: &'b str,
    #[serde(skip_serializing_if = "Option::is_none")]
    ended_at: Option<DateTimeView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<BackTestResultView<'b>>,
}

/// What a back-test found.
#[derive(Serialize)]
pub struct BackTestResultView<'b> {
    activities: u64,
    awards: u64,
    points: i64,
    users: u64,
    clipped: u64,
    days: Vec<DayView<'b>>,
    top_users: Vec<UserView<'b>>,
    paid: PaidView,
    due: PaidView,
    differing: u64,
    differing_rows: Vec<DifferingView<'b>>,
}

#[derive(Serialize)]
struct DayView<'b> {
    day: &'b str,
    awards: u64,
    points: i64,
}

#[derive(Serialize)]
struct UserView<'b> {
    user_id: &'b str,
    awards: u64,
    points: i64,
}

#[derive(Serialize)]
struct PaidView {
    awards: u64,
    points: i64,
}

#[derive(Serialize)]
struct DifferingView<'b> {
    user_id: &'b str,
    transaction_id: &'b str,
    simulated: i64,
    paid: i64,
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

pub fn back_test_schema() -> Schema {
    let states = BackTestState::ALL.map(BackTestState::as_str);
    let rows =
        "How many ledger rows the test has read so far. It reads the rows of all time, for the ordinals.";
    Schema::object([
        required("campaign", Schema::text()),
        required("version", Schema::count().describe("The version of the campaign that is tested.")),
        required("state", Schema::one_of(states)),
        required("from", Schema::date_time().describe("Activities from this time on count.")),
        required("until", Schema::date_time().describe("Activities before this time count.")),
        required("rows_read", Schema::count().describe(rows)),
        optional("rows_total", Schema::count().describe("How many rows there were when the test began.")),
        required("requested_at", Schema::date_time()),
        required("requested_by", Schema::text().describe("Who requested it, such as a key.")),
        optional("ended_at", Schema::date_time()),
        optional("result", Schema::named("BackTestResult")),
    ])
}

/// A test without a result says nothing of awards.
pub fn back_test_result_schema() -> Schema {
    let differing = "How many rows have other points of this campaign than the test gives them.";
    let transactions = "The ledger rows between `from` and `until`, without orders and reversals.";
    Schema::object([
        required("activities", Schema::count().describe(transactions)),
        required("awards", Schema::count().describe("How many bonuses the campaign would have given.")),
        required("points", Schema::whole().describe("Their points.")),
        required("users", Schema::count().describe("How many users would have had a bonus.")),
        required("clipped", Schema::count().describe("How many bonuses a limit would have made smaller.")),
        required(
            "days",
            Schema::list(totals("day", Schema::date())).describe("The local days with bonuses."),
        ),
        required("top_users", top_users()),
        required("paid", Schema::object(numbers()).describe(PAID)),
        required("due", Schema::object(numbers()).describe(DUE)),
        required("differing", Schema::count().describe(differing)),
        required("differing_rows", differing_rows()),
    ])
}

const DUE: &str = "The bonuses that the rows do not have yet: what a back-fill would give at most.";
const PAID: &str = "What the rows have of the campaign, back-fills included, also when it was reversed later. Of the bonuses of requests and \
                    imports, those with the kind and a title of the tested version count.";

fn totals(name: &'static str, schema: Schema) -> Schema {
    Schema::object(std::iter::once(required(name, schema)).chain(numbers()))
}

fn numbers() -> [Field; 2] {
    [required("awards", Schema::count()), required("points", Schema::whole())]
}

fn top_users() -> Schema {
    let users = Schema::list(totals("user_id", user_id())).at_most(20);
    users.describe("The users who would have gained most. The one with the most points comes first.")
}

fn user_id() -> Schema {
    Schema::text().at_most_chars(MAX_ID_CHARS)
}

fn differing_rows() -> Schema {
    let row = Schema::object([
        required("user_id", user_id()),
        required("transaction_id", Schema::text()),
        required("simulated", Schema::whole().describe("The points that the test gives.")),
        required("paid", Schema::whole().describe("The points that the row has.")),
    ]);
    Schema::list(row).at_most(20).describe("The first of them, by user and in the order of recording.")
}
