-- A tree is replaced by deleting it, and for every deleted category its children are looked for. Not over position and
-- label, as SQLite has it: a row of an index has some 2,700 bytes here, and a label may be longer.
CREATE INDEX categories_by_parent ON categories (tenant_id, parent_id, id);
