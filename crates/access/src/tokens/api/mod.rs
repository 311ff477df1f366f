//! `/v1/auth`: issues and revokes tokens of customers, and makes one-time links to the shop.

pub(crate) mod issue;
mod links;
pub(crate) mod revoke;

use http::Method;
use pointbook_domain::Scope;
use pointbook_http::error::{FieldCode, FieldErrors, Rule};
use pointbook_http::kernel::BodyLimit;
use pointbook_http::rate_limit::count::Counted;
use pointbook_http::{ApiError, Caller, RouteSpec};

const TOKEN: &str = "/v1/auth/token";

pub(crate) static ROUTES: [RouteSpec; 3] = [
    RouteSpec {
        name: "auth.token.issue",
        method: Method::POST,
        path: TOKEN,
        caller: Caller::Key(Scope::TokensIssue),
        body: BodyLimit::Ordinary,
        counted: Counted::Never,
        documentation: crate::tokens::api::issue::documentation,
        handler: |state, request| Box::pin(crate::tokens::api::issue::issue_token(state, request)),
    },
    RouteSpec {
        name: "auth.token.end",
        method: Method::DELETE,
        path: TOKEN,
        caller: Caller::Anyone,
        body: BodyLimit::Ordinary,
        // A customer who reached the rate limit can still sign out. A token does it once.
        counted: Counted::Never,
        documentation: crate::tokens::api::revoke::documentation,
        handler: |_, request| Box::pin(crate::tokens::api::revoke::end_token(request)),
    },
    RouteSpec {
        name: "auth.links.create",
        method: Method::POST,
        path: "/v1/auth/links",
        caller: Caller::Key(Scope::TokensIssue),
        body: BodyLimit::Ordinary,
        counted: Counted::Never,
        documentation: links::documentation,
        handler: |state, request| Box::pin(links::link(state, request)),
    },
];

/// The refusal of a disabled user.
fn user_disabled() -> ApiError {
    let rule = Rule::sentence(FieldCode::UserDisabled, "The selected user is disabled.");
    ApiError::Invalid(FieldErrors::one("user_id", rule))
}
