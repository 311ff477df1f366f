-- The tenant's setting, where the transaction of an order reads it: beside the version that an order raises when stock
-- crosses it.
ALTER TABLE catalogue_versions ADD COLUMN low_stock_threshold INTEGER NOT NULL DEFAULT 5
    CHECK (low_stock_threshold BETWEEN 0 AND 4294967295);
