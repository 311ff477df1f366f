-- A tree is read and replaced as a whole, so it is one value: a JSON array of [id, label, id of the parent or null], siblings in the
-- operator's order.
CREATE TABLE category_trees (
    tenant_id  TEXT COLLATE "C" NOT NULL,
    categories TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (tenant_id),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
);
