-- What users have, by the last day of the points. Without lots, points never end.
ALTER TABLE users ADD COLUMN lots TEXT;
-- The last day of the points that end first.
ALTER TABLE users ADD COLUMN next_expiry_on INTEGER;
CREATE INDEX users_by_expiry ON users (tenant_id, next_expiry_on, id);
-- What a row changed in the lots of its user.
ALTER TABLE transactions ADD COLUMN moves TEXT;
-- What changed in the lots of users without a row of the ledger: their beginning. Rows are only added.
CREATE TABLE lot_changes (
    tenant_id  TEXT NOT NULL,
    user_id    TEXT NOT NULL,
    after_seq  INTEGER NOT NULL CHECK (after_seq >= 0),
    changed_at INTEGER NOT NULL,
    moves      TEXT NOT NULL,
    PRIMARY KEY (tenant_id, user_id, after_seq, changed_at),
    FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id)
);
