-- What operators and back offices noted of users. Rows are only added.
CREATE TABLE user_notes (
    tenant_id  TEXT NOT NULL,
    user_id    TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    id         BYTES NOT NULL,
    text       TEXT NOT NULL,
    created_by TEXT NOT NULL,
    PRIMARY KEY (tenant_id, user_id, created_at, id),
    FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id)
);
