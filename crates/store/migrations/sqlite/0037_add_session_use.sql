-- When a session was last used, roughly. NULL until its first use after the sign-in.
ALTER TABLE operator_sessions ADD COLUMN last_used_at INTEGER;
