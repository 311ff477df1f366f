//! What the program consists of: the slices, and what each brings. Everything that is the same for all operations or pages walks
//! these lists: the router, the OpenAPI document, the console, and the tests of scopes, isolation and rate limits.

#[cfg(test)]
mod openapi_rules;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use pointbook_catalogue::pictures::file::PicturePermits;
use pointbook_console::PageSpec;
use pointbook_events::webhooks::Outbox;
use pointbook_exchange::ImportJobs;
use pointbook_http::{Listed, RouteSpec};
use pointbook_reports::CAMPAIGN_FIGURES;
use pointbook_store::{Job, Parts};

/// What a capability brings.
pub struct Slice {
    /// Its operations of the interface.
    pub operations: &'static [&'static [RouteSpec]],
    /// Its pages of the console.
    pub pages: &'static [&'static [PageSpec]],
    pub jobs: &'static [&'static dyn Job],
}

/// All slices, the lowest first.
pub static SLICES: [Slice; 8] = [
    Slice {
        operations: pointbook_access::OPERATIONS,
        pages: pointbook_access::PAGES,
        jobs: pointbook_access::JOBS,
    },
    Slice { operations: pointbook_catalogue::OPERATIONS, pages: pointbook_catalogue::PAGES, jobs: &[] },
    Slice {
        operations: pointbook_points::OPERATIONS,
        pages: pointbook_points::PAGES,
        jobs: pointbook_points::JOBS,
    },
    Slice {
        operations: pointbook_events::OPERATIONS,
        pages: pointbook_events::PAGES,
        jobs: pointbook_events::JOBS,
    },
    Slice {
        operations: pointbook_reports::OPERATIONS,
        pages: pointbook_reports::PAGES,
        jobs: pointbook_reports::JOBS,
    },
    Slice { operations: &[], pages: pointbook_exchange::PAGES, jobs: &[] },
    Slice { operations: pointbook_shop::OPERATIONS, pages: &[], jobs: &[] },
    Slice { operations: &[], pages: pointbook_console::PAGES, jobs: &[] },
];

/// What slices need from the program: the permits of pictures, the sender of webhooks, running imports, and the figures of campaigns.
pub fn parts(outbox: Arc<Outbox>) -> Parts {
    Parts::default()
        .with(outbox)
        .with(Arc::new(PicturePermits::default()))
        .with(Arc::new(ImportJobs::default()))
        .with(Arc::new(CAMPAIGN_FIGURES))
}

/// The interface.
pub static LISTED: Listed = Listed {
    routes: || routes().collect(),
    files: &[pointbook_catalogue::pictures::file::FILES],
    has_memory: pointbook_catalogue::cache::has_catalogue,
};

/// How the paths of operations begin, in the order of the OpenAPI document. Operations at other paths come last.
const ORDER: [&str; 19] = [
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
    "/v1/manage/brand",
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
