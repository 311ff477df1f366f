-- A tenant in one environment: one isolated unit. The only table whose key is not led by tenant_id, being the list of tenants.
CREATE TABLE tenants (
    id          TEXT    NOT NULL,
    slug        TEXT    NOT NULL,
    environment TEXT    NOT NULL CHECK (environment IN ('production', 'staging')),
    base_url    TEXT    NOT NULL,
    name        TEXT    NOT NULL,
    locale      TEXT    NOT NULL,
    settings    TEXT    NOT NULL,
    created_at  INTEGER NOT NULL,
    PRIMARY KEY (id),
    UNIQUE (slug, environment),
    UNIQUE (base_url)
) STRICT, WITHOUT ROWID;
