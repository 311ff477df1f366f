-- A tenant in one environment: one isolated unit. The only table whose key is not led by tenant_id, being the list of tenants.
CREATE TABLE tenants (
    id          TEXT COLLATE "C" NOT NULL,
    slug        TEXT COLLATE "C" NOT NULL,
    environment TEXT COLLATE "C" NOT NULL CHECK (environment IN ('production', 'staging')),
    base_url    TEXT COLLATE "C" NOT NULL,
    name        TEXT COLLATE "C" NOT NULL,
    locale      TEXT COLLATE "C" NOT NULL,
    settings    TEXT COLLATE "C" NOT NULL,
    created_at  BIGINT           NOT NULL,
    PRIMARY KEY (id),
    UNIQUE (slug, environment),
    UNIQUE (base_url)
);
