//! `/v1/manage/clock`: the time of a tenant, which is virtual for some staging tenants.

mod put;
mod show;

use pointbook_domain::Scope;
use pointbook_http::{Caller, RouteSpec, route};

const PATH: &str = "/v1/manage/clock";

/// A clock affects everything of a tenant, so it takes the scope of the highest trust.
pub(crate) static ROUTES: [RouteSpec; 2] = [
    route!("manage.clock.show", GET PATH, Caller::Key(Scope::KeysWrite), show::show, show::documentation),
    route!("manage.clock.put", PUT PATH, Caller::Key(Scope::KeysWrite), put::put, put::documentation),
];
