//! An event of the feed.

use pointbook_domain::expiry::EndNotice;
use pointbook_domain::{Cursor, EventType};
use pointbook_http::describe::{Described, Schema};
use pointbook_http::view;
use pointbook_http::views::values::{DateTimeView, DayView};
use pointbook_points::members::ledger_view::LedgerEntryView;
use serde::Serialize;

use crate::feed::{Event, EventData, EventPage};

view! {
    pub struct EventView<'e> as "Event" {
        /// The id of the event, the same at each reading.
        id: String,
        /// 1, 2, 3 ... in a feed, without a gap.
        position: u64,
        /// What happened. Later versions add types: ignore those that you do not know.
        #[serde(rename = "type")]
        kind: &'static str => Schema::one_of(EventType::ALL.iter().map(|kind| kind.as_str())),
        /// When the change was made.
        timestamp: DateTimeView,
        /// What changed. Of a transaction: `user_id` and the members of a ledger entry. Of an order: `order_id` and `user_id`. Of a user:
        /// `user_id`. Of points that end soon: `user_id`, the `points`, their last day `on`, and how many days before it the notice is
        /// due, `notice_days`. Of a product: `product_id`. Of a webhook: `webhook_id`. Of a campaign: `campaign_id`; of its start and its end also
        /// the `version` in force and the time `at`. Read what may have changed since.
        data: EventDataView<'e>,
    }

    pub struct EventListView<'e> as "EventList" {
        data: Vec<EventView<'e>>,
        meta: EventListMeta,
    }

    struct EventListMeta {
        /// Pass it as `after` for the events that follow.
        cursor: String,
        /// The cursor before the oldest event that is kept.
        earliest: String,
        /// The cursor after the newest event.
        latest: String,
    }
}

#[derive(Serialize)]
#[serde(untagged)]
enum EventDataView<'e> {
    Transaction {
        user_id: &'e str,
        #[serde(flatten)]
        entry: Box<LedgerEntryView<'e>>,
    },
    Order {
        user_id: &'e str,
        order_id: &'e str,
    },
    User {
        user_id: &'e str,
    },
    EndNotice {
        user_id: &'e str,
        points: i64,
        on: DayView,
        notice_days: u32,
    },
    Product {
        product_id: &'e str,
    },
    Webhook {
        webhook_id: &'e str,
    },
    Campaign {
        campaign_id: &'e str,
    },
    CampaignRun {
        campaign_id: &'e str,
        version: u32,
        at: DateTimeView,
    },
    Nothing {},
}

impl Described for EventDataView<'_> {
    fn schema() -> Schema {
        Schema::any_object()
    }
}

impl<'e> From<&'e Event> for EventView<'e> {
    fn from(event: &'e Event) -> Self {
        let Event { generation: _, position, kind, at, data } = event;
        let data = match data {
            EventData::Transaction(entry) => {
                let user_id = entry.user_id.as_str();
                EventDataView::Transaction { user_id, entry: Box::new((&**entry).into()) }
            }
            EventData::Order { user_id, order_id } => {
                EventDataView::Order { user_id: user_id.as_str(), order_id }
            }
            EventData::User(user_id) => EventDataView::User { user_id: user_id.as_str() },
            EventData::EndNotice(user_id, EndNotice { last_day, notice_days, points }) => {
                let (on, notice_days) = (DayView(*last_day), *notice_days);
                EventDataView::EndNotice { user_id: user_id.as_str(), points: *points, on, notice_days }
            }
            EventData::Product(product_id) => EventDataView::Product { product_id },
            EventData::Webhook(webhook_id) => EventDataView::Webhook { webhook_id },
            EventData::Campaign(campaign_id) => EventDataView::Campaign { campaign_id },
            EventData::CampaignRun { campaign_id, version, at } => {
                EventDataView::CampaignRun { campaign_id, version: *version, at: DateTimeView(*at) }
            }
            EventData::Nothing => EventDataView::Nothing {},
        };
        let (id, timestamp) = (event.id(), DateTimeView(*at));
        Self { id, position: *position, kind: kind.as_str(), timestamp, data }
    }
}

impl<'e> From<&'e EventPage> for EventListView<'e> {
    fn from(page: &'e EventPage) -> Self {
        let EventPage { events, cursor, feed } = page;
        let text = |cursor: &Cursor| cursor.to_string();
        let (earliest, latest) = (text(&feed.begin()), text(&feed.end()));
        let meta = EventListMeta { cursor: text(cursor), earliest, latest };
        Self { data: events.iter().map(EventView::from).collect(), meta }
    }
}
