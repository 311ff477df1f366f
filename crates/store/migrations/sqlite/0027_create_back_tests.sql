-- The back-tests of campaigns. The results are apart, so that a command that changes a state loads none.
CREATE TABLE back_tests (
    tenant_id    TEXT    NOT NULL,
    campaign_id  TEXT    NOT NULL,
    version      INTEGER NOT NULL CHECK (version > 0),
    state        TEXT    NOT NULL,
    events_from  INTEGER NOT NULL,
    events_until INTEGER NOT NULL,
    rows_read    INTEGER NOT NULL CHECK (rows_read >= 0),
    rows_total   INTEGER,
    requested_at INTEGER NOT NULL,
    requested_by TEXT    NOT NULL,
    ended_at     INTEGER,
    PRIMARY KEY (tenant_id, campaign_id, version),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
) STRICT, WITHOUT ROWID;

CREATE TABLE back_test_results (
    tenant_id   TEXT    NOT NULL,
    campaign_id TEXT    NOT NULL,
    version     INTEGER NOT NULL CHECK (version > 0),
    result      TEXT    NOT NULL,
    PRIMARY KEY (tenant_id, campaign_id, version),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
) STRICT, WITHOUT ROWID;
