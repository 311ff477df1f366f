-- The sessions of operators in the console. Only the SHA-256 of a token is kept; the id is its beginning. No foreign key to operators: their
-- key is the address. A session of a removed operator is refused.
CREATE TABLE operator_sessions (
    tenant_id   TEXT COLLATE "C" NOT NULL,
    id          TEXT COLLATE "C" NOT NULL,
    operator_id TEXT COLLATE "C" NOT NULL,
    hash        BYTEA            NOT NULL CHECK (octet_length(hash) = 32),
    created_at  BIGINT           NOT NULL,
    expires_at  BIGINT           NOT NULL,
    address     TEXT COLLATE "C",
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
);
