//! `/v1/manage/campaigns`: when activities earn bonuses, and how much.

mod back_fill;
mod back_test;
mod definition;
mod example;
mod path;
mod put;
mod read;
mod step;
mod written;

use http::Method;
use pointbook_domain::Scope;
use pointbook_http::describe::Operation;
use pointbook_http::kernel::BodyLimit;
use pointbook_http::rate_limit::count::Counted;
use pointbook_http::{Caller, Handler, RouteSpec};

const PATH: &str = "/v1/manage/campaigns";
const ONE: &str = "/v1/manage/campaigns/{campaignId}";
const STATE: &str = "/v1/manage/campaigns/{campaignId}/state";
const BACK_TEST: &str = "/v1/manage/campaigns/{campaignId}/back-test";
const BACK_FILL: &str = "/v1/manage/campaigns/{campaignId}/back-fill";

const READ: Caller = Caller::Key(Scope::CampaignsRead);
const WRITE: Caller = Caller::Key(Scope::CampaignsWrite);
/// The result of a back-test names users. That of a birthday campaign tells their birthdays.
const READ_OF_USERS: Caller = Caller::KeyOfBoth([Scope::CampaignsRead, Scope::UsersRead]);

const fn route(
    name: &'static str,
    method: Method,
    path: &'static str,
    caller: Caller,
    documentation: fn() -> Operation,
    handler: Handler,
) -> RouteSpec {
    let (body, counted) = (BodyLimit::Ordinary, Counted::Never);
    RouteSpec { name, method, path, caller, body, counted, documentation, handler }
}

pub(crate) static ROUTES: [RouteSpec; 10] = [
    route("manage.campaigns.list", Method::GET, PATH, READ, read::list_documentation, |_, request| {
        Box::pin(read::list(request))
    }),
    route("manage.campaigns.show", Method::GET, ONE, READ, read::show_documentation, |_, request| {
        Box::pin(read::show(request))
    }),
    route("manage.campaigns.put", Method::PUT, ONE, WRITE, put::documentation, |_, request| {
        Box::pin(put::put(request))
    }),
    route("manage.campaigns.step", Method::POST, STATE, WRITE, step::documentation, |_, request| {
        Box::pin(step::step(request))
    }),
    route(
        "manage.campaigns.back_test.start",
        Method::POST,
        BACK_TEST,
        WRITE,
        back_test::start_documentation,
        |_, request| Box::pin(back_test::start(request)),
    ),
    route(
        "manage.campaigns.back_test.show",
        Method::GET,
        BACK_TEST,
        READ_OF_USERS,
        back_test::show_documentation,
        |_, request| Box::pin(back_test::show(request)),
    ),
    route(
        "manage.campaigns.back_test.cancel",
        Method::DELETE,
        BACK_TEST,
        WRITE,
        back_test::cancel_documentation,
        |_, request| Box::pin(back_test::cancel(request)),
    ),
    route(
        "manage.campaigns.back_fill.start",
        Method::POST,
        BACK_FILL,
        WRITE,
        back_fill::start_documentation,
        |_, request| Box::pin(back_fill::start(request)),
    ),
    route(
        "manage.campaigns.back_fill.show",
        Method::GET,
        BACK_FILL,
        READ,
        back_fill::show_documentation,
        |_, request| Box::pin(back_fill::show(request)),
    ),
    route(
        "manage.campaigns.back_fill.cancel",
        Method::DELETE,
        BACK_FILL,
        WRITE,
        back_fill::cancel_documentation,
        |_, request| Box::pin(back_fill::cancel(request)),
    ),
];
