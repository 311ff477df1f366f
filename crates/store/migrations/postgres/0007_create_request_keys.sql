-- What a request with a key was answered, so that it is executed once however often it is sent.
CREATE TABLE request_keys (
    tenant_id    TEXT COLLATE "C" NOT NULL,
    principal    TEXT COLLATE "C" NOT NULL,
    key          TEXT COLLATE "C" NOT NULL,
    fingerprint  BYTEA            NOT NULL CHECK (octet_length(fingerprint) = 32),
    answer       BYTEA            NOT NULL,
    created_at   BIGINT           NOT NULL,
    last_used_at BIGINT           NOT NULL,
    PRIMARY KEY (tenant_id, principal, key),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
);

CREATE INDEX request_keys_by_use ON request_keys (tenant_id, last_used_at);
