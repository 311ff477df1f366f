//! The schema of the point history.

use pointbook_domain::page::MAX_PAGE_NUMBER;
use pointbook_http::describe::{Schema, required};

use crate::earning::view::activity_type_schema;

/// The whole answer.
pub fn history_schema() -> Schema {
    let groups = Schema::list(Schema::named("ActivityGroup")).at_least(1);
    let days = Schema::map(Schema::date(), groups).describe(
        "The transactions by UTC date (`YYYY-MM-DD`), the newest date first. Empty when the page has no days.",
    );
    Schema::object([
        required("data", days),
        required("meta", Schema::named("PointHistoryMeta")),
        required("user_points", Schema::points().describe("The balance: the sum of all transactions.")),
    ])
}

/// The numbers of a page of days.
pub fn history_meta_schema() -> Schema {
    let page = || Schema::integer(1..=i64::from(MAX_PAGE_NUMBER));
    Schema::object([
        required("current_page", page()),
        required("per_page", page().describe("Days per page.")),
        required("last_page", page().describe("The number of pages, at least 1.")),
        required("total", Schema::count().describe("Days on all pages.")),
    ])
}

/// The transactions of one type on one day.
pub fn group_schema() -> Schema {
    let data = Schema::list(Schema::named("Transaction")).at_least(1);
    Schema::object([
        required("type", activity_type_schema()),
        required(
            "groupTitle",
            Schema::text().describe("The name of the activity type, in the language of the response."),
        ),
        required(
            "groupSubtitle",
            Schema::text().describe("The subtitle of the only transaction, or the number of transactions."),
        ),
        required("totalPoints", Schema::whole().describe("The sum of the base points.")),
        required("totalBonusPoints", Schema::whole().describe("The sum of the bonus points.")),
        required("data", data.describe("The transactions, newest first.")),
    ])
}
