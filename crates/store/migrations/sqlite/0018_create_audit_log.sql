-- Who changed what, when and why. The entries of a tenant form a chain of hashes.
CREATE TABLE audit_entries (
    tenant_id   TEXT NOT NULL,
    seq         INTEGER NOT NULL CHECK (seq > 0),
    at          INTEGER NOT NULL,
    actor       TEXT NOT NULL,
    actor_label TEXT,
    operation   TEXT NOT NULL,
    object      TEXT NOT NULL,
    old_values  TEXT,
    new_values  TEXT,
    reason      TEXT,
    request_id  TEXT,
    address     TEXT,
    hash        BLOB NOT NULL,
    PRIMARY KEY (tenant_id, seq),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
) STRICT, WITHOUT ROWID;

CREATE INDEX audit_entries_by_object ON audit_entries (tenant_id, object, seq);
CREATE INDEX audit_entries_by_actor ON audit_entries (tenant_id, actor, seq);

-- The newest entry of each log, and the newest of those that were removed because of their age.
CREATE TABLE audit_chains (
    tenant_id   TEXT NOT NULL,
    last_seq    INTEGER NOT NULL,
    last_hash   BLOB NOT NULL,
    sealed_seq  INTEGER NOT NULL,
    sealed_hash BLOB NOT NULL,
    sealed_at   INTEGER,
    PRIMARY KEY (tenant_id),
    CHECK (sealed_seq BETWEEN 0 AND last_seq),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
) STRICT, WITHOUT ROWID;
