-- Settings are kept as the JSON of their text forms. All tenants at once: one row each.
UPDATE catalogue_versions SET low_stock_threshold = (
    SELECT CAST(settings ->> 'low_stock_threshold' AS INTEGER) FROM tenants WHERE tenants.id = catalogue_versions.tenant_id
) WHERE tenant_id IN (SELECT id FROM tenants WHERE settings ->> 'low_stock_threshold' IS NOT NULL);
