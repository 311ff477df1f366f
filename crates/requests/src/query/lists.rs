//! The query parameters of each operation, in the documented order.

use pointbook_catalogue::{ProductFilter, ProductSort};
use pointbook_customers::ProductListQuery;
use pointbook_domain::id::MAX_ID_CHARS;
use pointbook_domain::{CategoryId, Cursor, Day, EventType, OrderStatus, PageNumber, PageQuery, UserId};
use pointbook_feed::EventFilter;
use pointbook_http::describe::{Parameter, Schema};
use pointbook_store::list_products::ProductListFilter;
use pointbook_store::ports::{OrderFilter, UserFilter};
use pointbook_upkeep::AuditLogFilter;

use super::fields::Fields;

/// The end of the description of a flag.
macro_rules! restricting {
    ($what:literal) => {
        concat!($what, " `1` and `0` work too; `false` has no effect.")
    };
}

/// `GET /v1/store/products`.
pub fn product_list(fields: &mut Fields<'_>) -> ProductListQuery {
    let page = fields.page();
    let (filter, only_new) = fields.filter(product_filter);
    let sorts = [("price", ProductSort::PriceAscending), ("-price", ProductSort::PriceDescending)];
    let sort = fields.choice("sort", SORT, sorts).unwrap_or(ProductSort::Newest);
    ProductListQuery { page, filter, only_new, sort }
}

/// The filter, and whether only new products match.
fn product_filter(filter: &mut Fields<'_>) -> (ProductFilter, bool) {
    // A value that cannot be an id matches no category, so no product.
    let categories = filter.texts("category", CATEGORY, |id| CategoryId::new(id).ok());
    let titles = filter.texts("title", TITLE, |title| Some(title.to_owned()));
    let min_price = filter.count("minPrice", MIN_PRICE);
    let max_price = filter.count("maxPrice", MAX_PRICE);
    let mut flag = |name, description| filter.flag(name, description).unwrap_or(false);
    let only_new = flag("newProducts", NEW_PRODUCTS);
    let filter = ProductFilter {
        categories,
        titles,
        min_price,
        max_price,
        new_since: None,
        low_stock: flag("lowStock", LOW_STOCK),
        on_sale: flag("onSale", ON_SALE),
        popular: flag("onlyPopular", ONLY_POPULAR),
    };
    (filter, only_new)
}

const CATEGORY: &str = "The id of a category. It includes all categories below it. Give up to 20 alternatives, \
                        separated by commas or as repeated `filter[category][]=`. An unknown category has no products.";
const MANAGED_CATEGORY: &str = "The id of a category. It includes all categories below it. Give up to 20 alternatives, separated by commas or \
                                as repeated `filter[category][]=`. An id that the tree lacks finds the products that name it.";
const MIN_PRICE: &str = "The lowest effective price in points, inclusive.";
const MAX_PRICE: &str = "The highest effective price in points, inclusive.";
const ON_SALE: &str = restricting!("Only products with a `sale_price`.");
const TITLE: &str = "A part of the title. Case and accents do not matter. Give up to 20 alternatives, separated by \
                     commas or as repeated `filter[title][]=`.";
const NEW_PRODUCTS: &str =
    restricting!("Only products that were published within the tenant's window (default 30 days).");
const LOW_STOCK: &str = restricting!(
    "Only products with a low stock: at least 1 piece and at most the tenant's threshold (default 5)."
);
const ONLY_POPULAR: &str = restricting!(
    "Only products that the tenant marked as popular, and those that are ordered \
                                         most."
);
const SORT: &str = "Sorts by effective price, ascending or descending, then by id. Without it, the newest products \
                    come first.";

/// `GET /v1/store/categories`: one id, which may contain commas.
pub fn category_list<'q>(fields: &mut Fields<'q>) -> Option<&'q str> {
    const CATEGORY: &str =
        "The id of a category: the response has the categories below it. It is empty for an unknown id.";
    fields.filter(|filter| filter.text("category", CATEGORY))
}

/// A page of a list without filters.
pub fn unfiltered_list(fields: &mut Fields<'_>) -> PageQuery {
    let page = fields.page();
    fields.filter(|_| page)
}

/// The orders that the back office asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderListQuery {
    pub page: PageQuery,
    pub filter: OrderFilter,
}

/// `GET /v1/manage/orders`.
pub fn order_list(fields: &mut Fields<'_>) -> OrderListQuery {
    let page = fields.page();
    let statuses = OrderStatus::ALL.map(|status| (status.as_str(), status));
    let user = "The id of the user who placed the orders.";
    let filter = fields.filter(|filter| OrderFilter {
        status: filter.choice("status", "Only orders in this state.", statuses),
        user_id: filter.text_as("user", user, || Schema::text_to(MAX_ID_CHARS), |id| UserId::new(id).ok()),
    });
    OrderListQuery { page, filter }
}

/// The products that the back office asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ManagedProductListQuery {
    pub page: PageQuery,
    pub filter: ProductListFilter,
}

