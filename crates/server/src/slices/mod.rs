//! What the program consists of: the slices, and what each brings. Everything that is the same for all operations or pages walks
//! these lists: the router, the OpenAPI document, the console, and the tests of scopes, isolation and rate limits.

mod answers;
#[cfg(test)]
mod openapi_rules;
#[cfg(test)]
mod tests;

use pointbook_console::PageSpec;
use pointbook_http::{Listed, RouteSpec};
use pointbook_store::Job;

use self::answers::ANSWERS;

/// What a capability brings.
pub struct Slice {
    pub name: &'static str,
    /// Its operations of the interface.
    pub operations: &'static [&'static [RouteSpec]],
    /// Its pages of the console.
    pub pages: &'static [&'static [PageSpec]],
    pub jobs: &'static [&'static dyn Job],
}

/// All slices, the lowest first.
pub static SLICES: [Slice; 7] = [
    slice("access", pointbook_access::OPERATIONS, pointbook_access::PAGES, pointbook_access::JOBS),
    slice("catalogue", pointbook_catalogue::OPERATIONS, pointbook_catalogue::PAGES, &[]),
    slice("points", pointbook_points::OPERATIONS, pointbook_points::PAGES, pointbook_points::JOBS),
    slice("events", pointbook_events::OPERATIONS, pointbook_events::PAGES, pointbook_events::JOBS),
    slice("reports", pointbook_reports::OPERATIONS, pointbook_reports::PAGES, pointbook_reports::JOBS),
    slice("exchange", &[], pointbook_exchange::PAGES, &[]),
    slice("console", &[], pointbook_console::PAGES, &[]),
];

const fn slice(
    name: &'static str,
    operations: &'static [&'static [RouteSpec]],
    pages: &'static [&'static [PageSpec]],
    jobs: &'static [&'static dyn Job],
) -> Slice {
    Slice { name, operations, pages, jobs }
}

/// The interface.
pub static LISTED: Listed = Listed {
    routes: || routes().collect(),
    answers: &ANSWERS,
    files: &[pointbook_catalogue::pictures::file::FILES],
    has_memory: pointbook_catalogue::cache::has_catalogue,
};

/// How the paths of operations begin, in the order of the OpenAPI document. Operations at other paths come last.
const ORDER: [&str; 18] = [
    "/v1/store/products",
    "/v1/store/categories",
    "/v1/store/orders",
    "/v1/user",
    "/v1/auth",
    "/v1/manage/products",
    "/v1/manage/categories",
    "/v1/manage/pictures",
    "/v1/manage/users",
    "/v1/manage/activities",
    "/v1/manage/orders",
    "/v1/manage/keys",
    "/v1/manage/audit-log",
    "/v1/manage/events",
    "/v1/manage/webhooks",
    "/v1/manage/campaigns",
    "/v1/manage/clock",
    "/v1/manage/reports",
];

/// All operations, in the order of the OpenAPI document. The tests of 401, of scopes and of tenant isolation walk them.
pub fn routes() -> impl Iterator<Item = &'static RouteSpec> + Clone {
    let mut all: Vec<_> = SLICES.iter().flat_map(|slice| slice.operations).copied().flatten().collect();
    all.sort_by_key(|route| {
        ORDER.iter().position(|start| route.path.starts_with(start)).unwrap_or(ORDER.len())
    });
    all.into_iter()
}

/// All pages of the console.
pub fn pages() -> impl Iterator<Item = &'static PageSpec> + Clone {
    SLICES.iter().flat_map(|slice| slice.pages).copied().flatten()
}
