-- The tenant's setting, where the transaction of an order reads it: beside the version that an order raises when stock
-- crosses it.
ALTER TABLE catalogue_versions ADD COLUMN low_stock_threshold BIGINT NOT NULL DEFAULT 5
    CONSTRAINT catalogue_versions_low_stock_threshold_check
    CHECK (low_stock_threshold BETWEEN 0 AND 4294967295);
