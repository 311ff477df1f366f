-- Which rules of the time zone gave the days of the figures, and how many reversals each day has. No rules have the number 0, so the figures of
-- before are counted again.
ALTER TABLE figures ADD COLUMN zone_rules INTEGER NOT NULL DEFAULT 0;
ALTER TABLE daily_totals ADD COLUMN reversals INTEGER NOT NULL DEFAULT 0;
