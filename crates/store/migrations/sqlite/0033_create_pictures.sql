-- The pictures of products, known by the SHA-256 of their bytes. The bytes are apart, so that a command that checks the bounds loads none.
CREATE TABLE pictures (
    tenant_id    TEXT    NOT NULL,
    id           BLOB    NOT NULL CHECK (length(id) = 32),
    content_type TEXT    NOT NULL CHECK (content_type IN ('image/png', 'image/jpeg', 'image/webp', 'image/avif')),
    width        INTEGER NOT NULL CHECK (width > 0),
    height       INTEGER NOT NULL CHECK (height > 0),
    size_bytes   INTEGER NOT NULL CHECK (size_bytes > 0),
    created_at   INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
) STRICT, WITHOUT ROWID;

CREATE TABLE picture_bytes (
    tenant_id TEXT NOT NULL,
    id        BLOB NOT NULL CHECK (length(id) = 32),
    bytes     BLOB NOT NULL,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
) STRICT, WITHOUT ROWID;