/// `GET /v1/manage/products`.
pub fn managed_product_list(fields: &mut Fields<'_>) -> ManagedProductListQuery {
    let page = fields.page();
    let filter = fields.filter(managed_product_filter);
    ManagedProductListQuery { page, filter }
}

fn managed_product_filter(filter: &mut Fields<'_>) -> ProductListFilter {
    let search = "A part of the id, the sku or the title. The case of letters does not matter.";
    let search = filter.text("search", search).map(str::to_owned);
    let categories = filter.texts("category", MANAGED_CATEGORY, |id| CategoryId::new(id).ok());
    let min_price = filter.count("minPrice", MIN_PRICE);
    let max_price = filter.count("maxPrice", MAX_PRICE);
    let mut flag = |name, description| filter.flag(name, description);
    let mut only = |name, description| flag(name, description).unwrap_or(false);
    ProductListFilter {
        search,
        categories,
        min_price,
        max_price,
        only_new: only("newProducts", NEW_PRODUCTS),
        low_stock: only("lowStock", LOW_STOCK),
        on_sale: only("onSale", ON_SALE),
        popular: only("onlyPopular", restricting!("Only products that the tenant marked as popular.")),
        active: flag(
            "active",
            "`true` for products that customers may see only, `false` for hidden products only.",
        ),
    }
}

/// `GET /v1/manage/pictures`.
pub fn picture_list(fields: &mut Fields<'_>) -> PageQuery {
    fields.page()
}

/// The users that the back office asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserListQuery {
    pub page: PageQuery,
    pub filter: UserFilter,
}

/// `GET /v1/manage/users`.
pub fn user_list(fields: &mut Fields<'_>) -> UserListQuery {
    let search = "A part of the id. The case of letters does not matter.";
    let disabled = "`true` for disabled users only, `false` for enabled users only.";
    let page = fields.page();
    let filter = fields.filter(|filter| UserFilter {
        search: filter.text("search", search).map(str::to_owned),
        disabled: filter.flag("disabled", disabled),
    });
    UserListQuery { page, filter }
}

/// The events that the back office asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventQuery {
    pub filter: EventFilter,
    /// `None` for the oldest event.
    pub after: Option<Cursor>,
    pub limit: u32,
    pub wait_seconds: u32,
}

/// `GET /v1/manage/events`.
pub fn event_list(fields: &mut Fields<'_>) -> EventQuery {
    let after = "The cursor after which the events begin: `meta.cursor` of the response before. Without it, the oldest event \
                 comes first.";
    let types = "Only events of these types, with commas, such as `transaction.recorded,order.placed`.";
    let user = "Only events about this user.";
    let wait = "How many seconds the response waits for the first event. It may come earlier without one.";
    let after = fields.text_as("after", after, || Schema::text_to(MAX_CURSOR_CHARS), Cursor::parse);
    let types = fields.texts("types", types, EventType::parse);
    let user_id = fields.text_as("user", user, || Schema::text_to(MAX_ID_CHARS), |id| UserId::new(id).ok());
    let limit = fields.limit(MAX_EVENTS, USUAL_EVENTS);
    let wait_seconds = fields.seconds("wait", wait, MAX_WAIT_SECONDS);
    EventQuery {
        filter: EventFilter { types: types.unwrap_or_default(), user_id },
        after,
        limit,
        wait_seconds,
    }
}

const MAX_EVENTS: u32 = 1_000;
const USUAL_EVENTS: u32 = 100;
const MAX_WAIT_SECONDS: u32 = 30;
const MAX_CURSOR_CHARS: usize = 50;

/// `GET /v1/manage/webhooks/{webhookId}/attempts`: how many at most.
pub fn attempt_list(fields: &mut Fields<'_>) -> u32 {
    fields.limit(MAX_ATTEMPTS, USUAL_ATTEMPTS)
}

const MAX_ATTEMPTS: u32 = 1_000;
const USUAL_ATTEMPTS: u32 = 100;

/// The entries of the audit log that the back office asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditLogQuery {
    pub filter: AuditLogFilter,
    /// The position after which they begin.
    pub after: u64,
    pub limit: u32,
}

/// `GET /v1/manage/audit-log`.
pub fn audit_log(fields: &mut Fields<'_>) -> AuditLogQuery {
    let actor = "Only entries of this actor, such as `key:a0a1a2a3a4a5a6a7a8a9`, `command-line` or \
                 `job:clean-audit-log`.";
    let object = "Only entries about this object, such as `product:cafe-mug` or `user:ben`.";
    let after = "Only entries after this `seq`. Pass `meta.next` of the response before.";
    let filter = AuditLogFilter {
        actor: fields.text("actor", actor).map(str::to_owned),
        object: fields.text("object", object).map(str::to_owned),
    };
    let after = fields.count("after", after).map_or(0, i64::unsigned_abs);
    AuditLogQuery { filter, after, limit: fields.limit(MAX_AUDIT_ENTRIES, USUAL_AUDIT_ENTRIES) }
}

