-- Raised in the transaction of every catalogue write.
CREATE TABLE catalogue_versions (
    tenant_id TEXT    NOT NULL,
    version   INTEGER NOT NULL CHECK (version >= 0),
    PRIMARY KEY (tenant_id),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
) STRICT, WITHOUT ROWID;

CREATE TABLE categories (
    tenant_id TEXT    NOT NULL,
    id        TEXT    NOT NULL,
    parent_id TEXT,
    position  INTEGER NOT NULL CHECK (position >= 0),
    label     TEXT    NOT NULL,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id),
    FOREIGN KEY (tenant_id, parent_id) REFERENCES categories (tenant_id, id)
) STRICT, WITHOUT ROWID;

-- A retired product stays as a tombstone, so that a snapshot of an older version learns of it.
CREATE TABLE products (
    tenant_id          TEXT    NOT NULL,
    id                 TEXT    NOT NULL,
    sku                TEXT    NOT NULL,
    title              TEXT    NOT NULL,
    description        TEXT    NOT NULL,
    description_source TEXT    NOT NULL,
    regular_price      INTEGER NOT NULL CHECK (regular_price BETWEEN 0 AND 9007199254740991),
    sale_price         INTEGER CHECK (sale_price BETWEEN 0 AND 9007199254740991),
    thumbnail          TEXT    NOT NULL,
    gallery            TEXT    NOT NULL,
    categories         TEXT    NOT NULL,
    stock              INTEGER CHECK (stock >= 0),
    popular            INTEGER NOT NULL CHECK (popular IN (0, 1)),
    published_at       INTEGER NOT NULL,
    active             INTEGER NOT NULL CHECK (active IN (0, 1)),
    version            INTEGER NOT NULL CHECK (version > 0),
    retired_at         INTEGER,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
) STRICT, WITHOUT ROWID;

CREATE INDEX products_by_version ON products (tenant_id, version);
