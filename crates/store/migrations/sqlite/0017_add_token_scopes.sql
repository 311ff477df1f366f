-- What a key of the back office may do, and from where. Without scopes it may do everything, as super-user tokens did.
ALTER TABLE tokens ADD COLUMN scopes TEXT;
ALTER TABLE tokens ADD COLUMN networks TEXT NOT NULL DEFAULT '';
ALTER TABLE tokens ADD COLUMN created_by TEXT;
ALTER TABLE tokens ADD COLUMN last_used_at INTEGER;
