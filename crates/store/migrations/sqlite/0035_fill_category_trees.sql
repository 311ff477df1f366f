INSERT INTO category_trees (tenant_id, categories)
SELECT tenant_id, json_group_array(json_array(id, label, parent_id) ORDER BY position, id)
FROM categories GROUP BY tenant_id;

DELETE FROM categories;
