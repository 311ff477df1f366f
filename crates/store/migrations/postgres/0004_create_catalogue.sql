-- Raised in the transaction of every catalogue write.
CREATE TABLE catalogue_versions (
    tenant_id TEXT COLLATE "C" NOT NULL,
    version   BIGINT           NOT NULL CHECK (version >= 0),
    PRIMARY KEY (tenant_id),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
);

CREATE TABLE categories (
    tenant_id TEXT COLLATE "C" NOT NULL,
    id        TEXT COLLATE "C" NOT NULL,
    parent_id TEXT COLLATE "C",
    position  BIGINT           NOT NULL CHECK (position >= 0),
    label     TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id),
    FOREIGN KEY (tenant_id, parent_id) REFERENCES categories (tenant_id, id)
);

-- A retired product stays as a tombstone, so that a snapshot of an older version learns of it.
CREATE TABLE products (
    tenant_id          TEXT COLLATE "C" NOT NULL,
    id                 TEXT COLLATE "C" NOT NULL,
    sku                TEXT COLLATE "C" NOT NULL,
    title              TEXT COLLATE "C" NOT NULL,
    description        TEXT COLLATE "C" NOT NULL,
    description_source TEXT COLLATE "C" NOT NULL,
    regular_price      BIGINT           NOT NULL CHECK (regular_price BETWEEN 0 AND 9007199254740991),
    sale_price         BIGINT           CHECK (sale_price BETWEEN 0 AND 9007199254740991),
    thumbnail          TEXT COLLATE "C" NOT NULL,
    gallery            TEXT COLLATE "C" NOT NULL,
    categories         TEXT COLLATE "C" NOT NULL,
    stock              BIGINT           CHECK (stock >= 0),
    popular            BOOLEAN          NOT NULL,
    published_at       BIGINT           NOT NULL,
    active             BOOLEAN          NOT NULL,
    version            BIGINT           NOT NULL CHECK (version > 0),
    retired_at         BIGINT,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
);

CREATE INDEX products_by_version ON products (tenant_id, version);
