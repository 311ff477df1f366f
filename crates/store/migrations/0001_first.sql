-- A tenant in one environment: one isolated unit. The only table whose key is not led by tenant_id, being the list of tenants.
CREATE TABLE tenants (
    id           TEXT NOT NULL,
    slug         TEXT NOT NULL,
    environment  TEXT NOT NULL CHECK (environment IN ('production', 'staging')),
    base_url     TEXT NOT NULL,
    name         TEXT NOT NULL,
    locale       TEXT NOT NULL,
    settings     TEXT NOT NULL,
    created_at   INTEGER NOT NULL,
    clock_offset INTEGER NOT NULL CHECK (clock_offset = 0 OR (clock_offset > 0 AND environment = 'staging')),
    PRIMARY KEY (id),
    UNIQUE (slug, environment),
    UNIQUE (base_url)
);

-- last_seq and last_hash repeat the user's newest ledger row, so that the next row needs no search for it.
CREATE TABLE users (
    tenant_id         TEXT NOT NULL,
    id                TEXT NOT NULL,
    balance           INTEGER NOT NULL CHECK (balance BETWEEN -9007199254740991 AND 9007199254740991),
    day_count         INTEGER NOT NULL CHECK (day_count >= 0),
    last_seq          INTEGER NOT NULL CHECK (last_seq >= 0),
    last_hash         BYTES NOT NULL CHECK (length(last_hash) = 32),
    birth_date        INTEGER,
    locale            TEXT,
    disabled_at       INTEGER,
    created_at        INTEGER NOT NULL,
    birth_date_set_at INTEGER,
    earned_counts     TEXT NOT NULL,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
);

-- A tree is read and replaced as a whole, so it is one value: a JSON array of [id, label, id of the parent or null], siblings in the
-- operator's order.
CREATE TABLE category_trees (
    tenant_id  TEXT NOT NULL,
    categories TEXT NOT NULL,
    PRIMARY KEY (tenant_id),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
);

-- A retired product stays as a tombstone, so that a snapshot of an older version learns of it. stock_supplied is the stock and what orders
-- took of it; an unlimited stock counts as 0.
CREATE TABLE products (
    tenant_id          TEXT NOT NULL,
    id                 TEXT NOT NULL,
    sku                TEXT NOT NULL,
    title              TEXT NOT NULL,
    description        TEXT NOT NULL,
    description_source TEXT NOT NULL,
    regular_price      INTEGER NOT NULL CHECK (regular_price BETWEEN 0 AND 9007199254740991),
    sale_price         INTEGER CHECK (sale_price BETWEEN 0 AND 9007199254740991),
    thumbnail          TEXT NOT NULL,
    gallery            TEXT NOT NULL,
    categories         TEXT NOT NULL,
    stock              INTEGER CHECK (stock >= 0),
    popular            BOOLEAN NOT NULL,
    published_at       INTEGER NOT NULL,
    active             BOOLEAN NOT NULL,
    version            INTEGER NOT NULL CHECK (version > 0),
    retired_at         INTEGER,
    reserved           INTEGER NOT NULL CHECK (reserved >= 0),
    stock_supplied     INTEGER NOT NULL CHECK (stock_supplied >= 0),
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
);
CREATE INDEX products_by_version ON products (tenant_id, version);

-- Rows are added, never updated or deleted. The key clusters a user's rows by time: a page of history is one range. No index holds seq:
-- the guard on last_seq of the user gives each number once.
CREATE TABLE transactions (
    tenant_id       TEXT NOT NULL,
    user_id         TEXT NOT NULL,
    created_at      INTEGER NOT NULL,
    id              BYTES NOT NULL,
    type            TEXT NOT NULL,
    source_id       TEXT NOT NULL,
    points          INTEGER NOT NULL CHECK (points BETWEEN -9007199254740991 AND 9007199254740991),
    bonus_points    INTEGER NOT NULL CHECK (bonus_points BETWEEN 0 AND 9007199254740991),
    bonus_breakdown TEXT NOT NULL,
    title           TEXT NOT NULL,
    subtitle        TEXT NOT NULL,
    recorded_at     INTEGER NOT NULL,
    seq             INTEGER NOT NULL CHECK (seq > 0),
    balance_after   INTEGER NOT NULL CHECK (balance_after BETWEEN -9007199254740991 AND 9007199254740991),
    hash            BYTES NOT NULL CHECK (length(hash) = 32),
    attributes      TEXT NOT NULL,
    bonus_origin    TEXT NOT NULL,
    PRIMARY KEY (tenant_id, user_id, created_at, id),
    UNIQUE (tenant_id, user_id, type, source_id),
    FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id)
);

