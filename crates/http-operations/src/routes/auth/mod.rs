//! `/v1/auth`.

mod end_token;
mod issue_token;
mod links;

use http::Method;
use pointbook_customers::Counted;
use pointbook_domain::Scope;
use pointbook_endpoint_kit::error::{FieldCode, FieldErrors, Rule};
use pointbook_endpoint_kit::{ApiError, Caller, RouteSpec};
use pointbook_http::kernel::BodyLimit;

const TOKEN: &str = "/v1/auth/token";

pub static ROUTES: [RouteSpec; 3] = [
    RouteSpec {
        name: "auth.token.issue",
        method: Method::POST,
        path: TOKEN,
        caller: Caller::Key(Scope::TokensIssue),
        body: BodyLimit::Ordinary,
        counted: Counted::Never,
        documentation: issue_token::documentation,
        handler: |state, request| Box::pin(issue_token::issue_token(state, request)),
    },
    RouteSpec {
        name: "auth.token.end",
        method: Method::DELETE,
        path: TOKEN,
        caller: Caller::Anyone,
        body: BodyLimit::Ordinary,
        // A customer who reached the rate limit can still sign out. A token does it once.
        counted: Counted::Never,
        documentation: end_token::documentation,
        handler: |_, request| Box::pin(end_token::end_token(request)),
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
