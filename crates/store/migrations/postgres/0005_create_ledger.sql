-- Rows are added, never updated or deleted. The key clusters a user's rows by time: a page of history is one range.
CREATE TABLE transactions (
    tenant_id       TEXT COLLATE "C" NOT NULL,
    user_id         TEXT COLLATE "C" NOT NULL,
    created_at      BIGINT           NOT NULL,
    id              TEXT COLLATE "C" NOT NULL,
    type            TEXT COLLATE "C" NOT NULL,
    source_id       TEXT COLLATE "C" NOT NULL,
    points          BIGINT           NOT NULL CHECK (points BETWEEN -9007199254740991 AND 9007199254740991),
    bonus_points    BIGINT           NOT NULL CHECK (bonus_points BETWEEN 0 AND 9007199254740991),
    bonus_breakdown TEXT COLLATE "C" NOT NULL,
    title           TEXT COLLATE "C" NOT NULL,
    subtitle        TEXT COLLATE "C" NOT NULL,
    recorded_at     BIGINT           NOT NULL,
    seq             BIGINT           NOT NULL CHECK (seq > 0),
    balance_after   BIGINT           NOT NULL CHECK (balance_after BETWEEN -9007199254740991 AND 9007199254740991),
    hash            BYTEA            NOT NULL CHECK (octet_length(hash) = 32),
    PRIMARY KEY (tenant_id, user_id, created_at, id),
    UNIQUE (tenant_id, user_id, seq),
    UNIQUE (tenant_id, user_id, type, source_id),
    FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id)
);

-- One row per UTC day that has transactions: the pages of a history are pages of days. The number of transactions is
-- kept beside it, so that the size of a page is known before it is read.
CREATE TABLE history_days (
    tenant_id         TEXT COLLATE "C" NOT NULL,
    user_id           TEXT COLLATE "C" NOT NULL,
    day               INTEGER          NOT NULL,
    transaction_count BIGINT           NOT NULL CHECK (transaction_count > 0),
    PRIMARY KEY (tenant_id, user_id, day),
    FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id)
);
