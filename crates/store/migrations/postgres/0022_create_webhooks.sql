-- The webhooks: endpoints of a tenant that get the events of the feed. The secrets are stored as they are, because each request is
-- signed with them.
CREATE TABLE webhooks (
    tenant_id             TEXT COLLATE "C" NOT NULL,
    id                    TEXT COLLATE "C" NOT NULL,
    url                   TEXT COLLATE "C" NOT NULL,
    event_types           TEXT COLLATE "C" NOT NULL,
    mode                  TEXT COLLATE "C" NOT NULL CHECK (mode IN ('each', 'nudge')),
    lanes                 BIGINT           NOT NULL CHECK (lanes BETWEEN 1 AND 8),
    secret                TEXT COLLATE "C" NOT NULL,
    previous_secret       TEXT COLLATE "C",
    previous_secret_until BIGINT,
    state                 TEXT COLLATE "C" NOT NULL CHECK (state IN ('active', 'failing', 'disabled')),
    disabled_because      TEXT COLLATE "C",
    state_since           BIGINT           NOT NULL,
    epoch                 BIGINT           NOT NULL,
    start_generation      BIGINT           NOT NULL,
    start_position        BIGINT           NOT NULL CHECK (start_position >= 0),
    created_at            BIGINT           NOT NULL,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
);

-- How far the deliveries of each webhook are. The process that has the lease writes it. Each lease has its own number.
CREATE TABLE webhook_progress (
    tenant_id       TEXT COLLATE "C" NOT NULL,
    webhook_id      TEXT COLLATE "C" NOT NULL,
    epoch           BIGINT           NOT NULL,
    generation      BIGINT           NOT NULL,
    position        BIGINT           NOT NULL CHECK (position >= 0),
    failures        BIGINT           NOT NULL,
    failing_since   BIGINT,
    retry_at        BIGINT,
    failed_position BIGINT,
    delivered_count BIGINT           NOT NULL,
    failed_count    BIGINT           NOT NULL,
    lease_owner     TEXT COLLATE "C",
    lease_number    BIGINT           NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant_id, webhook_id),
    FOREIGN KEY (tenant_id, webhook_id) REFERENCES webhooks (tenant_id, id) ON DELETE CASCADE
);

-- The last attempts of each webhook. A new attempt takes the slot of the oldest one.
CREATE TABLE webhook_attempts (
    tenant_id   TEXT COLLATE "C" NOT NULL,
    webhook_id  TEXT COLLATE "C" NOT NULL,
    slot        BIGINT           NOT NULL,
    at          BIGINT           NOT NULL,
    duration_ms BIGINT           NOT NULL,
    position    BIGINT           NOT NULL,
    status      BIGINT,
    error       TEXT COLLATE "C",
    PRIMARY KEY (tenant_id, webhook_id, slot),
    FOREIGN KEY (tenant_id, webhook_id) REFERENCES webhooks (tenant_id, id) ON DELETE CASCADE
);
