-- last_seq and last_hash repeat the user's newest ledger row, so that the next row needs no search for it.
CREATE TABLE users (
    tenant_id   TEXT COLLATE "C" NOT NULL,
    id          TEXT COLLATE "C" NOT NULL,
    balance     BIGINT           NOT NULL CHECK (balance BETWEEN -9007199254740991 AND 9007199254740991),
    day_count   BIGINT           NOT NULL CHECK (day_count >= 0),
    last_seq    BIGINT           NOT NULL CHECK (last_seq >= 0),
    last_hash   BYTEA            NOT NULL CHECK (octet_length(last_hash) = 32),
    birth_date  INTEGER,
    locale      TEXT COLLATE "C",
    disabled_at BIGINT,
    created_at  BIGINT           NOT NULL,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
);
