//! `/v1/auth`: issues and revokes tokens of customers, and makes one-time links to the shop.

pub(crate) mod issue;
mod links;
pub(crate) mod revoke;

use pointbook_domain::Scope;
use pointbook_http::error::{FieldCode, FieldErrors, Rule};
use pointbook_http::{ApiError, Caller, RouteSpec, route};

const TOKEN: &str = "/v1/auth/token";

pub(crate) static ROUTES: [RouteSpec; 3] = [
    route!(
        "auth.token.issue", POST TOKEN,
        Caller::Key(Scope::TokensIssue), issue::issue_token, issue::documentation
    ),
    route!("auth.token.end", DELETE TOKEN, Caller::Anyone, revoke::end_token, revoke::documentation),
    route!(
        "auth.links.create", POST "/v1/auth/links",
        Caller::Key(Scope::TokensIssue), links::link, links::documentation
    ),
];

/// The refusal of a disabled user.
fn user_disabled() -> ApiError {
    let rule = Rule::sentence(FieldCode::UserDisabled, "The selected user is disabled.");
    ApiError::Invalid(FieldErrors::one("user_id", rule))
}
