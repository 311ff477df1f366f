//! The rules: what is examined, and where each rule comes from.

use serde::Serialize;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// The interface (docs/interface.md) says it.
    Contract,
    /// The interface leaves it open, and pointbook decided it; another server may decide otherwise.
    Reading,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Rule {
    /// The family, a dot, the name.
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

/// All rules whose ids begin in this way.
pub(crate) fn family(start: &str) -> Vec<&'static Rule> {
    RULES.iter().copied().filter(|rule| rule.id.starts_with(start)).collect()
}

rules! {
    ANSWERS_JSON Contract "answers.json" "every body is JSON and says so in Content-Type";
    ANSWERS_STATUS Contract "answers.status" "documented requests are answered with 200";
    ANSWERS_DIRECT Contract "answers.direct" "no request is redirected";
    ANSWERS_FAILURE Contract "answers.failure" "every request is answered, and none with a 5xx";
    ANSWERS_HEAD Reading "answers.head" "HEAD answers with the status and the headers of GET";
    ANSWERS_OPTIONS Reading "answers.options" "OPTIONS names GET in Allow";
    AUTH_MISSING Contract "auth.missing" "without a token the answer is 401, on every endpoint";
    AUTH_WRONG Contract "auth.wrong" "with a token of nobody the answer is 401, on every endpoint";
    AUTH_SCHEME Contract "auth.scheme" "with another scheme than Bearer the answer is 401";
    AUTH_BODY Contract "auth.body" "the body of a 401 is {\"message\":\"Unauthenticated.\"}";
    AUTH_CHALLENGE Reading "auth.challenge" "a 401 carries WWW-Authenticate: Bearer";
    AUTH_SCHEME_CASE Reading "auth.scheme-case" "the case of the word Bearer does not matter";
    AUTH_OTHER_CATALOGUE Contract "auth.other-catalogue" "the other token sees the same store";
    AUTH_OTHER_HISTORY Contract "auth.other-history" "the other token sees a history of its own";
    PRODUCTS_ENVELOPE Contract "products.envelope" "a list has data, links and meta, and no success";
    PRODUCTS_FIELDS Contract "products.fields" "every product has the documented fields and types";
    PRODUCTS_IDS Contract "products.ids" "no two products have one id";
    PRODUCTS_AMOUNTS Reading "products.amounts" "prices are not negative, and no sale price is above the regular one";
    META_FIELDS Contract "meta.fields" "meta has the documented fields and types";
    META_DEFAULTS Contract "meta.defaults" "without parameters it is page 1, of 15 items";
    META_PAGE Contract "meta.page" "current_page is the page that was asked for";
    META_SIZE Contract "meta.size" "per_page is the page size that was asked for, where the server allows it";
    META_COUNTS Contract "meta.counts" "from, to and last_page follow from total, per_page and the items that came";
    META_TOTAL Contract "meta.total" "total is the same on every page, and as many items come";
    META_PATH Contract "meta.path" "path is the URL of the endpoint without page parameters";
    LINKS_FIELDS Contract "links.fields" "links has first, last, prev and next, strings or, for the last two, null";
    LINKS_BASE Contract "links.base" "links are whole URLs below the base address, of the same endpoint";
    LINKS_PAGES Contract "links.pages" "links lead to the pages they name; prev is null on the first page, next on the last";
    LINKS_PARAMETERS Contract "links.parameters" "links keep page size, filters and sort";
    LINKS_WALK Contract "links.walk" "following next from the first page reaches the last one, every item once";
    PAGES_BEYOND Reading "pages.beyond" "a page beyond the last is 200 with no items and the true total";
    PAGES_EMPTY Reading "pages.empty" "on a page without items from and to are 0, and last_page is at least 1";
    PAGES_CAPPED Reading "pages.capped" "a page size above the maximum is served as the maximum, and per_page says so";
    ORDER_STEADY Reading "order.steady" "the order without sort is the same whenever it is asked for";
    DETAIL_SHAPE Contract "detail.shape" "a product's own answer has success, true, and data with the documented fields and types";
    DETAIL_SAME Contract "detail.same" "a product's own answer tells what the list tells";
    DETAIL_UNKNOWN Contract "detail.unknown" "an unknown product is 404 with success false and its message";
    DETAIL_ODD Reading "detail.odd" "so is an id that can be none";
    FILTERS_STORE Contract "filters.store" "filtered lists hold only products of the store, told alike";
    FILTERS_CATEGORY Contract "filters.category" "filter[category] restricts the list to a category";
    FILTERS_TREE Reading "filters.tree" "a category includes everything below it";
    FILTERS_CATEGORY_LIST Reading "filters.category-list" "several categories, separated by commas, are alternatives";
    FILTERS_TITLE Contract "filters.title" "filter[title] finds a product by its title, and not what has nothing of it";
    FILTERS_TITLE_PART Reading "filters.title-part" "filter[title] finds every title that contains the text";
    FILTERS_TITLE_FOLD Reading "filters.title-fold" "filter[title] does not mind case and accents";
    FILTERS_PRICE Contract "filters.price" "filter[minPrice] and filter[maxPrice] bound a price, whichever is meant";
    FILTERS_PRICE_EFFECTIVE Reading "filters.price-effective" "that price is the effective one, and both bounds are included";
    FILTERS_PRICE_EMPTY Reading "filters.price-empty" "a minimum above the maximum matches nothing";
    FILTERS_SALE Contract "filters.sale" "filter[onSale] finds what has a sale price, and nothing else";
    FILTERS_FLAGS Reading "filters.flags" "a flag takes true and 1 alike, and false restricts nothing";
    FILTERS_COMBINED Contract "filters.combined" "filters combine: a product must pass all of them";
    SORT_PRICE Contract "sort.price" "sort=price is ascending, by one price or the other";
    SORT_DESCENDING Contract "sort.descending" "sort=-price is descending, by the same price";
    SORT_COMPLETE Contract "sort.complete" "a sorted list has the products of the unsorted one";
    SORT_EFFECTIVE Reading "sort.effective" "that price is the effective one";
    SORT_TIES Reading "sort.ties" "products of one price come in the order of their ids, both ways";
    CATEGORIES_SHAPE Contract "categories.shape" "the answer has data, an array, and no keys of pages";
    CATEGORIES_FIELDS Contract "categories.fields" "every category has id, label and children, an array, at every depth";
    CATEGORIES_IDS Contract "categories.ids" "no two categories have one id";
    CATEGORIES_FILTER Contract "categories.filter" "filter[category] gives the subcategories of that category";
    CATEGORIES_UNKNOWN Reading "categories.unknown" "an unknown category has no subcategories: 200 and an empty array";
    HISTORY_SHAPE Contract "history.shape" "a history has data, an object, meta, user_points, and no links";
    HISTORY_META Contract "history.meta" "meta counts days: the page asked for, last_page, and at most per_page days on a page";
    HISTORY_DAYS Contract "history.days" "keys are dates as YYYY-MM-DD, each once in the whole history, none missing";
    HISTORY_NEWEST Contract "history.newest" "the most recent day comes first, over all pages";
    HISTORY_GROUPS Contract "history.groups" "every group has the documented fields and types, and transactions";
    HISTORY_ONE_GROUP Contract "history.one-group" "a day has one group for each type";
    HISTORY_TYPES Contract "history.types" "a transaction's type is its group's";
    HISTORY_KNOWN_TYPES Reading "history.known-types" "the type is one of the documented ones";
    HISTORY_SUMS Contract "history.sums" "totalPoints and totalBonusPoints are the sums of their group";
    HISTORY_TRANSACTIONS Contract "history.transactions" "every transaction has the documented fields and types";
    HISTORY_BONUS_THERE Contract "history.bonus-there" "bonus_breakdown is there exactly when bonus_points is above 0";
    HISTORY_BONUS_FIELDS Contract "history.bonus-fields" "every bonus has the documented fields and types";
    HISTORY_BONUS_SUMS Reading "history.bonus-sums" "the bonuses of a transaction come to its bonus_points";
    HISTORY_UTC Reading "history.utc" "a transaction stands under the UTC date of its created_at";
    HISTORY_ORDER Reading "history.order" "within a day, groups and transactions come newest first";
    HISTORY_POINTS Reading "history.points" "user_points is the sum of all points and bonus points";
    HISTORY_STEADY Contract "history.steady" "user_points is the same on every page";
    HISTORY_SIZE Contract "history.size" "page[size] changes nothing, or is refused";
    HISTORY_BEYOND Reading "history.beyond" "a page beyond the last is 200 with no days";
    DATES_FORMAT Contract "dates.format" "date-times are UTC with six digits of microseconds and Z";
    ERRORS_PATH Contract "errors.path" "an unknown path is 404 with {\"message\":\"Not found.\"}";
    ERRORS_INVALID Reading "errors.invalid" "a parameter that is none of its type is 422";
    ERRORS_BODY Contract "errors.body" "a 422 has its message and errors: arrays of strings by field";
    ERRORS_BOUNDS Reading "errors.bounds" "pages and sizes below 1, other flags and unknown filters are 422";
    ERRORS_NAMES Reading "errors.names" "fields have dotted names, and every bad one is told at once";
    CACHING_PRIVATE Reading "caching.private" "no shared cache may keep an answer";
    CACHING_ETAG Reading "caching.etag" "an ETag, sent back as If-None-Match, is answered with 304";
    CACHING_OTHER Reading "caching.other" "another ETag is answered with 200";
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_rule_has_a_name_of_its_own() {
        let names: BTreeSet<_> = RULES.iter().map(|rule| rule.id).collect();
        assert_eq!(names.len(), RULES.len());
        assert!(names.iter().all(|name| name.split_once('.').is_some()));
    }
}
