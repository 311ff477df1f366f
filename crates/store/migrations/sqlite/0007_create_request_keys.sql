-- What a request with a key was answered, so that it is executed once however often it is sent.
CREATE TABLE request_keys (
    tenant_id    TEXT    NOT NULL,
    principal    TEXT    NOT NULL,
    key          TEXT    NOT NULL,
    fingerprint  BLOB    NOT NULL CHECK (length(fingerprint) = 32),
    answer       BLOB    NOT NULL,
    created_at   INTEGER NOT NULL,
    last_used_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, principal, key),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
) STRICT, WITHOUT ROWID;

CREATE INDEX request_keys_by_use ON request_keys (tenant_id, last_used_at);
