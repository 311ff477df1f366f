-- Only the SHA-256 of a token is kept, never the token.
CREATE TABLE tokens (
    tenant_id  TEXT COLLATE "C" NOT NULL,
    hash       BYTEA            NOT NULL CHECK (octet_length(hash) = 32),
    kind       TEXT COLLATE "C" NOT NULL CHECK (kind IN ('customer', 'super_user')),
    user_id    TEXT COLLATE "C",
    created_at BIGINT           NOT NULL,
    expires_at BIGINT,
    revoked_at BIGINT,
    PRIMARY KEY (tenant_id, hash),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id),
    FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id),
    CHECK ((kind = 'customer') = (user_id IS NOT NULL))
);

CREATE INDEX tokens_by_user ON tokens (tenant_id, user_id);
