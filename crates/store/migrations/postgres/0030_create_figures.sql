-- Figures of reports. A job counts them from the feed; they can be thrown away and counted again from the ledger.

-- How far the figures of reports are: which events they count, and in which time zone their days are.
CREATE TABLE figures (
    tenant_id    TEXT COLLATE "C" NOT NULL,
    writes       BIGINT           NOT NULL,
    phase        TEXT COLLATE "C" NOT NULL,
    time_zone    TEXT COLLATE "C" NOT NULL,
    generation   BIGINT           NOT NULL,
    position     BIGINT           NOT NULL,
    scanned_user TEXT COLLATE "C" NOT NULL,
    scanned_seq  BIGINT           NOT NULL,
    PRIMARY KEY (tenant_id),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
);

-- What the figures count of each user: how many ledger rows, on which days, from which months.
CREATE TABLE member_figures (
    tenant_id     TEXT COLLATE "C" NOT NULL,
    user_id       TEXT COLLATE "C" NOT NULL,
    counted_seq   BIGINT           NOT NULL,
    earned_points BIGINT           NOT NULL,
    spent_points  BIGINT           NOT NULL,
    day_count     BIGINT           NOT NULL,
    last_day      BIGINT,
    days          BYTEA            NOT NULL,
    vintages      TEXT COLLATE "C" NOT NULL,
    campaigns     TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (tenant_id, user_id),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
);

-- The points of each local day, by type of activity.
CREATE TABLE daily_totals (
    tenant_id       TEXT COLLATE "C" NOT NULL,
    day             BIGINT           NOT NULL,
    type            TEXT COLLATE "C" NOT NULL,
    transactions    BIGINT           NOT NULL,
    earned_points   BIGINT           NOT NULL,
    bonus_points    BIGINT           NOT NULL,
    spent_points    BIGINT           NOT NULL,
    refunded_points BIGINT           NOT NULL,
    reversed_points BIGINT           NOT NULL,
    PRIMARY KEY (tenant_id, day, type),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
);

-- How many members were active on each local day, and in the 7 and 28 days that end with it.
CREATE TABLE daily_members (
    tenant_id TEXT COLLATE "C" NOT NULL,
    day       BIGINT           NOT NULL,
    joined    BIGINT           NOT NULL,
    active_1  BIGINT           NOT NULL,
    active_7  BIGINT           NOT NULL,
    active_28 BIGINT           NOT NULL,
    came_back BIGINT           NOT NULL,
    lapsed    BIGINT           NOT NULL,
    PRIMARY KEY (tenant_id, day),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
);

-- How many members of each month of joining were active in each month.
CREATE TABLE cohorts (
    tenant_id TEXT COLLATE "C" NOT NULL,
    joined    BIGINT           NOT NULL,
    month     BIGINT           NOT NULL,
    members   BIGINT           NOT NULL,
    PRIMARY KEY (tenant_id, joined, month),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
);

-- The points of each month of earning.
CREATE TABLE vintages (
    tenant_id       TEXT COLLATE "C" NOT NULL,
    month           BIGINT           NOT NULL,
    issued_points   BIGINT           NOT NULL,
    spent_points    BIGINT           NOT NULL,
    reversed_points BIGINT           NOT NULL,
    PRIMARY KEY (tenant_id, month),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
);

-- What each campaign gave for the events of each local day.
CREATE TABLE campaign_days (
    tenant_id     TEXT COLLATE "C" NOT NULL,
    day           BIGINT           NOT NULL,
    campaign_id   TEXT COLLATE "C" NOT NULL,
    awards        BIGINT           NOT NULL,
    points        BIGINT           NOT NULL,
    first_members BIGINT           NOT NULL,
    PRIMARY KEY (tenant_id, day, campaign_id),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
);

-- The orders of each product, by local day.
CREATE TABLE product_days (
    tenant_id        TEXT COLLATE "C" NOT NULL,
    day              BIGINT           NOT NULL,
    product_id       TEXT COLLATE "C" NOT NULL,
    orders           BIGINT           NOT NULL,
    pieces           BIGINT           NOT NULL,
    points           BIGINT           NOT NULL,
    cancelled_orders BIGINT           NOT NULL,
    cancelled_pieces BIGINT           NOT NULL,
    cancelled_points BIGINT           NOT NULL,
    PRIMARY KEY (tenant_id, day, product_id),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
);
