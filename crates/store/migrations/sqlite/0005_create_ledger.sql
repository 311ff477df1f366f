-- Rows are added, never updated or deleted. The key clusters a user's rows by time: a page of history is one range.
CREATE TABLE transactions (
    tenant_id       TEXT    NOT NULL,
    user_id         TEXT    NOT NULL,
    created_at      INTEGER NOT NULL,
    id              TEXT    NOT NULL,
    type            TEXT    NOT NULL,
    source_id       TEXT    NOT NULL,
    points          INTEGER NOT NULL CHECK (points BETWEEN -9007199254740991 AND 9007199254740991),
    bonus_points    INTEGER NOT NULL CHECK (bonus_points BETWEEN 0 AND 9007199254740991),
    bonus_breakdown TEXT    NOT NULL,
    title           TEXT    NOT NULL,
    subtitle        TEXT    NOT NULL,
    recorded_at     INTEGER NOT NULL,
    seq             INTEGER NOT NULL CHECK (seq > 0),
    balance_after   INTEGER NOT NULL CHECK (balance_after BETWEEN -9007199254740991 AND 9007199254740991),
    hash            BLOB    NOT NULL CHECK (length(hash) = 32),
    PRIMARY KEY (tenant_id, user_id, created_at, id),
    UNIQUE (tenant_id, user_id, seq),
    UNIQUE (tenant_id, user_id, type, source_id),
    FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id)
) STRICT, WITHOUT ROWID;

-- One row per UTC day that has transactions: the pages of a history are pages of days. The number of transactions is
-- kept beside it, so that the size of a page is known before it is read.
CREATE TABLE history_days (
    tenant_id         TEXT    NOT NULL,
    user_id           TEXT    NOT NULL,
    day               INTEGER NOT NULL,
    transaction_count INTEGER NOT NULL CHECK (transaction_count > 0),
    PRIMARY KEY (tenant_id, user_id, day),
    FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id)
) STRICT, WITHOUT ROWID;
