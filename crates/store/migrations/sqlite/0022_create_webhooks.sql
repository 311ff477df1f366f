-- The webhooks: endpoints of a tenant that get the events of the feed. The secrets are stored as they are, because each request is
-- signed with them.
CREATE TABLE webhooks (
    tenant_id             TEXT    NOT NULL,
    id                    TEXT    NOT NULL,
    url                   TEXT    NOT NULL,
    event_types           TEXT    NOT NULL,
    mode                  TEXT    NOT NULL CHECK (mode IN ('each', 'nudge')),
    lanes                 INTEGER NOT NULL CHECK (lanes BETWEEN 1 AND 8),
    secret                TEXT    NOT NULL,
    previous_secret       TEXT,
    previous_secret_until INTEGER,
    state                 TEXT    NOT NULL CHECK (state IN ('active', 'failing', 'disabled')),
    disabled_because      TEXT,
    state_since           INTEGER NOT NULL,
    epoch                 INTEGER NOT NULL,
    start_generation      INTEGER NOT NULL,
    start_position        INTEGER NOT NULL CHECK (start_position >= 0),
    created_at            INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
) STRICT, WITHOUT ROWID;

-- How far the deliveries of each webhook are. The process that has the lease writes it. Each lease has its own number.
CREATE TABLE webhook_progress (
    tenant_id       TEXT    NOT NULL,
    webhook_id      TEXT    NOT NULL,
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
    lease_number    INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant_id, webhook_id),
    FOREIGN KEY (tenant_id, webhook_id) REFERENCES webhooks (tenant_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- The last attempts of each webhook. A new attempt takes the slot of the oldest one.
CREATE TABLE webhook_attempts (
    tenant_id   TEXT    NOT NULL,
    webhook_id  TEXT    NOT NULL,
    slot        INTEGER NOT NULL,
    at          INTEGER NOT NULL,
    duration_ms INTEGER NOT NULL,
    position    INTEGER NOT NULL,
    status      INTEGER,
    error       TEXT,
    PRIMARY KEY (tenant_id, webhook_id, slot),
    FOREIGN KEY (tenant_id, webhook_id) REFERENCES webhooks (tenant_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