-- The product stands here as it was when it was ordered.
CREATE TABLE orders (
    tenant_id     TEXT NOT NULL,
    id            TEXT NOT NULL,
    number        TEXT NOT NULL,
    user_id       TEXT NOT NULL,
    product_id    TEXT NOT NULL,
    product_sku   TEXT NOT NULL,
    product_title TEXT NOT NULL,
    product_price INTEGER NOT NULL CHECK (product_price BETWEEN 0 AND 9007199254740991),
    quantity      INTEGER NOT NULL CHECK (quantity BETWEEN 1 AND 1000),
    points        INTEGER NOT NULL CHECK (points BETWEEN 0 AND 9007199254740991),
    takes_stock   BOOLEAN NOT NULL,
    status        TEXT NOT NULL CHECK (status IN ('placed', 'fulfilled', 'cancelled')),
    created_at    INTEGER NOT NULL,
    fulfilled_at  INTEGER,
    cancelled_at  INTEGER,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, number),
    FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id),
    FOREIGN KEY (tenant_id, product_id) REFERENCES products (tenant_id, id),
    CHECK (points = product_price * quantity),
    CHECK ((status = 'fulfilled') = (fulfilled_at IS NOT NULL)),
    CHECK ((status = 'cancelled') = (cancelled_at IS NOT NULL))
);
CREATE INDEX orders_by_time ON orders (tenant_id, created_at, id);
CREATE INDEX orders_by_user ON orders (tenant_id, user_id, created_at, id);
CREATE INDEX orders_by_status ON orders (tenant_id, status, created_at, id);

-- What a request with a key was answered, so that it is executed once however often it is sent.
CREATE TABLE request_keys (
    tenant_id    TEXT NOT NULL,
    principal    TEXT NOT NULL,
    key          TEXT NOT NULL,
    fingerprint  BYTES NOT NULL CHECK (length(fingerprint) = 32),
    answer       BYTES NOT NULL,
    created_at   INTEGER NOT NULL,
    last_used_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, principal, key),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
);
CREATE INDEX request_keys_by_use ON request_keys (tenant_id, last_used_at);

-- Random bytes that the server makes at first use and derives keys from. All instances on a database share them.
CREATE TABLE tenant_secrets (
    tenant_id  TEXT NOT NULL,
    name       TEXT NOT NULL,
    value      BYTES NOT NULL CHECK (length(value) = 32),
    created_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, name),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
);

-- The data key of each tenant, which seals values of the tenant. It is itself sealed with a master key, which is in no database.
CREATE TABLE data_keys (
    tenant_id     TEXT NOT NULL,
    master_key_id TEXT NOT NULL,
    sealed        BYTES NOT NULL CHECK (length(sealed) = 60),
    created_at    INTEGER NOT NULL,
    PRIMARY KEY (tenant_id),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
);

-- The people who work with a tenant in the console. The key is the address for signing in, so no two operators of a tenant share one.
CREATE TABLE operators (
    tenant_id  TEXT NOT NULL,
    email      TEXT NOT NULL,
    id         TEXT NOT NULL,
    name       TEXT NOT NULL,
    role       TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    created_by TEXT NOT NULL,
    PRIMARY KEY (tenant_id, email),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
);

-- The pictures of products, known by the SHA-256 of their bytes. The bytes are apart, so that a command that checks the bounds loads none.
CREATE TABLE pictures (
    tenant_id    TEXT NOT NULL,
    id           BYTES NOT NULL CHECK (length(id) = 32),
    content_type TEXT NOT NULL CHECK (content_type IN ('image/png', 'image/jpeg', 'image/webp', 'image/avif')),
    width        INTEGER NOT NULL CHECK (width > 0),
    height       INTEGER NOT NULL CHECK (height > 0),
    size_bytes   INTEGER NOT NULL CHECK (size_bytes > 0),
    created_at   INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
);

