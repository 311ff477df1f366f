-- Figures of reports. A job counts them from the feed; they can be thrown away and counted again from the ledger.

-- How far the figures of reports are: which events they count, and in which time zone their days are.
CREATE TABLE figures (
    tenant_id    TEXT    NOT NULL,
    writes       INTEGER NOT NULL,
    phase        TEXT    NOT NULL,
    time_zone    TEXT    NOT NULL,
    generation   INTEGER NOT NULL,
    position     INTEGER NOT NULL,
    scanned_user TEXT    NOT NULL,
    scanned_seq  INTEGER NOT NULL,
    PRIMARY KEY (tenant_id),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
) STRICT, WITHOUT ROWID;

-- What the figures count of each user: how many ledger rows, on which days, from which months.
CREATE TABLE member_figures (
    tenant_id     TEXT    NOT NULL,
    user_id       TEXT    NOT NULL,
    counted_seq   INTEGER NOT NULL,
    earned_points INTEGER NOT NULL,
    spent_points  INTEGER NOT NULL,
    day_count     INTEGER NOT NULL,
    last_day      INTEGER,
    days          BLOB    NOT NULL,
    vintages      TEXT    NOT NULL,
    campaigns     TEXT    NOT NULL,
    PRIMARY KEY (tenant_id, user_id),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
) STRICT, WITHOUT ROWID;

-- The points of each local day, by type of activity.
CREATE TABLE daily_totals (
    tenant_id       TEXT    NOT NULL,
    day             INTEGER NOT NULL,
    type            TEXT    NOT NULL,
    transactions    INTEGER NOT NULL,
    earned_points   INTEGER NOT NULL,
    bonus_points    INTEGER NOT NULL,
    spent_points    INTEGER NOT NULL,
    refunded_points INTEGER NOT NULL,
    reversed_points INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, day, type),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
) STRICT, WITHOUT ROWID;

-- How many members were active on each local day, and in the 7 and 28 days that end with it.
CREATE TABLE daily_members (
    tenant_id TEXT    NOT NULL,
    day       INTEGER NOT NULL,
    joined    INTEGER NOT NULL,
    active_1  INTEGER NOT NULL,
    active_7  INTEGER NOT NULL,
    active_28 INTEGER NOT NULL,
    came_back INTEGER NOT NULL,
    lapsed    INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, day),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
) STRICT, WITHOUT ROWID;

-- How many members of each month of joining were active in each month.
CREATE TABLE cohorts (
    tenant_id TEXT    NOT NULL,
    joined    INTEGER NOT NULL,
    month     INTEGER NOT NULL,
    members   INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, joined, month),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
) STRICT, WITHOUT ROWID;

-- The points of each month of earning.
CREATE TABLE vintages (
    tenant_id       TEXT    NOT NULL,
    month           INTEGER NOT NULL,
    issued_points   INTEGER NOT NULL,
    spent_points    INTEGER NOT NULL,
    reversed_points INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, month),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
) STRICT, WITHOUT ROWID;

-- What each campaign gave for the events of each local day.
CREATE TABLE campaign_days (
    tenant_id     TEXT    NOT NULL,
    day           INTEGER NOT NULL,
    campaign_id   TEXT    NOT NULL,
    awards        INTEGER NOT NULL,
    points        INTEGER NOT NULL,
    first_members INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, day, campaign_id),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
) STRICT, WITHOUT ROWID;

-- The orders of each product, by local day.
CREATE TABLE product_days (
    tenant_id        TEXT    NOT NULL,
    day              INTEGER NOT NULL,
    product_id       TEXT    NOT NULL,
    orders           INTEGER NOT NULL,
    pieces           INTEGER NOT NULL,
    points           INTEGER NOT NULL,
    cancelled_orders INTEGER NOT NULL,
    cancelled_pieces INTEGER NOT NULL,
    cancelled_points INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, day, product_id),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
) STRICT, WITHOUT ROWID;
