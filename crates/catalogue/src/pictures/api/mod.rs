//! `/v1/manage/pictures`: the pictures of products.

mod add;
mod list;
mod remove;

use http::Method;
use pointbook_domain::Scope;
use pointbook_http::kernel::BodyLimit;
use pointbook_http::rate_limit::count::Counted;
use pointbook_http::{Caller, RouteSpec};

use crate::pictures::MAX_PICTURE_BYTES;

/// The path, also of links.
const PATH: &str = "/v1/manage/pictures";
const ONE: &str = "/v1/manage/pictures/{pictureId}";

pub(crate) static ROUTES: [RouteSpec; 3] = [
    RouteSpec {
        name: "manage.pictures.list",
        method: Method::GET,
        path: PATH,
        caller: Caller::Key(Scope::ProductsRead),
        body: BodyLimit::Ordinary,
        counted: Counted::Never,
        documentation: list::documentation,
        handler: |_, request| Box::pin(list::list(request)),
    },
    RouteSpec {
        name: "manage.pictures.add",
        method: Method::POST,
        path: PATH,
        caller: Caller::Key(Scope::ProductsWrite),
        body: BodyLimit::Bytes(MAX_PICTURE_BYTES),
        counted: Counted::Never,
        documentation: add::documentation,
        handler: |_, request| Box::pin(add::add(request)),
    },
    RouteSpec {
        name: "manage.pictures.remove",
        method: Method::DELETE,
        path: ONE,
        caller: Caller::Key(Scope::ProductsWrite),
        body: BodyLimit::Ordinary,
        counted: Counted::Never,
        documentation: remove::documentation,
        handler: |_, request| Box::pin(remove::remove(request)),
    },
];
