-- The data key of each tenant, which seals values of the tenant. It is itself sealed with a master key, which is in no database.
CREATE TABLE data_keys (
    tenant_id     TEXT COLLATE "C" NOT NULL,
    master_key_id TEXT COLLATE "C" NOT NULL,
    sealed        BYTEA            NOT NULL CHECK (octet_length(sealed) = 60),
    created_at    BIGINT           NOT NULL,
    PRIMARY KEY (tenant_id),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
);
