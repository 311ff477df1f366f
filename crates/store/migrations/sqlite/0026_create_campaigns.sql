-- All versions of all campaigns. A change of a campaign is a new version, which takes over at an instant. Rows are only added.
CREATE TABLE campaign_versions (
    tenant_id    TEXT    NOT NULL,
    revision     INTEGER NOT NULL CHECK (revision > 0),
    campaign_id  TEXT    NOT NULL,
    version      INTEGER NOT NULL CHECK (version > 0),
    state        TEXT    NOT NULL,
    valid_from   INTEGER NOT NULL,
    definition   TEXT    NOT NULL,
    created_at   INTEGER NOT NULL,
    created_by   TEXT    NOT NULL,
    PRIMARY KEY (tenant_id, revision),
    UNIQUE (tenant_id, campaign_id, version),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
) STRICT, WITHOUT ROWID;

-- The bonuses that campaigns gave. Rows are only added. A key keeps the awards of a user and a campaign together, by day.
CREATE TABLE awards (
    tenant_id    TEXT    NOT NULL,
    user_id      TEXT    NOT NULL,
    campaign_id  TEXT    NOT NULL,
    day          INTEGER NOT NULL,
    seq          INTEGER NOT NULL CHECK (seq > 0),
    version      INTEGER NOT NULL,
    points       INTEGER NOT NULL CHECK (points > 0),
    birthday     INTEGER,
    PRIMARY KEY (tenant_id, user_id, campaign_id, day, seq),
    FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id)
) STRICT, WITHOUT ROWID;

-- What the processes took of the budget of each campaign, and what they spent of it. So two processes change no common row.
CREATE TABLE budget_shares (
    tenant_id       TEXT    NOT NULL,
    campaign_id     TEXT    NOT NULL,
    holder          TEXT    NOT NULL,
    taken_awards    INTEGER NOT NULL,
    taken_points    INTEGER NOT NULL,
    spent_awards    INTEGER NOT NULL,
    spent_points    INTEGER NOT NULL,
    returned_awards INTEGER NOT NULL,
    returned_points INTEGER NOT NULL,
    notice          INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, campaign_id, holder),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
) STRICT, WITHOUT ROWID;
