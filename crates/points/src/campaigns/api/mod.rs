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

use pointbook_domain::Scope;
use pointbook_http::{Caller, RouteSpec, route};

const ONE: &str = "/v1/manage/campaigns/{campaignId}";
const BACK_TEST: &str = "/v1/manage/campaigns/{campaignId}/back-test";
const BACK_FILL: &str = "/v1/manage/campaigns/{campaignId}/back-fill";

const READ: Caller = Caller::Key(Scope::CampaignsRead);
const WRITE: Caller = Caller::Key(Scope::CampaignsWrite);
/// The result of a back-test names users. That of a birthday campaign tells their birthdays.
const READ_OF_USERS: Caller = Caller::KeyOfBoth([Scope::CampaignsRead, Scope::UsersRead]);

pub(crate) static ROUTES: [RouteSpec; 10] = [
    route!("manage.campaigns.list", GET "/v1/manage/campaigns", READ, read::list, read::list_documentation),
    route!("manage.campaigns.show", GET ONE, READ, read::show, read::show_documentation),
    route!("manage.campaigns.put", PUT ONE, WRITE, put::put, put::documentation),
    route!(
        "manage.campaigns.step", POST "/v1/manage/campaigns/{campaignId}/state",
        WRITE, step::step, step::documentation
    ),
    route!(
        "manage.campaigns.back_test.start", POST BACK_TEST,
        WRITE, back_test::start, back_test::start_documentation
    ),
    route!(
        "manage.campaigns.back_test.show", GET BACK_TEST,
        READ_OF_USERS, back_test::show, back_test::show_documentation
    ),
    route!(
        "manage.campaigns.back_test.cancel", DELETE BACK_TEST,
        WRITE, back_test::cancel, back_test::cancel_documentation
    ),
    route!(
        "manage.campaigns.back_fill.start", POST BACK_FILL,
        WRITE, back_fill::start, back_fill::start_documentation
    ),
    route!(
        "manage.campaigns.back_fill.show", GET BACK_FILL,
        READ, back_fill::show, back_fill::show_documentation
    ),
    route!(
        "manage.campaigns.back_fill.cancel", DELETE BACK_FILL,
        WRITE, back_fill::cancel, back_fill::cancel_documentation
    ),
];
