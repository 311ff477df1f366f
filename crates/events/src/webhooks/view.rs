//! A webhook as the back office sees it.

use pointbook_domain::webhook::{MAX_LANES, MAX_WEBHOOK_URL_BYTES};
use pointbook_domain::{
    DisabledBecause, EventType, Feed, Timestamp, Webhook, WebhookAttempt, WebhookMode, WebhookProgress,
    WebhookState,
};
use pointbook_http::describe::{Field, Schema, required};
use pointbook_http::views::values::DateTimeView;
use serde::Serialize;

/// What the back office set, and the state.
#[derive(Debug, Serialize)]
pub struct WebhookView<'w> {
    id: &'w str,
    url: &'w str,
    event_types: Vec<&'static str>,
    mode: &'static str,
    parallel: u32,
    state: &'static str,
    disabled_because: Option<&'static str>,
    state_since: DateTimeView,
    previous_secret_until: Option<DateTimeView>,
    created_at: DateTimeView,
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

/// A webhook and how far its deliveries are.
#[derive(Debug, Serialize)]
pub struct WebhookStatusView<'w> {
    #[serde(flatten)]
    webhook: WebhookView<'w>,
    delivery: DeliveryView,
}

#[derive(Debug, Serialize)]
struct DeliveryView {
    cursor: String,
    lag: u64,
    delivered_count: u64,
    failed_count: u64,
    failures_in_row: u32,
    failing_since: Option<DateTimeView>,
    failed_position: Option<u64>,
    retry_at: Option<DateTimeView>,
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

#[derive(Debug, Serialize)]
pub struct WebhookListView<'w> {
    pub data: Vec<WebhookStatusView<'w>>,
}

/// The secret, which only the responses that make it show.
#[derive(Serialize)]
pub struct WebhookSecretView<'w> {
    pub id: &'w str,
    pub secret: &'w str,
}

/// One attempt to deliver.
#[derive(Debug, Serialize)]
pub struct WebhookAttemptView<'a> {
    at: DateTimeView,
    position: u64,
    status: Option<u32>,
    duration_ms: u32,
    error: Option<&'a str>,
}

impl<'a> From<&'a WebhookAttempt> for WebhookAttemptView<'a> {
    fn from(attempt: &'a WebhookAttempt) -> Self {
        let WebhookAttempt { webhook_id: _, slot: _, at, duration_ms, position, status, error } = attempt;
        let (at, error) = (DateTimeView(*at), error.as_deref());
        Self { at, position: *position, status: *status, duration_ms: *duration_ms, error }
    }
}

#[derive(Debug, Serialize)]
pub struct WebhookAttemptListView<'a> {
    pub data: Vec<WebhookAttemptView<'a>>,
}

/// The response of a receiver to a test.
#[derive(Debug, Serialize)]
pub struct WebhookTestView {
    pub status: Option<u16>,
    pub duration_ms: u32,
    pub error: Option<&'static str>,
}

pub fn webhook_schema() -> Schema {
    Schema::object(settings())
}

pub fn webhook_status_schema() -> Schema {
    Schema::object(settings().chain([required("delivery", delivery_schema())]))
}

pub fn webhook_list_schema() -> Schema {
    Schema::object([required("data", Schema::list(Schema::named("WebhookStatus")))])
}

fn settings() -> impl Iterator<Item = Field> {
    let state = "`failing`: each attempt has failed for an hour, and the server still tries. `disabled`: it tries no more.";
    let because = "`request`: you disabled it. `failures`: each attempt has failed for five days. `gone`: the receiver \
                   responded with 410. `events_removed`: the feed no longer has the next events.";
    let words = |words: Vec<&'static str>| Schema::one_of(words);
    [
        required("id", Schema::text()),
        required("url", url_schema()),
        required("event_types", event_types_schema()),
        required("mode", mode_schema()),
        required("parallel", parallel_schema()),
        required(
            "state",
            words(WebhookState::ALL.iter().map(|state| state.as_str()).collect()).describe(state),
        ),
        required("disabled_because", Schema::text().or_null().describe(because)),
        required("state_since", Schema::date_time()),
        required(
            "previous_secret_until",
            Schema::date_time()
                .or_null()
                .describe("Until when the secret before the last rotation signs too."),
        ),
        required("created_at", Schema::date_time()),
    ]
    .into_iter()
}

fn delivery_schema() -> Schema {
    let cursor = "All events up to this cursor were delivered, or are of other types.";
    Schema::object([
        required("cursor", Schema::text().describe(cursor)),
        required("lag", Schema::count().describe("How many events of the feed come after the cursor.")),
        required("delivered_count", Schema::count().describe("Requests that the receiver accepted.")),
        required("failed_count", Schema::count().describe("Attempts that failed.")),
        required("failures_in_row", Schema::count().describe("Attempts that failed since the last success.")),
        required("failing_since", Schema::date_time().or_null().describe("The first of those attempts.")),
        required(
            "failed_position",
            Schema::count().or_null().describe("The event whose delivery failed last. It can be skipped."),
        ),
        required("retry_at", Schema::date_time().or_null().describe("When the next attempt is made.")),
    ])
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

pub fn webhook_secret_schema() -> Schema {
    let secret = "`whsec_` and the base64 of 32 bytes. The server shows it only in this response.";
    Schema::object([required("id", Schema::text()), required("secret", Schema::text().describe(secret))])
}

pub fn webhook_attempt_schema() -> Schema {
    Schema::object(
        [required("at", Schema::date_time()), required("position", Schema::count())]
            .into_iter()
            .chain(result()),
    )
}

pub fn webhook_attempt_list_schema() -> Schema {
    Schema::object([required("data", Schema::list(Schema::named("WebhookAttempt")))])
}

pub fn webhook_test_schema() -> Schema {
    Schema::object(result())
}

fn result() -> impl Iterator<Item = Field> {
    let error = "Why it failed, in a word such as `timeout` or `status`. Null when the receiver accepted it.";
    [
        required(
            "status",
            Schema::count().or_null().describe("The status of the response. Null without one."),
        ),
        required("duration_ms", Schema::count()),
        required("error", Schema::text().or_null().describe(error)),
    ]
    .into_iter()
}
