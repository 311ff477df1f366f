-- One limit of requests became two, for reads and for writes. A stored number becomes both. "off" is stored for every tenant
-- that never set it, so it gives way to the new defaults.
UPDATE tenants SET settings = json_remove(
    CASE settings ->> 'rate_limit_per_minute' WHEN 'off' THEN settings ELSE json_set(
        settings,
        '$.rate_limit_reads_per_minute', settings ->> 'rate_limit_per_minute',
        '$.rate_limit_writes_per_minute', settings ->> 'rate_limit_per_minute'
    ) END,
    '$.rate_limit_per_minute'
) WHERE settings ->> 'rate_limit_per_minute' IS NOT NULL;
