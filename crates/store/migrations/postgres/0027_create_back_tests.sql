-- The back-tests of campaigns. The results are apart, so that a command that changes a state loads none.
CREATE TABLE back_tests (
    tenant_id    TEXT COLLATE "C" NOT NULL,
    campaign_id  TEXT COLLATE "C" NOT NULL,
    version      BIGINT           NOT NULL CHECK (version > 0),
    state        TEXT COLLATE "C" NOT NULL,
    events_from  BIGINT           NOT NULL,
    events_until BIGINT           NOT NULL,
    rows_read    BIGINT           NOT NULL CHECK (rows_read >= 0),
    rows_total   BIGINT,
    requested_at BIGINT           NOT NULL,
    requested_by TEXT COLLATE "C" NOT NULL,
    ended_at     BIGINT,
    PRIMARY KEY (tenant_id, campaign_id, version),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
);

CREATE TABLE back_test_results (
    tenant_id   TEXT COLLATE "C" NOT NULL,
    campaign_id TEXT COLLATE "C" NOT NULL,
    version     BIGINT           NOT NULL CHECK (version > 0),
    result      TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (tenant_id, campaign_id, version),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
);
