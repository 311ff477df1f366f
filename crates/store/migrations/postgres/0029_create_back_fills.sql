-- The back-fills of campaigns. Each gives the awards that a back-test found.
CREATE TABLE back_fills (
    tenant_id    TEXT COLLATE "C" NOT NULL,
    campaign_id  TEXT COLLATE "C" NOT NULL,
    version      BIGINT           NOT NULL CHECK (version > 0),
    state        TEXT COLLATE "C" NOT NULL,
    events_from  BIGINT           NOT NULL,
    events_until BIGINT           NOT NULL,
    found_awards BIGINT           NOT NULL CHECK (found_awards >= 0),
    found_points BIGINT           NOT NULL,
    found_hash   TEXT COLLATE "C" NOT NULL,
    paid_before  BIGINT           NOT NULL CHECK (paid_before >= 0),
    given_awards BIGINT           NOT NULL CHECK (given_awards >= 0),
    given_points BIGINT           NOT NULL,
    left_out     BIGINT           NOT NULL CHECK (left_out >= 0),
    requested_at BIGINT           NOT NULL,
    requested_by TEXT COLLATE "C" NOT NULL,
    ended_at     BIGINT,
    PRIMARY KEY (tenant_id, campaign_id, version),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
);
