-- What campaigns decide by: attributes of an activity, who decided about its bonuses, when a birth date was set, and how many
-- activities earned a user points. No campaign decided about rows before this migration.
ALTER TABLE transactions ADD COLUMN attributes TEXT NOT NULL DEFAULT '{}';
ALTER TABLE transactions ADD COLUMN bonus_origin TEXT NOT NULL DEFAULT '';
ALTER TABLE users ADD COLUMN birth_date_set_at INTEGER;
ALTER TABLE users ADD COLUMN earned_counts TEXT NOT NULL DEFAULT '';
