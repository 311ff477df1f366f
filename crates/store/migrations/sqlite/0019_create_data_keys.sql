-- The data key of each tenant, which seals values of the tenant. It is itself sealed with a master key, which is in no database.
CREATE TABLE data_keys (
    tenant_id     TEXT    NOT NULL,
    master_key_id TEXT    NOT NULL,
    sealed        BLOB    NOT NULL CHECK (length(sealed) = 60),
    created_at    INTEGER NOT NULL,
    PRIMARY KEY (tenant_id),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
) STRICT, WITHOUT ROWID;