const MAX_AUDIT_ENTRIES: u32 = 1_000;
const USUAL_AUDIT_ENTRIES: u32 = 100;

/// How bad lines affect the good ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImportMode {
    /// One bad line, and no line is stored.
    Atomic,
    /// Good lines are stored even if others are bad. The default.
    Lines,
}

/// `POST /v1/manage/products/import` and `POST /v1/manage/users/import`: the mode, and whether the server only tries the lines.
pub fn import_lines(fields: &mut Fields<'_>) -> (ImportMode, bool) {
    (import_mode(fields), dry_run(fields))
}

fn import_mode(fields: &mut Fields<'_>) -> ImportMode {
    const MODE: &str = "`lines` stores the good lines and reports the bad ones. `atomic` stores all lines or none; a \
                        bad line gets a 422 with keys such as `lines.3.sku`.";
    let schema = || Schema::one_of(["lines", "atomic"]).by_default("lines");
    let mode = fields.text_as("mode", MODE, schema, |text| match text {
        "atomic" => Some(ImportMode::Atomic),
        "lines" => Some(ImportMode::Lines),
        _ => None,
    });
    mode.unwrap_or(ImportMode::Lines)
}

/// `POST /v1/manage/activities/import`: whether the server only tries the lines.
pub fn dry_run(fields: &mut Fields<'_>) -> bool {
    const DRY_RUN: &str = "Whether the server only tries the lines: it checks all of them and says what would become of \
                           each, and stores nothing. It ignores an `Idempotency-Key` then. Default: false.";
    fields.flag("dry_run", DRY_RUN).unwrap_or(false)
}

/// `POST /v1/manage/users/{userId}/activities`: whether the server only says what would become of the activity.
pub fn dry_run_of_activity(fields: &mut Fields<'_>) -> bool {
    const DRY_RUN: &str = "Whether the server records nothing and says what would become of the activity, as `activities/dry-run` \
                           does. It ignores an `Idempotency-Key` then. Default: false.";
    fields.flag("dry_run", DRY_RUN).unwrap_or(false)
}

/// `POST /v1/manage/categories/import`: whether the server only tries the tree.
pub fn dry_run_of_tree(fields: &mut Fields<'_>) -> bool {
    const DRY_RUN: &str = "Whether the server only tries the tree: it checks it and says what would change, and stores nothing. \
                           It ignores an `Idempotency-Key` then. Default: false.";
    fields.flag("dry_run", DRY_RUN).unwrap_or(false)
}

/// `GET /v1/user/point-history`. A request cannot choose the page size, so `page[size]` is not read.
pub fn point_history(fields: &mut Fields<'_>) -> PageNumber {
    fields.page_number()
}

/// The parameters of `GET /v1/user/point-history`, with its header, for the OpenAPI document.
pub fn point_history_parameters() -> [Parameter; 2] {
    const LANGUAGE: &str = "The preferred languages of the display texts. Without a match, the texts are in the \
                            language of the tenant.";
    let language = Parameter::header("Accept-Language", Schema::text(), LANGUAGE);
    [Parameter::Shared("PageNumber"), language]
}

/// `GET /v1/manage/campaigns`: whether archived campaigns are listed too.
pub fn campaign_list(fields: &mut Fields<'_>) -> bool {
    fields.flag("archived", "Whether archived campaigns are listed too. Default: false.").unwrap_or(false)
}

/// `GET /v1/manage/campaigns/{campaignId}/back-test`: the version that was tested.
pub fn back_test_show(fields: &mut Fields<'_>) -> Option<i64> {
    fields.count("version", "The tested version. Default: the one whose test was requested last.")
}

/// `GET /v1/manage/campaigns/{campaignId}/back-fill`: the version whose awards were given.
pub fn back_fill_show(fields: &mut Fields<'_>) -> Option<i64> {
    fields.count("version", "The version. Default: the one whose back-fill was requested last.")
}

/// The days and the form of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReportQuery {
    pub from: Option<Day>,
    pub until: Option<Day>,
    pub format: ReportFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReportFormat {
    Json,
    Csv,
}

/// `GET /v1/manage/reports/...` of some days.
pub fn report_days(fields: &mut Fields<'_>) -> ReportQuery {
    let from = "The first day, in the time zone of the tenant. Default: 27 days before `until`.";
    let until = "The last day, at most 399 days after `from`. Default: today.";
    let (from, until) = (fields.day("from", from), fields.day("until", until));
    ReportQuery { from, until, ..report_whole(fields) }
}

/// `GET /v1/manage/reports/...` of all days.
pub fn report_whole(fields: &mut Fields<'_>) -> ReportQuery {
    let format = "The form of the response. Default: `json`.";
    let formats = [("json", ReportFormat::Json), ("csv", ReportFormat::Csv)];
    let format = fields.choice("format", format, formats).unwrap_or(ReportFormat::Json);
    ReportQuery { from: None, until: None, format }
}

#[cfg(test)]
mod tests;
