-- The back-fills of campaigns. Each gives the awards that a back-test found.
CREATE TABLE back_fills (
    tenant_id    TEXT    NOT NULL,
    campaign_id  TEXT    NOT NULL,
    version      INTEGER NOT NULL CHECK (version > 0),
    state        TEXT    NOT NULL,
    events_from  INTEGER NOT NULL,
    events_until INTEGER NOT NULL,
    found_awards INTEGER NOT NULL CHECK (found_awards >= 0),
    found_points INTEGER NOT NULL,
    found_hash   TEXT    NOT NULL,
    paid_before  INTEGER NOT NULL CHECK (paid_before >= 0),
    given_awards INTEGER NOT NULL CHECK (given_awards >= 0),
    given_points INTEGER NOT NULL,
    left_out     INTEGER NOT NULL CHECK (left_out >= 0),
    requested_at INTEGER NOT NULL,
    requested_by TEXT    NOT NULL,
    ended_at     INTEGER,
    PRIMARY KEY (tenant_id, campaign_id, version),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
) STRICT, WITHOUT ROWID;
