-- How many points ended, apart from those that members spent.
ALTER TABLE daily_totals ADD COLUMN expired_points INTEGER NOT NULL DEFAULT 0;
ALTER TABLE vintages ADD COLUMN expired_points INTEGER NOT NULL DEFAULT 0;
ALTER TABLE member_figures ADD COLUMN expired_points INTEGER NOT NULL DEFAULT 0;
-- Up to which day members were told that points end soon.
CREATE TABLE expiry_notices (
    tenant_id     TEXT NOT NULL,
    told_on       INTEGER NOT NULL,
    telling_on    INTEGER NOT NULL,
    after_user    TEXT NOT NULL,
    counted       INTEGER NOT NULL,
    ending_points INTEGER,
    PRIMARY KEY (tenant_id),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
);
