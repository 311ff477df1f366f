-- Random bytes that the server makes at first use and derives keys from. All instances on a database share them.
CREATE TABLE tenant_secrets (
    tenant_id  TEXT COLLATE "C" NOT NULL,
    name       TEXT COLLATE "C" NOT NULL,
    value      BYTEA            NOT NULL CHECK (octet_length(value) = 32),
    created_at BIGINT           NOT NULL,
    PRIMARY KEY (tenant_id, name),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
);
