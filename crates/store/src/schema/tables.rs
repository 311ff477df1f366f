//! The declarations of the tables.

use crate::schema::{Column, Kind, Lock, Table};

/// The defaults for a table.
const PLAIN: Table = Table {
    name: "",
    tenant_column: "tenant_id",
    columns: &[],
    key_columns: 1,
    growing_column: None,
    event_columns: &[],
    user_index: None,
    is_append_only: false,
    is_catalogue: false,
    is_version: false,
    is_copied: true,
    rows_per_page: 4_000,
    lock: Lock::Turn,
    lock_order: 100,
    guards: &[],
    counters: &[],
    rights: "SELECT, INSERT, UPDATE",
};

/// Declares a constant for each table: its name, its columns in database order without the tenant's, and its differences
/// from [`PLAIN`].
macro_rules! tables {
    ($(
        $(#[$doc:meta])*
        $table:ident = $name:literal { $($kind:ident: $($column:ident)+;)+ } $($field:ident: $value:expr),* $(,)?;
    )*) => {$(
        $(#[$doc])*
        pub const $table: Table = Table {
            name: $name,
            columns: &[$($(Column { name: stringify!($column), kind: Kind::$kind },)+)+],
            $($field: $value,)*
            ..PLAIN
        };
    )*};
}

mod figures;

pub use self::figures::*;

tables! {
    /// The tenants. This is the only table whose key does not begin with `tenant_id`.
    TENANTS = "tenants" {
        Text: slug environment base_url name locale settings;
        Integer: created_at clock_offset;
    } tenant_column: "id", key_columns: 0, rights: "SELECT, UPDATE (clock_offset)", lock: Lock::Rows, lock_order: 110, guards: &["clock_offset"];

    /// The users, each with the state after the newest ledger row.
    USERS = "users" {
        Text: id;
        Integer: balance day_count last_seq;
        Bytes: last_hash;
        Integer: birth_date;
        Text: locale;
        Integer: disabled_at created_at birth_date_set_at;
        Text: earned_counts;
    } growing_column: Some(3), event_columns: &["created_at", "disabled_at", "birth_date_set_at"], lock: Lock::Rows, lock_order: 20, guards: &["balance", "last_seq"];

    /// The category tree of each tenant, as one JSON text. A tenant that never had one has no row.
    CATEGORY_TREES = "category_trees" {
        Text: categories;
    } key_columns: 0, is_catalogue: true, rights: "SELECT, INSERT, UPDATE, DELETE", lock_order: 70;

    /// The products, including retired ones.
    PRODUCTS = "products" {
        Text: id sku title description description_source;
        Integer: regular_price sale_price;
        Text: thumbnail gallery categories;
        Integer: stock;
        Truth: popular;
        Integer: published_at;
        Truth: active;
        Integer: version retired_at reserved stock_supplied;
    } event_columns: &["retired_at"], is_catalogue: true, rows_per_page: 400, lock: Lock::Rows, lock_order: 50, counters: &["stock", "reserved", "stock_supplied"];

    /// The ledger.
    TRANSACTIONS = "transactions" {
        Text: user_id;
        Integer: created_at;
        Bytes: id;
        Text: type source_id;
        Integer: points bonus_points;
        Text: bonus_breakdown title subtitle;
        Integer: recorded_at seq balance_after;
        Bytes: hash;
        Text: attributes bonus_origin;
    } key_columns: 3, event_columns: &["recorded_at"], is_append_only: true, rights: "SELECT, INSERT", lock_order: 80;

    ORDERS = "orders" {
        Text: id number user_id product_id product_sku product_title;
        Integer: product_price quantity points;
        Truth: takes_stock;
        Text: status;
        Integer: created_at fulfilled_at cancelled_at;
    } event_columns: &["created_at", "fulfilled_at", "cancelled_at"], user_index: Some("orders_by_user"), lock: Lock::Rows, lock_order: 10, guards: &["status"];

    /// The kept responses of idempotency keys.
    REQUEST_KEYS = "request_keys" {
        Text: principal key;
        Bytes: fingerprint answer;
        Integer: created_at last_used_at;
    } key_columns: 2, event_columns: &["last_used_at"], rows_per_page: 400, rights: "SELECT, INSERT, UPDATE, DELETE";

    /// The secrets that keys are derived from. A copy takes them along, so that the derived keys stay the same. Instances
    /// keep them in memory and read them again with a replaced catalogue.
    TENANT_SECRETS = "tenant_secrets" {
        Text: name;
        Bytes: value;
        Integer: created_at;
    } is_catalogue: true, rights: "SELECT, INSERT";

    /// The sealed data key of each tenant. A copy takes it along, because it opens the values that the tenant has sealed. Instances
    /// keep the opened key in memory and read it again with a replaced catalogue.
    DATA_KEYS = "data_keys" {
        Text: master_key_id;
        Bytes: sealed;
        Integer: created_at;
    } key_columns: 0, is_catalogue: true, lock: Lock::Rows, lock_order: 120, guards: &["sealed"];

    /// The operators of the console, by email address. Their key is not their id: a copy that finds an operator who was removed and
    /// added again replaces the row.
    OPERATORS = "operators" {
        Text: email id name role;
        Integer: created_at;
        Text: created_by;
    } event_columns: &["created_at"], rights: "SELECT, INSERT, UPDATE, DELETE";

    /// The sessions of operators in the console. A copy leaves them out: operators sign in again.
    OPERATOR_SESSIONS = "operator_sessions" {
        Text: id operator_id;
        Bytes: hash;
        Integer: created_at expires_at;
        Text: address;
        Integer: last_used_at;
    } event_columns: &["created_at"], is_copied: false, rights: "SELECT, INSERT, UPDATE, DELETE";

    /// The pictures of products, without their bytes, so that a command may load all rows.
    PICTURES = "pictures" {
        Bytes: id;
        Text: content_type;
        Integer: width height size_bytes created_at;
    } event_columns: &["created_at"], rights: "SELECT, INSERT, UPDATE, DELETE";

    /// The bytes of pictures, of up to 2 MiB.
    PICTURE_BYTES = "picture_bytes" {
        Bytes: id bytes;
    } rows_per_page: 8, rights: "SELECT, INSERT, UPDATE, DELETE";

    /// The version of each catalogue, and the low-stock threshold that orders compare with.
    CATALOGUE_VERSIONS = "catalogue_versions" {
        Integer: version low_stock_threshold;
    } key_columns: 0, is_version: true, lock: Lock::Rows, lock_order: 40, guards: &["version"];

    /// The background jobs. A copy leaves them out, because a row says when an instance on this database runs next or holds
    /// a lease. The first instance on the target schedules the recurring jobs of a tenant again.
    JOBS = "jobs" {
        Text: name key;
        Integer: next_run_at attempts;
        Text: lease_owner;
        Integer: lease_ends_at;
        Text: last_error;
        Integer: last_success_at;
    } key_columns: 2, is_copied: false, rights: "SELECT, INSERT, UPDATE, DELETE", lock: Lock::Rows, lock_order: 135;

    /// The audit log: an entry per change. The job of retention removes old entries.
    AUDIT_ENTRIES = "audit_entries" {
        Integer: seq at;
        Text: actor actor_label operation object old_values new_values reason request_id address;
        Bytes: hash;
    } rights: "SELECT, INSERT, UPDATE, DELETE";

    /// The ends of each audit log's chain.
    AUDIT_CHAINS = "audit_chains" {
        Integer: last_seq;
        Bytes: last_hash;
        Integer: sealed_seq;
        Bytes: sealed_hash;
        Integer: sealed_at;
    } key_columns: 0, lock: Lock::Rows, lock_order: 140, guards: &["sealed_seq"];

    /// The feed: what each commit changed. A reader gives the blocks their positions.
    FEED_BLOCKS = "feed_blocks" {
        Text: id;
        Integer: ordinal created_at entry_count;
        Text: entries;
        Integer: last_position;
    } rows_per_page: 400, rights: "SELECT, INSERT, UPDATE, DELETE";

    /// The ends of each feed.
    FEEDS = "feeds" {
        Integer: generation last_position removed_position;
    } key_columns: 0, lock: Lock::Rows, lock_order: 130, guards: &["generation", "removed_position"];

    /// The webhooks, as the back office set them.
    WEBHOOKS = "webhooks" {
        Text: id url event_types mode;
        Integer: lanes;
        Text: secret previous_secret;
        Integer: previous_secret_until;
        Text: state disabled_because;
        Integer: state_since epoch start_generation start_position created_at;
    } event_columns: &["state_since", "created_at"], rights: "SELECT, INSERT, UPDATE, DELETE";

    /// How far the deliveries of each webhook are. The process that has the lease writes it.
    WEBHOOK_PROGRESS = "webhook_progress" {
        Text: webhook_id;
        Integer: epoch generation position failures failing_since retry_at failed_position delivered_count
            failed_count;
        Text: lease_owner;
        Integer: lease_number;
    } rights: "SELECT, INSERT, UPDATE, DELETE";

    /// The last attempts of each webhook. A copy leaves them out: they say what a process tried on this database.
    WEBHOOK_ATTEMPTS = "webhook_attempts" {
        Text: webhook_id;
        Integer: slot at duration_ms position status;
        Text: error;
    } key_columns: 2, is_copied: false, rights: "SELECT, INSERT, UPDATE, DELETE";

    /// All versions of all campaigns. The revision counts the versions of a tenant, so that an instance reads only what is new.
    CAMPAIGN_VERSIONS = "campaign_versions" {
        Integer: revision;
        Text: campaign_id;
        Integer: version;
        Text: state;
        Integer: valid_from;
        Text: definition;
        Integer: created_at;
        Text: created_by;
    } event_columns: &["created_at"], is_append_only: true, rows_per_page: 400, rights: "SELECT, INSERT";

    /// The bonuses that campaigns gave. The day is that of the event, in the time zone of the tenant.
    AWARDS = "awards" {
        Text: user_id campaign_id;
        Integer: day seq version points birthday;
    } key_columns: 4, is_append_only: true, rights: "SELECT, INSERT", lock_order: 90;

    /// What the processes took of the budget of each campaign and what they spent of it. The share without a holder has the sums of
    /// what all others took.
    BUDGET_SHARES = "budget_shares" {
        Text: campaign_id holder;
        Integer: taken_awards taken_points spent_awards spent_points returned_awards returned_points
            notice;
    } key_columns: 2, lock: Lock::NamedRows, lock_order: 60, guards: &["taken_awards", "taken_points", "spent_awards", "spent_points", "returned_awards", "returned_points", "notice"];

    /// The back-tests of campaigns: one for each version. It has no results, so that a command may load all rows.
    BACK_TESTS = "back_tests" {
        Text: campaign_id;
        Integer: version;
        Text: state;
        Integer: events_from events_until rows_read rows_total requested_at;
        Text: requested_by;
        Integer: ended_at;
    } key_columns: 2, event_columns: &["requested_at", "ended_at"], rights: "SELECT, INSERT, UPDATE, DELETE";

    /// What the back-tests found.
    BACK_TEST_RESULTS = "back_test_results" {
        Text: campaign_id;
        Integer: version;
        Text: result;
    } key_columns: 2, rows_per_page: 100;

    /// The back-fills of campaigns: one for each version.
    BACK_FILLS = "back_fills" {
        Text: campaign_id;
        Integer: version;
        Text: state;
        Integer: events_from events_until found_awards found_points;
        Text: found_hash;
        Integer: paid_before given_awards given_points left_out requested_at;
        Text: requested_by;
        Integer: ended_at;
    } key_columns: 2, event_columns: &["requested_at", "ended_at"], rights: "SELECT, INSERT, UPDATE, DELETE";

    /// The campaigns that have started, with the versions in force when they started and ended. Each row is written when the events say so.
    CAMPAIGN_RUNS = "campaign_runs" {
        Text: campaign_id;
        Integer: started_at started_version ended_at ended_version;
    } event_columns: &["started_at", "ended_at"];

    /// The tokens, by their hashes.
    TOKENS = "tokens" {
        Bytes: hash;
        Text: kind user_id;
        Integer: created_at expires_at revoked_at;
        Text: label scopes networks created_by;
        Integer: last_used_at;
    } event_columns: &["created_at", "revoked_at"], user_index: Some("tokens_by_user"), rights: "SELECT, INSERT, UPDATE, DELETE", lock: Lock::Rows, lock_order: 30;
}

/// Every table with a tenant's rows, each after the tables that its rows refer to. The tokens come last, so that no client
/// can write to a tenant before its copy is complete. The feed comes after the webhooks, so that no event is delivered before
/// their progress is copied.
pub static TABLES: [Table; 38] = [
    TENANTS,
    USERS,
    CATEGORY_TREES,
    PRODUCTS,
    TRANSACTIONS,
    ORDERS,
    REQUEST_KEYS,
    TENANT_SECRETS,
    DATA_KEYS,
    OPERATORS,
    PICTURES,
    PICTURE_BYTES,
    CATALOGUE_VERSIONS,
    JOBS,
    OPERATOR_SESSIONS,
    AUDIT_ENTRIES,
    AUDIT_CHAINS,
    CAMPAIGN_VERSIONS,
    AWARDS,
    BUDGET_SHARES,
    BACK_TESTS,
    BACK_TEST_RESULTS,
    CAMPAIGN_RUNS,
    BACK_FILLS,
    FIGURES,
    MEMBER_FIGURES,
    DAILY_TOTALS,
    DAILY_MEMBERS,
    COHORTS,
    VINTAGES,
    CAMPAIGN_DAYS,
    PRODUCT_DAYS,
    WEBHOOKS,
    WEBHOOK_PROGRESS,
    WEBHOOK_ATTEMPTS,
    FEED_BLOCKS,
    FEEDS,
    TOKENS,
];
