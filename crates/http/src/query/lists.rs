//! What each operation takes from its query string: a list of its parameters in the documented order.

use pointbook_app::ports::{OrderFilter, UserFilter};
use pointbook_app::{PageQuery, ProductFilter, ProductListQuery, ProductSort};
use pointbook_describe::{Parameter, Schema};
use pointbook_domain::id::MAX_ID_CHARS;
use pointbook_domain::{CategoryId, OrderStatus, PageNumber, UserId};

use super::QueryString;
use super::fields::{Fields, ReadQuery};
use crate::error::FieldErrors;

/// The rest of what is said of a flag that restricts a list.
macro_rules! restricting {
    ($what:literal) => {
        concat!($what, " `1` and `0` are understood too; `false` restricts nothing.")
    };
}

/// `GET /v1/store/products`.
pub(crate) fn product_list(fields: &mut Fields<'_>) -> ProductListQuery {
    let page = fields.page();
    let (filter, only_new) = fields.filter(product_filter);
    let sorts = [("price", ProductSort::PriceAscending), ("-price", ProductSort::PriceDescending)];
    let sort = fields.choice("sort", SORT, sorts).unwrap_or(ProductSort::Newest);
    ProductListQuery { page, filter, only_new, sort }
}

/// The filter, and whether only new products are asked for.
fn product_filter(filter: &mut Fields<'_>) -> (ProductFilter, bool) {
    // What cannot be an id is the id of no category, which leaves no products.
    let categories = filter.texts("category", CATEGORY, |id| CategoryId::new(id).ok());
    let titles = filter.texts("title", TITLE, |title| Some(title.to_owned()));
    let min_price = filter.count("minPrice", "The lowest effective price, in points, included.");
    let max_price = filter.count("maxPrice", "The highest effective price, in points, included.");
    let mut flag = |name, description| filter.flag(name, description).unwrap_or(false);
    let only_new = flag("newProducts", NEW_PRODUCTS);
    let filter = ProductFilter {
        categories,
        titles,
        min_price,
        max_price,
        new_since: None,
        low_stock: flag("lowStock", LOW_STOCK),
        on_sale: flag("onSale", restricting!("Only products with a `sale_price`.")),
        popular: flag("onlyPopular", ONLY_POPULAR),
    };
    (filter, only_new)
}

const CATEGORY: &str = "The id of a category, which includes everything below it. Several, separated by commas or given \
                        as `filter[category][]=` again and again, are alternatives: at most 20. An unknown one has no \
                        products.";
const TITLE: &str = "A part of the title, ignoring case and accents. Several, separated by commas or given as \
                     `filter[title][]=` again and again, are alternatives: at most 20.";
const NEW_PRODUCTS: &str =
    restricting!("Only products that were published within the tenant's window (30 days unless set).");
const LOW_STOCK: &str =
    restricting!("Only products of which few pieces are left (5 or fewer unless set), but some.");
const ONLY_POPULAR: &str = restricting!("Only products that the tenant marked so, or that are ordered most.");
const SORT: &str = "By effective price, ascending or descending, and by id where it is the same. Without it the newest \
                    come first.";

/// `GET /v1/store/categories`: one id, of which commas are a part.
pub(crate) fn category_list<'q>(fields: &mut Fields<'q>) -> Option<&'q str> {
    const CATEGORY: &str =
        "The id of one category: the answer is what it has within it. For an unknown one that is nothing.";
    fields.filter(|filter| filter.text("category", CATEGORY))
}

/// A page of a list that has no filter.
pub(crate) fn unfiltered_list(fields: &mut Fields<'_>) -> PageQuery {
    let page = fields.page();
    fields.filter(|_| page)
}

/// Which of all orders the back office asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OrderListQuery {
    pub(crate) page: PageQuery,
    pub(crate) filter: OrderFilter,
}

/// `GET /v1/manage/orders`.
pub(crate) fn order_list(fields: &mut Fields<'_>) -> OrderListQuery {
    let page = fields.page();
    let statuses = OrderStatus::ALL.map(|status| (status.as_str(), status));
    let user = "The id of the user whose orders are wanted.";
    let filter = fields.filter(|filter| OrderFilter {
        status: filter.choice("status", "Only orders that stand there.", statuses),
        user_id: filter.text_as("user", user, || Schema::text_to(MAX_ID_CHARS), |id| UserId::new(id).ok()),
    });
    OrderListQuery { page, filter }
}

/// Which of all products the back office asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ManagedProductListQuery {
    pub(crate) page: PageQuery,
    /// A part of the id, the sku or the title.
    pub(crate) search: Option<String>,
}

/// `GET /v1/manage/products`.
pub(crate) fn managed_product_list(fields: &mut Fields<'_>) -> ManagedProductListQuery {
    let search = "A part of the id, the sku or the title, ignoring the case of ASCII letters.";
    let page = fields.page();
    let search = fields.filter(|filter| filter.text("search", search).map(str::to_owned));
    ManagedProductListQuery { page, search }
}

/// Which of all users are asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct UserListQuery {
    pub(crate) page: PageQuery,
    pub(crate) filter: UserFilter,
}

/// `GET /v1/manage/users`.
pub(crate) fn user_list(fields: &mut Fields<'_>) -> UserListQuery {
    let search = "A part of the id, ignoring the case of ASCII letters.";
    let disabled = "`true` for the disabled alone, `false` for the others alone.";
    let page = fields.page();
    let filter = fields.filter(|filter| UserFilter {
        search: filter.text("search", search).map(str::to_owned),
        disabled: filter.flag("disabled", disabled),
    });
    UserListQuery { page, filter }
}

/// What bad lines do to the good ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ImportMode {
    /// One bad line, and nothing is taken.
    Atomic,
    /// Good lines are taken even if others are not. The default.
    Lines,
}

/// `POST /v1/manage/products/import`.
pub(crate) fn import_mode(fields: &mut Fields<'_>) -> ImportMode {
    const MODE: &str = "`lines` keeps the good lines and tells the bad ones; `atomic` takes all or nothing, and is 422 \
                        with keys such as `lines.3.sku`.";
    let schema = || Schema::one_of(["lines", "atomic"]).by_default("lines");
    let mode = fields.text_as("mode", MODE, schema, |text| match text {
        "atomic" => Some(ImportMode::Atomic),
        "lines" => Some(ImportMode::Lines),
        _ => None,
    });
    mode.unwrap_or(ImportMode::Lines)
}

/// `GET /v1/user/point-history`. The page size is not selectable, so `page[size]` is not even looked at.
pub(crate) fn point_history(fields: &mut Fields<'_>) -> PageNumber {
    fields.page_number()
}

pub(crate) fn point_history_parameters() -> [Parameter; 2] {
    const LANGUAGE: &str = "The languages that display texts are wanted in. Without one that the tenant has, they come \
                            in the tenant's.";
    let language = Parameter::header("Accept-Language", Schema::text(), LANGUAGE);
    [Parameter::Shared("PageNumber"), language]
}

/// The parameters of `GET /v1/store/products`, for benchmarks.
///
/// # Errors
/// [`FieldErrors`] with every field that is refused.
pub fn product_list_query(query: &QueryString<'_>) -> Result<ProductListQuery, FieldErrors> {
    query.read(product_list)
}

#[cfg(test)]
mod tests;
