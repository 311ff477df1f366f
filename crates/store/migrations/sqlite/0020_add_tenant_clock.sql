-- The virtual clock of a staging tenant: how far its time is ahead of the real time, in microseconds.
ALTER TABLE tenants ADD COLUMN clock_offset INTEGER NOT NULL DEFAULT 0
    CHECK (clock_offset = 0 OR (clock_offset > 0 AND environment = 'staging'));
