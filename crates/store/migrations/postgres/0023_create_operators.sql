-- The people who work with a tenant in the console. The key is the address for signing in, so no two operators of a tenant share one.
CREATE TABLE operators (
    tenant_id  TEXT COLLATE "C" NOT NULL,
    email      TEXT COLLATE "C" NOT NULL,
    id         TEXT COLLATE "C" NOT NULL,
    name       TEXT COLLATE "C" NOT NULL,
    role       TEXT COLLATE "C" NOT NULL,
    created_at BIGINT           NOT NULL,
    created_by TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (tenant_id, email),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
);
