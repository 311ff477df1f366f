-- Only the SHA-256 of a token is kept, never the token.
CREATE TABLE tokens (
    tenant_id  TEXT    NOT NULL,
    hash       BLOB    NOT NULL CHECK (length(hash) = 32),
    kind       TEXT    NOT NULL CHECK (kind IN ('customer', 'super_user')),
    user_id    TEXT,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER,
    PRIMARY KEY (tenant_id, hash),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id),
    FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id),
    CHECK ((kind = 'customer') = (user_id IS NOT NULL))
) STRICT, WITHOUT ROWID;

CREATE INDEX tokens_by_user ON tokens (tenant_id, user_id);
