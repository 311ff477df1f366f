-- When each campaign ran for the first time, and when it ended: the events of the feed tell each of both once.
CREATE TABLE campaign_runs (
    tenant_id       TEXT COLLATE "C" NOT NULL,
    campaign_id     TEXT COLLATE "C" NOT NULL,
    started_at      BIGINT           NOT NULL,
    started_version BIGINT           NOT NULL CHECK (started_version > 0),
    ended_at        BIGINT CHECK (ended_at >= started_at),
    ended_version   BIGINT CHECK ((ended_version IS NULL) = (ended_at IS NULL)),
    PRIMARY KEY (tenant_id, campaign_id),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
);
