-- One limit of requests became two, for reads and for writes. A stored number becomes both. "off" is stored for every tenant
-- that never set it, so it gives way to the new defaults.
UPDATE tenants SET settings = (
    CASE settings::jsonb ->> 'rate_limit_per_minute' WHEN 'off' THEN settings::jsonb ELSE settings::jsonb || jsonb_build_object(
        'rate_limit_reads_per_minute', settings::jsonb ->> 'rate_limit_per_minute',
        'rate_limit_writes_per_minute', settings::jsonb ->> 'rate_limit_per_minute'
    ) END - 'rate_limit_per_minute'
)::text WHERE settings::jsonb ->> 'rate_limit_per_minute' IS NOT NULL;