CREATE TABLE picture_bytes (
    tenant_id TEXT NOT NULL,
    id        BYTES NOT NULL CHECK (length(id) = 32),
    bytes     BYTES NOT NULL,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
);

-- Raised in the transaction of every catalogue write.
CREATE TABLE catalogue_versions (
    tenant_id           TEXT NOT NULL,
    version             INTEGER NOT NULL CHECK (version >= 0),
    low_stock_threshold INTEGER NOT NULL CHECK (low_stock_threshold BETWEEN 0 AND 4294967295),
    PRIMARY KEY (tenant_id),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
);

-- The background work of each tenant: when it is due, and which process runs it until when.
CREATE TABLE jobs (
    tenant_id       TEXT NOT NULL,
    name            TEXT NOT NULL,
    key             TEXT NOT NULL,
    next_run_at     INTEGER NOT NULL,
    attempts        INTEGER NOT NULL CHECK (attempts >= 0),
    lease_owner     TEXT,
    lease_ends_at   INTEGER,
    last_error      TEXT,
    last_success_at INTEGER,
    PRIMARY KEY (tenant_id, name, key),
    CHECK ((lease_owner IS NULL) = (lease_ends_at IS NULL)),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
);

-- An instance asks for what is due of all tenants at once, so time leads here and not the tenant.
CREATE INDEX jobs_by_next_run ON jobs (next_run_at);
CREATE INDEX jobs_failing ON jobs (tenant_id) WHERE last_error IS NOT NULL;

-- The sessions of operators in the console. Only the SHA-256 of a token is kept; the id is its beginning. No foreign key to operators: their
-- key is the address. A session of a removed operator is refused.
CREATE TABLE operator_sessions (
    tenant_id    TEXT NOT NULL,
    id           TEXT NOT NULL,
    operator_id  TEXT NOT NULL,
    hash         BYTES NOT NULL CHECK (length(hash) = 32),
    created_at   INTEGER NOT NULL,
    expires_at   INTEGER NOT NULL,
    address      TEXT,
    last_used_at INTEGER,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
);

-- Who changed what, when and why. The entries of a tenant form a chain of hashes.
CREATE TABLE audit_entries (
    tenant_id   TEXT NOT NULL,
    seq         INTEGER NOT NULL CHECK (seq > 0),
    at          INTEGER NOT NULL,
    actor       TEXT NOT NULL,
    actor_label TEXT,
    operation   TEXT NOT NULL,
    object      TEXT NOT NULL,
    old_values  TEXT,
    new_values  TEXT,
    reason      TEXT,
    request_id  TEXT,
    address     TEXT,
    hash        BYTES NOT NULL,
    PRIMARY KEY (tenant_id, seq),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
);
CREATE INDEX audit_entries_by_object ON audit_entries (tenant_id, object, seq);
CREATE INDEX audit_entries_by_actor ON audit_entries (tenant_id, actor, seq);

-- The newest entry of each log, and the newest of those that were removed because of their age.
CREATE TABLE audit_chains (
    tenant_id   TEXT NOT NULL,
    last_seq    INTEGER NOT NULL,
    last_hash   BYTES NOT NULL,
    sealed_seq  INTEGER NOT NULL,
    sealed_hash BYTES NOT NULL,
    sealed_at   INTEGER,
    PRIMARY KEY (tenant_id),
    CHECK (sealed_seq BETWEEN 0 AND last_seq),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
);

-- All versions of all campaigns. A change of a campaign is a new version, which takes over at an instant. Rows are only added.
CREATE TABLE campaign_versions (
    tenant_id   TEXT NOT NULL,
    revision    INTEGER NOT NULL CHECK (revision > 0),
    campaign_id TEXT NOT NULL,
    version     INTEGER NOT NULL CHECK (version > 0),
    state       TEXT NOT NULL,
    valid_from  INTEGER NOT NULL,
    definition  TEXT NOT NULL,
    created_at  INTEGER NOT NULL,
    created_by  TEXT NOT NULL,
    PRIMARY KEY (tenant_id, revision),
    UNIQUE (tenant_id, campaign_id, version),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
);

