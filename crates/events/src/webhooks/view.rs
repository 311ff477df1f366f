//! A webhook as the back office sees it.

use pointbook_domain::webhook::{MAX_LANES, MAX_WEBHOOK_URL_BYTES};
use pointbook_domain::{
    DisabledBecause, EventType, Feed, Timestamp, Webhook, WebhookAttempt, WebhookMode, WebhookProgress,
    WebhookState,
};
use pointbook_http::describe::Schema;
use pointbook_http::view;
use pointbook_http::views::values::DateTimeView;

view! {
    /// What the back office set, and the state.
    #[derive(Debug)]
    pub struct WebhookView<'w> as "Webhook" {
        id: &'w str,
        url: &'w str => url_schema(),
        event_types: Vec<&'static str> => event_types_schema(),
        mode: &'static str => mode_schema(),
        parallel: u32 => parallel_schema(),
        /// `failing`: each attempt has failed for an hour, and the server still tries. `disabled`: it tries no more.
        state: &'static str => Schema::one_of(WebhookState::ALL.iter().map(|state| state.as_str())),
        /// `request`: you disabled it. `failures`: each attempt has failed for five days. `gone`: the receiver responded with 410.
        /// `events_removed`: the feed no longer has the next events.
        disabled_because: Option<&'static str>,
        state_since: DateTimeView,
        /// Until when the secret before the last rotation signs too.
        previous_secret_until: Option<DateTimeView>,
        created_at: DateTimeView,
    }

    /// A webhook and how far its deliveries are.
    #[derive(Debug)]
    pub struct WebhookStatusView<'w> as "WebhookStatus" {
        #[serde(flatten)]
        webhook: WebhookView<'w>,
        delivery: DeliveryView,
    }

    #[derive(Debug)]
    struct DeliveryView {
        /// All events up to this cursor were delivered, or are of other types.
        cursor: String,
        /// How many events of the feed come after the cursor.
        lag: u64,
        /// Requests that the receiver accepted.
        delivered_count: u64,
        /// Attempts that failed.
        failed_count: u64,
        /// Attempts that failed since the last success.
        failures_in_row: u32,
        /// The first of those attempts.
        failing_since: Option<DateTimeView>,
        /// The event whose delivery failed last. It can be skipped.
        failed_position: Option<u64>,
        /// When the next attempt is made.
        retry_at: Option<DateTimeView>,
    }

    #[derive(Debug)]
    pub struct WebhookListView<'w> as "WebhookList" {
        pub data: Vec<WebhookStatusView<'w>>,
    }

    /// The secret, which only the responses that make it show.
    pub struct WebhookSecretView<'w> as "WebhookSecret" {
        pub id: &'w str,
        /// `whsec_` and the base64 of 32 bytes. The server shows it only in this response.
        pub secret: &'w str,
    }

    /// One attempt to deliver.
    #[derive(Debug)]
    pub struct WebhookAttemptView<'a> as "WebhookAttempt" {
        at: DateTimeView,
        position: u64,
        #[serde(flatten)]
        result: WebhookTestView<'a>,
    }

    #[derive(Debug)]
    pub struct WebhookAttemptListView<'a> as "WebhookAttemptList" {
        pub data: Vec<WebhookAttemptView<'a>>,
    }

    /// The response of a receiver.
    #[derive(Debug)]
    pub struct WebhookTestView<'a> as "WebhookTest" {
        /// The status of the response. Null without one.
        pub status: Option<u32>,
        pub duration_ms: u32,
        /// Why it failed, in a word such as `timeout` or `status`. Null when the receiver accepted it.
        pub error: Option<&'a str>,
    }
}

impl<'w> From<&'w Webhook> for WebhookView<'w> {
    fn from(webhook: &'w Webhook) -> Self {
        let Webhook {
            id,
            url,
            types,
            mode,
            lanes,
            secret: _,
            previous_secret: _,
            previous_secret_until,
            state,
            disabled_because,
            state_since,
            epoch: _,
            start_generation: _,
            start_position: _,
            created_at,
        } = webhook;
        Self {
            id,
            url,
            event_types: types.0.iter().map(|kind| kind.as_str()).collect(),
            mode: mode.as_str(),
            parallel: *lanes,
            state: state.as_str(),
            disabled_because: disabled_because.map(DisabledBecause::as_str),
            state_since: DateTimeView(*state_since),
            previous_secret_until: time(*previous_secret_until),
            created_at: DateTimeView(*created_at),
        }
    }
}

impl<'w> WebhookStatusView<'w> {
    /// `progress` belongs to the present epoch of the webhook.
    pub fn new(webhook: &'w Webhook, progress: Option<&WebhookProgress>, feed: &Feed) -> Self {
        let cursor = webhook.cursor(progress);
        let count = |count: fn(&WebhookProgress) -> u64| progress.map_or(0, count);
        let delivery = DeliveryView {
            cursor: cursor.to_string(),
            lag: feed.count_after(cursor),
            delivered_count: count(|progress| progress.delivered_count),
            failed_count: count(|progress| progress.failed_count),
            failures_in_row: progress.map_or(0, |progress| progress.failures),
            failing_since: time(progress.and_then(|progress| progress.failing_since)),
            failed_position: progress.and_then(|progress| progress.failed_position),
            retry_at: time(progress.and_then(|progress| progress.retry_at)),
        };
        Self { webhook: webhook.into(), delivery }
    }
}

fn time(time: Option<Timestamp>) -> Option<DateTimeView> {
    time.map(DateTimeView)
}

impl<'a> From<&'a WebhookAttempt> for WebhookAttemptView<'a> {
    fn from(attempt: &'a WebhookAttempt) -> Self {
        let WebhookAttempt { webhook_id: _, slot: _, at, duration_ms, position, status, error } = attempt;
        let result = WebhookTestView { status: *status, duration_ms: *duration_ms, error: error.as_deref() };
        Self { at: DateTimeView(*at), position: *position, result }
    }
}

pub fn url_schema() -> Schema {
    Schema::text_to(MAX_WEBHOOK_URL_BYTES)
        .describe("Where the requests go: an `https` URL whose host has global addresses.")
}

pub fn event_types_schema() -> Schema {
    let kind = Schema::one_of(EventType::ALL.iter().map(|kind| kind.as_str()));
    Schema::list(kind)
        .describe("The types of events that it gets. Empty for all, also those of later versions.")
}

pub fn mode_schema() -> Schema {
    Schema::one_of(WebhookMode::ALL.iter().map(|mode| mode.as_str())).describe(
        "`each`: one request per event, in order. `nudge`: at most one request per second, which says that the feed has new \
         events; no data of users leaves by push.",
    )
}

pub fn parallel_schema() -> Schema {
    Schema::integer(1..=i64::from(MAX_LANES))
        .describe("How many requests are sent at a time. The events of one user come one after the other.")
}
