//! `/v1/manage/webhooks`: endpoints that get the events of the feed.

mod add;
mod cursor;
mod fields;
mod put;
mod read;
mod test;

use pointbook_domain::Scope;
use pointbook_http::{Caller, RouteSpec, route};

const PATH: &str = "/v1/manage/webhooks";
const ONE: &str = "/v1/manage/webhooks/{webhookId}";

/// A webhook sends events to a URL of the caller, so the caller may read them.
const CALLER: Caller = Caller::KeyOfBoth([Scope::WebhooksWrite, Scope::EventsRead]);

pub(crate) static ROUTES: [RouteSpec; 10] = [
    route!("manage.webhooks.list", GET PATH, CALLER, read::list, read::list_documentation),
    route!("manage.webhooks.add", POST PATH, CALLER, add::add, add::documentation),
    route!("manage.webhooks.show", GET ONE, CALLER, read::show, read::show_documentation),
    route!("manage.webhooks.put", PUT ONE, CALLER, put::put, put::documentation),
    route!("manage.webhooks.remove", DELETE ONE, CALLER, put::remove, put::remove_documentation),
    route!(
        "manage.webhooks.rotate", POST "/v1/manage/webhooks/{webhookId}/rotate",
        CALLER, add::rotate, add::rotate_documentation
    ),
    route!(
        "manage.webhooks.test", POST "/v1/manage/webhooks/{webhookId}/test",
        CALLER, test::test, test::documentation
    ),
    route!(
        "manage.webhooks.rewind", POST "/v1/manage/webhooks/{webhookId}/rewind",
        CALLER, cursor::rewind, cursor::rewind_documentation
    ),
    route!(
        "manage.webhooks.skip", POST "/v1/manage/webhooks/{webhookId}/skip",
        CALLER, cursor::skip, cursor::skip_documentation
    ),
    route!(
        "manage.webhooks.attempts", GET "/v1/manage/webhooks/{webhookId}/attempts",
        CALLER, read::attempts, read::attempts_documentation
    ),
];
