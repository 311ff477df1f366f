-- A tree is replaced by deleting it, and for every deleted category its children are looked for.
CREATE INDEX categories_by_parent ON categories (tenant_id, parent_id, id, position, label);