-- The bonuses that campaigns gave. Rows are only added. A key keeps the awards of a user and a campaign together, by day.
CREATE TABLE awards (
    tenant_id   TEXT NOT NULL,
    user_id     TEXT NOT NULL,
    campaign_id TEXT NOT NULL,
    day         INTEGER NOT NULL,
    seq         INTEGER NOT NULL CHECK (seq > 0),
    version     INTEGER NOT NULL,
    points      INTEGER NOT NULL CHECK (points > 0),
    birthday    INTEGER,
    PRIMARY KEY (tenant_id, user_id, campaign_id, day, seq),
    FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id)
);

-- What the processes took of the budget of each campaign, and what they spent of it. So two processes change no common row.
CREATE TABLE budget_shares (
    tenant_id       TEXT NOT NULL,
    campaign_id     TEXT NOT NULL,
    holder          TEXT NOT NULL,
    taken_awards    INTEGER NOT NULL,
    taken_points    INTEGER NOT NULL,
    spent_awards    INTEGER NOT NULL,
    spent_points    INTEGER NOT NULL,
    returned_awards INTEGER NOT NULL,
    returned_points INTEGER NOT NULL,
    notice          INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, campaign_id, holder),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
);

-- The back-tests of campaigns. The results are apart, so that a command that changes a state loads none.
CREATE TABLE back_tests (
    tenant_id    TEXT NOT NULL,
    campaign_id  TEXT NOT NULL,
    version      INTEGER NOT NULL CHECK (version > 0),
    state        TEXT NOT NULL,
    events_from  INTEGER NOT NULL,
    events_until INTEGER NOT NULL,
    rows_read    INTEGER NOT NULL CHECK (rows_read >= 0),
    rows_total   INTEGER,
    requested_at INTEGER NOT NULL,
    requested_by TEXT NOT NULL,
    ended_at     INTEGER,
    PRIMARY KEY (tenant_id, campaign_id, version),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
);

CREATE TABLE back_test_results (
    tenant_id   TEXT NOT NULL,
    campaign_id TEXT NOT NULL,
    version     INTEGER NOT NULL CHECK (version > 0),
    result      TEXT NOT NULL,
    PRIMARY KEY (tenant_id, campaign_id, version),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
);

-- When each campaign ran for the first time, and when it ended: the events of the feed tell each of both once.
CREATE TABLE campaign_runs (
    tenant_id       TEXT NOT NULL,
    campaign_id     TEXT NOT NULL,
    started_at      INTEGER NOT NULL,
    started_version INTEGER NOT NULL CHECK (started_version > 0),
    ended_at        INTEGER CHECK (ended_at >= started_at),
    ended_version   INTEGER CHECK ((ended_version IS NULL) = (ended_at IS NULL)),
    PRIMARY KEY (tenant_id, campaign_id),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
);

-- The back-fills of campaigns. Each gives the awards that a back-test found.
CREATE TABLE back_fills (
    tenant_id    TEXT NOT NULL,
    campaign_id  TEXT NOT NULL,
    version      INTEGER NOT NULL CHECK (version > 0),
    state        TEXT NOT NULL,
    events_from  INTEGER NOT NULL,
    events_until INTEGER NOT NULL,
    found_awards INTEGER NOT NULL CHECK (found_awards >= 0),
    found_points INTEGER NOT NULL,
    found_hash   TEXT NOT NULL,
    paid_before  INTEGER NOT NULL CHECK (paid_before >= 0),
    given_awards INTEGER NOT NULL CHECK (given_awards >= 0),
    given_points INTEGER NOT NULL,
    left_out     INTEGER NOT NULL CHECK (left_out >= 0),
    requested_at INTEGER NOT NULL,
    requested_by TEXT NOT NULL,
    ended_at     INTEGER,
    PRIMARY KEY (tenant_id, campaign_id, version),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
);

