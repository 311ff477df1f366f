-- Who changed what, when and why. The entries of a tenant form a chain of hashes.
CREATE TABLE audit_entries (
    tenant_id   TEXT COLLATE "C" NOT NULL,
    seq         BIGINT NOT NULL CHECK (seq > 0),
    at          BIGINT NOT NULL,
    actor       TEXT COLLATE "C" NOT NULL,
    actor_label TEXT COLLATE "C",
    operation   TEXT COLLATE "C" NOT NULL,
    object      TEXT COLLATE "C" NOT NULL,
    old_values  TEXT COLLATE "C",
    new_values  TEXT COLLATE "C",
    reason      TEXT COLLATE "C",
    request_id  TEXT COLLATE "C",
    address     TEXT COLLATE "C",
    hash        BYTEA NOT NULL,
    PRIMARY KEY (tenant_id, seq),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
);

CREATE INDEX audit_entries_by_object ON audit_entries (tenant_id, object, seq);
CREATE INDEX audit_entries_by_actor ON audit_entries (tenant_id, actor, seq);

-- The newest entry of each log, and the newest of those that were removed because of their age.
CREATE TABLE audit_chains (
    tenant_id   TEXT COLLATE "C" NOT NULL,
    last_seq    BIGINT NOT NULL,
    last_hash   BYTEA NOT NULL,
    sealed_seq  BIGINT NOT NULL,
    sealed_hash BYTEA NOT NULL,
    sealed_at   BIGINT,
    PRIMARY KEY (tenant_id),
    CHECK (sealed_seq BETWEEN 0 AND last_seq),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
);
