//! `/v1/store/categories`: the category tree as customers see it.

mod list;

use pointbook_http::{Caller, RouteSpec, route};

pub(crate) static ROUTES: [RouteSpec; 1] = [route!(
    "store.categories.list", GET "/v1/store/categories",
    Caller::Customer, list::list, list::documentation
)];
