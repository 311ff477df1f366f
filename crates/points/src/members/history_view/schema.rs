//! The schema of the point history.

use pointbook_domain::page::MAX_PAGE_NUMBER;
use pointbook_http::describe::{Described, Field, NamedSchema, Schema, View, required};

use crate::earning::view::{TransactionView, activity_type_schema};

/// The whole response.
pub(crate) struct PointHistoryView;

impl View for PointHistoryView {
    const NAME: &'static str = "PointHistory";

    fn members() -> Vec<Field> {
        let groups = Schema::list(GroupView::schema()).at_least(1);
        let days = Schema::map(Schema::date(), groups).describe(
            "The transactions by UTC date (`YYYY-MM-DD`), the newest date first. Empty when the page has no days.",
        );
        vec![
            required("data", days),
            required("meta", MetaView::schema()),
            required("user_points", Schema::points().describe("The balance: the sum of all transactions.")),
        ]
    }

    fn add_components(all: &mut Vec<NamedSchema>) {
        <GroupView as Described>::add_components(all);
        <MetaView as Described>::add_components(all);
    }
}

/// The numbers of a page of days.
struct MetaView;

impl View for MetaView {
    const NAME: &'static str = "PointHistoryMeta";

    fn members() -> Vec<Field> {
        let page = || Schema::integer(1..=i64::from(MAX_PAGE_NUMBER));
        vec![
            required("current_page", page()),
            required("per_page", page().describe("Days per page.")),
            required("last_page", page().describe("The number of pages, at least 1.")),
            required("total", Schema::count().describe("Days on all pages.")),
        ]
    }
}

/// The transactions of one type on one day.
struct GroupView;

impl View for GroupView {
    const NAME: &'static str = "ActivityGroup";

    fn members() -> Vec<Field> {
        let data = Vec::<TransactionView<'_>>::schema().at_least(1);
        vec![
            required("type", activity_type_schema()),
            required(
                "groupTitle",
                Schema::text().describe("The name of the activity type, in the language of the response."),
            ),
            required(
                "groupSubtitle",
                Schema::text()
                    .describe("The subtitle of the only transaction, or the number of transactions."),
            ),
            required("totalPoints", Schema::whole().describe("The sum of the base points.")),
            required("totalBonusPoints", Schema::whole().describe("The sum of the bonus points.")),
            required("data", data.describe("The transactions, newest first.")),
        ]
    }

    fn add_components(all: &mut Vec<NamedSchema>) {
        <TransactionView<'_> as Described>::add_components(all);
    }
}
