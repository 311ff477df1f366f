//! `/v1/manage/users`: who holds points.

mod list;
mod put;
mod record_activity;
mod revoke_tokens;
mod show;

use crate::routes::{Caller, RouteSpec};

/// The path, which links begin with too.
const PATH: &str = "/v1/manage/users";
const ONE: &str = "/v1/manage/users/{userId}";
const ACTIVITIES: &str = "/v1/manage/users/{userId}/activities";
const TOKENS: &str = "/v1/manage/users/{userId}/tokens";

/// The operations.
pub(in crate::routes) static ROUTES: [RouteSpec; 5] = [
    RouteSpec::get("manage.users.list", PATH, Caller::SuperUser, list::documentation, |_, asked| {
        Box::pin(list::list(asked))
    }),
    RouteSpec::get("manage.users.show", ONE, Caller::SuperUser, show::documentation, |_, asked| {
        Box::pin(show::show(asked))
    }),
    RouteSpec::put("manage.users.put", ONE, Caller::SuperUser, put::documentation, |_, asked| {
        Box::pin(put::put(asked))
    }),
    RouteSpec::post(
        "manage.users.record_activity",
        ACTIVITIES,
        Caller::SuperUser,
        record_activity::documentation,
        |state, asked| Box::pin(record_activity::record(state, asked)),
    ),
    RouteSpec::delete(
        "manage.users.revoke_tokens",
        TOKENS,
        Caller::SuperUser,
        revoke_tokens::documentation,
        |_, asked| Box::pin(revoke_tokens::revoke_tokens(asked)),
    ),
];
