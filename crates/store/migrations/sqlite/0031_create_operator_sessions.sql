-- The sessions of operators in the console. Only the SHA-256 of a token is kept; the id is its beginning. No foreign key to operators: their
-- key is the address. A session of a removed operator is refused.
CREATE TABLE operator_sessions (
    tenant_id   TEXT    NOT NULL,
    id          TEXT    NOT NULL,
    operator_id TEXT    NOT NULL,
    hash        BLOB    NOT NULL CHECK (length(hash) = 32),
    created_at  INTEGER NOT NULL,
    expires_at  INTEGER NOT NULL,
    address     TEXT,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
) STRICT, WITHOUT ROWID;
