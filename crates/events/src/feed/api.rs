//! `GET /v1/manage/events`: what changed, for integrators who pull.

use std::time::Duration;

use http::StatusCode;
use pointbook_domain::Scope;
use pointbook_http::describe::Operation;
use pointbook_http::documentation::Tag;
use pointbook_http::kernel::{Response, json};
use pointbook_http::query::{ReadQuery, describe};
use pointbook_http::{ApiError, ApiRequest, Caller, RouteSpec, route};

use crate::feed::query::{EventQuery, event_list};
use crate::feed::view::EventListView;
use crate::feed::{FeedError, read_events};

pub(crate) static ROUTES: [RouteSpec; 1] = [route!(
    "manage.events.list", GET "/v1/manage/events",
    Caller::Key(Scope::EventsRead), list, documentation
)];

async fn list(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let EventQuery { filter, after, limit, wait_seconds } = request.query_string.read(event_list)?;
    let permit = request.state.event_permit(&request, wait_seconds);
    let wait = permit.as_ref().map_or(Duration::ZERO, |(_, wait)| *wait);
    let page = read_events(request.tenant, &filter, after, limit, wait).await.map_err(refused)?;
    let body = serde_json::to_vec(&EventListView::from(&page)).map_err(|_| ApiError::Internal)?;
    Ok(json(StatusCode::OK, body))
}

fn refused(error: FeedError) -> ApiError {
    match error {
        FeedError::Gone(feed) => ApiError::CursorGone(feed),
        FeedError::Store(error) => error.into(),
    }
}

fn documentation() -> Operation {
    Operation::ours("listEvents", Tag::Management, "List events")
        .describe(
            "Lists what changed after a cursor, the oldest event first. Positions have no gap, and nothing appears before an \
             event that was read. The events of one user come in the order of their transactions. Keep `meta.cursor` with \
             what you made of the events, and pass it as `after`. With `wait`, the response waits for the first event. The \
             feed keeps events for 90 days, unless the tenant set another number.",
        )
        .taking(describe(event_list))
        .with_cursor()
        .body::<EventListView<'_>>(StatusCode::OK, "The events, perhaps none.", EXAMPLE)
}

const EXAMPLE: &str = r#"{
    "data": [
        {
            "id": "evt_1_41",
            "position": 41,
            "type": "transaction.recorded",
            "timestamp": "2026-05-04T08:15:31.000000Z",
            "data": {
                "user_id": "ben",
                "type": "code",
                "points": 60,
                "bonus_points": 0,
                "title": "QR code scan",
                "subtitle": "Green tea",
                "created_at": "2026-05-04T08:15:30.250000Z",
                "bonus_breakdown": [],
                "id": "01a1ff0a91c77e0380d6a0c5f0a7b3de",
                "source_id": "scan-77",
                "seq": 3,
                "balance_after": 1630,
                "recorded_at": "2026-05-04T08:15:31.000000Z"
            }
        },
        {
            "id": "evt_1_42",
            "position": 42,
            "type": "order.placed",
            "timestamp": "2026-05-04T08:16:00.000000Z",
            "data": {"user_id": "ben", "order_id": "01a1ff0b10ff7172b0306b6798633ea0"}
        }
    ],
    "meta": {"cursor": "1-42", "earliest": "1-0", "latest": "1-42"}
}"#;
