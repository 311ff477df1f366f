-- The background work of each tenant: when it is due, and which process runs it until when.
CREATE TABLE jobs (
    tenant_id       TEXT COLLATE "C" NOT NULL,
    name            TEXT COLLATE "C" NOT NULL,
    key             TEXT COLLATE "C" NOT NULL,
    next_run_at     BIGINT           NOT NULL,
    attempts        BIGINT           NOT NULL CHECK (attempts >= 0),
    lease_owner     TEXT COLLATE "C",
    lease_ends_at   BIGINT,
    last_error      TEXT COLLATE "C",
    last_success_at BIGINT,
    PRIMARY KEY (tenant_id, name, key),
    CHECK ((lease_owner IS NULL) = (lease_ends_at IS NULL)),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
);

-- An instance asks for what is due of all tenants at once, so time leads here and not the tenant.
CREATE INDEX jobs_by_next_run ON jobs (next_run_at);
CREATE INDEX jobs_failing ON jobs (tenant_id) WHERE last_error IS NOT NULL;
