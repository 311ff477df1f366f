//! The bodies of requests.

use bytes::Bytes;
use pointbook_domain::{Cursor, Timestamp};
use pointbook_store::StoreError;
use serde_json::json;

use crate::feed::Event;
use crate::feed::view::EventView;

/// The event as the feed shows it.
pub(super) fn of_event(event: &Event) -> Result<Bytes, StoreError> {
    let body = serde_json::to_vec(&EventView::from(event));
    body.map(Bytes::from).map_err(|error| StoreError::Failed(Box::new(error)))
}

/// The id and the body of a request that says that the feed has events up to a cursor. The id is the same at each attempt, and
/// another one when the feed has gone on.
pub(super) fn nudge(latest: Cursor, now: Timestamp) -> (String, Bytes) {
    let id = format!("nudge_{}_{}", latest.generation, latest.position);
    let data = json!({ "latest": latest.to_string() });
    let body = json!({ "id": id, "type": "feed.advanced", "timestamp": now.to_string(), "data": data });
    (id, body.to_string().into())
}
