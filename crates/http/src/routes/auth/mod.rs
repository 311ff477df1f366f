//! `/v1/auth`.

mod end_token;
mod issue_token;

use crate::routes::{Caller, RouteSpec};

const TOKEN: &str = "/v1/auth/token";

/// The operations.
pub(in crate::routes) static ROUTES: [RouteSpec; 2] = [
    RouteSpec::post(
        "auth.token.issue",
        TOKEN,
        Caller::SuperUser,
        issue_token::documentation,
        |state, asked| Box::pin(issue_token::issue_token(state, asked)),
    ),
    RouteSpec::delete("auth.token.end", TOKEN, Caller::Anyone, end_token::documentation, |_, asked| {
        Box::pin(end_token::end_token(asked))
    }),
];
