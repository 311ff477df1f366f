-- The points of activities that wait. Without a value, the user never had any.
ALTER TABLE users ADD COLUMN pending_points INTEGER;
-- Activities whose points wait, and those that were released or voided meanwhile.
CREATE TABLE held_activities (
    tenant_id       TEXT NOT NULL,
    user_id         TEXT NOT NULL,
    type            TEXT NOT NULL,
    source_id       TEXT NOT NULL,
    id              BYTES NOT NULL,
    points          INTEGER NOT NULL,
    bonus_breakdown TEXT NOT NULL,
    title           TEXT NOT NULL,
    subtitle        TEXT NOT NULL,
    created_at      INTEGER NOT NULL,
    attributes      TEXT NOT NULL,
    asks_campaigns  BOOLEAN NOT NULL,
    held_at         INTEGER NOT NULL,
    release_at      INTEGER,
    voided_at       INTEGER,
    reason          TEXT NOT NULL,
    PRIMARY KEY (tenant_id, user_id, type, source_id),
    FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id)
);
-- Those that wait, by the time at which they are released.
CREATE INDEX held_activities_by_release ON held_activities (tenant_id, release_at, user_id, type, source_id);
