//! Who may do what: tokens, API keys, operators with their roles and sessions, sign-in by an issuer, and the audit log. Also the
//! kit of the console, whose pages know the operator, and the virtual clock of a tenant.

pub mod audit_log;
pub mod clock;
pub mod console_kit;
pub mod keys;
pub mod openid;
pub mod operators;
pub mod sessions;
pub mod tokens;
pub mod users;

use pointbook_http::RouteSpec;
use pointbook_store::Job;

use crate::console_kit::PageSpec;

/// Its operations.
pub static OPERATIONS: &[&[RouteSpec]] =
    &[&tokens::api::ROUTES, &keys::api::ROUTES, &audit_log::api::ROUTES, &clock::api::ROUTES];

/// Its pages of the console.
pub static PAGES: &[&[PageSpec]] = &[
    &sessions::console::PAGES,
    &openid::console::PAGES,
    &audit_log::console::PAGES,
    &keys::console::PAGES,
    &operators::console::PAGES,
    &clock::console::PAGES,
];

/// Its background jobs.
pub static JOBS: &[&dyn Job] = &[&tokens::job::CleanTokens, &audit_log::job::CleanAuditLog];
