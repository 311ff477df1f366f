//! The rules that an examination checks, and the origin of each.

use serde::Serialize;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// The interface (docs/interface.md) requires it.
    Contract,
    /// The interface leaves it open, and pointbook decided it. Another server may decide differently.
    Reading,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Rule {
    /// `FAMILY.NAME`, such as `links.walk`. JSON reports contain it.
    pub id: &'static str,
    pub origin: Origin,
    pub says: &'static str,
}

macro_rules! rules {
    ($($name:ident $origin:ident $id:literal $says:literal;)*) => {
        $(pub(crate) const $name: &Rule = &Rule { id: $id, origin: Origin::$origin, says: $says };)*

        pub const RULES: &[&Rule] = &[$($name),*];
    };
}

/// All rules whose ids begin with `start`.
pub(crate) fn family(start: &str) -> Vec<&'static Rule> {
    RULES.iter().copied().filter(|rule| rule.id.starts_with(start)).collect()
}

rules! {
    ANSWERS_JSON Contract "answers.json" "every body is JSON and says so in Content-Type";
    ANSWERS_STATUS Contract "answers.status" "documented requests return 200";
    ANSWERS_DIRECT Contract "answers.direct" "no request is redirected";
    ANSWERS_FAILURE Contract "answers.failure" "every request gets a response, and none is a 5xx";
    ANSWERS_HEAD Reading "answers.head" "HEAD returns the status and the headers of GET";
    ANSWERS_OPTIONS Reading "answers.options" "OPTIONS names GET in Allow";
    AUTH_MISSING Contract "auth.missing" "every endpoint returns 401 without a token";
    AUTH_WRONG Contract "auth.wrong" "every endpoint returns 401 for an unknown token";
    AUTH_SCHEME Contract "auth.scheme" "every endpoint returns 401 for another scheme than Bearer";
    AUTH_BODY Contract "auth.body" "the body of a 401 is {\"message\":\"Unauthenticated.\"}";
    AUTH_CHALLENGE Reading "auth.challenge" "a 401 carries WWW-Authenticate: Bearer";
    AUTH_SCHEME_CASE Reading "auth.scheme-case" "the case of the word Bearer does not matter";
    AUTH_OTHER_CATALOGUE Contract "auth.other-catalogue" "the other token sees the same store";
    AUTH_OTHER_HISTORY Contract "auth.other-history" "the other token sees another history";
    PRODUCTS_ENVELOPE Contract "products.envelope" "a list has data, links and meta, and no success";
    PRODUCTS_FIELDS Contract "products.fields" "every product has the documented fields and types";
    PRODUCTS_IDS Contract "products.ids" "no two products have the same id";
    PRODUCTS_AMOUNTS Reading "products.amounts" "prices are not negative, and no sale price is above the regular one";
    META_FIELDS Contract "meta.fields" "meta has the documented fields and types";
    META_DEFAULTS Contract "meta.defaults" "without parameters the response is page 1 of 15 items";
    META_PAGE Contract "meta.page" "current_page is the requested page";
    META_SIZE Contract "meta.size" "per_page is the requested page size, where the server allows it";
    META_COUNTS Contract "meta.counts" "from, to and last_page match total, per_page and the items";
    META_TOTAL Contract "meta.total" "total is the same on every page, and equals the number of items";
    META_PATH Contract "meta.path" "path is the URL of the endpoint without page parameters";
    LINKS_FIELDS Contract "links.fields" "links has first, last, prev and next: strings, and prev and next may be null";
    LINKS_BASE Contract "links.base" "links are absolute URLs of the same endpoint below the base URL";
    LINKS_PAGES Contract "links.pages" "links lead to the pages they name; prev is null on the first page, next on the last";
    LINKS_PARAMETERS Contract "links.parameters" "links keep page size, filters and sort";
    LINKS_WALK Contract "links.walk" "following next from the first page to the last one gives every item once";
    PAGES_BEYOND Reading "pages.beyond" "a page beyond the last is 200 with no items and the true total";
    PAGES_EMPTY Reading "pages.empty" "on a page without items, from and to are 0, and last_page is at least 1";
    PAGES_CAPPED Reading "pages.capped" "a page size above the maximum becomes the maximum, and per_page shows it";
    ORDER_STEADY Reading "order.steady" "the order without sort is the same in every request";
    DETAIL_SHAPE Contract "detail.shape" "the response of one product has success, true, and data with the documented fields and types";
    DETAIL_SAME Contract "detail.same" "the response of one product has the values of the list";
    DETAIL_UNKNOWN Contract "detail.unknown" "an unknown product is 404 with success false and its message";
    DETAIL_ODD Reading "detail.odd" "an id that no product can have is 404, too";
    FILTERS_STORE Contract "filters.store" "filtered lists have only products of the store, with the same values";
    FILTERS_CATEGORY Contract "filters.category" "filter[category] restricts the list to a category";
    FILTERS_TREE Reading "filters.tree" "a category includes its subcategories";
    FILTERS_CATEGORY_LIST Reading "filters.category-list" "several categories, separated by commas, are alternatives";
    FILTERS_TITLE Contract "filters.title" "filter[title] finds a product by its title, and no product by an unrelated string";
    FILTERS_TITLE_PART Reading "filters.title-part" "filter[title] finds every title that contains the string";
    FILTERS_TITLE_FOLD Reading "filters.title-fold" "filter[title] ignores case and accents";
    FILTERS_PRICE Contract "filters.price" "filter[minPrice] and filter[maxPrice] restrict one of the prices of a product";
    FILTERS_PRICE_EFFECTIVE Reading "filters.price-effective" "minPrice and maxPrice restrict the effective price, and both bounds are included";
    FILTERS_PRICE_EMPTY Reading "filters.price-empty" "a minimum above the maximum matches nothing";
    FILTERS_SALE Contract "filters.sale" "filter[onSale] finds exactly the products with a sale price";
    FILTERS_FLAGS Reading "filters.flags" "true and 1 mean the same, and false restricts nothing";
    FILTERS_COMBINED Contract "filters.combined" "filters combine: a product must pass all of them";
    SORT_PRICE Contract "sort.price" "sort=price is ascending by one of the prices of a product";
    SORT_DESCENDING Contract "sort.descending" "sort=-price is descending by the same price";
    SORT_COMPLETE Contract "sort.complete" "a sorted list has the products of the unsorted one";
    SORT_EFFECTIVE Reading "sort.effective" "sort uses the effective price";
    SORT_TIES Reading "sort.ties" "products of the same price are ordered by id, ascending in both directions";
    CATEGORIES_SHAPE Contract "categories.shape" "the response has data, an array, and neither links nor meta";
    CATEGORIES_FIELDS Contract "categories.fields" "every category has id, label and children, an array, at every depth";
    CATEGORIES_IDS Contract "categories.ids" "no two categories have the same id";
    CATEGORIES_FILTER Contract "categories.filter" "filter[category] returns the subcategories of that category";
    CATEGORIES_UNKNOWN Reading "categories.unknown" "an unknown category has no subcategories: 200 and an empty array";
    HISTORY_SHAPE Contract "history.shape" "a history has data, an object, meta, user_points, and no links";
    HISTORY_META Contract "history.meta" "meta counts days: the requested page, last_page, and at most per_page days on a page";
    HISTORY_DAYS Contract "history.days" "keys are dates as YYYY-MM-DD, each once in the whole history, and total counts them";
    HISTORY_NEWEST Contract "history.newest" "the most recent day comes first, over all pages";
    HISTORY_GROUPS Contract "history.groups" "every group has the documented fields and types, and transactions";
    HISTORY_ONE_GROUP Contract "history.one-group" "a day has one group for each type";
    HISTORY_TYPES Contract "history.types" "the type of a transaction is the type of its group";
    HISTORY_KNOWN_TYPES Reading "history.known-types" "the type is one of the documented ones";
    HISTORY_SUMS Contract "history.sums" "totalPoints and totalBonusPoints are the sums of their group";
    HISTORY_TRANSACTIONS Contract "history.transactions" "every transaction has the documented fields and types";
    HISTORY_BONUS_THERE Contract "history.bonus-there" "bonus_breakdown is present exactly when bonus_points is above 0";
    HISTORY_BONUS_FIELDS Contract "history.bonus-fields" "every bonus has the documented fields and types";
    HISTORY_BONUS_SUMS Reading "history.bonus-sums" "the bonuses of a transaction add up to its bonus_points";
    HISTORY_UTC Reading "history.utc" "a transaction is listed under the UTC date of its created_at";
    HISTORY_ORDER Reading "history.order" "within a day, the newest groups and transactions come first";
    HISTORY_POINTS Reading "history.points" "user_points is the sum of all points and bonus points";
    HISTORY_STEADY Contract "history.steady" "user_points is the same on every page";
    HISTORY_SIZE Contract "history.size" "page[size] has no effect, or the server refuses it";
    HISTORY_BEYOND Reading "history.beyond" "a page beyond the last is 200 with no days";
    DATES_FORMAT Contract "dates.format" "date-times are UTC with six digits of microseconds and Z";
    ERRORS_PATH Contract "errors.path" "an unknown path is 404 with {\"message\":\"Not found.\"}";
    ERRORS_INVALID Reading "errors.invalid" "a parameter of the wrong type is 422";
    ERRORS_BODY Contract "errors.body" "a 422 has its message, and errors: arrays of strings by field";
    ERRORS_BOUNDS Reading "errors.bounds" "pages and sizes below 1, invalid flags and unknown filters are 422";
    ERRORS_NAMES Reading "errors.names" "fields have dotted names, and one response names every invalid field";
    CACHING_PRIVATE Reading "caching.private" "no shared cache may store a response";
    CACHING_ETAG Reading "caching.etag" "If-None-Match with the current ETag returns 304";
    CACHING_OTHER Reading "caching.other" "If-None-Match with another ETag returns 200";
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn rule_ids_are_unique() {
        let names: BTreeSet<_> = RULES.iter().map(|rule| rule.id).collect();
        assert_eq!(names.len(), RULES.len());
        assert!(names.iter().all(|name| name.split_once('.').is_some()));
    }
}
