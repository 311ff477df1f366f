-- All versions of all campaigns. A change of a campaign is a new version, which takes over at an instant. Rows are only added.
CREATE TABLE campaign_versions (
    tenant_id    TEXT COLLATE "C" NOT NULL,
    revision     BIGINT           NOT NULL CHECK (revision > 0),
    campaign_id  TEXT COLLATE "C" NOT NULL,
    version      BIGINT           NOT NULL CHECK (version > 0),
    state        TEXT COLLATE "C" NOT NULL,
    valid_from   BIGINT           NOT NULL,
    definition   TEXT COLLATE "C" NOT NULL,
    created_at   BIGINT           NOT NULL,
    created_by   TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (tenant_id, revision),
    UNIQUE (tenant_id, campaign_id, version),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
);

-- The bonuses that campaigns gave. Rows are only added. A key keeps the awards of a user and a campaign together, by day.
CREATE TABLE awards (
    tenant_id    TEXT COLLATE "C" NOT NULL,
    user_id      TEXT COLLATE "C" NOT NULL,
    campaign_id  TEXT COLLATE "C" NOT NULL,
    day          BIGINT           NOT NULL,
    seq          BIGINT           NOT NULL CHECK (seq > 0),
    version      BIGINT           NOT NULL,
    points       BIGINT           NOT NULL CHECK (points > 0),
    birthday     BIGINT,
    PRIMARY KEY (tenant_id, user_id, campaign_id, day, seq),
    FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id)
);

-- What the processes took of the budget of each campaign, and what they spent of it. So two processes change no common row.
CREATE TABLE budget_shares (
    tenant_id       TEXT COLLATE "C" NOT NULL,
    campaign_id     TEXT COLLATE "C" NOT NULL,
    holder          TEXT COLLATE "C" NOT NULL,
    taken_awards    BIGINT           NOT NULL,
    taken_points    BIGINT           NOT NULL,
    spent_awards    BIGINT           NOT NULL,
    spent_points    BIGINT           NOT NULL,
    returned_awards BIGINT           NOT NULL,
    returned_points BIGINT           NOT NULL,
    notice          BIGINT           NOT NULL,
    PRIMARY KEY (tenant_id, campaign_id, holder),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
);
