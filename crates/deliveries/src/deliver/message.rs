//! The bodies of requests.

use bytes::Bytes;
use pointbook_app::StoreError;
use pointbook_domain::{Cursor, Timestamp};
use pointbook_feed::Event;
use pointbook_wire::event::EventView;
use serde_json::json;

/// The event as the feed shows it.
pub(super) fn of_event(event: &Event) -> Result<Bytes, StoreError> {
    let body = serde_json::to_vec(&EventView::from(event));
    body.map(Bytes::from).map_err(|error| StoreError::Failed(Box::new(error)))
}

/// The same at each attempt, as [`EventView`] has it.
pub(super) fn id_of(at: Cursor) -> String {
    format!("evt_{}_{}", at.generation, at.position)
}

/// Says that the feed has events up to a cursor.
pub(super) fn nudge(latest: Cursor, now: Timestamp) -> Bytes {
    let data = json!({ "latest": latest.to_string() });
    let id = format!("nudge_{}_{}", latest.generation, latest.position);
    let body = json!({ "id": id, "type": "feed.advanced", "timestamp": now.to_string(), "data": data });
    body.to_string().into()
}

/// The same at each attempt, and another one when the feed has gone on.
pub(super) fn nudge_id(latest: Cursor) -> String {
    format!("nudge_{}_{}", latest.generation, latest.position)
}