-- How far the figures of reports are: which events they count, and in which time zone their days are.
CREATE TABLE figures (
    tenant_id    TEXT NOT NULL,
    writes       INTEGER NOT NULL,
    phase        TEXT NOT NULL,
    time_zone    TEXT NOT NULL,
    generation   INTEGER NOT NULL,
    position     INTEGER NOT NULL,
    scanned_user TEXT NOT NULL,
    scanned_seq  INTEGER NOT NULL,
    zone_rules   INTEGER NOT NULL,
    PRIMARY KEY (tenant_id),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
);

-- What the figures count of each user: how many ledger rows, on which days, from which months.
CREATE TABLE member_figures (
    tenant_id     TEXT NOT NULL,
    user_id       TEXT NOT NULL,
    counted_seq   INTEGER NOT NULL,
    earned_points INTEGER NOT NULL,
    spent_points  INTEGER NOT NULL,
    day_count     INTEGER NOT NULL,
    last_day      INTEGER,
    days          BYTES NOT NULL,
    vintages      TEXT NOT NULL,
    campaigns     TEXT NOT NULL,
    PRIMARY KEY (tenant_id, user_id),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
);

-- The points of each local day, by type of activity.
CREATE TABLE daily_totals (
    tenant_id       TEXT NOT NULL,
    day             INTEGER NOT NULL,
    type            TEXT NOT NULL,
    transactions    INTEGER NOT NULL,
    earned_points   INTEGER NOT NULL,
    bonus_points    INTEGER NOT NULL,
    spent_points    INTEGER NOT NULL,
    refunded_points INTEGER NOT NULL,
    reversed_points INTEGER NOT NULL,
    reversals       INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, day, type),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
);

-- How many members were active on each local day, and in the 7 and 28 days that end with it.
CREATE TABLE daily_members (
    tenant_id TEXT NOT NULL,
    day       INTEGER NOT NULL,
    joined    INTEGER NOT NULL,
    active_1  INTEGER NOT NULL,
    active_7  INTEGER NOT NULL,
    active_28 INTEGER NOT NULL,
    came_back INTEGER NOT NULL,
    lapsed    INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, day),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
);

-- How many members of each month of joining were active in each month.
CREATE TABLE cohorts (
    tenant_id TEXT NOT NULL,
    joined    INTEGER NOT NULL,
    month     INTEGER NOT NULL,
    members   INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, joined, month),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
);

-- The points of each month of earning.
CREATE TABLE vintages (
    tenant_id       TEXT NOT NULL,
    month           INTEGER NOT NULL,
    issued_points   INTEGER NOT NULL,
    spent_points    INTEGER NOT NULL,
    reversed_points INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, month),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
);

-- What each campaign gave for the events of each local day.
CREATE TABLE campaign_days (
    tenant_id     TEXT NOT NULL,
    day           INTEGER NOT NULL,
    campaign_id   TEXT NOT NULL,
    awards        INTEGER NOT NULL,
    points        INTEGER NOT NULL,
    first_members INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, day, campaign_id),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
);

-- The orders of each product, by local day.
CREATE TABLE product_days (
    tenant_id        TEXT NOT NULL,
    day              INTEGER NOT NULL,
    product_id       TEXT NOT NULL,
    orders           INTEGER NOT NULL,
    pieces           INTEGER NOT NULL,
    points           INTEGER NOT NULL,
    cancelled_orders INTEGER NOT NULL,
    cancelled_pieces INTEGER NOT NULL,
    cancelled_points INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, day, product_id),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
);

-- The webhooks: endpoints of a tenant that get the events of the feed. The secrets are stored as they are, because each request is
-- signed with them.
CREATE TABLE webhooks (
    tenant_id             TEXT NOT NULL,
    id                    TEXT NOT NULL,
    url                   TEXT NOT NULL,
    event_types           TEXT NOT NULL,
    mode                  TEXT NOT NULL CHECK (mode IN ('each', 'nudge')),
    lanes                 INTEGER NOT NULL CHECK (lanes BETWEEN 1 AND 8),
    secret                TEXT NOT NULL,
    previous_secret       TEXT,
    previous_secret_until INTEGER,
    state                 TEXT NOT NULL CHECK (state IN ('active', 'failing', 'disabled')),
    disabled_because      TEXT,
    state_since           INTEGER NOT NULL,
    epoch                 INTEGER NOT NULL,
    start_generation      INTEGER NOT NULL,
    start_position        INTEGER NOT NULL CHECK (start_position >= 0),
    created_at            INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
);

