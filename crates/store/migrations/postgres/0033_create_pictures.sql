-- The pictures of products, known by the SHA-256 of their bytes. The bytes are apart, so that a command that checks the bounds loads none.
CREATE TABLE pictures (
    tenant_id    TEXT COLLATE "C" NOT NULL,
    id           BYTEA            NOT NULL CHECK (octet_length(id) = 32),
    content_type TEXT COLLATE "C" NOT NULL CHECK (content_type IN ('image/png', 'image/jpeg', 'image/webp', 'image/avif')),
    width        BIGINT           NOT NULL CHECK (width > 0),
    height       BIGINT           NOT NULL CHECK (height > 0),
    size_bytes   BIGINT           NOT NULL CHECK (size_bytes > 0),
    created_at   BIGINT           NOT NULL,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
);

CREATE TABLE picture_bytes (
    tenant_id TEXT COLLATE "C" NOT NULL,
    id        BYTEA            NOT NULL CHECK (octet_length(id) = 32),
    bytes     BYTEA            NOT NULL,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
);
