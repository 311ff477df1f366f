//! `/v1/manage/users`: who holds points.

mod list;
mod put;
mod record_activity;
mod revoke_tokens;
mod show;

use crate::routes::{Caller, RouteSpec};

/// The path, which links begin with too.
const PATH: &str = "/v1/manage/users";
const ONE: &str = "/v1/manage/users/{user_id}";
const ACTIVITIES: &str = "/v1/manage/users/{user_id}/activities";
const TOKENS: &str = "/v1/manage/users/{user_id}/tokens";

/// The operations.
pub(in crate::routes) static ROUTES: [RouteSpec; 5] = [
    RouteSpec::get("manage.users.list", PATH, Caller::SuperUser, |_, asked| Box::pin(list::list(asked))),
    RouteSpec::get("manage.users.show", ONE, Caller::SuperUser, |_, asked| Box::pin(show::show(asked))),
    RouteSpec::put("manage.users.put", ONE, Caller::SuperUser, |_, asked| Box::pin(put::put(asked))),
    RouteSpec::post("manage.users.record_activity", ACTIVITIES, Caller::SuperUser, |state, asked| {
        Box::pin(record_activity::record(state, asked))
    }),
    RouteSpec::delete("manage.users.revoke_tokens", TOKENS, Caller::SuperUser, |_, asked| {
        Box::pin(revoke_tokens::revoke_tokens(asked))
    }),
];