-- How far the deliveries of each webhook are. The process that has the lease writes it. Each lease has its own number.
CREATE TABLE webhook_progress (
    tenant_id       TEXT NOT NULL,
    webhook_id      TEXT NOT NULL,
    epoch           INTEGER NOT NULL,
    generation      INTEGER NOT NULL,
    position        INTEGER NOT NULL CHECK (position >= 0),
    failures        INTEGER NOT NULL,
    failing_since   INTEGER,
    retry_at        INTEGER,
    failed_position INTEGER,
    delivered_count INTEGER NOT NULL,
    failed_count    INTEGER NOT NULL,
    lease_owner     TEXT,
    lease_number    INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, webhook_id),
    FOREIGN KEY (tenant_id, webhook_id) REFERENCES webhooks (tenant_id, id) ON DELETE CASCADE
);

-- The last attempts of each webhook. A new attempt takes the slot of the oldest one.
CREATE TABLE webhook_attempts (
    tenant_id   TEXT NOT NULL,
    webhook_id  TEXT NOT NULL,
    slot        INTEGER NOT NULL,
    at          INTEGER NOT NULL,
    duration_ms INTEGER NOT NULL,
    position    INTEGER NOT NULL,
    status      INTEGER,
    error       TEXT,
    PRIMARY KEY (tenant_id, webhook_id, slot),
    FOREIGN KEY (tenant_id, webhook_id) REFERENCES webhooks (tenant_id, id) ON DELETE CASCADE
);

-- What each commit changed, for readers of the feed. The entries get their positions after the commit, in the order of the
-- ordinals, which follow each other in time for the changes of one user.
CREATE TABLE feed_blocks (
    tenant_id     TEXT NOT NULL,
    id            TEXT NOT NULL,
    ordinal       COUNTER NOT NULL,
    created_at    INTEGER NOT NULL,
    entry_count   INTEGER NOT NULL CHECK (entry_count > 0),
    entries       TEXT NOT NULL,
    last_position INTEGER,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
);
CREATE UNIQUE INDEX feed_blocks_by_position ON feed_blocks (tenant_id, last_position) WHERE last_position IS NOT NULL;
CREATE INDEX feed_blocks_unnumbered ON feed_blocks (tenant_id, ordinal) WHERE last_position IS NULL;

-- The ends of each feed.
CREATE TABLE feeds (
    tenant_id        TEXT NOT NULL,
    generation       INTEGER NOT NULL,
    last_position    INTEGER NOT NULL,
    removed_position INTEGER NOT NULL,
    PRIMARY KEY (tenant_id),
    CHECK (removed_position BETWEEN 0 AND last_position),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
);

-- Only the SHA-256 of a token is kept, never the token.
CREATE TABLE tokens (
    tenant_id    TEXT NOT NULL,
    hash         BYTES NOT NULL CHECK (length(hash) = 32),
    kind         TEXT NOT NULL CHECK (kind IN ('customer', 'super_user')),
    user_id      TEXT,
    created_at   INTEGER NOT NULL,
    expires_at   INTEGER,
    revoked_at   INTEGER,
    label        TEXT,
    scopes       TEXT,
    networks     TEXT NOT NULL,
    created_by   TEXT,
    last_used_at INTEGER,
    PRIMARY KEY (tenant_id, hash),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id),
    FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id),
    CHECK ((kind = 'customer') = (user_id IS NOT NULL))
);
CREATE INDEX tokens_by_user ON tokens (tenant_id, user_id);

-- Tokens are removed some time after they expired or were revoked.
CREATE INDEX tokens_by_expiry ON tokens (tenant_id, expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX tokens_by_revocation ON tokens (tenant_id, revoked_at) WHERE revoked_at IS NOT NULL;
