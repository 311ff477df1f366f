-- The virtual clock of a staging tenant: how far its time is ahead of the real time, in microseconds. Citus does not add a
-- column together with its constraint.
ALTER TABLE tenants ADD COLUMN clock_offset BIGINT NOT NULL DEFAULT 0;
ALTER TABLE tenants ADD CONSTRAINT tenants_clock_offset
    CHECK (clock_offset = 0 OR (clock_offset > 0 AND environment = 'staging'));
