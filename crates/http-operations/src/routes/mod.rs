//! The operations: one file per verb, in folders like their paths, and a table of operations in each folder. Those at `/v1/manage`
//! are in the room `http-manage`.
//!
//! A handler reads the request, calls one use case, and renders the response. The guard of `endpoint-kit` does what comes before
//! (authentication, scope, rate limit), by the table.

mod auth;
pub mod picture_file;
mod router;
mod store;
pub mod table;
mod user;

pub use router::{Router, router};

use pointbook_endpoint_kit::{Listed, RouteSpec};

/// The interface.
pub static LISTED: Listed = Listed {
    tables: &[
        &store::products::ROUTES,
        &store::categories::ROUTES,
        &store::orders::ROUTES,
        &user::ROUTES,
        &auth::ROUTES,
        &pointbook_http_manage::products::ROUTES,
        &pointbook_http_manage::categories::ROUTES,
        &pointbook_http_manage::pictures::ROUTES,
        &pointbook_http_manage::users::ROUTES,
        &pointbook_http_manage::activities::ROUTES,
        &pointbook_http_manage::orders::ROUTES,
        &pointbook_http_manage::keys::ROUTES,
        &pointbook_http_manage::audit_log::ROUTES,
        &pointbook_http_manage::events::ROUTES,
        &pointbook_http_manage::webhooks::ROUTES,
        &pointbook_http_manage::campaigns::ROUTES,
        &pointbook_http_manage::clock::ROUTES,
        &pointbook_http_manage::reports::ROUTES,
    ],
    answers: &pointbook_wire::ANSWERS,
    files: &[picture_file::FILES],
    has_memory: pointbook_store::catalogue_cache::has_catalogue,
};

/// All operations. The tests of 401, of scopes and of tenant isolation walk this table.
pub fn routes() -> impl Iterator<Item = &'static RouteSpec> + Clone {
    LISTED.routes()
}
