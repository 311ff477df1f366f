-- When each campaign ran for the first time, and when it ended: the events of the feed tell each of both once.
CREATE TABLE campaign_runs (
    tenant_id       TEXT    NOT NULL,
    campaign_id     TEXT    NOT NULL,
    started_at      INTEGER NOT NULL,
    started_version INTEGER NOT NULL CHECK (started_version > 0),
    ended_at        INTEGER CHECK (ended_at >= started_at),
    ended_version   INTEGER CHECK ((ended_version IS NULL) = (ended_at IS NULL)),
    PRIMARY KEY (tenant_id, campaign_id),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
) STRICT, WITHOUT ROWID;
