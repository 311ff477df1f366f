//! What the program consists of: the slices, and what each brings. Everything that is the same for all operations or pages walks
//! these lists: the router, the OpenAPI document, the console, and the tests of scopes, isolation and rate limits.

mod answers;
#[cfg(test)]
mod openapi_rules;
#[cfg(test)]
mod tests;

use pointbook_console::PageSpec;
use pointbook_http::{Listed, RouteSpec};

use self::answers::ANSWERS;

/// What a capability brings.
#[derive(Clone, Copy)]
pub struct Slice {
    pub name: &'static str,
    /// Its operations of the interface.
    pub operations: &'static [&'static [RouteSpec]],
    /// Its pages of the console.
    pub pages: &'static [&'static [PageSpec]],
}

/// All slices, the lowest first.
pub static SLICES: [Slice; 7] = [
    Slice { name: "access", operations: pointbook_access::OPERATIONS, pages: pointbook_access::PAGES },
    Slice {
        name: "catalogue",
        operations: pointbook_catalogue::OPERATIONS,
        pages: pointbook_catalogue::PAGES,
    },
    Slice { name: "points", operations: pointbook_points::OPERATIONS, pages: pointbook_points::PAGES },
    Slice { name: "events", operations: pointbook_events::OPERATIONS, pages: pointbook_events::PAGES },
    Slice { name: "reports", operations: pointbook_reports::OPERATIONS, pages: pointbook_reports::PAGES },
    Slice { name: "exchange", operations: &[], pages: pointbook_exchange::PAGES },
    Slice { name: "console", operations: &[], pages: pointbook_console::PAGES },
];

/// The interface.
pub static LISTED: Listed = Listed {
    routes: || routes().collect(),
    answers: &ANSWERS,
    files: &[pointbook_catalogue::pictures::file::FILES],
    has_memory: pointbook_catalogue::cache::has_catalogue,
};

/// All operations. The tests of 401, of scopes and of tenant isolation walk them.
pub fn routes() -> impl Iterator<Item = &'static RouteSpec> + Clone {
    SLICES.iter().flat_map(|slice| slice.operations).copied().flatten()
}

/// All pages of the console.
pub fn pages() -> impl Iterator<Item = &'static PageSpec> + Clone {
    SLICES.iter().flat_map(|slice| slice.pages).copied().flatten()
}
