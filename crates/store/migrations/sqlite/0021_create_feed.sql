-- What each commit changed, for readers of the feed. The entries get their positions after the commit.
CREATE TABLE feed_blocks (
    tenant_id     TEXT    NOT NULL,
    id            TEXT    NOT NULL,
    ordinal       INTEGER NOT NULL,
    created_at    INTEGER NOT NULL,
    entry_count   INTEGER NOT NULL CHECK (entry_count > 0),
    entries       TEXT    NOT NULL,
    last_position INTEGER,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX feed_blocks_by_position ON feed_blocks (tenant_id, last_position) WHERE last_position IS NOT NULL;
CREATE INDEX feed_blocks_unnumbered ON feed_blocks (tenant_id, ordinal) WHERE last_position IS NULL;

-- The ends of each feed.
CREATE TABLE feeds (
    tenant_id        TEXT    NOT NULL,
    generation       INTEGER NOT NULL,
    last_position    INTEGER NOT NULL,
    removed_position INTEGER NOT NULL,
    PRIMARY KEY (tenant_id),
    CHECK (removed_position BETWEEN 0 AND last_position),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
) STRICT, WITHOUT ROWID;
