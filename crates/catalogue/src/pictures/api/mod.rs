//! `/v1/manage/pictures`: the pictures of products.

mod add;
mod list;
mod remove;

use pointbook_domain::Scope;
use pointbook_http::kernel::BodyLimit;
use pointbook_http::{Caller, RouteSpec, route};

use crate::pictures::MAX_PICTURE_BYTES;

/// The path, also of links.
const PATH: &str = "/v1/manage/pictures";

pub(crate) static ROUTES: [RouteSpec; 3] = [
    route!(
        "manage.pictures.list", GET PATH,
        Caller::Key(Scope::ProductsRead), list::list, list::documentation
    ),
    route!(
        "manage.pictures.add", POST PATH,
        Caller::Key(Scope::ProductsWrite), add::add, add::documentation, BodyLimit::Bytes(MAX_PICTURE_BYTES)
    ),
    route!(
        "manage.pictures.remove", DELETE "/v1/manage/pictures/{pictureId}",
        Caller::Key(Scope::ProductsWrite), remove::remove, remove::documentation
    ),
];
