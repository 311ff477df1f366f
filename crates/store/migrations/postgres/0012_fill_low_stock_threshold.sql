-- Settings are kept as the JSON of their text forms. All tenants at once: one row each.
UPDATE catalogue_versions SET low_stock_threshold = (tenants.settings::jsonb ->> 'low_stock_threshold')::bigint
FROM tenants
WHERE tenants.id = catalogue_versions.tenant_id AND tenants.settings::jsonb ->> 'low_stock_threshold' IS NOT NULL;
