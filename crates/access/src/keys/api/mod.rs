//! `/v1/manage/keys`: API keys of the back office, each with its scopes.

mod add;
mod list;
mod revoke;

use pointbook_domain::Scope;
use pointbook_http::{Caller, RouteSpec, route};

const PATH: &str = "/v1/manage/keys";

pub(crate) static ROUTES: [RouteSpec; 3] = [
    route!("manage.keys.list", GET PATH, Caller::Key(Scope::KeysWrite), list::list, list::documentation),
    route!("manage.keys.add", POST PATH, Caller::Key(Scope::KeysWrite), add::add, add::documentation),
    route!(
        "manage.keys.revoke", DELETE "/v1/manage/keys/{keyId}",
        Caller::Key(Scope::KeysWrite), revoke::revoke, revoke::documentation
    ),
];
