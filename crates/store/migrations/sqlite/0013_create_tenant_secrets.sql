-- Random bytes that the server makes at first use and derives keys from. All instances on a database share them.
CREATE TABLE tenant_secrets (
    tenant_id  TEXT    NOT NULL,
    name       TEXT    NOT NULL,
    value      BLOB    NOT NULL CHECK (length(value) = 32),
    created_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, name),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
) STRICT, WITHOUT ROWID;
