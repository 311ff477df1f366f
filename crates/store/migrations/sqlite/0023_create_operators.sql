-- The people who work with a tenant in the console. The key is the address for signing in, so no two operators of a tenant share one.
CREATE TABLE operators (
    tenant_id  TEXT    NOT NULL,
    email      TEXT    NOT NULL,
    id         TEXT    NOT NULL,
    name       TEXT    NOT NULL,
    role       TEXT    NOT NULL,
    created_at INTEGER NOT NULL,
    created_by TEXT    NOT NULL,
    PRIMARY KEY (tenant_id, email),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
) STRICT, WITHOUT ROWID;
