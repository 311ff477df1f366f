-- The background work of each tenant: when it is due, and which process runs it until when.
CREATE TABLE jobs (
    tenant_id       TEXT    NOT NULL,
    name            TEXT    NOT NULL,
    key             TEXT    NOT NULL,
    next_run_at     INTEGER NOT NULL,
    attempts        INTEGER NOT NULL CHECK (attempts >= 0),
    lease_owner     TEXT,
    lease_ends_at   INTEGER,
    last_error      TEXT,
    last_success_at INTEGER,
    PRIMARY KEY (tenant_id, name, key),
    CHECK ((lease_owner IS NULL) = (lease_ends_at IS NULL)),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
) STRICT, WITHOUT ROWID;

-- An instance asks for what is due of all tenants at once, so time leads here and not the tenant.
CREATE INDEX jobs_by_next_run ON jobs (next_run_at);
CREATE INDEX jobs_failing ON jobs (tenant_id) WHERE last_error IS NOT NULL;
