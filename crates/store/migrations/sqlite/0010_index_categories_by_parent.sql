-- A tree is replaced by deleting it, and for every deleted category its children are looked for. All columns, since
-- SQLite keeps no statistics here and takes a tenant for small: it would rather read the tenant's whole part of the
-- table than go from an index to the table.
CREATE INDEX categories_by_parent ON categories (tenant_id, parent_id, id, position, label);
