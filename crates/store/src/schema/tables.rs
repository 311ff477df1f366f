//! The declarations of the tables.

use std::sync::Arc;

use pointbook_domain::expiry::Moves;
use pointbook_domain::ledger::ChainHash;
use pointbook_domain::{
    ActivityType, Attributes, AuditChain, Bonuses, Day, DisabledBecause, Email, EventTypes, Feed, Operator,
    OperatorId, OperatorName, OperatorSession, Picture, PictureFormat, PictureId, Points, Role, SourceId,
    Timestamp, TokenHash, TokenId, TransactionId, UserId, Webhook, WebhookAttempt, WebhookMode,
    WebhookProgress, WebhookSecret, WebhookState,
};

use crate::schema::{Column, Kind, Lock, Scalar, Table};

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

/// Declares [`TABLES`] and a constant for each table: its name, its columns in database order without the tenant's, and its differences
/// from [`PLAIN`]. Columns are given by their kinds, or as the fields of a struct: a new one (`of`) or one of the domain (`for`), which
/// commands and queries then read and write as whole rows.
macro_rules! tables {
    ($(
        $(#[$doc:meta])*
        $table:ident = $name:literal $($how:ident $row:ident)? { $($body:tt)* } $($field:ident: $value:expr),* $(,)?;
    )*) => {
        $(tables! { @$($how)? $(#[$doc])* $table $($row)? { $($body)* } [name: $name, $($field: $value,)*] })*

        /// Every table with a tenant's rows, each after the tables that its rows refer to. The tokens come last, so that no client
        /// can write to a tenant before its copy is complete. The feed comes after the webhooks, so that no event is delivered
        /// before their progress is copied.
        pub static TABLES: [Table; [$(stringify!($table)),*].len()] = [$($table),*];
    };
    (@ $(#[$doc:meta])* $table:ident { $($kind:ident: $($column:ident)+;)+ } [$($facts:tt)*]) => {
        $(#[$doc])*
        pub const $table: Table = Table {
            columns: &[$($(Column { name: stringify!($column), kind: Kind::$kind },)+)+],
            $($facts)*
            ..PLAIN
        };
    };
    (@of $(#[$doc:meta])* $table:ident $row:ident $fields:tt [$($facts:tt)*]) => {
        rows!(@struct [$(#[$doc])*] $row [] $fields);
        tables! { @for $(#[$doc])* $table $row $fields [$($facts)*] }
    };
    (@for $(#[$doc:meta])* $table:ident $row:ident {
        $($(#[$about:meta])* $column:ident $(as $name:literal)?: $type:ty),* $(,)?
    } [$($facts:tt)*]) => {
        $(#[$doc])*
        pub const $table: Table = Table {
            columns: &[$(Column { name: columns!(@name $column $($name)?), kind: <$type as Scalar>::KIND },)*],
            $($facts)*
            ..PLAIN
        };
        columns! { $row of $table / $table.key_columns, both { $($column $(as $name)?: $type),* } }
    };
}

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
        Text: earned_counts lots;
        Integer: next_expiry_on pending_points;
    } growing_column: Some(3), event_columns: &["created_at", "disabled_at", "birth_date_set_at"], lock: Lock::Rows, lock_order: 20, guards: &["balance", "last_seq"];

    /// The category tree of each tenant, as one JSON text. A tenant that never had one has no row.
    CATEGORY_TREES = "category_trees" of TreeRow {
        categories: Arc<str>,
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
        Text: brand;
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
        Text: attributes bonus_origin moves;
    } key_columns: 3, event_columns: &["recorded_at"], is_append_only: true, rights: "SELECT, INSERT", lock: Lock::OfUser, lock_order: 80;

    ORDERS = "orders" {
        Text: id number user_id product_id product_sku product_title;
        Integer: product_price quantity points;
        Truth: takes_stock;
        Text: status;
        Integer: created_at fulfilled_at cancelled_at;
    } event_columns: &["created_at", "fulfilled_at", "cancelled_at"], user_index: Some("orders_by_user"), lock: Lock::Rows, lock_order: 10, guards: &["status"];

    /// A note of an operator or a back office about a user. Notes are never changed or removed.
    USER_NOTES = "user_notes" of UserNote {
        user_id: UserId, created_at: Timestamp,
        /// Later notes have greater ids, as transactions have.
        id: TransactionId,
        text: String,
        /// Who wrote it, as the audit log names actors.
        created_by: String,
    } key_columns: 3, event_columns: &["created_at"], is_append_only: true, rights: "SELECT, INSERT";

    /// What changed in the lots of users without a row of the ledger: their beginning.
    LOT_CHANGES = "lot_changes" of LotChangeRow {
        user_id: UserId,
        /// The position of the ledger row before it.
        after_seq: u64,
        changed_at: Timestamp, moves: Moves,
    } key_columns: 3, event_columns: &["changed_at"], is_append_only: true, rights: "SELECT, INSERT", lock_order: 85;

    /// Activities whose points wait, and those that were released or voided meanwhile.
    HELD_ACTIVITIES = "held_activities" of HeldActivity {
        user_id: UserId, kind as "type": ActivityType, source_id: SourceId,
        /// The id that the transaction has then.
        id: TransactionId,
        points: Points, bonuses as "bonus_breakdown": Bonuses, title: String, subtitle: String, created_at: Timestamp,
        attributes: Attributes,
        /// Whether campaigns add bonuses when it is released, as of the time at which it was reported, `held_at`.
        asks_campaigns: bool,
        held_at: Timestamp,
        /// `None` when it was released or voided.
        release_at: Option<Timestamp>,
        voided_at: Option<Timestamp>,
        /// Why it was voided.
        reason: String,
    } key_columns: 3, event_columns: &["held_at", "voided_at"], rights: "SELECT, INSERT, UPDATE, DELETE", lock: Lock::Rows, lock_order: 75;

    /// How far members were told that points end soon. A scan of the members, in the order of their ids, tells what the last one did not.
    EXPIRY_NOTICES = "expiry_notices" of ExpiryNotices {
        /// The local day of the last complete scan.
        told_on: Day,
        /// The day of the present scan, or of the last one.
        telling_on: Day,
        /// The last member whom the present scan looked at. Empty before the first, and after the last.
        after_user: String,
        /// The points that end within 30 days, of the members whom the present scan looked at.
        counted: i64,
        /// The same of all members, at the last complete scan.
        ending_points: Option<i64>,
    } key_columns: 0, lock: Lock::Rows, lock_order: 130;

    /// The kept responses of idempotency keys.
    REQUEST_KEYS = "request_keys" {
        Text: principal key;
        Bytes: fingerprint answer;
        Integer: created_at last_used_at;
    } key_columns: 2, event_columns: &["last_used_at"], rows_per_page: 400, rights: "SELECT, INSERT, UPDATE, DELETE";

    /// The secrets that keys are derived from. A copy takes them along, so that the derived keys stay the same. Instances
    /// keep them in memory and read them again with a replaced catalogue.
    TENANT_SECRETS = "tenant_secrets" of TenantSecret {
        name: String, value: [u8; 32], created_at: Timestamp,
    } is_catalogue: true, rights: "SELECT, INSERT";

    /// The sealed data key of each tenant. A copy takes it along, because it opens the values that the tenant has sealed. Instances
    /// keep the opened key in memory and read it again with a replaced catalogue.
    DATA_KEYS = "data_keys" of SealedDataKey {
        /// The id of the master key, as the key file has it.
        master_key_id: String,
        /// 12 bytes nonce, 32 bytes key, 16 bytes tag.
        sealed: Vec<u8>,
        created_at: Timestamp,
    } key_columns: 0, is_catalogue: true, lock: Lock::Rows, lock_order: 120, guards: &["sealed"];

    /// The operators of the console, by email address. Their key is not their id: a copy that finds an operator who was removed and
    /// added again replaces the row.
    OPERATORS = "operators" for Operator {
        email: Email, id: OperatorId, name: OperatorName, role: Role, created_at: Timestamp,
        created_by: String,
    } event_columns: &["created_at"], rights: "SELECT, INSERT, UPDATE, DELETE";

    /// Operators who wait for a sign-in link. A copy leaves them out, as it does their sessions.
    LINK_REQUESTS = "link_requests" of LinkRequest {
        operator_id: OperatorId, asked_at: Timestamp,
    } event_columns: &["asked_at"], is_copied: false, rights: "SELECT, INSERT, UPDATE, DELETE";

    /// The pictures of products, without their bytes, so that a command may load all rows.
    PICTURES = "pictures" for Picture {
        id: PictureId, format as "content_type": PictureFormat, width: u32, height: u32, size_bytes: u32,
        created_at: Timestamp,
    } event_columns: &["created_at"], rights: "SELECT, INSERT, UPDATE, DELETE";

    /// The bytes of pictures, of up to 2 MiB.
    PICTURE_BYTES = "picture_bytes" of PictureBytes {
        id: PictureId, bytes: Vec<u8>,
    } rows_per_page: 8, rights: "SELECT, INSERT, UPDATE, DELETE";

    /// The version of each catalogue, and the low-stock threshold that orders compare with.
    CATALOGUE_VERSIONS = "catalogue_versions" of CatalogueState {
        version: u64, low_stock_threshold: u32,
    } key_columns: 0, is_version: true, lock: Lock::Rows, lock_order: 40, guards: &["version"];

    /// The background jobs. A copy leaves them out, because a row says when an instance on this database runs next or holds
    /// a lease. The first instance on the target schedules the recurring jobs of a tenant again.
    JOBS = "jobs" of JobRow {
        name: String, key: String, next_run_at: Timestamp, attempts: u32, lease_owner: Option<String>,
        lease_ends_at: Option<Timestamp>, last_error: Option<String>, last_success_at: Option<Timestamp>,
    } key_columns: 2, is_copied: false, rights: "SELECT, INSERT, UPDATE, DELETE", lock: Lock::Rows, lock_order: 135;

    /// The sessions of operators in the console. A copy leaves them out: operators sign in again.
    OPERATOR_SESSIONS = "operator_sessions" for OperatorSession {
        id: TokenId, operator_id: OperatorId, hash: TokenHash, created_at: Timestamp,
        expires_at: Timestamp, address: Option<String>, last_used_at: Option<Timestamp>,
    } event_columns: &["created_at"], is_copied: false, rights: "SELECT, INSERT, UPDATE, DELETE";

    /// The audit log: an entry per change. The job of retention removes old entries.
    AUDIT_ENTRIES = "audit_entries" {
        Integer: seq at;
        Text: actor actor_label operation object old_values new_values reason request_id address;
        Bytes: hash;
    } rights: "SELECT, INSERT, UPDATE, DELETE";

    /// The ends of each audit log's chain.
    AUDIT_CHAINS = "audit_chains" for AuditChain {
        last_seq: u64, last_hash: ChainHash, sealed_seq: u64, sealed_hash: ChainHash,
        sealed_at: Option<Timestamp>,
    } key_columns: 0, lock: Lock::Rows, lock_order: 140, guards: &["sealed_seq"];

    /// All versions of all campaigns. The revision counts the versions of a tenant, so that an instance reads only what is new.
    CAMPAIGN_VERSIONS = "campaign_versions" of CampaignVersionRow {
        /// Counts the versions of all campaigns of the tenant, from 1.
        revision: u64,
        campaign_id: String,
        /// Counts the versions of the campaign, from 1.
        version: u32,
        state: String,
        /// When it takes over from the version before.
        valid_from: Timestamp,
        /// The definition, as JSON.
        definition: String,
        created_at: Timestamp,
        /// Who wrote it, as the audit log names actors.
        created_by: String,
    } event_columns: &["created_at"], is_append_only: true, rows_per_page: 400, rights: "SELECT, INSERT";

    /// The bonuses that campaigns gave. The day is that of the event, in the time zone of the tenant.
    AWARDS = "awards" of AwardRow {
        user_id: UserId, campaign_id: String,
        /// The local day of the event.
        day: Day,
        /// The ledger row with the bonus: its position among the user's rows.
        seq: u64,
        version: u32, points: Points,
        /// The birthday that it pays for, with its year.
        birthday: Option<Day>,
    } key_columns: 4, is_append_only: true, rights: "SELECT, INSERT", lock_order: 90;

    /// What the processes took of the budget of each campaign and what they spent of it. The share without a holder has the sums of
    /// what all others took.
    BUDGET_SHARES = "budget_shares" of BudgetShare {
        campaign_id: String,
        /// Empty for the sums of all shares.
        holder: String,
        taken_awards: i64, taken_points: i64, spent_awards: i64, spent_points: i64,
        /// What reversals gave back. It is not among what is spent.
        returned_awards: i64, returned_points: i64,
        /// Which events told how much of the budget is left: 0 for none, 1 for low, 2 for spent. Only of the share without a holder.
        notice: i64,
    } key_columns: 2, lock: Lock::NamedRows, lock_order: 60, guards: &["taken_awards", "taken_points", "spent_awards", "spent_points", "returned_awards", "returned_points", "notice"];

    /// The back-tests of campaigns: one for each version. It has no results, so that a command may load all rows.
    BACK_TESTS = "back_tests" of BackTestRow {
        campaign_id: String, version: u32, state: String,
        /// The time of the first event that counts.
        events_from: Timestamp,
        /// Events before this time count.
        events_until: Timestamp,
        /// How many ledger rows the last run has read.
        rows_read: u64,
        /// How many ledger rows the tenant had when the last run began.
        rows_total: Option<u64>,
        requested_at: Timestamp,
        /// Who requested it, as the audit log names actors.
        requested_by: String,
        ended_at: Option<Timestamp>,
    } key_columns: 2, event_columns: &["requested_at", "ended_at"], rights: "SELECT, INSERT, UPDATE, DELETE";

    /// What the back-tests found.
    BACK_TEST_RESULTS = "back_test_results" of BackTestResultRow {
        campaign_id: String, version: u32,
        /// JSON.
        result: String,
    } key_columns: 2, rows_per_page: 100;

    /// The campaigns that have started, with the versions in force when they started and ended. Each row is written when the events say so.
    CAMPAIGN_RUNS = "campaign_runs" of CampaignRunRow {
        campaign_id: String, started_at: Timestamp,
        /// The version in force at the start.
        started_version: u32,
        ended_at: Option<Timestamp>,
        /// The version in force at the end.
        ended_version: Option<u32>,
    } event_columns: &["started_at", "ended_at"];

    /// The back-fills of campaigns: one for each version.
    BACK_FILLS = "back_fills" of BackFillRow {
        campaign_id: String, version: u32, state: String,
        /// The window of the back-test, as in [`BackTestRow`].
        events_from: Timestamp, events_until: Timestamp,
        /// What the back-test found.
        found_awards: u64, found_points: i64,
        /// The fingerprint of the back-test.
        found_hash: String,
        /// How many awards the rows had before the last run.
        paid_before: u64,
        /// What the back-fill gave so far.
        given_awards: u64, given_points: i64,
        /// How many awards it did not give.
        left_out: u64,
        requested_at: Timestamp,
        /// Who requested it, as the audit log names actors.
        requested_by: String,
        ended_at: Option<Timestamp>,
    } key_columns: 2, event_columns: &["requested_at", "ended_at"], rights: "SELECT, INSERT, UPDATE, DELETE";

    /// How far the figures of reports are: which events they count, and in which time zone their days are.
    FIGURES = "figures" of FiguresState {
        /// Counts the commits of the figures: a commit that expects another number counted from old figures.
        writes: u64,
        phase: String,
        /// The time zone of all days and months.
        time_zone: String,
        /// The cursor of the feed.
        generation: u64, position: u64,
        /// The last ledger row that the first count looked at. Empty and 0 before the first row.
        scanned_user: String, scanned_seq: u64,
        /// The fingerprint of the rules of the time zone.
        zone_rules: i64,
    } key_columns: 0, is_copied: false, rights: "SELECT, INSERT, UPDATE, DELETE";

    /// What the figures count of each user: how many ledger rows, on which days, from which months.
    MEMBER_FIGURES = "member_figures" of MemberRow {
        user_id: UserId,
        /// The rows of the user up to this one are counted.
        counted_seq: u64,
        earned_points: i64, spent_points: i64,
        /// On how many days the user was active, and the last of them.
        day_count: i64, last_day: Option<Day>,
        /// All of these days.
        days: Vec<u8>,
        /// Points by month of earning, as JSON.
        vintages: String,
        /// The campaigns that gave the user an award.
        campaigns: Vec<String>,
        /// How many points of the user ended.
        expired_points: i64,
    } is_copied: false, rights: "SELECT, INSERT, UPDATE, DELETE";

    /// The points of each local day, by type of activity.
    DAILY_TOTALS = "daily_totals" of DailyTotal {
        day: Day, kind as "type": String, transactions: i64, earned_points: i64, bonus_points: i64,
        spent_points: i64, refunded_points: i64, reversed_points: i64, reversals: i64, expired_points: i64,
    } key_columns: 2, is_copied: false, rights: "SELECT, INSERT, UPDATE, DELETE";

    /// How many members were active on each local day, and in the 7 and 28 days that end with it.
    DAILY_MEMBERS = "daily_members" of DailyMembers {
        day: Day, joined: i64, active_1: i64, active_7: i64, active_28: i64, came_back: i64, lapsed: i64,
    } is_copied: false, rights: "SELECT, INSERT, UPDATE, DELETE";

    /// How many members of each month of joining were active in each month.
    COHORTS = "cohorts" of Cohort {
        /// Months count from January of the year 0.
        joined: i64, month: i64,
        members: i64,
    } key_columns: 2, is_copied: false, rights: "SELECT, INSERT, UPDATE, DELETE";

    /// The points of each month of earning.
    VINTAGES = "vintages" of Vintage {
        month: i64, issued_points: i64, spent_points: i64, reversed_points: i64, expired_points: i64,
    } is_copied: false, rights: "SELECT, INSERT, UPDATE, DELETE";

    /// What each campaign gave for the events of each local day.
    CAMPAIGN_DAYS = "campaign_days" of CampaignDay {
        day: Day, campaign_id: String, awards: i64, points: i64,
        /// The members whose first award of this campaign it was.
        first_members: i64,
    } key_columns: 2, is_copied: false, rights: "SELECT, INSERT, UPDATE, DELETE";

    /// The orders of each product, by local day.
    PRODUCT_DAYS = "product_days" of ProductDay {
        day: Day, product_id: String, orders: i64, pieces: i64, points: i64, cancelled_orders: i64,
        cancelled_pieces: i64, cancelled_points: i64,
    } key_columns: 2, is_copied: false, rights: "SELECT, INSERT, UPDATE, DELETE";

    /// The webhooks, as the back office set them.
    WEBHOOKS = "webhooks" for Webhook {
        id: String, url: String, types as "event_types": EventTypes, mode: WebhookMode, lanes: u32,
        secret: WebhookSecret, previous_secret: Option<WebhookSecret>,
        previous_secret_until: Option<Timestamp>, state: WebhookState,
        disabled_because: Option<DisabledBecause>, state_since: Timestamp, epoch: u64,
        start_generation: u64, start_position: u64, created_at: Timestamp,
    } event_columns: &["state_since", "created_at"], rights: "SELECT, INSERT, UPDATE, DELETE";

    /// How far the deliveries of each webhook are. The process that has the lease writes it.
    WEBHOOK_PROGRESS = "webhook_progress" for WebhookProgress {
        webhook_id: String, epoch: u64, generation: u64, position: u64, failures: u32,
        failing_since: Option<Timestamp>, retry_at: Option<Timestamp>, failed_position: Option<u64>,
        delivered_count: u64, failed_count: u64, lease_owner: Option<String>, lease_number: u64,
    } rights: "SELECT, INSERT, UPDATE, DELETE";

    /// The last attempts of each webhook. A copy leaves them out: they say what a process tried on this database.
    WEBHOOK_ATTEMPTS = "webhook_attempts" for WebhookAttempt {
        webhook_id: String, slot: u32, at: Timestamp, duration_ms: u32, position: u64,
        status: Option<u32>, error: Option<String>,
    } key_columns: 2, is_copied: false, rights: "SELECT, INSERT, UPDATE, DELETE";

    /// The feed: what each commit changed. A reader gives the blocks their positions.
    FEED_BLOCKS = "feed_blocks" {
        Text: id;
        Integer: ordinal created_at entry_count;
        Text: entries;
        Integer: last_position;
    } rows_per_page: 400, rights: "SELECT, INSERT, UPDATE, DELETE";

    /// The ends of each feed.
    FEEDS = "feeds" for Feed {
        generation: u64, last_position: u64, removed_position: u64,
    } key_columns: 0, lock: Lock::Rows, lock_order: 130, guards: &["generation", "removed_position"];

    /// The tokens, by their hashes.
    TOKENS = "tokens" {
        Bytes: hash;
        Text: kind user_id;
        Integer: created_at expires_at revoked_at;
        Text: label scopes networks created_by;
        Integer: last_used_at;
    } event_columns: &["created_at", "revoked_at"], user_index: Some("tokens_by_user"), rights: "SELECT, INSERT, UPDATE, DELETE", lock: Lock::Rows, lock_order: 30;
}
