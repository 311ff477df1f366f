//! The parameters of the feed.

use pointbook_domain::id::MAX_ID_CHARS;
use pointbook_domain::{Cursor, EventType, UserId};
use pointbook_http::describe::Schema;
use pointbook_http::query::Fields;

use crate::feed::EventFilter;

/// The events that the back office asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventQuery {
    pub filter: EventFilter,
    /// `None` for the oldest event.
    pub after: Option<Cursor>,
    pub limit: u32,
    pub wait_seconds: u32,
}

/// `GET /v1/manage/events`.
pub fn event_list(fields: &mut Fields<'_>) -> EventQuery {
    let after = "The cursor after which the events begin: `meta.cursor` of the response before. Without it, the oldest event \
                 comes first.";
    let types = "Only events of these types, with commas, such as `transaction.recorded,order.placed`.";
    let user = "Only events about this user.";
    let wait = "How many seconds the response waits for the first event. It may come earlier without one.";
    let after = fields.text_as("after", after, || Schema::text_to(MAX_CURSOR_CHARS), Cursor::parse);
    let types = fields.texts("types", types, EventType::parse);
    let user_id = fields.text_as("user", user, || Schema::text_to(MAX_ID_CHARS), |id| UserId::new(id).ok());
    let limit = fields.limit(MAX_EVENTS, USUAL_EVENTS);
    let wait_seconds = fields.seconds("wait", wait, MAX_WAIT_SECONDS);
    EventQuery {
        filter: EventFilter { types: types.unwrap_or_default(), user_id },
        after,
        limit,
        wait_seconds,
    }
}

const MAX_EVENTS: u32 = 1_000;
const USUAL_EVENTS: u32 = 100;
const MAX_WAIT_SECONDS: u32 = 30;
const MAX_CURSOR_CHARS: usize = 50;
