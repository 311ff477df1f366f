-- last_seq and last_hash repeat the user's newest ledger row, so that the next row needs no search for it.
CREATE TABLE users (
    tenant_id   TEXT    NOT NULL,
    id          TEXT    NOT NULL,
    balance     INTEGER NOT NULL CHECK (balance BETWEEN -9007199254740991 AND 9007199254740991),
    day_count   INTEGER NOT NULL CHECK (day_count >= 0),
    last_seq    INTEGER NOT NULL CHECK (last_seq >= 0),
    last_hash   BLOB    NOT NULL CHECK (length(last_hash) = 32),
    birth_date  INTEGER,
    locale      TEXT,
    disabled_at INTEGER,
    created_at  INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
) STRICT, WITHOUT ROWID;
